// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#ifndef Q_MOC_RUN // moc 6.4 cannot read <concepts>, which this brings along
#include <coroutine>
#endif
#include <utility>
#include <vector>

namespace slipway {

/// Gate is where coroutines wait until something has happened: open() lets all that wait go on,
/// from inside the call. A gate that goes away opens, so nobody waits for ever; who was waiting
/// must look at the world anew. One thread; a member of the object that the waiting is about. (A
/// signal of Qt would not do: it never comes from an object that is gone.)
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
        // One that goes on may wait here again: that is the next round's.
        for (const auto waiting : std::exchange(m_waiting, {}))
            waiting.resume();
    }

private:
    std::vector<std::coroutine_handle<>> m_waiting;
};

} // namespace slipway
