// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QCoroTask>
#include <QTimer>

#include <chrono>

namespace slipway {

/// Waiter holds a coroutine until something happens or time is up, whichever is first. One
/// coroutine waits at a time. (Awaiting a signal with a time limit resumes twice in QCoro 0.8 when
/// both happen.)
class Waiter {
public:
    Waiter();

    /// Something happened: who waits goes on at the next turn of the event loop, who comes goes on
    /// at once.
    void wake();
    QCoro::Task<void> wait(std::chrono::milliseconds atMost);

private:
    QTimer m_timer;
    bool m_woken = false;
};

} // namespace slipway
