// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QString>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace slipway {

/// One round of keyboard-interactive authentication as a server sends it.
struct DialogueRound {
    struct Prompt {
        QByteArray text;
        bool echo = false;
        QByteArray right = {}; ///< the answer that is accepted
    };
    QByteArray title, instruction;
    std::vector<Prompt> prompts;
};

/// What a DialogueServer asks for. A value.
struct Dialogue {
    QByteArray banner;
    bool wantsKey = false; ///< any key, before the dialogue: a partial success
    std::vector<DialogueRound> rounds;
    bool isRefused = false; ///< after the last round, whatever was answered
    bool staysSilent = false; ///< after the key exchange
    bool opensNoChannel = false; ///< silent once somebody is logged in
};

/// DialogueServer is an SSH server on the loopback for dialogues that an sshd cannot be made to
/// hold without the account's PAM: it asks what the test wants, and notes the answers. Owned
/// by the test; its own thread serves one connection after the other until it is destroyed.
class DialogueServer {
public:
    /// `folder`: for its host key.
    DialogueServer(const QString& folder, Dialogue dialogue);
    ~DialogueServer();

    /// 0: it could not be started.
    int port() const { return m_port; }
    /// How often the dialogue began.
    int begun() const { return m_begun; }
    /// The answers of all rounds; only after the client has been told how it ended.
    const QByteArrayList& answers() const { return m_answers; }

private:
    struct Session;

    void serve();

    Dialogue m_dialogue;
    QByteArray m_keyFile;
    int m_listening = -1;
    int m_port = 0;
    std::atomic<int> m_begun = 0;
    std::atomic<int> m_socket = -1;
    std::atomic<bool> m_stops = false;
    QByteArrayList m_answers;
    std::thread m_thread;
};

} // namespace slipway
