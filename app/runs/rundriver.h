// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "app/runs/runflow.h"
#include "app/runs/runreader.h"

#include <QCoroTask>
#include <QObject>

#include <memory>

namespace slipway {

/// RunDriver drives one run over one connection: submits or allocates, runs the steps, follows, and
/// ends the run. It ends with the connection: from then on every wait returns connectionGone(), and
/// each flow that cannot continue exits through leave(), which never drops an error. Lives on the
/// GUI (or main) thread; a RunHandle owns one while it is connected, and active flows share it.
class RunDriver : public QObject, public std::enable_shared_from_this<RunDriver> {
    Q_OBJECT

public:
    explicit RunDriver(RunFlow flow);

    const std::shared_ptr<Cluster>& cluster() const { return m_flow.cluster; }

    /// A new run: uploads, then submits or requests nodes.
    void begin(Plan plan, QString scratch);
    /// An existing run: finds its job, catches up, continues.
    void resume();
    /// The connection was lost, or the program ends.
    void end();
    /// The scheduler has reported the job since this driver started, and nothing is being read.
    bool isSettled() const { return m_heard && !m_concluding && !m_checking; }

    /// A job change reported by the scheduler of this site; changes of other jobs are ignored.
    void onJobEvent(const JobEvent& event);
    /// Cancels the run as soon as possible: before its submission, or once its job is known.
    void cancelSoon() { m_cancelWanted = true; }
    /// Waits until the run has a job, or certainly gets none, or the connection is lost.
    QCoro::Task<void> untilKnown();
    /// Waits until the run has ended after its job, for at most half a minute.
    QCoro::Task<void> untilEnded();

signals:
    /// The scheduler accepted the job, or the reason why not or why it is not known. Emitted at
    /// least once.
    void accepted(const slipway::Result<void>& result);
    /// The connection was lost; the owner must call end().
    void lost();
    /// The run has ended: there is nothing left to drive.
    void finished();

private:
    using Flow = QCoro::Task<Result<void>>;

    Flow launch(Plan plan, QString scratch);
    Flow prepareAndSubmit(Plan plan, QString scratch);
    Flow submit();
    Flow findAgain();
    Flow interact();
    Flow cancelJob();
    Flow checkExitNote();
    Flow conclude(std::optional<JobState> state, QString stateText);
    QCoro::Task<void> concludeAtLast(std::optional<JobState> state, QString stateText);

    QCoro::Task<void> lead(Flow flow);
    void leave(const Error& error);
    bool endsUnsubmitted(const Error& error) const;
    bool releasesNow() const;
    void keepNodes(const Error& error);
    void giveUp(const Error& error);
    void finish();

    void setJobId(const JobId& job);
    void onJob(const Job& job);
    RunReader& reader();

    RunFlow m_flow;
    std::shared_ptr<RunRecord> m_record;
    std::shared_ptr<RunReader> m_reader; ///< once the job is known
    bool m_cancelWanted = false;
    bool m_interacting = false;
    bool m_concluding = false;
    bool m_checking = false; ///< a check whether a missing job has ended is in progress
    bool m_heard = false;
};

} // namespace slipway
