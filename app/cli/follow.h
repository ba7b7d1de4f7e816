// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"
#include "app/cli/waiter.h"
#include "app/runs/runfeed.h"

#include <QObject>
#include <QPointer>

namespace slipway {

/// Follower prints the log of one run as it comes, and says on stderr what the run is doing. Lives
/// as long as the command that waits for it.
class Follower : public QObject {
public:
    /// What programs print for Slipway alone (“@slipway {…}”) is kept in the log in any case.
    enum class OwnLines { Shown, Hidden };
    Follower(Context& context, QString runId, OwnLines ownLines = OwnLines::Shown);

    enum class End {
        Ended, ///< the run, or the steps of an interactive one; its log is printed
        Interrupted, ///< by Ctrl-C
        Lost, ///< the connection is gone, and the job goes on
    };
    QCoro::Task<End> untilEnd();
    /// Until everything that is kept of the log is printed, for at most some seconds.
    QCoro::Task<void> untilCaughtUp();

private:
    void printNew();
    void reportPhase();
    bool ended() const;
    bool lost() const;
    bool caughtUp() const;

    Context& m_context;
    QString m_runId;
    QPointer<RunFeed> m_feed;
    Waiter m_waiter;
    OwnLines m_ownLines;
    qint64 m_nextLine = 1;
    QString m_told; ///< the sentence that was said last
};

/// After an end that is none of the run: how to come back to it; 130 or 3.
ExitCode printLeaving(Context& context, const QString& runId, Follower::End end);

/// Gives the nodes of a run back that was to do so at its end, where they are still kept.
QCoro::Task<ExitCode> releaseAtEnd(Context& context, QString runId, ExitCode code);

/// The medians as the recipe's charts group them, one table a chart.
void printResults(Context& context, const Run& run);
/// The same of series that are not one run's alone.
void printResults(Context& context, const Run& run, const SeriesStore& store);

/// How to get a shell in the nodes that the run keeps, each line with where to paste it.
void printShell(Context& context, const QString& runId);
/// The same as an object; empty: it keeps none.
QJsonObject shellObject(const ShellLines& lines);

/// How the run ended: its sentence and, when it failed, its error. Done, Failed or Refused.
ExitCode printEnding(Context& context, const Run& run);

} // namespace slipway
