// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "app/runs/relaunch.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QPushButton;
class QScrollArea;
class QTabBar;

namespace slipway {

class ErrorView;
class Gallery;
class LaunchForm;
class LintBox;
class PreviewPane;
class TeachingBox;
class TextLabel;

/// LaunchPage: gallery, form, and beside it the exact script. Every edit plans anew, at once for
/// the eye and pure for the engine. In a narrow window the script folds to a tab.
class LaunchPage : public QWidget {
    Q_OBJECT

public:
    explicit LaunchPage(Engine* engine, QWidget* parent = nullptr);

    void selectSite(const QString& siteId);
    void selectRecipe(const QString& recipeId);
    /// Fills the form with what a run was asked for.
    void load(const LaunchSpec& spec);
    /// The same with one field changed, and what that changes in the script. Without a value the
    /// field has the focus.
    void loadAgain(const QString& runId, const RelaunchOffer& offer);
    const LaunchSpec& spec() const { return m_spec; }
    const Plan& plan() const { return m_plan; }
    void showError(const Error& error);
    bool hasError() const;
    void setBusy(bool busy);
    /// Plans now instead of in a moment.
    void planNow();
    void focusForm();

signals:
    void launchRequested(const slipway::LaunchSpec& spec);
    void sweepRequested(
        const slipway::LaunchSpec& spec, const QString& key, const QStringList& values);
    void connectRequested(const QString& siteId);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeMiddle();
    QWidget* makeActions();
    void fillSites();
    void showRecipe(const QString& recipeId);
    void change(const QString& key, const QString& value);
    void fix(const QString& key, const QString& value);
    void tryExercise(const Exercise& exercise);
    void undoExercise(const Exercise& exercise);
    void goToField(const QString& key);
    void showPlan();
    void showDifference();
    void showActions();
    void askAllocation();
    void fold();
    bool connected() const;
    QString resourceSentence() const;

    Engine* m_engine;
    LaunchSpec m_spec;
    Plan m_plan;
    QHash<QString, QMap<QString, QString>> m_kept; ///< values by recipe, while the window lives
    /// Of this recipe: what exercises have replaced; none: the field had its default.
    QMap<QString, std::optional<QString>> m_beforeExercise;
    QTimer m_replan;
    bool m_busy = false;
    QString m_before; ///< the run that this launch repeats with a change; empty: none

    Gallery* m_gallery;
    QTabBar* m_tabs;
    QWidget* m_middle = nullptr;
    TextLabel* m_title = nullptr;
    TeachingBox* m_about = nullptr;
    QComboBox* m_site = nullptr;
    QScrollArea* m_scroll = nullptr;
    LaunchForm* m_form = nullptr;
    LintBox* m_lint = nullptr;
    ErrorView* m_error = nullptr;
    QPushButton* m_launch = nullptr;
    QPushButton* m_allocate = nullptr;
    QPushButton* m_sweep = nullptr; ///< for a recipe that compares jobs
    TextLabel* m_sentence = nullptr;
    PreviewPane* m_preview;
};

} // namespace slipway
