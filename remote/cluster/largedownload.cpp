// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/largedownload.h"

#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/cluster/filesum.h"
#include "remote/cluster/rangefunction.h"
#include "remote/cluster/worker.h"
#include "remote/shell/framedrun.h"
#include "remote/shell/hashfunction.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace slipway {

using namespace std::chrono_literals;

namespace {

constexpr qint64 readPiece = 1024 * 1024;
constexpr std::chrono::minutes sumPatience{30}; ///< sums of many GB on a busy file system

enum DownloadExit { NotAFileExit = 5, TooShortExit = 6, ReplacedExit = 7 };

// Answers what the file is: its inode tells it from one that has replaced it.
constexpr char aboutFile[] = R"SH(
[ ! -L "$f" ] || exit 5
[ -e "$f" ] || { echo 'No such file' >&2; exit 1; }
[ -f "$f" ] || exit 5
[ $(($(wc -c <"$f"))) -ge "$size" ] || exit 6
set -- $(ls -di -- "$f") || exit 1
inode=$1
)SH";

/// DownloadState is what the steps of one download share; on the shell's thread.
struct DownloadState {
    std::shared_ptr<Shell> shell;
    QString where;
    QString remotePath;
    QString localPath;
    qint64 size = 0;
    QByteArray inode; ///< of the file there
    QFile part;
    qint64 here = 0; ///< bytes of the part
    std::unique_ptr<FileSum> sum; ///< of the part
    std::optional<Error> failure; ///< of what was done with bytes that arrived
    std::function<bool(qint64, qint64)> progress;
    LargeDownloadSummary summary;

    QString partPath() const { return localPath + QStringLiteral(".part"); }
    QString notePath() const { return localPath + QStringLiteral(".part.source"); }
    QByteArray source() const { return inode + ' ' + QByteArray::number(size) + '\n'; }
    QByteArray preamble() const
    {
        return "f=" + shellQuoted(remotePath) + "\nsize=" + QByteArray::number(size) + aboutFile
            + rangeFunction;
    }
    void fail(const Error& error)
    {
        if (!failure)
            failure = error;
    }
};
using State = std::shared_ptr<DownloadState>;

Error localError(const QString& path, int number)
{
    return downloadWriteError(path, number, QString::fromLocal8Bit(std::strerror(number)));
}

Error remoteFailure(const DownloadState& state, const CommandOutput& done)
{
    switch (done.exitCode) {
    case NotAFileExit:
        return {ErrorKind::Invalid,
            tr("%1 on %2 is a link or not a regular file, so it is not fetched.")
                .arg(state.remotePath, state.where),
            tr("Copy what it points to into the run's folder, and fetch again.")};
    case TooShortExit:
        return {ErrorKind::Invalid,
            tr("%1 on %2 has become shorter than the %3 bytes that were listed.")
                .arg(state.remotePath, state.where)
                .arg(state.size),
            tr("List the files again.")};
    case ReplacedExit:
        return {ErrorKind::Invalid,
            tr("%1 on %2 was replaced while it was fetched.").arg(state.remotePath, state.where),
            tr("Fetch it again when it is complete.")};
    default:
        break;
    }
    const bool isGone = done.err.contains("No such file");
    return {isGone ? ErrorKind::NotFound : ErrorKind::Io,
        isGone ? tr("%1 no longer exists on %2.").arg(state.remotePath, state.where)
               : tr("%1 could not be read on %2.").arg(state.remotePath, state.where),
        tr("List the files again."), done.err};
}

QCoro::Task<Result<CommandOutput>> runThere(
    State state, QByteArray script, std::chrono::milliseconds patience)
{
    FramedRequest request;
    request.where = state->where;
    request.script = state->preamble() + script;
    request.timeout = patience;
    FramedRun framed(*state->shell, std::move(request));
    auto done = co_await framed.result();
    if (done.ok() && done->exitCode != 0)
        co_return remoteFailure(*state, *done);
    co_return done;
}

