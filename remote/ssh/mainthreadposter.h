// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace slipway {

/// MainThreadPoster lets a worker run functions on the GUI thread, in order, until it is closed.
/// Held by std::shared_ptr on both threads; the receiver closes it, and nothing is delivered after
/// that. The functions wait in a list under a lock of its own: what crosses the threads is then
/// visible to the thread sanitizer, which does not see inside Qt.
class MainThreadPoster : public std::enable_shared_from_this<MainThreadPoster> {
public:
    explicit MainThreadPoster(QObject* listener)
        : m_listener(listener)
    {
    }

    void post(std::function<void()> work)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_listener)
            return;
        m_work.push_back(std::move(work));
        if (m_work.size() == 1)
            QMetaObject::invokeMethod(
                m_listener, [self = shared_from_this()] { self->deliver(); }, Qt::QueuedConnection);
    }
    void close()
    {
        std::vector<std::function<void()>> dropped;
        const std::lock_guard lock(m_mutex);
        m_listener = nullptr;
        dropped.swap(m_work);
    }

private:
    void deliver()
    {
        for (const auto& work : take())
            if (isOpen())
                work();
    }
    std::vector<std::function<void()>> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_work, {});
    }
    bool isOpen()
    {
        const std::lock_guard lock(m_mutex);
        return m_listener;
    }

    std::mutex m_mutex;
    std::vector<std::function<void()>> m_work;
    QObject* m_listener;
};

} // namespace slipway
