// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"
#include "app/cli/connectionwatch.h"
#include "app/cli/waiter.h"
#include "app/runs/runfeed.h"
#include "app/runs/runfinding.h"

#include <QObject>
#include <QPointer>

namespace slipway {

/// Follower prints the log of one run as it arrives, and the state of the run on stderr. Lives on
/// the main thread, as long as the command that waits for it.
class Follower : public QObject {
public:
    /// Whether to print the lines that are meant for Slipway (“@slipway {…}”). The log keeps them.
    /// Nothing: no line is printed; who asks for that reads the feed.
    enum class OwnLines { Shown, Hidden, Nothing };
    Follower(Context& context, QString runId, OwnLines ownLines = OwnLines::Shown);

    enum class End {
        Ended, ///< the run, or the steps of an interactive one; its log is printed
        Interrupted, ///< by Ctrl-C
        Lost, ///< the connection was lost, and needs the user; the job continues
    };
    QCoro::Task<End> untilEnd();
    /// Until all of the stored log is printed, for at most 15 seconds.
    QCoro::Task<void> untilCaughtUp();

private:
    void printNew();
    void reportPhase();
    void reportEnd();
    bool ended() const;
    bool caughtUp() const;

    Context& m_context;
    QString m_runId;
    QPointer<RunFeed> m_feed;
    Waiter m_waiter;
    OwnLines m_ownLines;
    qint64 m_nextLine = 1;
    QString m_printedSentence; ///< the last one, to print each once
    ConnectionWatch m_connection;
};

/// Connects, submits the launch and follows it to its end; with --detach only until the job is
/// accepted. Prints what the command “run” prints. `times`: so many jobs, each of which continues
/// the one before.
QCoro::Task<ExitCode> launchAndFollow(Context& context, LaunchSpec spec, int times = 1);

/// Prints the commands that resume and cancel a run.
void printResumeHint(Context& context, const QString& runId);
/// The same for a run that has not ended, and why it is not followed any more. Returns Interrupted
/// or Connection.
ExitCode printLeaving(Context& context, const QString& runId, Follower::End end);

/// Releases the nodes of an interactive run that does not keep them, if they are still allocated.
QCoro::Task<ExitCode> releaseAtEnd(Context& context, QString runId, ExitCode code);

/// Prints the medians, one table per chart of the recipe.
void printResults(Context& context, const Run& run);
/// The same for the series of several runs.
void printResults(Context& context, const Run& run, const SeriesStore& store);

/// Prints the commands that open a shell on the nodes that the run keeps, and where to run them.
void printShell(Context& context, const QString& runId);
/// The same as an object; empty: the run keeps no nodes.
QJsonObject shellObject(const ShellLines& lines);

/// What the run has found, as far as its log was read.
RunFinding findingOf(Context& context, const Run& run);
/// As “finding” and “doubts”, where there are any.
void insertFinding(QJsonObject& object, const RunFinding& finding);

/// Prints how the run ended: its sentence, what it found and, if it failed, its error. Returns
/// Done, Failed or Refused.
ExitCode printEnding(Context& context, const Run& run);

} // namespace slipway
