// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/largedownload.h"

#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/cluster/filegaps.h"
#include "remote/cluster/worker.h"
#include "remote/shell/framedrun.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
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

constexpr int mostStreams = 6; ///< of the ten sessions that a server usually allows
constexpr qint64 streamPiece = 8 * 1024 * 1024; ///< then a waiting command has its turn
constexpr qint64 noteEvery = 2 * 1024 * 1024; ///< what is lost at most when the program is killed
constexpr qint64 hashPiece = 1024 * 1024;
constexpr auto farAway = 15ms; ///< a round trip from which on one stream waits for its window
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

constexpr char sumOfFile[] = R"SH(
hash256() {
if command -v sha256sum >/dev/null 2>&1; then sha256sum
elif command -v shasum >/dev/null 2>&1; then shasum -a 256
else openssl dgst -sha256 -r
fi; }
head -c "$size" <"$f" | hash256
)SH";

/// DownloadState is what the streams of one download share; on the shell's thread.
struct DownloadState {
    std::shared_ptr<Shell> shell;
    QString where;
    QString remotePath;
    QString localPath;
    qint64 size = 0;
    QByteArray inode; ///< of the file there
    QFile part;
    FileGaps gaps;
    std::vector<FileRange> taken; ///< by streams that are under way
    QCryptographicHash hash{QCryptographicHash::Sha256};
    qint64 hashed = 0; ///< from the beginning on
    qint64 sinceNote = 0;
    std::optional<Error> failure; ///< of the first stream that failed; the others then end as well
    std::function<bool(qint64, qint64)> progress;
    LargeDownloadSummary summary;

    QString partPath() const { return localPath + QStringLiteral(".part"); }
    QString notePath() const { return localPath + QStringLiteral(".part.gaps"); }
    QByteArray preamble() const
    {
        return "f=" + shellQuoted(remotePath) + "\nsize=" + QByteArray::number(size) + aboutFile;
    }
    void fail(const Error& error)
    {
        if (!failure)
            failure = error;
    }
};
using State = std::shared_ptr<DownloadState>;

/// Ends a fetch of many files, too: the kind is not one of the file there.
Error localError(const QString& path, const QString& why)
{
    const bool isFull = why.contains(u"No space left") || why.contains(u"uota exceeded");
    return {isFull ? ErrorKind::DiskFull : ErrorKind::Refused,
        tr("%1 could not be written: %2.").arg(path, why),
        tr("Free some space, or choose another folder.")};
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
        return localError(state.partPath(), QString::fromLocal8Bit(std::strerror(errno)));
    if (::fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_uid != ::geteuid()
        || !state.part.open(fd, QIODevice::ReadWrite, QFileDevice::AutoCloseHandle)) {
        ::close(fd);
        return localError(state.partPath(), tr("it is not a file of yours"));
    }
    return {};
}

/// The note beside the part: inode, size, gaps.
void writeNote(DownloadState& state)
{
    state.part.flush();
    QSaveFile note(state.notePath());
    if (!note.open(QIODevice::WriteOnly))
        return;
    note.write(
        state.inode + ' ' + QByteArray::number(state.size) + ' ' + state.gaps.toText() + '\n');
    note.commit();
    state.sinceNote = 0;
}

/// What an earlier download of this very file left; without it everything is missing.
void takeUp(DownloadState& state)
{
    state.gaps = FileGaps(state.size);
    QFile note(state.notePath());
    const QList<QByteArray> words = note.open(QIODevice::ReadOnly)
        ? note.read(hashPiece).trimmed().split(' ')
        : QList<QByteArray>();
    const bool isSame =
        words.size() >= 2 && words.at(0) == state.inode && words.at(1).toLongLong() == state.size;
    const auto gaps = isSame ? FileGaps::fromText(words.value(2), state.size) : std::nullopt;
    if (gaps && state.part.size() <= state.size)
        state.gaps = *gaps;
    else
        state.part.resize(0);
    state.summary.kept = state.size - state.gaps.missing();
}

/// One piece of output for the part. False: the stream is to end.
bool takeBytes(DownloadState& state, FileRange* range, const QByteArray& bytes)
{
    if (bytes.size() > range->size()) {
        state.fail({ErrorKind::Protocol,
            tr("%1 from %2 was rejected: it is larger than the %3 bytes that were listed.")
                .arg(state.remotePath, state.where)
                .arg(state.size),
            tr("List the files again.")});
        return false;
    }
    if (!state.part.seek(range->begin) || state.part.write(bytes) != bytes.size()) {
        state.fail(localError(state.partPath(), state.part.errorString()));
        return false;
    }
    if (range->begin == state.hashed) {
        state.hash.addData(bytes);
        state.hashed += bytes.size();
    }
    state.gaps.fill({range->begin, range->begin + bytes.size()});
    range->begin += bytes.size();
    state.summary.received += bytes.size();
    state.sinceNote += bytes.size();
    if (state.sinceNote >= noteEvery)
        writeNote(state);
    if (state.progress && !state.progress(state.size - state.gaps.missing(), state.size))
        state.fail({ErrorKind::Cancelled, tr("Cancelled by you.")});
    return !state.failure;
}

