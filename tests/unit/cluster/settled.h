// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QCoroTask>

#include <QEventLoop>

#include <optional>

namespace slipway {

/// Runs the event loop until a task has ended: its result. QCoro::waitFor() wants a default
/// constructor, which a Result has not.
template <typename T> T settled(QCoro::Task<T> task)
{
    std::optional<T> result;
    QEventLoop loop;
    const auto wait = [](QCoro::Task<T>* waited, std::optional<T>* into,
                          QEventLoop* running) -> QCoro::Task<void> {
        into->emplace(co_await *waited);
        running->quit();
    };
    const auto waiting = wait(&task, &result, &loop);
    if (!result)
        loop.exec();
    return *result;
}

} // namespace slipway
