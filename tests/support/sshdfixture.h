// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace slipway {

/// SshdFixture runs a real sshd for tests: on a free port of the loopback, with keys and a log of
/// its own in a temporary folder, for the account that runs the test. It ends what it started, by
/// its process id, and nothing else.
class SshdFixture {
public:
    SshdFixture();
    ~SshdFixture();

    /// Empty when it runs; else what is missing, by the name of its package.
    QString start(const QStringList& configLines = {});
    void stop();

    int port() const { return m_port; }
    QString user() const;
    QString path(const QString& name) const { return m_dir.filePath(name); }
    QString userKey() const { return path(QStringLiteral("user_key")); }
    QString knownHosts() const { return path(QStringLiteral("known_hosts")); }

    /// Puts the server's present key into knownHosts(), with `mark` ("@revoked ") before it.
    void trustHostKey(const QByteArray& mark = {});
    /// A new host key of the same type; takes effect at once.
    void replaceHostKey();
    void clearKnownHosts();
    /// Every command runs through this shell, whose start-up files are noisy.
    QString useLoginShell(const QString& program);
    /// Kills the server's side of every connection.
    void killSessions() const;
    /// Stops (SIGSTOP) or continues them.
    void freezeSessions(bool freeze) const;

    QByteArray log() const;
    void clearLog();

    /// Makes a key pair; `passphrase` may be empty. Its public half is authorized at the server.
    QString makeKey(const QString& name, const QString& passphrase, bool authorized = true);

    /// Runs a program to its end: true when it ended well.
    static bool runProgram(
        const QString& program, const QStringList& arguments, QByteArray* out = nullptr);

private:
    void signalSessions(int signal) const;
    QString waitUntilItListens();

    QTemporaryDir m_dir;
    QProcess m_process;
    QString m_forced;
    int m_port = 0;
};

/// An ssh-agent of the test's own.
class AgentFixture {
public:
    ~AgentFixture();
    /// Empty when it runs; else what is missing.
    QString start(const QString& folder);
    bool add(const QString& key);
    QString socket() const { return m_socket; }

private:
    QProcess m_process;
    QString m_socket;
};

} // namespace slipway
