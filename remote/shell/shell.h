// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/base/shellquoting.h"
#include "remote/shell/process.h"

#include <QCoroTask>

#include <QIODevice>
#include <QObject>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace slipway {

/// A script to run with /bin/sh, and its options. The login shell of the account never sees the
/// script: it only gets `exec /bin/sh -s` (or, when stdin must stay free for data, a constant
/// command with the script in base64), so csh, fish and noisy start-up files do no harm.
struct Invocation {
    enum class Place { StandardInput, Argument };
    QByteArray script;
    Place place = Place::StandardInput; ///< Argument leaves stdin to Process::write()
    /// A stream without a natural end (a log that is followed): it never uses the last sessions,
    /// waits in the queue as long as necessary, and may be ended with ErrorKind::Refused where a
    /// machine allows few sessions. It must then be restarted. Its script uses Place::Argument and
    /// ends when its standard input does.
    bool isLongLived = false;
};

/// What a script printed and how it ended.
struct CommandOutput {
    int exitCode = 0;
    QByteArray out;
    QByteArray err;
};

struct RunOptions {
    std::chrono::milliseconds timeout{60'000};
    qint64 outputLimit = 64 * 1024 * 1024; ///< bytes of output after which the run is an error
};

class PersistentShell;

/// The state of the connection to the machine.
enum class LinkState { Up, Stalled, Down };

/// Shell runs scripts on one machine: over SSH, on this computer, or from a table in tests. It is
/// the interface between Slipway and the transport. Lives on the GUI (or main) thread and is shared
/// by everything that uses that machine. Every operation ends with exactly one result; when the
/// link is lost, all of them end with ErrorKind::LinkLost.
class Shell : public QObject {
    Q_OBJECT

public:
    explicit Shell(QObject* parent = nullptr);
    ~Shell() override;

    /// "demo@127.0.0.1:2222", "this computer": for sentences and logs.
    virtual QString displayName() const = 0;
    virtual LinkState linkState() const = 0;

    /// Starts a script and streams its raw, unframed output. The caller owns the Process.
    virtual std::unique_ptr<Process> start(Invocation invocation) = 0;

    /// Ends the connection, as far as this program is concerned; every live Process finishes.
    virtual void close() = 0;
    /// The same for a person who disconnects: a connection that other programs could share later is
    /// not kept for them.
    virtual void hangUp() { close(); }

    /// The account that the scheduler there sees, "demo@login.example:22": programs with the same
    /// account share its budget of calls. Empty: nobody shares it.
    virtual QString account() const { return {}; }

    /// A /bin/sh -s with its stdin open, for PersistentShell and for whoever passes it on; null
    /// where a new process is cheap.
    virtual std::unique_ptr<Process> startKept();

    /// Runs one script to its end inside nonce frames, with the environment cleaned of the
    /// SQUEUE_*, SBATCH_*… variables that change what Slurm prints. Noise of start-up files is
    /// dropped. A non-zero exit code is a CommandOutput, not an Error: the caller knows what it
    /// means. No end frame means the result is unknown: ErrorKind::Protocol, or LinkLost.
    QCoro::Task<Result<CommandOutput>> run(QByteArray script, RunOptions options = {});

    /// Writes `content` to `path` there: into a temporary file in the same folder, verified by
    /// sha256, then renamed, with the given mode. A full disk is ErrorKind::DiskFull and leaves no
    /// partial file.
    virtual QCoro::Task<Result<void>> writeFile(QString path, QByteArray content, int mode = 0600);

    /// The same for several small files, one after the other, in one script. The first failure ends
    /// it; the files before it are then written.
    struct NewFile {
        QString path;
        QByteArray content;
        int mode = 0600;
    };
    virtual QCoro::Task<Result<void>> writeFiles(std::vector<NewFile> files);

    /// The whole file, at most `limit` bytes (more is an error that says so).
    virtual QCoro::Task<Result<QByteArray>> readFile(QString path, qint64 limit = 64 * 1024 * 1024);

    /// Streams a remote regular file into `destination` (open for writing, alive until the task
    /// has ended) and checks its sha256. Of a file that has grown, the first `size` bytes are read;
    /// a link, a FIFO or a device is an error, and so are 60 s without a byte.
    virtual QCoro::Task<Result<void>> fetchFile(
        QString path, QIODevice* destination, std::optional<qint64> size = {});

    /// The persistent shell of that machine, if it has one and it is idle; the first call opens it.
    /// For run().
    PersistentShell* idlePersistentShell();

protected:
    /// To be called first in the destructor of a class that overrides startKept().
    void dropKept();
    /// The machine has too few sessions to keep one: the persistent shell ends and none is opened
    /// again before allowKept().
    void retireKept();
    void allowKept();

signals:
    void linkStateChanged(slipway::LinkState state);
    /// The connection ended; `error` says why. Emitted once.
    void closed(const slipway::Error& error);
    /// The machine has too few sessions to keep a persistent shell, or enough again.
    void fewSessionsChanged(bool few);

private:
    std::unique_ptr<PersistentShell> m_kept;
    int m_keptOpened = 0;
};

} // namespace slipway
