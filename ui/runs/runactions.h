// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QObject>

namespace slipway {

/// The first of these folders that exists; empty: none does.
QString existingFolder(const QStringList& candidates);

/// RunActions does what the buttons of the run page ask for: cancel, release and fetch after a
/// question, save a report, open the fetched folder, relaunch, continue. Lives on the GUI thread,
/// owned by the page, which is the parent of its dialogs.
class RunActions : public QObject {
    Q_OBJECT

public:
    RunActions(Engine* engine, QWidget* page);
    void setRun(const QString& runId) { m_runId = runId; }

    void askCancel();
    void askRelease();
    void askFetch();
    /// Asks for a file, and writes what is known of the run into it.
    void askReport();
    void openFolder();
    void relaunch();
    void askKeep();
    /// Submits the job that goes on from the checkpoints of the run.
    void continueRun();

signals:
    void failed(const slipway::Error& error);
    /// The files of the run are in the chosen folder.
    void fetched();
    void reportSaved(const QString& path);
    void relaunchRequested(const slipway::LaunchSpec& spec);
    /// The job of the run that continues it is submitted.
    void continued(const QString& runId, const QString& byRunId);

private:
    QCoro::Task<void> perform(QCoro::Task<Result<void>> task);
    QCoro::Task<void> launchAfter(QString runId, LaunchSpec spec);
    QCoro::Task<void> fetchTo(QString folder);
    void saveReportOf(const QString& runId, const QString& path);

    Engine* m_engine;
    QWidget* m_page;
    QString m_runId;
    QStringList m_continuing; ///< runs whose next job is being submitted
};

} // namespace slipway
