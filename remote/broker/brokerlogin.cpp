// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/brokerlogin.h"

#include "remote/base/tr.h"
#include "remote/broker/brokeredshell.h"
#include "remote/broker/messagefields.h"

#include <QCoreApplication>
#include <QPointer>

#include <algorithm>

using namespace std::chrono_literals;

namespace slipway {

namespace {

constexpr auto greetingPatience = 5s;

} // namespace

Message helloMessage()
{
    return {MessageType::Hello, 0,
        fieldsOf({qint64(brokerVersion),
            QStringLiteral("%1 (%2)")
                .arg(QCoreApplication::applicationName())
                .arg(QCoreApplication::applicationPid())})};
}

BrokerLogin::BrokerLogin(
    std::unique_ptr<MessageStream> stream, ConnectTarget target, Prompter* prompter)
    : m_stream(std::move(stream))
    , m_target(std::move(target))
    , m_prompter(prompter)
{
    connect(m_stream.get(), &MessageStream::received, this, &BrokerLogin::handle);
    connect(m_stream.get(), &MessageStream::ended, this, [this] {
        if (!m_greeted)
            return end({Outcome::Kind::Gone});
        end({Outcome::Kind::Failed, {},
            {ErrorKind::Network,
                tr("The login to %1 ended: the process that shares the connection is gone.")
                    .arg(m_target.host),
                tr("Connect again.")}});
    });
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] { end({Outcome::Kind::Silent}); });
    m_patience.start(greetingPatience);
    m_stream->send(helloMessage());
}

BrokerLogin::~BrokerLogin() = default;

void BrokerLogin::handle(const Message& message)
{
    MessageFields fields(message.bytes);
    if (!m_greeted) {
        m_patience.stop();
        if (message.type != MessageType::Hello || fields.number() != qint64(brokerVersion))
            return end({Outcome::Kind::OtherVersion});
        m_greeted = true;
        m_stream->send({MessageType::Login, 0, bytesOf(m_target)});
        return;
    }
    switch (message.type) {
    case MessageType::Ask:
        ask(message);
        return;
    case MessageType::Banner:
        if (m_prompter)
            m_prompter->showBanner(fields.text());
        return;
    case MessageType::Notice:
        if (m_prompter)
            m_prompter->showNotice(fields.text());
        return;
    case MessageType::LoggedIn: {
        const QString name = fields.text();
        const auto state = std::clamp<qint64>(fields.number(), 0, qint64(LinkState::Stalled));
        if (fields.flag() && m_prompter)
            m_prompter->noteSharedAnswers();
        // The shell takes what follows in the same breath.
        m_stream->disconnect(this);
        return end({Outcome::Kind::LoggedIn,
            std::make_shared<BrokeredShell>(std::move(m_stream), name, LinkState(state))});
    }
    case MessageType::LoginFailed:
    case MessageType::Closed:
        return end({Outcome::Kind::Failed, {}, fields.error()});
    default:
        return;
    }
}

QCoro::Task<void> BrokerLogin::ask(Message message)
{
    const QPointer<BrokerLogin> self(this);
    const LoginQuestion question = questionIn(message.bytes);
    const std::optional<QStringList> yes = QStringList{QString()};
    std::optional<QStringList> answers;
    if (question.round && m_prompter) {
        answers = co_await m_prompter->answer(*question.round);
    } else if (question.key && m_prompter) {
        const bool accepted = co_await m_prompter->acceptHostKey(*question.key);
        answers = accepted ? yes : std::nullopt;
    } else if (question.command && m_prompter) {
        const bool accepted = co_await m_prompter->acceptCommand(*question.command);
        answers = accepted ? yes : std::nullopt;
    }
    if (!self || !m_stream)
        co_return;
    Message answer{MessageType::Answer, message.id, bytesOf(answers)};
    m_stream->send(answer);
    wipe(answer.bytes);
}

/// From the event loop, because whoever waits destroys this.
void BrokerLogin::end(Outcome outcome)
{
    if (m_outcome)
        return;
    m_outcome = std::move(outcome);
    m_patience.stop();
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_waiting)
                std::exchange(m_waiting, {}).resume();
        },
        Qt::QueuedConnection);
}

} // namespace slipway

#include "moc_brokerlogin.cpp"