/// The part of an earlier download, or a new one; never through a link.
Result<void> openPart(DownloadState& state)
{
    const QByteArray path = QFile::encodeName(state.partPath());
    const int fd = ::open(path.constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct stat about = {};
    if (fd < 0)
        return localError(state.partPath(), errno);
    if (::fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_uid != ::geteuid()
        || !state.part.open(
            fd, QIODevice::ReadWrite | QIODevice::Unbuffered, QFileDevice::AutoCloseHandle)) {
        ::close(fd);
        return downloadWriteError(state.partPath(), 0, tr("it is not a file of yours"));
    }
    return {};
}

/// What an earlier download of this very file left; the note beside the part says of which it is.
Result<void> takeUp(DownloadState& state)
{
    QFile note(state.notePath());
    const bool isSame = note.open(QIODevice::ReadOnly) && note.read(readPiece) == state.source();
    note.close();
    if (!isSame || state.part.size() > state.size)
        state.part.resize(0);
    QSaveFile next(state.notePath());
    if (!isSame
        && (!next.open(QIODevice::WriteOnly) || next.write(state.source()) < 0 || !next.commit()))
        return downloadWriteError(state.notePath(), errno, next.errorString());
    state.here = state.summary.kept = state.part.size();
    return {};
}

/// One piece of output for the part. False: the stream is to end.
bool takeBytes(DownloadState& state, const QByteArray& bytes)
{
    if (bytes.size() > state.size - state.here) {
        state.failure = {ErrorKind::Protocol,
            tr("%1 from %2 was rejected: it is larger than the %3 bytes that were listed.")
                .arg(state.remotePath, state.where)
                .arg(state.size),
            tr("List the files again.")};
        return false;
    }
    if (!state.part.seek(state.here) || state.part.write(bytes) != bytes.size()) {
        state.failure = downloadWriteError(state.partPath(), errno, state.part.errorString());
        return false;
    }
    state.here += bytes.size();
    state.sum->reach(state.here);
    state.summary.received += bytes.size();
    if (state.progress && !state.progress(state.here, state.size))
        state.failure = {ErrorKind::Cancelled, tr("Cancelled by you.")};
    return !state.failure;
}

/// All that is missing, on one stream: its window grows with the length of the line.
QCoro::Task<Result<void>> bringRest(State state)
{
    const qint64 missing = state->size - state->here;
    state->sum->reach(state->here);
    if (missing == 0)
        co_return Result<void>();
    FramedRequest request;
    request.where = state->where;
    request.timeoutIsIdle = true;
    request.outputLimit = missing + readPiece;
    request.sink = [state](const QByteArray& bytes) { return takeBytes(*state, bytes); };
    request.script = state->preamble() + "[ \"$inode\" = " + shellQuoted(state->inode)
        + " ] || exit " + QByteArray::number(ReplacedExit) + "\nrange \"$f\" "
        + QByteArray::number(state->here) + ' ' + QByteArray::number(missing) + '\n';
    FramedRun framed(*state->shell, std::move(request));
    const auto done = co_await framed.result();
    if (state->failure)
        co_return *state->failure;
    if (!done.ok())
        co_return done.error();
    if (done->exitCode != 0)
        co_return remoteFailure(*state, *done);
    if (state->here < state->size)
        co_return remoteFailure(*state, {TooShortExit, {}, {}});
    co_return Result<void>();
}

void beginAgain(DownloadState& state)
{
    state.summary.beganAgain = true;
    state.summary.kept = 0;
    state.part.resize(0);
    state.sum = std::make_unique<FileSum>(state.partPath(), FileSum::Side::Written);
    state.here = 0;
}

/// Brings what is missing and compares the sums.
QCoro::Task<Result<bool>> bringAndCompare(State state)
{
    // A file that goes on growing is summed as far as it was listed.
    const QByteArray sumScript = QByteArray(hashFunction) + largeHashFunction
        + "if [ $(($(wc -c <\"$f\"))) -eq \"$size\" ]; then largehash256 <\"$f\"\n"
          "else range \"$f\" 0 \"$size\" | largehash256; fi\n";
    auto summing = runThere(state, sumScript, sumPatience); // meanwhile
    const auto brought = co_await bringRest(state);
    if (!brought.ok())
        co_return brought.error(); // the sum may take minutes, and nobody needs it
    auto summingHere = state->sum->sumOf(state->size);
    const auto there = co_await summing;
    if (!there.ok())
        co_return there.error();
    const auto here = co_await summingHere;
    co_return here && there->out.contains(*here);
}

/// Syncs, renames and removes the note.
Result<void> complete(DownloadState& state)
{
    const bool isSynced = state.part.flush() && ::fsync(state.part.handle()) == 0;
    state.part.close();
    const QByteArray from = QFile::encodeName(state.partPath());
    const QByteArray to = QFile::encodeName(state.localPath);
    if (!isSynced || std::rename(from.constData(), to.constData()) != 0)
        return localError(state.localPath, errno);
    QFile::remove(state.notePath());
    return {};
}

} // namespace

/// Ends a fetch of many files, too: the kind is not one of the file there.
Error downloadWriteError(const QString& path, int number, const QString& words)
{
    if (number == EDQUOT)
        return {ErrorKind::DiskFull,
            tr("%1 could not be written: your disk quota on this computer is used up.").arg(path),
            tr("Remove files of yours, or choose another folder.")};
    if (number == ENOSPC)
        return {ErrorKind::DiskFull, tr("%1 could not be written: the disk is full.").arg(path),
            tr("Free some space, or choose another folder.")};
    return {ErrorKind::Refused, tr("%1 could not be written: %2.").arg(path, words),
        tr("Choose another folder.")};
}

QCoro::Task<Result<LargeDownloadSummary>> downloadLargeFile(std::shared_ptr<Shell> shell,
    QString remotePath, qint64 size, QString localPath,
    std::function<bool(qint64 here, qint64 total)> progress)
{
    const auto state = std::make_shared<DownloadState>();
    state->where = shell->displayName();
    state->shell = std::move(shell);
    state->remotePath = remotePath;
    state->localPath = localPath;
    state->size = std::max<qint64>(0, size);
    state->progress = std::move(progress);
    state->sum = std::make_unique<FileSum>(state->partPath(), FileSum::Side::Written);
    const auto about = co_await runThere(state, "echo \"$inode\"\n", 60s);
    if (!about.ok())
        co_return about.error();
    state->inode = about->out.trimmed();
    state->summary.bytes = state->size;
    const auto begin = [state] {
        const Result<void> opened = openPart(*state);
        return opened.ok() ? takeUp(*state) : opened;
    };
    const auto begun = co_await onWorker(begin);
    if (!begun.ok())
        co_return begun.error();
    auto isSame = co_await bringAndCompare(state);
    if (isSame.ok() && !*isSame) { // what had been brought before was of another content
        beginAgain(*state);
        isSame = co_await bringAndCompare(state);
    }
    if (!isSame.ok())
        co_return isSame.error();
    if (!*isSame) {
        QFile::remove(state->partPath());
        QFile::remove(state->notePath());
        co_return Error{ErrorKind::Io,
            tr("%1 was damaged on the way from %2, or has changed meanwhile.")
                .arg(remotePath, state->where),
            tr("Fetch it again when it is complete.")};
    }
    const auto end = [state] { return complete(*state); }; // the disk may take seconds
    const auto done = co_await onWorker(end);
    if (!done.ok())
        co_return done.error();
    co_return state->summary;
}

} // namespace slipway
