// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/launch/launchdraft.h"

#include <QWidget>

class QPushButton;

namespace slipway {

class ErrorView;
class LintBox;
class TextLabel;

/// LaunchBar is the part below the form: what lint found, why the last launch was refused, the
/// buttons that launch a draft, and one sentence beside them. GUI thread; LaunchPage owns it.
class LaunchBar : public QWidget {
    Q_OBJECT

public:
    explicit LaunchBar(LaunchDraft* draft, QWidget* parent = nullptr);

    void showPlan();
    void showConnection();
    void setBusy(bool busy);
    void showError(const Error& error);
    void hideError();
    bool hasError() const;

signals:
    void launchRequested(const slipway::LaunchSpec& spec);
    void sweepRequested(
        const slipway::LaunchSpec& spec, const QString& key, const QStringList& values);
    void connectRequested(const QString& siteId);
    void fixRequested(const QString& field, const QString& value);
    void fieldRequested(const QString& field);

private:
    void layOut();
    void launchOrConnect();
    void confirmAllocation();
    void launchSweep();
    void showSweep(bool ready);
    QString sentence() const;
    QString freeGpus() const;

    LaunchDraft* m_draft;
    bool m_busy = false;
    ErrorView* m_error;
    LintBox* m_lint;
    QPushButton* m_launch;
    QPushButton* m_allocate;
    QPushButton* m_sweep; ///< for a recipe that compares jobs
    TextLabel* m_sentence;
};

} // namespace slipway
