// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/shell.h"
#include "remote/ssh/linkchannel.h"
#include "remote/ssh/linkgate.h"
#include "remote/ssh/openroute.h"
#include "remote/ssh/peermonitor.h"
#include "remote/ssh/sessionbudget.h"
#include "remote/ssh/sshconfig.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace slipway {

/// Link owns an authenticated session and its channels on the worker thread, and processes them
/// until the session ends or the gate stops it. Its budget limits the number of open channels, and
/// streams never use the last of them; the others are queued. Events are reported through
/// callbacks.
class Link {
public:
    struct Reports {
        std::function<void(std::vector<ChannelNews> news)> news;
        std::function<void(LinkState state)> state;
        std::function<void(bool few)> fewSessions; ///< too few sessions to spare one for the
                                                   ///< persistent shell, or enough again
    };

    Link(Connection connection, std::shared_ptr<LinkGate> gate, Reports reports,
        const ResolvedTarget& target);
    ~Link();

    /// Returns why the link ended; the end of every channel has been reported by then.
    Error run();

    // Requests of the GUI thread, run by the loop. An id that has ended is ignored.
    void start(ChannelRequest request);
    void write(quint64 id, const QByteArray& bytes);
    void endInput(quint64 id);
    void cancel(quint64 id);
    void consumed(quint64 id, qint64 bytes);

private:
    LinkChannel* find(quint64 id);
    bool pump();
    void openWaiting();
    bool commandWaits() const;
    bool mayOpen(const LinkChannel& channel) const;
    void makeRoom();
    void handleRefused(LinkChannel& channel);
    void measureSessions();
    void noteFewSessions();
    size_t inFlight() const;
    size_t liveStreams() const;
    bool anyWaiting() const;
    std::chrono::milliseconds now() const { return std::chrono::milliseconds(m_clock.elapsed()); }
    void report(bool all);
    void removeEnded();
    void watch();
    bool lost() const;
    std::chrono::milliseconds timeToWait() const;
    Error lostError() const;

    std::shared_ptr<LinkGate> m_gate;
    Reports m_reports;
    QString m_name;
    std::chrono::milliseconds m_step; ///< for one answer of the server
    std::unique_ptr<Route> m_route; ///< outlives the session
    SessionHandle m_session;
    EventHandle m_event;
    PeerMonitor m_monitor;
    std::map<quint64, std::unique_ptr<LinkChannel>>
        m_channels; // ordered by age: the oldest waits least
    std::unique_ptr<char[]> m_scratch;
    SessionBudget m_budget;
    bool m_reportedFew = false;
    std::vector<std::unique_ptr<LinkChannel>> m_trials; // open only to be counted
    std::chrono::milliseconds m_openAgain{
        0}; // after a refusal without another session, and after measuring
    QElapsedTimer m_clock;
    bool m_failed = false;
};

} // namespace slipway
