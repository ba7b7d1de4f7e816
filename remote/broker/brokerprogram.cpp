// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/brokerprogram.h"

#include "remote/base/tr.h"

#include <QPointer>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype longestScripts = 64 * 1024 * 1024;
constexpr size_t mostProcesses = 512;
constexpr qsizetype mostCommandsWhenShared = 4;

} // namespace

BrokerProgram::BrokerProgram(quint64 number, std::unique_ptr<MessageStream> stream)
    : m_number(number)
    , m_stream(std::move(stream))
{
    connect(m_stream.get(), &MessageStream::received, this, &BrokerProgram::handle);
    connect(m_stream.get(), &MessageStream::ended, this, &BrokerProgram::ended);
}

BrokerProgram::~BrokerProgram()
{
    endAll();
}

void BrokerProgram::endAll()
{
    m_queue.clear();
    for (const auto& [id, question] : std::exchange(m_questions, {}))
        question->gate.open();
    for (auto& [id, process] : std::exchange(m_processes, {})) {
        process->disconnect();
        process->endProcess();
        process.release()->deleteLater(); // it may have led here
    }
}

void BrokerProgram::handle(const Message& message)
{
    if (!m_greeted)
        return hello(message);
    switch (message.type) {
    case MessageType::Login: {
        MessageFields fields(message.bytes);
        const ConnectTarget target = targetIn(fields);
        if (!fields.ok() || m_target)
            return breakOff();
        m_target = target;
        emit loginWanted();
        return;
    }
    case MessageType::Answer:
        if (const auto found = m_questions.find(message.id); found != m_questions.end()) {
            const auto question = found->second;
            m_questions.erase(found);
            question->answers = answersIn(message.bytes);
            question->gate.open();
        }
        return;
    case MessageType::Info:
        emit infoWanted();
        return;
    case MessageType::End:
        emit endWanted();
        return;
    case MessageType::Leave:
        m_leaves = true;
        return;
    case MessageType::Script:
        return addScript(message);
    case MessageType::Start:
    case MessageType::StartKept:
        return start(message);
    case MessageType::Cancel:
        return drop(message.id);
    default:
        if (const auto found = m_processes.find(message.id); found != m_processes.end())
            found->second->handle(message);
    }
}

void BrokerProgram::hello(const Message& message)
{
    MessageFields fields(message.bytes);
    const qint64 version = fields.number();
    m_name = fields.text();
    if (message.type != MessageType::Hello || !fields.ok())
        return breakOff();
    // Another version reads this, and goes.
    m_stream->send({MessageType::Hello, 0, fieldsOf({qint64(brokerVersion)})});
    m_greeted = version == qint64(brokerVersion);
    if (!m_greeted)
        breakOff();
}

/// It does not keep to the protocol.
void BrokerProgram::breakOff()
{
    m_stream->endWhenSent();
    emit ended();
}

void BrokerProgram::welcome(std::shared_ptr<Shell> shell, bool asked)
{
    m_shell = std::move(shell);
    send({MessageType::LoggedIn, 0,
        fieldsOf({m_shell->displayName(), qint64(m_shell->linkState()), asked})});
}

void BrokerProgram::failLogin(const Error& error)
{
    QCborArray fields;
    appendError(fields, error);
    send({MessageType::LoginFailed, 0, fieldsOf(fields)});
    m_target.reset();
}

void BrokerProgram::sayClosed(const Error& error)
{
    QCborArray fields;
    appendError(fields, error);
    send({MessageType::Closed, 0, fieldsOf(fields)});
    m_stream->endWhenSent();
}

QCoro::Task<std::optional<QStringList>> BrokerProgram::ask(LoginQuestion asked)
{
    const auto question = std::make_shared<Question>();
    m_questions[++m_lastQuestion] = question;
    send({MessageType::Ask, m_lastQuestion, bytesOf(asked)});
    co_await question->gate.wait(); // this may be gone after it
    std::optional<QStringList> answers = std::exchange(question->answers, {});
    co_return answers;
}

void BrokerProgram::addScript(const Message& message)
{
    qsizetype size = message.bytes.size();
    for (const auto& [id, script] : m_scripts)
        size += script.size();
    if (size > longestScripts)
        return breakOff();
    m_scripts[message.id] += message.bytes;
}

void BrokerProgram::start(const Message& message)
{
    if (!m_shell || m_processes.contains(message.id)
        || m_processes.size() + m_queue.size() >= mostProcesses)
        return breakOff();
    if (message.type == MessageType::StartKept) {
        if (auto process = m_shell->startKept())
            begin(std::move(process), message.id, SharedProcess::Kind::Kept);
        else
            send({MessageType::Finished, message.id, fieldsOf({true, 0})});
        return;
    }
    MessageFields fields(message.bytes);
    Invocation invocation;
    invocation.place =
        fields.flag() ? Invocation::Place::Argument : Invocation::Place::StandardInput;
    invocation.isLongLived = fields.flag();
    if (auto parts = m_scripts.extract(message.id))
        invocation.script = std::move(parts.mapped());
    if (invocation.isLongLived) {
        begin(m_shell->start(std::move(invocation)), message.id, SharedProcess::Kind::Stream);
        return;
    }
    m_queue.push_back({message.id, std::move(invocation)});
    startNext();
}

void BrokerProgram::startNext()
{
    while (!m_queue.empty()) {
        const auto commands = std::count_if(m_processes.begin(), m_processes.end(),
            [](const auto& entry) { return entry.second->kind() == SharedProcess::Kind::Command; });
        if (m_shared && commands >= mostCommandsWhenShared)
            return;
        Queued next = std::move(m_queue.front());
        m_queue.pop_front();
        begin(m_shell->start(std::move(next.invocation)), next.id, SharedProcess::Kind::Command);
    }
}

void BrokerProgram::begin(std::unique_ptr<Process> process, quint64 id, SharedProcess::Kind kind)
{
    const bool waits = process->isWaiting() && kind == SharedProcess::Kind::Stream;
    auto shared = std::make_unique<SharedProcess>(
        std::move(process), id, kind, [this](const Message& message) { send(message); });
    connect(shared.get(), &SharedProcess::ended, this, &BrokerProgram::drop);
    m_processes[id] = std::move(shared);
    if (waits)
        emit streamWaits();
}

void BrokerProgram::drop(quint64 id)
{
    m_scripts.erase(id);
    std::erase_if(m_queue, [id](const Queued& one) { return one.id == id; });
    if (auto found = m_processes.extract(id)) {
        // It may be in the middle of its last signal; what it runs ends now.
        found.mapped()->disconnect();
        found.mapped()->endProcess();
        found.mapped().release()->deleteLater();
    }
    if (m_shell && !m_queue.empty())
        startNext();
}

void BrokerProgram::setShared(bool shared)
{
    m_shared = shared;
    if (m_shell)
        startNext();
}

std::vector<BrokerProgram::OwnStream> BrokerProgram::streams() const
{
    std::vector<OwnStream> streams;
    for (const auto& [id, process] : m_processes)
        if (process->kind() != SharedProcess::Kind::Command)
            streams.push_back({process->asStream(m_number), id});
    return streams;
}

void BrokerProgram::refuseStream(quint64 id, const Error& error)
{
    if (const auto found = m_processes.find(id); found != m_processes.end())
        found->second->refuse(error);
}

} // namespace slipway

#include "moc_brokerprogram.cpp"
