// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/brokeredshell.h"

#include "remote/base/tr.h"
#include "remote/broker/messagefields.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 mostUnwritten = 4 * 1024 * 1024;
constexpr qint64 usedStep = 512 * 1024; ///< reported together, because each report is a message

} // namespace

BrokeredShell::BrokeredShell(std::unique_ptr<MessageStream> stream, QString name, LinkState state)
    : m_stream(std::move(stream))
    , m_name(std::move(name))
    , m_state(state)
{
    connect(m_stream.get(), &MessageStream::received, this, &BrokeredShell::handle);
    connect(m_stream.get(), &MessageStream::ended, this, [this] {
        end(Error{ErrorKind::LinkLost,
            tr("The connection to %1 was lost: the process that shares it has ended.").arg(m_name),
            tr("Connect again; jobs on the cluster continue.")});
    });
}

BrokeredShell::~BrokeredShell()
{
    dropKept();
    leave();
    const Error error{ErrorKind::LinkLost, tr("The connection to %1 was closed.").arg(m_name)};
    for (auto* process : std::as_const(m_processes))
        process->endLater(error);
}

/// The stream may be in the middle of a signal that led here.
void BrokeredShell::leave()
{
    if (!m_stream)
        return;
    m_stream->disconnect(this);
    m_stream->endWhenSent();
    m_stream.release()->deleteLater();
}

std::unique_ptr<BrokeredProcess> BrokeredShell::newProcess(bool takesInput)
{
    auto process = std::make_unique<BrokeredProcess>(this, ++m_lastId, takesInput);
    if (m_ended)
        process->endLater(*m_ended);
    else
        m_processes.insert(m_lastId, process.get());
    return process;
}

std::unique_ptr<Process> BrokeredShell::start(Invocation invocation)
{
    const bool asArgument = invocation.place == Invocation::Place::Argument;
    auto process = newProcess(asArgument);
    if (m_ended)
        return process;
    const QByteArray& script = invocation.script;
    for (qsizetype at = 0; at < script.size(); at += messagePiece)
        m_stream->send({MessageType::Script, m_lastId, script.mid(at, messagePiece)});
    m_stream->send({MessageType::Start, m_lastId, fieldsOf({asArgument, invocation.isLongLived})});
    return process;
}

std::unique_ptr<Process> BrokeredShell::startKept()
{
    if (m_ended)
        return nullptr;
    auto process = newProcess(true);
    m_stream->send({MessageType::StartKept, m_lastId});
    return process;
}

void BrokeredShell::handle(const Message& message)
{
    MessageFields fields(message.bytes);
    switch (message.type) {
    case MessageType::State:
        if (const auto state = fields.number();
            fields.ok() && state >= 0 && state < qint64(LinkState::Down)) {
            if (std::exchange(m_state, LinkState(state)) != LinkState(state))
                emit linkStateChanged(m_state);
        }
        return;
    case MessageType::FewSessions:
        fields.flag() ? retireKept() : allowKept();
        return;
    case MessageType::Closed:
        end(fields.error());
        return;
    default:
        handleProcess(message);
    }
}

void BrokeredShell::handleProcess(const Message& message)
{
    if (auto* process = m_processes.value(message.id)) {
        if (message.type == MessageType::Finished)
            m_processes.remove(message.id);
        process->handle(message);
    }
}

void BrokeredShell::close()
{
    if (!m_stream)
        return;
    leave();
    QMetaObject::invokeMethod(
        this,
        [this] {
            end({ErrorKind::LinkLost, tr("The connection to %1 was closed.").arg(m_name)});
        },
        Qt::QueuedConnection);
}

void BrokeredShell::hangUp()
{
    if (m_stream)
        m_stream->send({MessageType::Leave});
    close();
}

void BrokeredShell::end(const Error& error)
{
    if (m_ended)
        return;
    m_ended = error;
    leave();
    const QPointer<BrokeredShell> self(this);
    for (auto* process : std::exchange(m_processes, {}))
        process->endLater(error);
    if (std::exchange(m_state, LinkState::Down) != LinkState::Down)
        emit linkStateChanged(m_state);
    if (self)
        emit closed(error);
}

BrokeredProcess::BrokeredProcess(BrokeredShell* shell, quint64 id, bool takesInput)
    : m_shell(shell)
    , m_id(id)
    , m_takesInput(takesInput)
{
}

BrokeredProcess::~BrokeredProcess()
{
    if (!m_shell)
        return;
    m_shell->m_processes.remove(m_id);
    if (!m_ended)
        send(MessageType::Cancel);
}

void BrokeredProcess::send(MessageType type, const QByteArray& bytes)
{
    if (m_shell && m_shell->m_stream)
        m_shell->m_stream->send({type, m_id, bytes});
}

void BrokeredProcess::write(const QByteArray& bytes)
{
    if (!m_takesInput || m_ending || m_ended)
        return;
    m_given += bytes.size();
    m_waiting += bytes;
    sendInput();
}

void BrokeredProcess::sendInput()
{
    qsizetype at = 0;
    while (at < m_waiting.size() && m_sent - m_written < mostUnwritten) {
        const QByteArray piece = m_waiting.mid(at, messagePiece);
        send(MessageType::Write, piece);
        at += piece.size();
        m_sent += piece.size();
    }
    m_waiting.remove(0, at);
    if (m_waiting.isEmpty() && std::exchange(m_inputEnds, false))
        send(MessageType::CloseInput);
}

void BrokeredProcess::closeInput()
{
    if (!std::exchange(m_takesInput, false) || m_ending || m_ended)
        return;
    m_inputEnds = true;
    sendInput();
}

void BrokeredProcess::cancel()
{
    if (m_ending || m_ended)
        return;
    if (m_shell)
        m_shell->m_processes.remove(m_id);
    send(MessageType::Cancel);
    endLater({ErrorKind::Cancelled, tr("The command was cancelled.")});
}

void BrokeredProcess::handle(const Message& message)
{
    if (m_ending || m_ended)
        return;
    const QPointer<BrokeredProcess> self(this);
    switch (message.type) {
    case MessageType::Started:
        if (!std::exchange(m_started, true))
            emit started();
        return;
    case MessageType::Output:
    case MessageType::ErrorOutput:
        take(message.bytes, message.type == MessageType::ErrorOutput);
        return;
    case MessageType::Written: {
        const qint64 written = MessageFields(message.bytes).number();
        m_written = std::clamp(written, m_written, m_sent);
        sendInput();
        emit bytesWritten(bytesToWrite());
        return;
    }
    case MessageType::Finished: {
        MessageFields fields(message.bytes);
        if (fields.flag())
            end(int(fields.number()));
        else
            end(fields.error());
        return;
    }
    default:
        return;
    }
}

void BrokeredProcess::take(const QByteArray& bytes, bool isError)
{
    const QPointer<BrokeredProcess> self(this);
    if (isError)
        emit errorOutput(bytes);
    else
        emit output(bytes);
    if (!self || m_ending || m_ended)
        return;
    m_used += bytes.size();
    if (m_used >= usedStep)
        send(MessageType::Consumed, fieldsOf({std::exchange(m_used, 0)}));
}

void BrokeredProcess::endLater(const Error& error)
{
    if (std::exchange(m_ending, true) || m_ended)
        return;
    QMetaObject::invokeMethod(
        this, [this, error] { end(error); }, Qt::QueuedConnection);
}

void BrokeredProcess::end(const Result<int>& result)
{
    if (std::exchange(m_ended, true))
        return;
    emit finished(result); // the last thing: a slot may delete us
}

} // namespace slipway

#include "moc_brokeredshell.cpp"
