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
/// ends the run. It ends with the connection: from then on every wait answers connectionGone(), and
/// each flow that cannot go on leaves by leave(), which passes no error in silence. Lives on the
/// GUI (or main) thread; a RunHandle owns one while it is connected, and the flows under way hold
/// it.
class RunDriver : public QObject, public std::enable_shared_from_this<RunDriver> {
    Q_OBJECT

public:
    explicit RunDriver(RunFlow flow);

    const std::shared_ptr<Cluster>& cluster() const { return m_flow.cluster; }

    /// A new run: uploads, then submits or asks for nodes.
    void begin(Plan plan, QString scratch);
    /// A run of before: finds its job, catches up, goes on.
    void resume();
    /// The connection is gone, or the program ends.
    void end();
    /// The scheduler was heard of the job since this driver began, and nothing is being read.
    bool isSettled() const { return m_heard && !m_concluding && !m_checking; }

    /// What the scheduler said of a job of this site; of another's it takes nothing.
    void onJobEvent(const JobEvent& event);
    /// The run ends as soon as it may: before its submission, or when its job is known.
    void cancelSoon() { m_cancelWanted = true; }
    /// Until the run has a job, or it is certain that it gets none, or the connection is gone.
    QCoro::Task<void> untilKnown();
    /// Until the run has ended after its job has, for at most half a minute.
    QCoro::Task<void> untilEnded();

signals:
    /// The scheduler took the job, or why that is not so or not known. Once or more.
    void accepted(const slipway::Result<void>& result);
    /// The connection is gone; it is for the owner to call end().
    void lost();
    /// The run has ended: there is nothing to drive any more.
    void finished();

private:
    using Flow = QCoro::Task<Result<void>>;

    Flow launch(Plan plan, QString scratch);
    Flow submit();
    Flow findAgain();
    Flow interact();
    Flow cancelJob();
    Flow checkExitNote();
    Flow conclude(std::optional<JobState> state, QString stateText);
    QCoro::Task<void> concludeAtLast(std::optional<JobState> state, QString stateText);

    QCoro::Task<void> lead(Flow flow);
    void leave(const Error& error);
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
    bool m_checking = false; ///< whether a job that is missing has ended
    bool m_heard = false;
};

} // namespace slipway
