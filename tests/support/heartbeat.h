// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <memory>

namespace slipway {

/// Heartbeat measures how long the event loop of its thread was held up. A second thread that does
/// nothing but sleep measures how long the machine itself held a thread up meanwhile, and that is
/// taken off: on a busy machine a gap is no fault of the code under test.
class Heartbeat : public QObject {
public:
    Heartbeat()
        : m_control(QThread::create([this] { sleepAndMeasure(); }))
    {
        connect(&m_timer, &QTimer::timeout, this, [this] { m_worst = qMax(m_worst, m_gap.restart()); });
        m_control->start();
        m_gap.start();
        m_timer.start(5);
    }
    ~Heartbeat() override
    {
        m_stop = true;
        m_control->wait();
    }

    /// The worst gap of the loop in ms, less what the machine did.
    qint64 worst() const { return qMax<qint64>(0, qMax(m_worst, m_gap.elapsed()) - m_machine); }

private:
    void sleepAndMeasure()
    {
        QElapsedTimer gap;
        gap.start();
        while (!m_stop) {
            QThread::msleep(5);
            const auto held = gap.restart() - 5;
            if (held > m_machine)
                m_machine = held;
        }
    }

    QTimer m_timer;
    QElapsedTimer m_gap;
    qint64 m_worst = 0;
    std::atomic<qint64> m_machine = 0;
    std::atomic<bool> m_stop = false;
    std::unique_ptr<QThread> m_control;
};

} // namespace slipway
