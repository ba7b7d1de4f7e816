// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/gate.h"

#include <QCoroTask>
#include <QTimer>

#include <chrono>
#include <memory>
#include <vector>

namespace slipway {

/// Pauses lets the coroutines of one owner wait, each for its own time, and wakes all of them at
/// end(). One thread; shared by the owner and its coroutines.
class Pauses : public std::enable_shared_from_this<Pauses> {
public:
    /// Returns after `time`, or when end() was called.
    QCoro::Task<void> pause(std::chrono::milliseconds time)
    {
        const auto self = shared_from_this();
        if (m_ended)
            co_return;
        const auto gate = std::make_shared<Gate>();
        std::erase_if(m_gates, [](const auto& other) { return other.expired(); });
        m_gates.push_back(gate);
        QTimer::singleShot(time, &m_context, [gate] { gate->open(); });
        co_await gate->wait();
    }

    /// Wakes all waiting coroutines; from now on pause() returns at once.
    void end()
    {
        m_ended = true;
        for (const auto& pausing : std::exchange(m_gates, {}))
            if (const auto gate = pausing.lock())
                gate->open();
    }
    bool ended() const { return m_ended; }

private:
    QObject m_context;
    std::vector<std::weak_ptr<Gate>> m_gates;
    bool m_ended = false;
};

} // namespace slipway
