// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QCoroTask>

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// One question of a server, verbatim. `echo` false means that the answer is a secret.
struct Prompt {
    QString text;
    bool echo = false;
};

/// What a login asks for at once. keyboard-interactive may ask several rounds of several prompts
/// (password, then token code); each round reaches the person as the server sent it.
struct PromptRound {
    enum class Kind { Password, Passphrase, KeyboardInteractive };
    Kind kind = Kind::KeyboardInteractive;
    QString host; ///< the host that asks; with several hops, the hop
    QString user;
    QString keyFile = {}; ///< for a passphrase: which key
    QString title = {}; ///< the server's name for the round, often empty
    QString instruction = {}; ///< the server's text above the fields, often empty
    std::vector<Prompt> prompts;
    int attempt = 1; ///< 2 and more: the last answer was refused
};

/// An unknown host key, to be compared by the person before anything secret is sent.
struct HostKeyQuestion {
    QString host;
    int port = 22;
    QString keyType; ///< "ssh-ed25519"
    QString sha256; ///< "SHA256:…", as ssh-keygen -l prints it
};

/// Prompter is where a login asks the person: dialogs in the window, lines in the terminal, a list
/// of answers in tests. Lives on the GUI (or main) thread; the caller of connect owns it and keeps
/// it until the connection has ended.
class Prompter {
public:
    virtual ~Prompter() = default;

    /// The answers, one a prompt, in order; nullopt when the person gave up.
    virtual QCoro::Task<std::optional<QStringList>> answer(PromptRound round) = 0;
    virtual QCoro::Task<bool> acceptHostKey(HostKeyQuestion question) = 0;
    /// The server's banner, shown as plain text.
    virtual void showBanner(const QString& text) { Q_UNUSED(text) }
};

} // namespace slipway
