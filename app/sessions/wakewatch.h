// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>

namespace slipway {

/// WakeWatch notices that this computer was asleep, or that its network can be reached again, while
/// something waits for that. Lives on the GUI (or main) thread; a SiteSession owns one.
class WakeWatch : public QObject {
    Q_OBJECT

public:
    using Slept = std::function<std::chrono::milliseconds()>;

    /// `slept`: how long this computer was asleep since it was started; tests play it.
    explicit WakeWatch(QObject* parent = nullptr, Slept slept = {});

    void start();
    void stop();

signals:
    void woken();
    void ticked(); ///< once a second

private:
    void look();

    Slept m_slept;
    QTimer m_timer;
    std::chrono::milliseconds m_before{0};
};

} // namespace slipway
