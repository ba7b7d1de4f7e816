// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/shell.h"
#include "remote/ssh/linkchannel.h"
#include "remote/ssh/linkgate.h"
#include "remote/ssh/sshconfig.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace slipway {

/// Link owns an authenticated session and its channels on the worker thread, and pumps them until
/// the session ends or the gate is told to stop. At most eight channels are in flight (sshd's
/// MaxSessions is ten by default), the rest wait in line. It watches the line with its own probes:
/// libssh cannot tell a dead peer. What it learns goes out through two functions that it is given.
class Link {
public:
    struct Reports {
        std::function<void(std::vector<ChannelNews> news)> news;
        std::function<void(LinkState state)> state;
        std::function<void()> fewSessions; ///< the server takes fewer sessions than one may spare
    };

    Link(SessionHandle session, std::shared_ptr<LinkGate> gate, Reports reports, const ResolvedTarget& target);
    ~Link();

    /// Returns why the link ended; every channel has had its end reported by then.
    Error run();

    // Jobs of the GUI side, run by the loop. An id that has ended is passed over.
    void start(ChannelRequest request);
    void write(quint64 id, const QByteArray& bytes);
    void endInput(quint64 id);
    void cancel(quint64 id);
    void consumed(quint64 id, qint64 bytes);

private:
    LinkChannel* find(quint64 id);
    bool pump();
    void openWaiting();
    void handleRefused(LinkChannel& channel);
    void report(bool all);
    void removeEnded();
    void watch();
    void probe();
    bool lost() const;
    std::chrono::milliseconds timeToWait() const;
    Error lostError() const;

    std::shared_ptr<LinkGate> m_gate;
    Reports m_reports;
    QString m_name;
    SshTimes m_times;
    SessionHandle m_session;
    EventHandle m_event;
    std::map<quint64, std::unique_ptr<LinkChannel>> m_channels; // by age: the oldest waits least
    std::unique_ptr<char[]> m_scratch;
    size_t m_budget;
    LinkState m_state = LinkState::Up;
    bool m_failed = false;
    ssh_counter_struct m_socketBytes{};
    ssh_counter_struct m_rawBytes{};
    quint64 m_seenBytes = 0;
    QElapsedTimer m_silence;
    bool m_probed = false;
};

} // namespace slipway
