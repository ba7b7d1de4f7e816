// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "tests/support/cputime.h"

#include <QElapsedTimer>
#include <QFile>
#include <QObject>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <thread>

namespace slipway {

/// Heartbeat measures how long the event loop of its thread was held up, by work or by waiting. On
/// a busy machine a gap is not the fault of the code under test, so two times are taken off: those
/// in which this thread was ready to run and other processes had the processors (Linux counts them
/// in /proc/thread-self/schedstat), and the longest that a second thread, which does nothing but
/// sleep, was held up itself (a virtual machine that stands still).
class Heartbeat : public QObject {
public:
    Heartbeat()
        : m_queued(queued())
        , m_control([this] { sleepAndMeasure(); })
    {
        connect(&m_timer, &QTimer::timeout, this, [this] {
            m_worst = qMax(m_worst, heldUp());
            m_busiest = worstWork();
            m_gap.restart();
            m_work.restart();
            m_queued = queued();
        });
        m_gap.start();
        m_timer.start(5);
    }
    ~Heartbeat() override
    {
        m_stop = true;
        m_control.join();
    }

    /// The worst gap of the loop in ms, less what the machine did.
    qint64 worst() const { return qMax<qint64>(0, qMax(m_worst, heldUp()) - m_machine); }

    /// The most processor time that the loop's thread took in a gap, in ms: what a wait adds is not
    /// in it, and no fault of the machine either.
    qint64 worstWork() const { return qMax(m_busiest, m_work.elapsed()); }

private:
    /// For how long this thread has been ready to run without a processor, in ms; proc(5).
    static qint64 queued()
    {
        QFile file(QStringLiteral("/proc/thread-self/schedstat"));
        return file.open(QIODevice::ReadOnly)
            ? file.readAll().split(' ').value(1).toLongLong() / 1'000'000
            : 0;
    }
    qint64 heldUp() const { return m_gap.elapsed() - (queued() - m_queued); }
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
    qint64 m_queued = 0;
    qint64 m_worst = 0;
    CpuTime m_work;
    qint64 m_busiest = 0;
    std::atomic<qint64> m_machine = 0;
    std::atomic<bool> m_stop = false;
    std::thread m_control; ///< the last: it uses the others
};

} // namespace slipway
