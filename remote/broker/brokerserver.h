// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/broker/brokerprogram.h"
#include "remote/shell/connector.h"

#include <QDateTime>
#include <QTimer>

#include <memory>
#include <vector>

namespace slipway {

class ProgramPrompter;

/// BrokerServer holds one connection for all programs of a person. The first program leads the
/// login and answers its questions; others wait for the same result. It ends when the connection is
/// lost, when it is told to, or some time after the last program has left. Lives on the broker's
/// main thread, owned by the command that is the broker.
class BrokerServer : public QObject {
    Q_OBJECT

public:
    /// `keep`: for how long an unused connection stays.
    BrokerServer(Connector* connector, std::chrono::milliseconds keep);
    ~BrokerServer() override;

    /// Another program; its socket is known to be of the same person.
    void add(Fd socket);

signals:
    /// It takes no more programs: a new one needs a new broker.
    void ending();
    /// All programs have been told.
    void ended();

private:
    QCoro::Task<void> logIn(BrokerProgram* leader);
    void onLoginWanted(BrokerProgram* program);
    void onLoggedIn(const std::shared_ptr<Shell>& shell, const ProgramPrompter& prompter);
    void onLoginFailed(const Error& error, bool isOfTheLeaderAlone);
    void admit(BrokerProgram* program);
    void remove(BrokerProgram* program);
    void tellInfo(BrokerProgram* program);
    void makeRoom();
    void sayFewSessions();
    void countUsers();
    void keepOrEnd(bool mayKeep);
    void end(const Error& error);
    size_t users() const;

    Connector* m_connector;
    std::chrono::milliseconds m_keep;
    std::vector<std::unique_ptr<BrokerProgram>> m_programs;
    quint64 m_lastNumber = 0;
    BrokerProgram* m_leader = nullptr; ///< of the login in progress; null if it is gone
    bool m_loggingIn = false;
    std::shared_ptr<Shell> m_shell;
    QDateTime m_since;
    QStringList m_notices; ///< of the login
    bool m_asked = false; ///< a person gave an answer
    bool m_few = false; ///< the server allows few sessions
    bool m_crowded = false; ///< the programs need all of them
    std::chrono::milliseconds m_waited{0}; ///< when a stream waited last
    QTimer m_idle;
    QTimer m_room;
    bool m_ending = false;
};

} // namespace slipway
