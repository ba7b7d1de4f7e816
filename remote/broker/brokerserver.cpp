// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/brokerserver.h"

#include "remote/base/tr.h"
#include "remote/broker/programprompter.h"

#include <QPointer>

#include <algorithm>

using namespace std::chrono_literals;

namespace slipway {

namespace {

constexpr size_t mostPrograms = 64;
constexpr auto firstLoginWithin = 60s; ///< whoever made the broker is there sooner
constexpr auto roomPause = 1s;
constexpr auto crowdedFor = 60s; ///< after the last stream that waited
constexpr auto longestGoodbye = 1s;

} // namespace

BrokerServer::BrokerServer(Connector* connector, std::chrono::milliseconds keep)
    : m_connector(connector)
    , m_keep(keep)
{
    m_idle.setSingleShot(true);
    connect(&m_idle, &QTimer::timeout, this, [this] {
        end({ErrorKind::LinkLost, tr("The connection was not used any more and has been closed.")});
    });
    m_idle.start(firstLoginWithin);
    connect(&m_room, &QTimer::timeout, this, &BrokerServer::makeRoom);
}

BrokerServer::~BrokerServer()
{
    m_ending = true;
    m_programs.clear();
}

size_t BrokerServer::users() const
{
    return size_t(std::count_if(m_programs.begin(), m_programs.end(),
        [](const auto& program) { return program->isUser(); }));
}

void BrokerServer::add(Fd socket)
{
    if (m_ending || m_programs.size() >= mostPrograms)
        return;
    m_programs.push_back(std::make_unique<BrokerProgram>(
        ++m_lastNumber, std::make_unique<MessageStream>(std::move(socket))));
    auto* const program = m_programs.back().get();
    connect(program, &BrokerProgram::loginWanted, this, [=, this] { onLoginWanted(program); });
    connect(program, &BrokerProgram::infoWanted, this, [=, this] { tellInfo(program); });
    connect(program, &BrokerProgram::endWanted, this, [this] {
        end({ErrorKind::LinkLost, tr("The connection was closed for all programs."),
            tr("Connect again; jobs on the cluster continue.")});
    });
    connect(program, &BrokerProgram::streamWaits, this, [this] {
        if (!m_room.isActive())
            m_room.start(roomPause);
    });
    connect(program, &BrokerProgram::ended, this, [=, this] { remove(program); });
}

void BrokerServer::remove(BrokerProgram* program)
{
    const auto found = std::find_if(m_programs.begin(), m_programs.end(),
        [program](const auto& one) { return one.get() == program; });
    if (found == m_programs.end() || m_ending)
        return;
    const bool wasUser = program->isUser(), leaves = program->leaves();
    if (m_leader == program)
        m_leader = nullptr;
    // It is in the middle of a signal; its questions and processes end now.
    found->release()->deleteLater();
    m_programs.erase(found);
    program->disconnect(this);
    program->endAll();
    countUsers();
    if (wasUser && users() == 0)
        keepOrEnd(!leaves);
}

void BrokerServer::countUsers()
{
    const bool shared = users() > 1;
    for (const auto& program : m_programs)
        program->setShared(shared);
}

void BrokerServer::keepOrEnd(bool mayKeep)
{
    if (m_loggingIn)
        return; // its end decides
    if (m_shell && mayKeep && m_keep > 0ms)
        m_idle.start(m_keep);
    else
        end({ErrorKind::LinkLost, tr("The connection was closed.")});
}

void BrokerServer::onLoginWanted(BrokerProgram* program)
{
    m_idle.stop();
    countUsers();
    if (m_shell)
        return admit(program);
    if (!m_loggingIn) {
        logIn(program);
        return;
    }
    program->send({MessageType::Notice, 0,
        fieldsOf({tr("Another Slipway program is logging in to %1; waiting for it.")
                      .arg(program->target().host)})});
}

QCoro::Task<void> BrokerServer::logIn(BrokerProgram* leader)
{
    const QPointer<BrokerServer> self(this);
    m_loggingIn = true;
    m_leader = leader;
    ProgramPrompter prompter(leader);
    const auto shell = co_await m_connector->connectTo(leader->target(), &prompter);
    if (!self) {
        if (shell.ok())
            (*shell)->close();
        co_return;
    }
    m_loggingIn = false;
    if (m_ending)
        co_return;
    if (shell.ok())
        onLoggedIn(*shell, prompter);
    else
        onLoginFailed(shell.error(),
            !m_leader || prompter.declined() || shell.error().kind == ErrorKind::Cancelled);
}

void BrokerServer::onLoggedIn(const std::shared_ptr<Shell>& shell, const ProgramPrompter& prompter)
{
    m_shell = shell;
    m_since = QDateTime::currentDateTime();
    m_notices = prompter.notices();
    m_asked = prompter.asked();
    BrokerProgram* const leader = std::exchange(m_leader, nullptr);
    connect(shell.get(), &Shell::closed, this, &BrokerServer::end);
    connect(shell.get(), &Shell::linkStateChanged, this, [this](LinkState state) {
        for (const auto& program : m_programs)
            if (program->isWelcome() && state != LinkState::Down)
                program->send({MessageType::State, 0, fieldsOf({qint64(state)})});
    });
    connect(shell.get(), &Shell::fewSessionsChanged, this, [this](bool few) {
        m_few = few;
        sayFewSessions();
    });
    for (const auto& program : m_programs) {
        if (program.get() == leader)
            program->welcome(m_shell, m_asked); // it has heard the notices
        else if (program->isUser())
            admit(program.get());
    }
    if (users() == 0)
        keepOrEnd(true);
}

void BrokerServer::admit(BrokerProgram* program)
{
    for (const QString& notice : m_notices)
        program->send({MessageType::Notice, 0, fieldsOf({notice})});
    program->welcome(m_shell, m_asked);
    if (m_few || m_crowded)
        program->send({MessageType::FewSessions, 0, fieldsOf({true})});
}

/// Whoever waits gets the same result, unless it was the leader's person who ended the login.
void BrokerServer::onLoginFailed(const Error& error, bool isOfTheLeaderAlone)
{
    if (BrokerProgram* const leader = std::exchange(m_leader, nullptr))
        leader->failLogin(error);
    for (const auto& program : m_programs) {
        if (!program->isUser())
            continue;
        if (isOfTheLeaderAlone) {
            logIn(program.get());
            return;
        }
        program->failLogin(error);
    }
    keepOrEnd(false);
}

void BrokerServer::tellInfo(BrokerProgram* program)
{
    QCborArray names;
    for (const auto& one : m_programs)
        if (one->isUser())
            names.append(one->name());
    const auto left = m_shell && m_idle.isActive() ? m_idle.remainingTimeAsDuration() : -1ms;
    program->send({MessageType::Info, 0,
        fieldsOf({m_shell ? m_shell->displayName() : QString(),
            m_since.isValid() ? m_since.toSecsSinceEpoch() : 0, names, qint64(left.count())})});
}

/// Called every second while streams wait, and for a while after that.
void BrokerServer::makeRoom()
{
    std::vector<SharedStream> streams;
    std::vector<std::pair<BrokerProgram*, quint64>> owners;
    bool anyWaits = false;
    for (const auto& program : m_programs)
        for (const auto& own : program->streams()) {
            streams.push_back(own.stream);
            owners.emplace_back(program.get(), own.id);
            anyWaits |= own.stream.waits && !own.stream.isKept;
        }
    const auto now = streamClock();
    if (anyWaits)
        m_waited = now;
    if (const auto index = streamToEnd(streams, now)) {
        if (streams[*index].isKept) {
            m_crowded = true;
            sayFewSessions();
            return;
        }
        const auto [program, id] = owners[*index];
        program->refuseStream(id,
            {ErrorKind::Refused,
                tr("%1 allows few sessions at a time, and another program waits for one.")
                    .arg(m_shell->displayName())});
    }
    if (!anyWaits && now - m_waited > crowdedFor) {
        m_room.stop();
        if (std::exchange(m_crowded, false))
            sayFewSessions();
    }
}

void BrokerServer::sayFewSessions()
{
    for (const auto& program : m_programs)
        if (program->isWelcome())
            program->send({MessageType::FewSessions, 0, fieldsOf({m_few || m_crowded})});
}

void BrokerServer::end(const Error& error)
{
    if (std::exchange(m_ending, true))
        return;
    m_idle.stop();
    m_room.stop();
    emit ending();
    for (const auto& program : m_programs)
        program->sayClosed(error);
    if (m_shell)
        m_shell->close();
    // What was said is in the sockets' buffers by then.
    QTimer::singleShot(m_programs.empty() ? 0ms : longestGoodbye, this, &BrokerServer::ended);
}

} // namespace slipway

#include "moc_brokerserver.cpp"
