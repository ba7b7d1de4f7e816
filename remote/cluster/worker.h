// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QCoroFuture>
#include <QCoroTask>
#include <QFuture>
#include <QPromise>
#include <QThreadPool>

#include <memory>
#include <optional>
#include <type_traits>

namespace slipway {

/// Runs `work` on a thread of the pool, for answers whose parsing would block the window too long.
/// `work` contains only values; the result is delivered in the event loop of the awaiting thread.
template <typename Work> QCoro::Task<std::invoke_result_t<Work>> onWorker(Work work)
{
    using Value = std::invoke_result_t<Work>;
    const auto value = std::make_shared<std::optional<Value>>();
    const auto promise = std::make_shared<QPromise<void>>();
    promise->start();
    const QFuture<void> done = promise->future();
    auto run = [promise, value, work = std::optional<Work>(std::move(work))]() mutable {
        value->emplace((*work)());
        work.reset(); // what it holds is released before the waiting task goes on
        promise->finish();
    };
    QThreadPool::globalInstance()->start(std::move(run));
    co_await done;
    co_return std::move(**value);
}

/// Destroys a large value on a thread of the pool: freeing fifty thousand jobs takes time as well.
template <typename Value> void discardOnWorker(Value value)
{
    const auto last = std::make_shared<Value>(std::move(value));
    QThreadPool::globalInstance()->start([last] { *last = Value(); });
}

} // namespace slipway
