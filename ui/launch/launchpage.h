// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "app/runs/relaunch.h"

#include <QWidget>

class QComboBox;
class QScrollArea;

namespace slipway {

class CarriedNotice;
class Gallery;
class LaunchBar;
class LaunchDraft;
class LaunchForm;
class LaunchPanes;
class OwnFolder;
class PreviewPane;
class TeachingBox;
class TextLabel;

/// LaunchPage shows a LaunchDraft: the gallery of recipes, the form, and beside it the exact
/// script, placed by LaunchPanes. GUI thread; PageStack owns it.
class LaunchPage : public QWidget {
    Q_OBJECT

public:
    explicit LaunchPage(Engine* engine, QWidget* parent = nullptr);

    void selectSite(const QString& siteId);
    void selectRecipe(const QString& recipeId);
    /// A program or a folder of this computer, to be read and then launched.
    void openFolder(const QString& path);
    /// The same with a dialog that asks for the folder.
    void askForFolder();
    /// Fills the form with what a run was launched with.
    void load(const LaunchSpec& spec);
    /// The same with one field changed, and what that changes in the script. Without a value, the
    /// field gets the focus.
    void loadAgain(const QString& runId, const RelaunchOffer& offer);
    const LaunchSpec& spec() const;
    const Plan& plan() const;
    void showError(const Error& error);
    bool hasError() const;
    void setBusy(bool busy);
    /// Plans at once instead of after a short pause.
    void planNow();
    void focusForm();

signals:
    void launchRequested(const slipway::LaunchSpec& spec);
    void sweepRequested(const std::vector<slipway::LaunchSpec>& specs);
    void connectRequested(const QString& siteId);
    void runRequested(const QString& runId);
    void inspectRequested(const QString& siteId, const QString& reference);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    QWidget* makeMiddle();
    QWidget* makeForm();
    void connectMiddle();
    void fillSites();
    void fillGallery();
    void showRecipe();
    void showPlan();
    void fix(const QString& key, const QString& value);
    void tryExercise(const Exercise& exercise);
    void goToField(const QString& key);
    void holdFocusInPlace();

    Engine* m_engine;
    LaunchDraft* m_draft;
    Gallery* m_gallery;
    LaunchPanes* m_panes = nullptr;
    TextLabel* m_title = nullptr;
    TeachingBox* m_about = nullptr;
    QComboBox* m_site = nullptr;
    CarriedNotice* m_carried = nullptr;
    OwnFolder* m_folder = nullptr;
    QScrollArea* m_scroll = nullptr;
    LaunchForm* m_form = nullptr;
    LaunchBar* m_bar = nullptr;
    PreviewPane* m_preview;
};

} // namespace slipway
