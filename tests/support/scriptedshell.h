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

/// ScriptedProcess is the remote end of a script, controlled by a test: it writes bytes, ends or
/// fails at once, on the thread of the test. Created by ScriptedShell and owned by the code under
/// test, so hold it in the QPointer that processes() returns.
class ScriptedProcess : public Process {
    Q_OBJECT

public:
    ScriptedProcess(QByteArray script, QByteArray nonce);

    void write(const QByteArray& bytes) override;
    void closeInput() override;
    qint64 bytesToWrite() const override { return 0; }
    void cancel() override;

    /// The script as the code under test wrote it, without the frame of run().
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

/// ScriptedShell answers scripts from a table, for tests that require no machine. It serves both
/// run() and start(), records every script, keeps files in memory for writeFile(), readFile() and
/// fetchFile(), and loses its link on request. As over SSH, answers come from the event loop, never
/// from inside the call. Lives on the thread of the test.
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

    /// Defines the answer to a script that contains these bytes. The newest matching rule applies,
    /// so that a test can replace a rule; an empty text matches every script. A script without a
    /// matching rule ends with exit code 127 and a message on stderr.
    void on(const QByteArray& scriptContains, CommandOutput answer);
    void on(const QByteArray& scriptContains, Answer answer);
    /// Gives these answers in turn, and then repeats the last one.
    void onEach(const QByteArray& scriptContains, QList<CommandOutput> answers);
    /// Ends the script with a transport error instead of an exit code.
    void onFail(const QByteArray& scriptContains, Error error);
    /// Passes the process to the handler, which controls it now or later, until end().
    void onStream(const QByteArray& scriptContains, Stream handler);

    /// Every script so far, in order, as the code under test wrote it.
    QList<QByteArray> scripts() const { return m_scripts; }
    qsizetype count(const QByteArray& scriptContains) const;
    /// The processes that have not ended, oldest first.
    QList<QPointer<ScriptedProcess>> processes() const;

    QByteArray file(const QString& path) const { return m_files.value(path); }
    bool hasFile(const QString& path) const { return m_files.contains(path); }
    int fileMode(const QString& path) const { return m_modes.value(path, 0600); }
    /// Makes every later writeFile() end with this error (a full disk).
    void failWrites(Error error) { m_writeError = std::move(error); }

    /// Ends every live process with LinkLost and emits closed(). No process starts after that.
    void loseLink();

    /// Lets every read and write of a file that has begun, on any of these shells, come to its end,
    /// with what it does on the thread pool. What nobody resumes is lost memory when the test ends.
    static void finishPending();

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

    static inline int s_pending = 0;
    QList<Rule> m_rules;
    QList<QByteArray> m_scripts;
    QList<QPointer<ScriptedProcess>> m_processes;
    QHash<QString, QByteArray> m_files;
    QHash<QString, int> m_modes;
    std::optional<Error> m_writeError;
    QString m_name = QStringLiteral("test@scripted");
    LinkState m_state = LinkState::Up;
};

/// ScriptedConnector returns the shells of a list in turn, then fails with `error`. It records the
/// targets and does not use the Prompter. Lives on the thread of the test.
class ScriptedConnector : public Connector {
public:
    QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(
        ConnectTarget target, Prompter* prompter) override;

    QList<std::shared_ptr<Shell>> shells;
    Error error{ErrorKind::Network, QStringLiteral("No machine answers here.")};
    QList<ConnectTarget> targets;
};

} // namespace slipway
