// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/wakewatch.h"

#include "remote/base/sleepclock.h"

#include <QNetworkInformation>

using namespace std::chrono_literals;

namespace slipway {

WakeWatch::WakeWatch(QObject* parent, Slept slept)
    : QObject(parent)
    , m_slept(slept ? std::move(slept) : Slept(timeAsleep))
{
    connect(&m_timer, &QTimer::timeout, this, &WakeWatch::look);
    m_timer.setInterval(1s);
    // Where the desktop has no service for it, nothing is announced.
    if (QNetworkInformation::loadDefaultBackend())
        connect(QNetworkInformation::instance(), &QNetworkInformation::reachabilityChanged, this,
            [this](QNetworkInformation::Reachability reachability) {
                if (m_timer.isActive()
                    && reachability != QNetworkInformation::Reachability::Disconnected)
                    emit woken();
            });
}

void WakeWatch::start()
{
    m_before = m_slept();
    m_timer.start();
}

void WakeWatch::stop()
{
    m_timer.stop();
}

void WakeWatch::look()
{
    const auto now = m_slept();
    const bool hasSlept = now - m_before > 500ms;
    m_before = now;
    if (hasSlept)
        emit woken();
    emit ticked();
}

} // namespace slipway

#include "moc_wakewatch.cpp"
