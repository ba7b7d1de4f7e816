// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runnews.h"

#include <QHash>
#include <QObject>

#include <deque>
#include <functional>
#include <optional>

class QDBusMessage;

namespace slipway {

/// One notification: a later one with the same key replaces it. A value.
struct DesktopNote {
    QString key; ///< the id of the run
    RunNews news;
    bool sound = false;
};

/// DesktopBus is the desktop, reached through the session's D-Bus: notifications, and the progress
/// at the icon in the task bar. All calls are asynchronous, and another thread waits for the bus.
/// Without a bus or a service that answers it does nothing. GUI thread; main() owns it.
class DesktopBus : public QObject {
    Q_OBJECT

public:
    explicit DesktopBus(QObject* parent = nullptr);
    ~DesktopBus() override;

    /// The address of the session's bus, found without starting one; empty: there is none.
    static QString sessionAddress();
    /// ready() follows once the bus has answered; nothing does if it does not. For one call.
    void connectTo(const QString& address);

    void notify(const slipway::DesktopNote& note);
    /// The number of running runs, and how far the one that is followed is, if that is known.
    void showProgress(int running, std::optional<double> share);
    /// Every note was shown, or nobody shows notifications.
    bool isIdle() const { return !m_sending && m_waiting.empty(); }

signals:
    void ready();
    /// The person asked for the run of a notification.
    void showRequested(const QString& key);

private slots:
    void onActionInvoked(uint id, const QString& action);
    void onClosed(uint id);

private:
    using Answer = std::function<void(const QDBusMessage& reply)>;

    void onThreadEnded();
    void call(const QString& method, const QVariantList& arguments, const Answer& answer);
    void sendNext();
    void send(const DesktopNote& note, const QStringList& capabilities);

    QString m_name; ///< of the connection in this process
    bool m_ready = false;
    bool m_sending = false;
    std::deque<DesktopNote> m_waiting;
    QHash<QString, uint> m_shown; ///< the notification of each key
};

} // namespace slipway
