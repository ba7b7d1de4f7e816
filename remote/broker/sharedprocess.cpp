// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/sharedprocess.h"

#include "remote/broker/messagefields.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 mostUnused = 4 * 1024 * 1024;

} // namespace

std::chrono::milliseconds streamClock()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now().time_since_epoch());
}

SharedProcess::SharedProcess(std::unique_ptr<Process> process, quint64 id, Kind kind, Send send)
    : m_process(std::move(process))
    , m_id(id)
    , m_kind(kind)
    , m_send(std::move(send))
    , m_since(streamClock())
{
    Process* const one = m_process.get();
    const auto started = [this] {
        m_since = streamClock();
        m_send({MessageType::Started, m_id});
    };
    connect(one, &Process::started, this, started);
    connect(one, &Process::output, this,
        [this](const QByteArray& bytes) { pass(MessageType::Output, bytes); });
    connect(one, &Process::errorOutput, this,
        [this](const QByteArray& bytes) { pass(MessageType::ErrorOutput, bytes); });
    connect(one, &Process::bytesWritten, this, [this](qint64 left) {
        m_send({MessageType::Written, m_id, fieldsOf({m_given - std::min(left, m_given)})});
    });
    connect(one, &Process::finished, this, &SharedProcess::finish);
    if (!one->isWaiting())
        started();
}

void SharedProcess::pass(MessageType type, const QByteArray& bytes)
{
    for (qsizetype at = 0; at < bytes.size(); at += messagePiece)
        m_send({type, m_id, bytes.mid(at, messagePiece)});
    m_unused += bytes.size();
    if (m_unused > mostUnused)
        m_process->setHeld(true);
}

void SharedProcess::handle(const Message& message)
{
    switch (message.type) {
    case MessageType::Write:
        m_given += message.bytes.size();
        m_process->write(message.bytes);
        // Where nothing is said of what was written, it has left.
        if (m_process->bytesToWrite() == 0)
            m_send({MessageType::Written, m_id, fieldsOf({m_given})});
        return;
    case MessageType::CloseInput:
        m_process->closeInput();
        return;
    case MessageType::Consumed:
        m_unused -= std::clamp<qint64>(MessageFields(message.bytes).number(), 0, m_unused);
        if (m_unused <= mostUnused / 2)
            m_process->setHeld(false);
        return;
    default:
        return;
    }
}

SharedStream SharedProcess::asStream(quint64 program) const
{
    return {program, m_kind == Kind::Kept, m_process->isWaiting(), m_since};
}

void SharedProcess::endProcess()
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_send = [](const Message&) {};
    // Cancelled now, deleted once no signal of it can be under way.
    m_process->cancel();
    m_process.release()->deleteLater();
}

void SharedProcess::refuse(const Error& error)
{
    m_process->disconnect(this);
    finish(error); // whoever hears of it ends the process
}

void SharedProcess::finish(const Result<int>& exitCode)
{
    QCborArray fields{exitCode.ok()};
    if (exitCode.ok())
        fields.append(*exitCode);
    else
        appendError(fields, exitCode.error());
    m_send({MessageType::Finished, m_id, fieldsOf(fields)});
    emit ended(m_id); // the last thing: this may be deleted soon
}

} // namespace slipway

#include "moc_sharedprocess.cpp"
