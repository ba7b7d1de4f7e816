// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QMutex>
#include <QObject>

#include <functional>

namespace slipway {

/// MainThreadPoster lets a worker run functions on the GUI thread until it is closed. Shared by
/// both threads; the receiver closes it, and nothing is delivered after that.
class MainThreadPoster {
public:
    explicit MainThreadPoster(QObject* listener)
        : m_listener(listener)
    {
    }

    void post(std::function<void()> work)
    {
        const QMutexLocker lock(&m_mutex);
        if (m_listener)
            QMetaObject::invokeMethod(m_listener, std::move(work), Qt::QueuedConnection);
    }
    void close()
    {
        const QMutexLocker lock(&m_mutex);
        m_listener = nullptr;
    }

private:
    QMutex m_mutex;
    QObject* m_listener;
};

} // namespace slipway
