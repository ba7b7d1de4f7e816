// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/link.h"

#include <libssh/server.h>

#include <poll.h>

using namespace std::chrono_literals;

namespace slipway {

namespace {

constexpr size_t sessionBudget = 8;
constexpr size_t fewSessions = 4;
constexpr int mostRefusals = 50; // a server counts a session a moment longer than its channel lives
constexpr qsizetype scratchSize = 16 * 1024 * 1024; // touched only as far as it is used

} // namespace

Link::Link(SessionHandle session, std::shared_ptr<LinkGate> gate, Reports reports, const ResolvedTarget& target)
    : m_gate(std::move(gate))
    , m_reports(std::move(reports))
    , m_name(target.displayName())
    , m_times(target.times)
    , m_session(std::move(session))
    , m_event(ssh_event_new())
    , m_scratch(new char[size_t(scratchSize)])
    , m_budget(sessionBudget)
{
    ssh_set_blocking(m_session.get(), 0);
    ssh_set_counters(m_session.get(), &m_socketBytes, &m_rawBytes);
    ssh_event_add_session(m_event.get(), m_session.get());
    m_silence.start();
}

Link::~Link()
{
    m_channels.clear(); // before the session, which would free them too
    ssh_event_remove_session(m_event.get(), m_session.get());
}

Error Link::run()
{
    while (!m_gate->stopping()) {
        for (const auto& job : m_gate->takeJobs())
            job(*this);
        const bool moved = pump();
        report(false);
        watch();
        if (m_failed)
            break;
        const bool writing = ssh_get_poll_flags(m_session.get()) & SSH_WRITE_PENDING;
        m_gate->wait(ssh_get_fd(m_session.get()), short(writing ? POLLIN | POLLOUT : POLLIN), moved ? 0ms : timeToWait());
    }
    const Error error = m_failed ? lostError()
                                 : Error{ErrorKind::LinkLost, QStringLiteral("The connection to %1 was closed.").arg(m_name)};
    for (auto& [id, channel] : m_channels)
        channel->end(error);
    report(true);
    return error;
}

Error Link::lostError() const
{
    Error error{ErrorKind::LinkLost, {}, QStringLiteral("Connect again; jobs of the cluster go on meanwhile."),
        QByteArray(ssh_get_error(m_session.get()))};
    error.summary = m_state == LinkState::Down
        ? QStringLiteral("The connection to %1 was lost: nothing came for %2 s.")
              .arg(m_name)
              .arg(double(m_times.downAfter.count()) / 1000)
        : QStringLiteral("The connection to %1 was lost: the server closed it.").arg(m_name);
    return error;
}

bool Link::pump()
{
    if (ssh_event_dopoll(m_event.get(), 0) == SSH_ERROR || lost()) {
        // What had arrived before the end still belongs to its readers.
        for (auto& [id, channel] : m_channels)
            channel->advance(m_scratch.get(), scratchSize);
        m_failed = true;
        return true;
    }
    openWaiting();
    bool moved = false;
    for (auto& [id, channel] : m_channels) {
        moved |= channel->advance(m_scratch.get(), scratchSize);
        if (channel->wasRefused())
            handleRefused(*channel);
    }
    m_failed |= lost();
    return moved;
}

bool Link::lost() const
{
    return !ssh_is_connected(m_session.get()) || (ssh_get_status(m_session.get()) & (SSH_CLOSED | SSH_CLOSED_ERROR));
}

void Link::openWaiting()
{
    size_t inFlight = 0;
    for (const auto& [id, channel] : m_channels)
        inFlight += channel->inFlight();
    for (auto& [id, channel] : m_channels) {
        if (inFlight >= m_budget)
            return;
        if (channel->state() == LinkChannel::State::Queued) {
            channel->open();
            ++inFlight;
        }
    }
}

/// A server with a smaller MaxSessions: the budget shrinks to what it takes, and the channel waits.
void Link::handleRefused(LinkChannel& channel)
{
    size_t others = 0;
    for (const auto& [id, other] : m_channels)
        others += other.get() != &channel && other->inFlight();
    if (others == 0 && channel.countRefusal() < mostRefusals) {
        channel.requeue();
        return;
    }
    if (others == 0) {
        channel.end(Error{ErrorKind::Refused, QStringLiteral("%1 refused to open a session.").arg(m_name),
            QStringLiteral("Try again; the server may limit the sessions of one login."),
            QByteArray(ssh_get_error(m_session.get()))});
        return;
    }
    m_budget = std::max<size_t>(1, std::min(m_budget, others));
    if (m_budget < fewSessions && m_reports.fewSessions)
        m_reports.fewSessions();
    channel.requeue();
}

void Link::report(bool all)
{
    std::vector<ChannelNews> news;
    for (auto& [id, channel] : m_channels)
        if (channel->hasNews() && (all || channel->isUrgent() || channel->sinceNews() >= reportEvery))
            news.push_back(channel->takeNews());
    if (!news.empty())
        m_reports.news(std::move(news));
    removeEnded();
}

void Link::removeEnded()
{
    std::erase_if(m_channels, [](const auto& entry) { return entry.second->state() == LinkChannel::State::Ended && !entry.second->hasNews(); });
}

void Link::watch()
{
    if (m_socketBytes.in_bytes + m_rawBytes.in_bytes != m_seenBytes) {
        m_seenBytes = m_socketBytes.in_bytes + m_rawBytes.in_bytes;
        m_silence.restart();
        m_probed = false;
    }
    const std::chrono::milliseconds silence(m_silence.elapsed());
    if (silence >= m_times.probeAfter && !m_probed)
        probe();
    auto state = LinkState::Up;
    if (silence >= m_times.downAfter)
        state = LinkState::Down;
    else if (silence >= m_times.stalledAfter)
        state = LinkState::Stalled;
    if (state != m_state) {
        m_state = state;
        m_reports.state(state);
    }
    m_failed |= state == LinkState::Down;
}

/// Any answer is a sign of life, also "no such request". The first call may only take up the answer
/// to the last probe, so it is made again until bytes leave.
void Link::probe()
{
    m_probed = true;
    const auto sent = m_socketBytes.out_bytes + m_rawBytes.out_bytes;
    for (int i = 0; i < 2 && m_socketBytes.out_bytes + m_rawBytes.out_bytes == sent; ++i)
        ssh_send_keepalive(m_session.get());
}

std::chrono::milliseconds Link::timeToWait() const
{
    const std::chrono::milliseconds silence(m_silence.elapsed());
    auto next = m_times.downAfter;
    if (silence < m_times.probeAfter)
        next = m_times.probeAfter;
    else if (silence < m_times.stalledAfter)
        next = m_times.stalledAfter;
    auto wait = next - silence;
    for (const auto& [id, channel] : m_channels)
        if (channel->hasNews())
            wait = std::min(wait, reportEvery - std::min(reportEvery, channel->sinceNews()));
    return std::clamp(wait, 1ms, std::chrono::milliseconds(60'000));
}

LinkChannel* Link::find(quint64 id)
{
    const auto found = m_channels.find(id);
    return found == m_channels.end() ? nullptr : found->second.get();
}

void Link::start(ChannelRequest request)
{
    const auto id = request.id;
    m_channels.emplace(id, std::make_unique<LinkChannel>(m_session.get(), std::move(request)));
}

void Link::write(quint64 id, const QByteArray& bytes)
{
    if (auto* channel = find(id))
        channel->write(bytes);
}

void Link::endInput(quint64 id)
{
    if (auto* channel = find(id))
        channel->endInput();
}

void Link::cancel(quint64 id)
{
    m_channels.erase(id); // freeing the channel closes it
}

void Link::consumed(quint64 id, qint64 bytes)
{
    if (auto* channel = find(id))
        channel->consumed(bytes);
}

} // namespace slipway
