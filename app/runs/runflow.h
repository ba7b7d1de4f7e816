// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runrecord.h"
#include "app/secrets/secretstore.h"
#include "remote/cluster/cluster.h"
#include "remote/shell/pauses.h"

#include <QCoroTask>
#include <QElapsedTimer>

#include <functional>
#include <memory>

namespace slipway {

struct ArrayLaunch;

/// How long the flows of a run wait, and how often they retry; tests shorten it.
struct RunTimeouts {
    std::chrono::milliseconds pause{5'000}; ///< before the first retry; doubled after each
    int tries = 6; ///< of an unanswered operation that may be repeated
    std::chrono::milliseconds look{3'000}; ///< between two searches for a job
    std::chrono::milliseconds note{1'000}; ///< a shared file system may show a file late
    std::chrono::milliseconds log{5'000}; ///< before another attempt to store the log
};

/// RunFlow is shared by the tasks of one run on one connection. A value: each task holds a copy,
/// which keeps everything that it needs alive. GUI (or main) thread.
struct RunFlow {
    std::shared_ptr<RunRecord> record;
    std::shared_ptr<Cluster> cluster;
    std::shared_ptr<Pauses> pauses = std::make_shared<Pauses>();
    RunTimeouts timeouts = {};
    SecretStore* secrets = nullptr; ///< outlives the flow; null: there are none
    std::shared_ptr<const QMap<QString, qint64>> imageBytes = {}; ///< as in RunContext; may be null
    std::shared_ptr<ArrayLaunch> array = {}; ///< while it is launched as a task of a job array

    /// The connection was lost or the run has ended: a task that sees this stops with
    /// connectionGone().
    bool over() const { return pauses->ended(); }
    /// An error that may not occur again when the operation is repeated.
    bool mayPass(const Error& error) const;
    /// The remote side refused: the operation was not done.
    bool isRefusal(const Error& error) const;
};

/// The result of every wait of a run once the connection is lost.
Error connectionGone();

/// The result, or connectionGone() when the flow is over by then.
template <typename T> QCoro::Task<Result<T>> here(RunFlow flow, QCoro::Task<Result<T>> asking)
{
    auto answer = co_await asking;
    if (flow.over())
        co_return connectionGone();
    co_return answer;
}

/// Retries an idempotent operation, a limited number of times in a row.
template <typename T>
QCoro::Task<Result<T>> repeated(RunFlow flow, std::function<QCoro::Task<Result<T>>()> ask)
{
    constexpr qint64 calm =
        5 * 60 * 1000; // ms without an error, after which the count starts again
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
