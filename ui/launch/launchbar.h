// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/launch/launchdraft.h"

#include <QWidget>

class QPushButton;

namespace slipway {

class BoundedScroll;
class ErrorView;
class ImageLines;
class LintBox;
class TextLabel;

/// LaunchBar is the part below the form: what lint found, why the last launch was refused, which
/// nodes are kept already, the buttons that launch a draft, and one sentence. GUI thread;
/// LaunchPage owns it.
class LaunchBar : public QWidget {
    Q_OBJECT

public:
    explicit LaunchBar(LaunchDraft* draft, QWidget* parent = nullptr);

    /// `unshown` are the problems that no visible field shows.
    void showPlan(const std::vector<Problem>& unshown);
    void showConnection();
    void showKept();
    /// What is said of the allocations that are kept; `until`: the end of the first, if it is
    /// known.
    static QString keptText(const std::vector<Run>& kept, const std::optional<QDateTime>& until);
    /// How high the part above the buttons may be; beyond it scrolls.
    void setMostHeight(int pixels);
    /// What the button does: launches, or connects first.
    void launchOrConnect();
    void setBusy(bool busy);
    void showError(const Error& error);
    void hideError();
    bool hasError() const;

signals:
    void launchRequested(const slipway::LaunchSpec& spec);
    void sweepRequested(const std::vector<slipway::LaunchSpec>& specs);
    void runRequested(const QString& runId);
    void connectRequested(const QString& siteId);
    void fixRequested(const QString& field, const QString& value);
    void fieldRequested(const QString& field);
    /// The page of images is wanted, with this one.
    void inspectRequested(const QString& siteId, const QString& reference);
    /// The image fields that their registries have answered for.
    void imagesAnswered(const QStringList& fields);

private:
    void layOut();
    void launch();
    void confirmImages();
    void confirmAllocation();
    void openSweep();
    QString sentence() const;
    QString freeGpus() const;

    LaunchDraft* m_draft;
    bool m_busy = false;
    ErrorView* m_error;
    LintBox* m_lint;
    ImageLines* m_images;
    QPushButton* m_launch;
    QPushButton* m_allocate;
    QPushButton* m_sweep;
    TextLabel* m_sentence;
    QWidget* m_kept;
    TextLabel* m_keptText;
    QPushButton* m_openKept;
    QString m_keptRun;
    BoundedScroll* m_notes = nullptr;
};

} // namespace slipway
