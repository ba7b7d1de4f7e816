// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/connector.h"
#include "remote/shell/shell.h"

#include <QHash>
#include <QList>
#include <QPointer>

#include <functional>

namespace slipway {

/// ScriptedProcess is the remote end of a script that a test controls: it prints bytes, ends, or
/// fails, at once, on the test's thread. Created by ScriptedShell and owned by the code under test,
/// so keep it in the QPointer from processes().
class ScriptedProcess : public Process {
    Q_OBJECT

public:
    ScriptedProcess(QByteArray script, QByteArray nonce);

    void write(const QByteArray& bytes) override;
    void closeInput() override;
    qint64 bytesToWrite() const override { return 0; }
    void cancel() override;

    /// The script as the code under test wrote it (run()'s frame is taken off).
    const QByteArray& script() const { return m_script; }
    const QByteArray& written() const { return m_written; }
    bool inputClosed() const { return m_inputClosed; }
    bool ended() const { return m_ended; }

    void say(const QByteArray& out);
    void sayError(const QByteArray& err);
    void end(int exitCode = 0);
    void fail(const Error& error);

signals:
    void dataArrived(const QByteArray& bytes);
    void inputEnded();

private:
    void begin();

    QByteArray m_script;
    QByteArray m_nonce; // empty: started with start(), no frame
    QByteArray m_written;
    bool m_begun = false;
    bool m_inputClosed = false;
    bool m_ended = false;
};

/// ScriptedShell answers scripts from a table, for tests that need no machine. It serves run() and
/// start() alike, records every script that was run, keeps files in memory for writeFile(),
/// readFile() and fetchFile(), and loses its link on request. Answers come from the event loop,
/// never from inside the call, as they do over SSH.
///
///     ScriptedShell shell;
///     shell.on("squeue", {0, "1234 RUNNING\n", {}});
///     shell.on("sbatch", [&](const QByteArray& script) { return CommandOutput{0, "77\n", {}}; });
///     shell.onStream("tail -c", [&](ScriptedProcess& tail) { tail.say("epoch 1\n"); });
class ScriptedShell : public Shell {
    Q_OBJECT

public:
    using Answer = std::function<CommandOutput(const QByteArray& script)>;
    using Stream = std::function<void(ScriptedProcess& process)>;

    explicit ScriptedShell(QObject* parent = nullptr);
    ~ScriptedShell() override;

    /// How to answer a script that contains these bytes. The newest matching rule wins, so a test
    /// may override earlier rules; an empty text matches everything. A script without a matching
    /// rule ends with exit code 127 and says so on stderr.
    void on(const QByteArray& scriptContains, CommandOutput answer);
    void on(const QByteArray& scriptContains, Answer answer);
    /// These answers in turn, then the last one repeatedly.
    void onEach(const QByteArray& scriptContains, QList<CommandOutput> answers);
    /// Ends with an error of the transport instead of an exit code.
    void onFail(const QByteArray& scriptContains, Error error);
    /// The handler gets the process and controls it, now or later; it stays alive until end().
    void onStream(const QByteArray& scriptContains, Stream handler);

    /// Every script so far, in order, as the code under test wrote it.
    QList<QByteArray> scripts() const { return m_scripts; }
    qsizetype count(const QByteArray& scriptContains) const;
    void clearScripts() { m_scripts.clear(); }
    /// The processes that have not ended, oldest first.
    QList<QPointer<ScriptedProcess>> processes() const;

    void setFile(const QString& path, const QByteArray& content) { m_files[path] = content; }
    QByteArray file(const QString& path) const { return m_files.value(path); }
    bool hasFile(const QString& path) const { return m_files.contains(path); }
    int fileMode(const QString& path) const { return m_modes.value(path, 0600); }
    QStringList filePaths() const;
    /// From now on writeFile() ends with this error (a full disk).
    void failWrites(Error error) { m_writeError = std::move(error); }

    /// Every live process ends with LinkLost, closed() is emitted, and nothing starts any more.
    void loseLink();
    void setLinkState(LinkState state);
    void setDisplayName(const QString& name) { m_name = name; }
    /// How long an answer takes (default: one turn of the event loop).
    void setLatency(std::chrono::milliseconds latency) { m_latency = latency; }

    QString displayName() const override { return m_name; }
    LinkState linkState() const override { return m_state; }
    std::unique_ptr<Process> start(Invocation invocation) override;
    void close() override;
    QCoro::Task<Result<void>> writeFile(QString path, QByteArray content, int mode = 0600) override;
    QCoro::Task<Result<void>> writeFiles(std::vector<NewFile> files) override;
    QCoro::Task<Result<QByteArray>> readFile(
        QString path, qint64 limit = 64 * 1024 * 1024) override;
    QCoro::Task<Result<void>> fetchFile(
        QString path, QIODevice* destination, std::optional<qint64> size = {}) override;

private:
    struct Rule {
        QByteArray contains;
        Stream play;
    };
    void play(ScriptedProcess& process);
    void end(const Error& error);
    QCoro::Task<void> turn();

    QList<Rule> m_rules;
    QList<QByteArray> m_scripts;
    QList<QPointer<ScriptedProcess>> m_processes;
    QHash<QString, QByteArray> m_files;
    QHash<QString, int> m_modes;
    std::optional<Error> m_writeError;
    QString m_name = QStringLiteral("test@scripted");
    LinkState m_state = LinkState::Up;
    std::chrono::milliseconds m_latency{0};
};

/// ScriptedConnector hands out the shells of a list in turn, then fails with `error`. It records
/// the targets, and asks the Prompter nothing.
class ScriptedConnector : public Connector {
public:
    QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(
        ConnectTarget target, Prompter* prompter) override;

    QList<std::shared_ptr<Shell>> shells;
    Error error{ErrorKind::Network, QStringLiteral("No machine answers here.")};
    QList<ConnectTarget> targets;
};

} // namespace slipway
