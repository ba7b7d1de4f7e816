// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QCoroTask>

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// One prompt of a server, verbatim. `echo` false means that the answer is a secret.
struct Prompt {
    QString text;
    bool echo = false;
};

/// The prompts of one login round. keyboard-interactive may have several rounds of several prompts
/// (password, then one-time code); each round is shown to the user as the server sent it.
struct PromptRound {
    enum class Kind { Password, Passphrase, KeyboardInteractive };
    Kind kind = Kind::KeyboardInteractive;
    QString host; ///< the host that asks; with jump hosts, the jump host
    QString user;
    QString keyFile = {}; ///< for a passphrase: which key
    QString title = {}; ///< the server's name for the round, often empty
    QString instruction = {}; ///< the server's text above the fields, often empty
    std::vector<Prompt> prompts;
    int attempt = 1; ///< 2 and more: the last answer was refused
    bool mayBeKept = false; ///< the person may ask to keep the answer; see keepsAnswer()
};

/// An unknown host key, which the user compares before any secret is sent.
struct HostKeyQuestion {
    QString host;
    int port = 22;
    QString keyType; ///< "ssh-ed25519"
    QString sha256; ///< "SHA256:…", as ssh-keygen -l prints it
};

/// A command of the SSH configuration that runs on this computer as a part of the login. It is
/// shown before it runs for the first time.
struct CommandQuestion {
    QString host; ///< as entered by the user
    QString option; ///< the configuration's name for it: "ProxyCommand", "KnownHostsCommand"
    QString command; ///< exactly as it would run, tokens expanded
};

/// Prompter asks the user during a login: with dialogs in the window, lines in the terminal, a list
/// of answers in tests. Lives on the GUI (or main) thread; the caller of connect owns it and keeps
/// it until the connection has ended.
class Prompter {
public:
    virtual ~Prompter() = default;

    /// The answers, one per prompt, in order; nullopt when the user cancelled.
    virtual QCoro::Task<std::optional<QStringList>> answer(PromptRound round) = 0;
    /// Whether the person asked to keep the last answer in the keychain.
    virtual bool keepsAnswer() const { return false; }
    virtual QCoro::Task<bool> acceptHostKey(HostKeyQuestion question) = 0;
    /// Whether this command may run, now and in later logins. Where nobody can be asked: no.
    virtual QCoro::Task<bool> acceptCommand(CommandQuestion question)
    {
        Q_UNUSED(question)
        co_return false;
    }
    /// The server's banner, shown as plain text.
    virtual void showBanner(const QString& text) { Q_UNUSED(text) }
    /// A sentence about the login that needs no answer: "Touch your security key.", "logging in to
    /// the jump host kestrel.hpc.example (1 of 2)", options of the configuration that are ignored.
    virtual void showNotice(const QString& text) { Q_UNUSED(text) }
    /// A person has to approve the login elsewhere: on a phone, by touching a key. A next login
    /// would need that again.
    virtual void noteApproval(const QString& text) { showNotice(text); }
    /// The login asked nothing because another program shares its connection, for which a person
    /// gave answers: without that, this login would need a person too.
    virtual void noteSharedAnswers() { }
};

} // namespace slipway
