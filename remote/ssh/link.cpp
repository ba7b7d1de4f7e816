// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/link.h"

#include "remote/base/tr.h"

#include <poll.h>

#include <algorithm>

using namespace std::chrono_literals;

namespace slipway {

namespace {

constexpr int mostRefusals =
    50; // a server counts a session slightly longer than its channel exists
constexpr auto refusalPause = 20ms; // multiplied by the refusals so far
constexpr auto longestRefusalPause = 200ms;
constexpr auto leavingLook = 500ms;
constexpr qsizetype scratchSize = 16 * 1024 * 1024; // memory is only touched as far as it is used

bool isInFlight(const LinkChannel& channel)
{
    return channel.state() != LinkChannel::State::Queued
        && channel.state() != LinkChannel::State::Ended;
}

} // namespace

Link::Link(Connection connection, std::shared_ptr<LinkGate> gate, Reports reports,
    const ResolvedTarget& target)
    : m_gate(std::move(gate))
    , m_reports(std::move(reports))
    , m_name(target.displayName())
    , m_step(target.times.step)
    , m_route(std::move(connection.route))
    , m_session(std::move(connection.session))
    , m_event(ssh_event_new())
    , m_monitor(m_session.get(), target.times, target.senses)
    , m_scratch(new char[size_t(scratchSize)])
{
    ssh_set_blocking(m_session.get(), 0);
    ssh_event_add_session(m_event.get(), m_session.get());
    m_clock.start();
}

Link::~Link()
{
    m_trials.clear();
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
        m_gate->wait(ssh_get_fd(m_session.get()), short(writing ? POLLIN | POLLOUT : POLLIN),
            moved ? 0ms : timeToWait());
    }
    const Error error = m_failed
        ? lostError()
        : Error{ErrorKind::LinkLost, tr("The connection to %1 was closed.").arg(m_name)};
    for (auto& [id, channel] : m_channels)
        channel->end(error);
    report(true);
    return error;
}

Error Link::lostError() const
{
    Error error{ErrorKind::LinkLost, {}, tr("Connect again; jobs on the cluster continue."),
        QByteArray(ssh_get_error(m_session.get()))};
    error.summary = m_monitor.state() == LinkState::Down
        ? tr("The connection to %1 was lost: nothing was received for %2 s.")
              .arg(m_name)
              .arg(qRound(double(m_monitor.silence().count()) / 1000))
        : tr("The connection to %1 was lost: the server closed it.").arg(m_name);
    if (const QString why = m_route->failure(); !why.isEmpty())
        error.summary = tr("The connection to %1 was lost. %2").arg(m_name, why);
    return error;
}

bool Link::pump()
{
    if (ssh_event_dopoll(m_event.get(), 0) == SSH_ERROR || lost()) {
        // Data that arrived before the end is still delivered.
        for (auto& [id, channel] : m_channels)
            channel->advance(m_scratch.get(), scratchSize);
        m_failed = true;
        return true;
    }
    if (m_trials.empty() && now() >= m_openAgain)
        openWaiting();
    measureSessions();
    bool moved = false;
    for (auto& [id, channel] : m_channels) {
        moved |= channel->advance(m_scratch.get(), scratchSize);
        if (channel->wasRefused())
            handleRefused(*channel);
        if (channel->unanswered().value_or(0ms) > m_step)
            channel->leave(Error{ErrorKind::Timeout,
                tr("%1 did not answer the request for a session within %2 s.")
                    .arg(m_name)
                    .arg(double(m_step.count()) / 1000),
                tr("The machine may be busy. Try again in a moment.")});
    }
    m_failed |= lost();
    return moved;
}

bool Link::lost() const
{
    return !ssh_is_connected(m_session.get())
        || (ssh_get_status(m_session.get()) & (SSH_CLOSED | SSH_CLOSED_ERROR));
}

size_t Link::inFlight() const
{
    return size_t(std::count_if(m_channels.begin(), m_channels.end(),
        [](const auto& entry) { return isInFlight(*entry.second); }));
}

size_t Link::liveStreams() const
{
    return size_t(std::count_if(m_channels.begin(), m_channels.end(), [](const auto& entry) {
        const auto& channel = *entry.second;
        return isInFlight(channel) && channel.state() != LinkChannel::State::Leaving
            && channel.kind() != ChannelRequest::Kind::Command;
    }));
}

bool Link::anyWaiting() const
{
    return std::any_of(m_channels.begin(), m_channels.end(),
        [](const auto& entry) { return entry.second->state() == LinkChannel::State::Queued; });
}

bool Link::commandWaits() const
{
    return std::any_of(m_channels.begin(), m_channels.end(), [](const auto& entry) {
        const auto& channel = *entry.second;
        return channel.state() == LinkChannel::State::Queued
            && channel.kind() == ChannelRequest::Kind::Command;
    });
}

bool Link::mayOpen(const LinkChannel& channel) const
{
    if (channel.kind() == ChannelRequest::Kind::Command)
        return true;
    // A single session is shared in turns: a stream uses it while no command waits.
    const size_t most = m_budget.streams() == 0 && !commandWaits() ? 1 : m_budget.streams();
    return liveStreams() < most;
}

void Link::openWaiting()
{
    size_t open = inFlight();
    for (auto& [id, channel] : m_channels) {
        if (channel->state() != LinkChannel::State::Queued)
            continue;
        if (open >= m_budget.total() || !mayOpen(*channel))
            continue;
        ++open;
        if (m_trials.empty()) {
            channel->open();
        } else {
            channel->takeSession(*m_trials.back());
            m_trials.pop_back();
        }
    }
    if (commandWaits())
        makeRoom();
}

