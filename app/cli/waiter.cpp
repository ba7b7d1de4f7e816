// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/waiter.h"

#include <QCoroTimer>

namespace slipway {

Waiter::Waiter()
{
    m_timer.setSingleShot(true);
}

void Waiter::wake()
{
    m_woken = true;
    if (m_timer.isActive())
        m_timer.start(0);
}

QCoro::Task<void> Waiter::wait(std::chrono::milliseconds atMost)
{
    m_timer.start(m_woken ? std::chrono::milliseconds(0) : atMost);
    co_await m_timer;
    m_woken = false;
}

} // namespace slipway
