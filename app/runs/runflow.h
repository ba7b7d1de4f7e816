// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runrecord.h"
#include "remote/cluster/cluster.h"
#include "remote/shell/pauses.h"

#include <QCoroTask>
#include <QElapsedTimer>

#include <functional>
#include <memory>

namespace slipway {

/// How long the flows of a run wait, and how often they ask again; tests make it short.
struct RunTimeouts {
    std::chrono::milliseconds pause{5'000}; ///< before the first repetition; doubled after each
    int tries = 6; ///< of what may be repeated and is not answered
    std::chrono::milliseconds look{3'000}; ///< between two looks for a job
    std::chrono::milliseconds note{1'000}; ///< a shared file system may show a file late
    std::chrono::milliseconds log{5'000}; ///< before the log is tried again that could not be kept
};

/// RunFlow is what the tasks of one run on one connection share. A value: each task holds a copy,
/// so that nothing which it needs goes away under it. GUI (or main) thread.
struct RunFlow {
    std::shared_ptr<RunRecord> record;
    std::shared_ptr<Cluster> cluster;
    std::shared_ptr<Pauses> pauses = std::make_shared<Pauses>();
    RunTimeouts timeouts = {};

    /// The connection is gone or the run has ended: who sees it stops, with connectionGone().
    bool over() const { return pauses->ended(); }
    /// An error that may be another one, or none, when the same is asked again.
    bool mayPass(const Error& error) const;
    /// The far side said no: what was asked for was not done.
    bool isRefusal(const Error& error) const;
};

/// What every wait of a run on a connection answers when the connection is gone.
Error connectionGone();

/// What was asked for, or connectionGone() when the flow is over by then.
template <typename T> QCoro::Task<Result<T>> here(RunFlow flow, QCoro::Task<Result<T>> asking)
{
    auto answer = co_await asking;
    if (flow.over())
        co_return connectionGone();
    co_return answer;
}

/// Asks again, a bounded number of times in a row, what may be asked again without doing it twice.
template <typename T>
QCoro::Task<Result<T>> repeated(RunFlow flow, std::function<QCoro::Task<Result<T>>()> ask)
{
    constexpr qint64 calm = 5 * 60 * 1000; // ms without an error: a later one is counted anew
    auto pause = flow.timeouts.pause;
    for (int tries = 1;; ++tries) {
        QElapsedTimer clock;
        clock.start();
        auto asking = ask();
        auto answer = co_await asking;
        if (flow.over())
            co_return connectionGone();
        if (clock.elapsed() > calm) {
            tries = 1;
            pause = flow.timeouts.pause;
        }
        if (answer.ok() || !flow.mayPass(answer.error()) || tries >= flow.timeouts.tries)
            co_return answer;
        flow.record->say(RunRecord::tr("%1 Retrying (%2 of %3).")
                             .arg(answer.error().summary)
                             .arg(tries)
                             .arg(flow.timeouts.tries - 1));
        co_await flow.pauses->pause(pause);
        if (flow.over())
            co_return connectionGone();
        pause *= 2;
    }
}

} // namespace slipway