QCoro::Task<void> bringRange(State state, FileRange range)
{
    const auto left = std::make_shared<FileRange>(range);
    FramedRequest request;
    request.where = state->where;
    request.timeoutIsIdle = true;
    request.outputLimit = range.size() + hashPiece;
    request.sink = [state, left](
                       const QByteArray& bytes) { return takeBytes(*state, left.get(), bytes); };
    request.script = state->preamble() + "[ \"$inode\" = " + shellQuoted(state->inode)
        + " ] || exit " + QByteArray::number(ReplacedExit) + "\ntail -c +"
        + QByteArray::number(range.begin + 1) + " <\"$f\" 2>/dev/null | head -c "
        + QByteArray::number(range.size()) + '\n';
    FramedRun framed(*state->shell, std::move(request));
    const auto done = co_await framed.result();
    if (!done.ok())
        state->fail(done.error());
    else if (done->exitCode != 0)
        state->fail(remoteFailure(*state, *done));
    else if (left->size() > 0)
        state->fail(remoteFailure(*state, {TooShortExit, {}, {}}));
}

QCoro::Task<void> bringPieces(State state, qint64 most)
{
    while (!state->failure) {
        const auto range = state->gaps.next(state->taken, most);
        if (!range)
            co_return;
        state->taken.push_back(*range);
        co_await bringRange(state, *range);
        std::erase(state->taken, *range);
    }
}

/// All that is missing.
QCoro::Task<void> bringAll(State state, bool isFar)
{
    const qint64 missing = state->gaps.missing();
    const qint64 pieces = (missing + streamPiece - 1) / streamPiece;
    const int streams = isFar ? int(std::clamp<qint64>(pieces, 1, mostStreams)) : 1;
    state->summary.streams = std::max(state->summary.streams, streams);
    std::vector<QCoro::Task<void>> all;
    for (int i = 0; i < streams; ++i)
        all.push_back(bringPieces(state, isFar ? streamPiece : missing));
    for (auto& one : all)
        co_await one;
    writeNote(*state);
}

/// The sum of the part: what arrived in order is in it already.
QByteArray sumHere(DownloadState& state)
{
    state.part.flush();
    state.part.seek(state.hashed);
    while (state.hashed < state.size) {
        const QByteArray some = state.part.read(std::min(hashPiece, state.size - state.hashed));
        if (some.isEmpty())
            return {};
        state.hash.addData(some);
        state.hashed += some.size();
    }
    return state.hash.result().toHex();
}

void beginAgain(DownloadState& state)
{
    state.summary.beganAgain = true;
    state.summary.kept = 0;
    state.part.resize(0);
    state.gaps = FileGaps(state.size);
    state.hash.reset();
    state.hashed = 0;
}

/// Brings what is missing and compares the sums.
QCoro::Task<Result<bool>> bringAndCompare(State state, bool isFar)
{
    auto summing = runThere(state, sumOfFile, sumPatience); // meanwhile
    co_await bringAll(state, isFar);
    const auto there = co_await summing;
    if (state->failure)
        co_return *state->failure;
    if (!there.ok())
        co_return there.error();
    const auto sum = [state] { return sumHere(*state); };
    const QByteArray here = co_await onWorker(sum);
    co_return !here.isEmpty() && there->out.contains(here);
}

/// Syncs, renames and removes the note.
Result<void> complete(DownloadState& state)
{
    const bool isSynced = state.part.flush() && ::fsync(state.part.handle()) == 0;
    state.part.close();
    const QByteArray from = QFile::encodeName(state.partPath());
    const QByteArray to = QFile::encodeName(state.localPath);
    if (!isSynced || std::rename(from.constData(), to.constData()) != 0)
        return localError(state.localPath, QString::fromLocal8Bit(std::strerror(errno)));
    QFile::remove(state.notePath());
    return {};
}

} // namespace

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
    QElapsedTimer clock;
    clock.start();
    const auto about = co_await runThere(state, "echo \"$inode\"\n", 60s);
    if (!about.ok())
        co_return about.error();
    const bool isFar = std::chrono::milliseconds(clock.elapsed()) >= 2 * farAway;
    state->inode = about->out.trimmed();
    state->summary.bytes = state->size;
    if (const auto opened = openPart(*state); !opened.ok())
        co_return opened.error();
    takeUp(*state);
    auto isSame = co_await bringAndCompare(state, isFar);
    if (isSame.ok() && !*isSame) { // what had been brought before was of another content
        beginAgain(*state);
        isSame = co_await bringAndCompare(state, isFar);
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
    if (const auto done = complete(*state); !done.ok())
        co_return done.error();
    co_return state->summary;
}

} // namespace slipway