/// Streams that were open before the session limit of the server was known: the newest ones are
/// ended.
void Link::makeRoom()
{
    size_t streams = liveStreams();
    for (auto it = m_channels.rbegin(); it != m_channels.rend() && streams > m_budget.streams();
         ++it) {
        auto& channel = *it->second;
        if (channel.kind() != ChannelRequest::Kind::Stream
            || channel.state() != LinkChannel::State::Running)
            continue;
        channel.leave(Error{ErrorKind::Refused,
            tr("%1 allows only %2 sessions at a time, and this one was needed for a command.")
                .arg(m_name)
                .arg(m_budget.total())});
        --streams;
    }
}

/// A server with a smaller MaxSessions: the budget shrinks to its limit, and the channel waits.
void Link::handleRefused(LinkChannel& channel)
{
    const size_t others = inFlight() - (isInFlight(channel) ? 1 : 0);
    if (others > 0) {
        m_budget.refused(others, now());
        noteFewSessions();
        channel.requeue();
        return;
    }
    const int refusals = channel.countRefusal();
    if (refusals < mostRefusals) {
        m_openAgain = now()
            + std::min<std::chrono::milliseconds>(refusals * refusalPause, longestRefusalPause);
        channel.requeue();
        return;
    }
    channel.end(Error{ErrorKind::Refused, tr("%1 refused to open a session.").arg(m_name),
        tr("Try again; the server may limit the sessions of one login."),
        QByteArray(ssh_get_error(m_session.get()))});
}

/// While something waits, the session limit of the server is measured from time to time: empty
/// sessions are opened in addition to those in use, counted and closed.
void Link::measureSessions()
{
    if (m_trials.empty()) {
        const bool opening = std::any_of(m_channels.begin(), m_channels.end(),
            [](const auto& entry) { return entry.second->state() == LinkChannel::State::Opening; });
        if (m_budget.isWhole() || opening || m_budget.untilMeasuring(now()) > 0ms || !anyWaiting())
            return;
        for (size_t open = inFlight(); open < SessionBudget::most; ++open) {
            m_trials.push_back(std::make_unique<LinkChannel>(m_session.get(), ChannelRequest{}));
            m_trials.back()->open();
        }
    }
    size_t opened = 0;
    for (auto& trial : m_trials) {
        if (trial->state() == LinkChannel::State::Opening && !trial->wasRefused())
            trial->openChannel();
        if (trial->state() == LinkChannel::State::Opening && !trial->wasRefused())
            return;
        opened += !trial->wasRefused();
    }
    m_budget.measured(inFlight() + opened, now());
    noteFewSessions();
    // Waiting channels use the sessions that are open: the server still counts a closed one for a
    // moment, and would refuse the next.
    std::erase_if(m_trials, [](const auto& trial) { return trial->wasRefused(); });
    openWaiting();
    if (!std::exchange(m_trials, {}).empty())
        m_openAgain = now() + longestRefusalPause;
}

void Link::noteFewSessions()
{
    if (std::exchange(m_reportedFew, m_budget.isFew()) != m_budget.isFew() && m_reports.fewSessions)
        m_reports.fewSessions(m_budget.isFew());
}

void Link::report(bool all)
{
    std::vector<ChannelNews> news;
    for (auto& [id, channel] : m_channels)
        if (ChannelOutbox& outbox = channel->outbox();
            !outbox.isEmpty() && (all || outbox.isUrgent() || outbox.sinceReport() >= reportEvery))
            news.push_back(outbox.take());
    if (!news.empty())
        m_reports.news(std::move(news));
    removeEnded();
}

void Link::removeEnded()
{
    std::erase_if(m_channels, [](const auto& entry) {
        return entry.second->state() == LinkChannel::State::Ended
            && entry.second->outbox().isEmpty();
    });
}

void Link::watch()
{
    const LinkState before = m_monitor.state();
    const LinkState state = m_monitor.check();
    if (state != before)
        m_reports.state(state);
    m_failed |= state == LinkState::Down;
}

std::chrono::milliseconds Link::timeToWait() const
{
    auto wait = m_monitor.timeToCheck();
    for (const auto& [id, channel] : m_channels)
        if (const ChannelOutbox& outbox = channel->outbox(); !outbox.isEmpty())
            wait = std::min(wait, reportEvery - std::min(reportEvery, outbox.sinceReport()));
    for (const auto& [id, channel] : m_channels) {
        if (channel->state() == LinkChannel::State::Leaving)
            wait = std::min<std::chrono::milliseconds>(wait, leavingLook);
        if (const auto unanswered = channel->unanswered())
            wait = std::min(wait, m_step - std::min(m_step, *unanswered) + 1ms);
    }
    if (anyWaiting()) {
        if (now() < m_openAgain)
            wait = std::min(wait, m_openAgain - now());
        if (!m_budget.isWhole() && m_trials.empty())
            wait = std::min(wait, m_budget.untilMeasuring(now()));
    }
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
    auto* channel = find(id);
    if (channel && channel->kind() == ChannelRequest::Kind::Stream)
        channel->leave();
    else
        m_channels.erase(id); // freeing the channel closes it
}

void Link::consumed(quint64 id, qint64 bytes)
{
    if (auto* channel = find(id))
        channel->consumed(bytes);
}

} // namespace slipway
