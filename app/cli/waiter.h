// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QCoroTask>
#include <QTimer>

#include <chrono>

namespace slipway {

/// Waiter suspends a coroutine until wake() or a timeout, whichever is first. One coroutine waits
/// at a time, on the thread of the Waiter. (QCoro 0.8 resumes twice if a signal that is awaited
/// with a timeout arrives together with it.)
class Waiter {
public:
    Waiter();

    /// Resumes the waiting coroutine from the event loop; if none is waiting, the next wait()
    /// returns at once.
    void wake();
    QCoro::Task<void> wait(std::chrono::milliseconds atMost);

private:
    QTimer m_timer;
    bool m_woken = false;
};

} // namespace slipway
