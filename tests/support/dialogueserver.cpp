// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/dialogueserver.h"

#include <QFile>

#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <libssh/server.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

namespace slipway {

namespace {

QByteArray makeHostKey(const QString& folder)
{
    const QByteArray file = QFile::encodeName(folder + QStringLiteral("/dialogue_host_key"));
    ssh_key key = nullptr;
    const bool isMade = ssh_pki_generate(SSH_KEYTYPE_ED25519, 0, &key) == SSH_OK
        && ssh_pki_export_privkey_file(key, nullptr, nullptr, nullptr, file.constData()) == SSH_OK;
    ssh_key_free(key);
    return isMade ? file : QByteArray();
}

} // namespace

/// Session holds the dialogue with one client; on the server's thread.
struct DialogueServer::Session {
    DialogueServer& server;
    ssh_session session;
    size_t round = 0;
    bool hasKey = false;

    int methods() const
    {
        const bool asksForKey = server.m_dialogue.wantsKey && !hasKey;
        return asksForKey ? SSH_AUTH_METHOD_PUBLICKEY : SSH_AUTH_METHOD_INTERACTIVE;
    }

    void refuse(ssh_message message) const
    {
        ssh_message_auth_set_methods(message, methods());
        ssh_message_reply_default(message);
    }

    void handleKey(ssh_message message)
    {
        if (!server.m_dialogue.wantsKey)
            return refuse(message);
        if (ssh_message_auth_publickey_state(message) == SSH_PUBLICKEY_STATE_NONE) {
            ssh_message_auth_reply_pk_ok_simple(message);
            return;
        }
        hasKey = true;
        ssh_message_auth_set_methods(message, methods());
        ssh_message_auth_reply_success(message, 1);
    }

    void ask(ssh_message message) const
    {
        const DialogueRound& asked = server.m_dialogue.rounds[round];
        std::vector<const char*> texts;
        std::vector<char> echoes;
        for (const DialogueRound::Prompt& prompt : asked.prompts) {
            texts.push_back(prompt.text.constData());
            echoes.push_back(prompt.echo ? 1 : 0);
        }
        ssh_message_auth_interactive_request(message, asked.title.constData(),
            asked.instruction.constData(), unsigned(texts.size()), texts.data(), echoes.data());
    }

    bool takeAnswers() const
    {
        const std::vector<DialogueRound::Prompt>& prompts = server.m_dialogue.rounds[round].prompts;
        const int count = ssh_userauth_kbdint_getnanswers(session);
        bool areRight = size_t(std::max(count, 0)) == prompts.size();
        for (int i = 0; i < count; ++i) {
            server.m_answers << QByteArray(ssh_userauth_kbdint_getanswer(session, unsigned(i)));
            areRight = areRight && server.m_answers.last() == prompts[size_t(i)].right;
        }
        return areRight;
    }

    void handleDialogue(ssh_message message)
    {
        if (server.m_dialogue.wantsKey && !hasKey)
            return refuse(message);
        if (!ssh_message_auth_kbdint_is_response(message)) {
            round = 0;
            ++server.m_begun;
            return ask(message);
        }
        const bool goesOn = takeAnswers();
        ++round;
        if (goesOn && round < server.m_dialogue.rounds.size())
            return ask(message);
        if (goesOn && !server.m_dialogue.isRefused)
            ssh_message_auth_reply_success(message, 0);
        else
            refuse(message);
    }

    void handle(ssh_message message)
    {
        const int type = ssh_message_type(message);
        const int subtype = ssh_message_subtype(message);
        if (type == SSH_REQUEST_CHANNEL_OPEN && server.m_dialogue.opensNoChannel)
            return;
        if (type == SSH_REQUEST_AUTH && server.m_dialogue.staysSilent)
            return;
        if (type == SSH_REQUEST_SERVICE)
            ssh_message_service_reply_success(message);
        else if (type == SSH_REQUEST_AUTH && subtype == SSH_AUTH_METHOD_PUBLICKEY)
            handleKey(message);
        else if (type == SSH_REQUEST_AUTH && subtype == SSH_AUTH_METHOD_INTERACTIVE)
            handleDialogue(message);
        else if (type == SSH_REQUEST_AUTH)
            refuse(message);
        else
            ssh_message_reply_default(message);
    }

    void run()
    {
        if (ssh_handle_key_exchange(session) != SSH_OK)
            return;
        if (!server.m_dialogue.banner.isEmpty()) {
            const ssh_string text = ssh_string_from_char(server.m_dialogue.banner.constData());
            ssh_send_issue_banner(session, text);
            ssh_string_free(text);
        }
        while (const ssh_message message = ssh_message_get(session)) {
            handle(message);
            ssh_message_free(message);
        }
    }
};

DialogueServer::DialogueServer(const QString& folder, Dialogue dialogue)
    : m_dialogue(std::move(dialogue))
    , m_keyFile(makeHostKey(folder))
    , m_listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const general = reinterpret_cast<sockaddr*>(&address);
    if (m_keyFile.isEmpty() || ::bind(m_listening, general, size) != 0
        || ::listen(m_listening, 8) != 0 || ::getsockname(m_listening, general, &size) != 0)
        return;
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { serve(); });
}

DialogueServer::~DialogueServer()
{
    m_stops = true;
    ::shutdown(m_listening, SHUT_RDWR);
    if (const int socket = m_socket; socket >= 0)
        ::shutdown(socket, SHUT_RDWR);
    if (m_thread.joinable())
        m_thread.join();
    ::close(m_listening);
}

void DialogueServer::serve()
{
    const ssh_bind listener = ssh_bind_new();
    ssh_bind_options_set(listener, SSH_BIND_OPTIONS_HOSTKEY, m_keyFile.constData());
    while (!m_stops) {
        const int socket = ::accept4(m_listening, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0)
            break;
        m_socket = socket;
        const ssh_session session = ssh_new();
        if (ssh_bind_accept_fd(listener, session, socket) == SSH_OK && !m_stops)
            Session{*this, session}.run();
        m_socket = -1;
        ssh_disconnect(session);
        ssh_free(session);
    }
    ssh_bind_free(listener);
}

} // namespace slipway
