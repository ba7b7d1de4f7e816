// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#ifndef Q_MOC_RUN // moc 6.4 cannot parse <concepts>, which this includes
#include <coroutine>
#endif
#include <utility>
#include <vector>

namespace slipway {

/// Gate lets coroutines wait for an event: open() resumes all of them, from inside the call. A gate
/// that is destroyed opens, so that no coroutine waits forever; a resumed coroutine must check the
/// state again. One thread; a member of the object that is waited for. (A Qt signal is not
/// sufficient: it is never emitted by a destroyed object.)
class Gate {
public:
    Gate() = default;
    ~Gate() { open(); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    class Awaiter {
    public:
        explicit Awaiter(Gate& gate)
            : m_gate(gate)
        {
        }
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> waiting) { m_gate.m_waiting.push_back(waiting); }
        void await_resume() const noexcept { }

    private:
        Gate& m_gate;
    };
    Awaiter wait() { return Awaiter(*this); }

    void open()
    {
        // A resumed coroutine may wait here again: it then belongs to the next round.
        for (const auto waiting : std::exchange(m_waiting, {}))
            waiting.resume();
    }

private:
    std::vector<std::coroutine_handle<>> m_waiting;
};

} // namespace slipway
