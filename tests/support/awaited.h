// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QCoroTask>

#include <QEventLoop>
#include <QSignalSpy>

#include <optional>

namespace slipway {

/// Runs the event loop until `task` has ended and gives its value. QCoro::waitFor() of 0.8 asks for
/// a type that can be made of nothing, which a Result cannot.
template <typename T> T awaited(QCoro::Task<T> task)
{
    std::optional<T> value;
    QEventLoop loop;
    const auto wait = [&value, &loop, &task]() -> QCoro::Task<void> {
        value.emplace(co_await task);
        loop.quit();
    };
    const auto waiting = wait();
    if (!value)
        loop.exec();
    return std::move(*value);
}

/// The Result<int> that Process::finished() carried in its n-th emission.
inline Result<int> exitOf(const QSignalSpy& finished, int n = 0)
{
    return *static_cast<const Result<int>*>(finished.at(n).at(0).constData());
}

} // namespace slipway
