// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/desktopbus.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFileInfo>
#include <QThread>
#include <QUuid>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

const QString notesService = u"org.freedesktop.Notifications"_s;
const QString notesPath = u"/org/freedesktop/Notifications"_s;
constexpr int answerTimeout = 5000; // ms
constexpr size_t mostWaiting = 20;

QString soundOf(RunNews::Kind kind)
{
    switch (kind) {
    case RunNews::Kind::Started:
        return u"message-new-instant"_s;
    case RunNews::Kind::Ended:
        return u"complete"_s;
    case RunNews::Kind::Failed:
        return u"dialog-error"_s;
    case RunNews::Kind::TimeShort:
        break;
    }
    return u"dialog-warning"_s;
}

QVariantMap hintsOf(const DesktopNote& note, const QStringList& capabilities)
{
    const uchar urgency = note.news.kind == RunNews::Kind::Started ? 0 : 1; // low, normal
    QVariantMap hints{
        {u"desktop-entry"_s, u"slipway"_s}, {u"urgency"_s, QVariant::fromValue(urgency)}};
    if (capabilities.contains(u"sound"_s)) {
        hints.insert(note.sound ? u"sound-name"_s : u"suppress-sound"_s,
            note.sound ? QVariant(soundOf(note.news.kind)) : QVariant(true));
    }
    return hints;
}

} // namespace

DesktopBus::DesktopBus(QObject* parent)
    : QObject(parent)
    , m_name(u"slipway-"_s + QUuid::createUuid().toString(QUuid::Id128))
{
}

DesktopBus::~DesktopBus()
{
    if (m_ready) {
        QDBusConnection::disconnectFromBus(m_name);
    }
}

QString DesktopBus::sessionAddress()
{
    const QString set = qEnvironmentVariable("DBUS_SESSION_BUS_ADDRESS");
    if (!set.isEmpty()) {
        return set.startsWith(u"autolaunch:") ? QString() : set;
    }
    const QString socket = qEnvironmentVariable("XDG_RUNTIME_DIR") + u"/bus"_s;
    return QFileInfo::exists(socket) ? QString(u"unix:path="_s + socket) : QString();
}

void DesktopBus::connectTo(const QString& address)
{
    if (address.isEmpty()) {
        return;
    }
    // The bus is greeted by a call that waits for its answer.
    QThread* thread =
        QThread::create([address, name = m_name] { QDBusConnection::connectToBus(address, name); });
    connect(thread, &QThread::finished, this, &DesktopBus::onThreadEnded);
    connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    thread->start();
}

void DesktopBus::onThreadEnded()
{
    QDBusConnection bus(m_name);
    m_ready = bus.isConnected();
    if (!m_ready) {
        return;
    }
    // From any sender: to watch the owner of one name would wait for the bus.
    bus.connect({}, notesPath, notesService, u"ActionInvoked"_s, this,
        SLOT(onActionInvoked(uint, QString)));
    bus.connect({}, notesPath, notesService, u"NotificationClosed"_s, this, SLOT(onClosed(uint)));
    emit ready();
}

void DesktopBus::call(const QString& method, const QVariantList& arguments, const Answer& answer)
{
    QDBusMessage message =
        QDBusMessage::createMethodCall(notesService, notesPath, notesService, method);
    message.setArguments(arguments);
    auto* watcher = new QDBusPendingCallWatcher(
        QDBusConnection(m_name).asyncCall(message, answerTimeout), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [watcher, answer] {
        watcher->deleteLater();
        answer(watcher->reply());
    });
}

void DesktopBus::notify(const DesktopNote& note)
{
    if (!m_ready) {
        return;
    }
    const auto same = [&](const DesktopNote& one) { return one.key == note.key; };
    m_waiting.erase(std::remove_if(m_waiting.begin(), m_waiting.end(), same), m_waiting.end());
    if (m_waiting.size() < mostWaiting) {
        m_waiting.push_back(note);
    }
    sendNext();
}

/// One after the other: the id of a notification must be known before another one replaces it. The
/// service is asked each time what it can do, as it may have been replaced as well.
void DesktopBus::sendNext()
{
    if (m_sending || m_waiting.empty()) {
        return;
    }
    m_sending = true;
    call(u"GetCapabilities"_s, {}, [this](const QDBusMessage& reply) {
        if (reply.type() != QDBusMessage::ReplyMessage) {
            m_waiting.clear(); // nobody shows notifications
            m_sending = false;
            return;
        }
        const DesktopNote note = m_waiting.front();
        m_waiting.pop_front();
        send(note, reply.arguments().value(0).toStringList());
    });
}

void DesktopBus::send(const DesktopNote& note, const QStringList& capabilities)
{
    QStringList actions;
    if (capabilities.contains(u"actions"_s)) {
        actions << u"default"_s << tr("Show") << u"show"_s << tr("Show");
    }
    QString body;
    if (capabilities.contains(u"body"_s)) {
        const bool markup = capabilities.contains(u"body-markup"_s);
        body = markup ? note.news.text.toHtmlEscaped() : note.news.text;
    }
    const QVariantList arguments{u"Slipway"_s, m_shown.value(note.key, 0u), u"slipway"_s,
        note.news.title, body, actions, hintsOf(note, capabilities), -1};
    call(u"Notify"_s, arguments, [this, key = note.key](const QDBusMessage& reply) {
        if (reply.type() == QDBusMessage::ReplyMessage) {
            m_shown.insert(key, reply.arguments().value(0).toUInt());
        }
        m_sending = false;
        sendNext();
    });
}

void DesktopBus::onActionInvoked(uint id, const QString& action)
{
    const QString key = m_shown.key(id);
    if (!key.isEmpty() && (action == u"default"_s || action == u"show"_s)) {
        emit showRequested(key);
    }
}

void DesktopBus::onClosed(uint id)
{
    // A click may be reported after the end of what was clicked.
    QMetaObject::invokeMethod(
        this, [this, id] { m_shown.remove(m_shown.key(id)); }, Qt::QueuedConnection);
}

void DesktopBus::showProgress(int running, std::optional<double> share)
{
    if (!m_ready) {
        return;
    }
    QDBusMessage update =
        QDBusMessage::createSignal(u"/com/canonical/unity/launcherentry/slipway"_s,
            u"com.canonical.Unity.LauncherEntry"_s, u"Update"_s);
    update << u"application://slipway.desktop"_s
           << QVariantMap{{u"count"_s, qlonglong(running)}, {u"count-visible"_s, running > 0},
                  {u"progress"_s, share.value_or(0.0)}, {u"progress-visible"_s, share.has_value()}};
    QDBusConnection(m_name).send(update);
}

} // namespace slipway

#include "moc_desktopbus.cpp"
