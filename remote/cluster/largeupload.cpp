// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/largeupload.h"

#include "remote/base/tr.h"
#include "remote/cluster/filesum.h"
#include "remote/cluster/uploadanswers.h"
#include "remote/cluster/uploaderrors.h"
#include "remote/cluster/uploadpieces.h"
#include "remote/cluster/uploadscripts.h"
#include "remote/cluster/uploadtalk.h"

#include <QCoroFuture>
#include <QDateTime>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 uploadPiece = 256 * 1024;
constexpr qint64 uploadAhead = 1024 * 1024; ///< written, and not yet sent
constexpr std::chrono::minutes hashPatience{30}; ///< sums of many GB on a busy file system
constexpr std::chrono::minutes sendPatience{5};
constexpr qint64 leastForPieces = 8 * 1024 * 1024;
constexpr std::chrono::milliseconds farAway{15}; ///< a round trip from which on one session waits

/// The file, and how it was when the upload began.
struct UploadSource {
    QString path;
    qint64 bytes = 0;
    QDateTime modified;

    bool isUnchanged() const
    {
        const QFileInfo now(path);
        return now.isFile() && now.size() == bytes && now.lastModified() == modified;
    }
};

/// UploadState is what the steps of one upload share; on the shell's thread.
struct UploadState {
    std::shared_ptr<Shell> shell;
    UploadEnds ends;
    UploadSource source;
    std::unique_ptr<UploadTalk> talk;
    std::unique_ptr<FileSum> sum;
    std::function<bool(qint64, qint64)> progress;
    LargeUploadSummary summary;
    qint64 told = 0;

    /// False: the upload is to end.
    bool tell(qint64 there)
    {
        told = std::max(told, there); // what is sent once more is no step back
        return !progress || progress(told, source.bytes);
    }
};

QCoro::Task<Result<QByteArray>> nextLine(std::shared_ptr<UploadState> state)
{
    for (;;) {
        while (auto line = state->talk->takeLine()) {
            if (!line->isEmpty())
                co_return *line;
        }
        if (state->talk->end())
            co_return uploadEnded(state->ends, *state->talk->end());
        // The cluster may take minutes for the sum of what it has.
        if (!state->tell(state->told))
            co_return uploadCancelled();
        const QFuture<void> news = state->talk->news(hashPatience);
        co_await news;
    }
}

/// The rest of the file, with the pace of the line.
QCoro::Task<Result<void>> sendRest(std::shared_ptr<UploadState> state, qint64 offset)
{
    state->talk->write("continue " + QByteArray::number(offset) + '\n');
    QFile file(state->source.path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) || !file.seek(offset))
        co_return Error{ErrorKind::Io,
            tr("%1 cannot be read: %2.").arg(state->source.path, file.errorString())};
    qint64 written = offset;
    for (;;) {
        if (state->talk->end())
            co_return uploadEnded(state->ends, *state->talk->end());
        if (!state->tell(std::max(offset, written - state->talk->waiting()))) // orders wait, too
            co_return uploadCancelled();
        while (written < state->source.bytes && state->talk->waiting() < uploadAhead) {
            const QByteArray piece =
                file.read(std::min(uploadPiece, state->source.bytes - written));
            if (piece.isEmpty())
                co_return uploadSourceChanged(state->ends);
            state->talk->write(piece);
            written += piece.size();
            state->sum->reach(written);
        }
        if (written == state->source.bytes && state->talk->waiting() == 0)
            break;
        const QFuture<void> news = state->talk->news(sendPatience);
        co_await news;
    }
    co_return Result<void>();
}

/// Whether a single session would wait for its window, and there is enough for several. The second
/// look is for a machine that was busy in the first.
QCoro::Task<Result<bool>> isFarAway(std::shared_ptr<UploadState> state, qint64 offset)
{
    bool isFar = state->source.bytes - offset >= leastForPieces;
    for (int look = 0; isFar && look < 2; ++look) {
        QElapsedTimer clock;
        clock.start();
        state->talk->write("echo\n");
        const auto echo = co_await nextLine(state);
        if (!echo.ok())
            co_return echo.error();
        if (*echo != "echo")
            co_return uploadUnclear(state->ends, *echo);
        isFar = std::chrono::milliseconds(clock.elapsed()) >= farAway;
    }
    co_return isFar;
}

/// The rest of the file over several sessions; how much of it the part then has.
QCoro::Task<Result<qint64>> sendShared(std::shared_ptr<UploadState> state, qint64 offset)
{
    state->talk->write("pieces " + QByteArray::number(offset) + '\n');
    PieceUpload pieces{state->shell, state->ends, offset, state->source.bytes, state->talk.get(),
        state->sum.get(), {}};
    pieces.progress = [state](qint64 there) { return state->tell(there); };
    auto sharing = uploadPieces(std::move(pieces));
    const auto sent = co_await sharing;
    state->summary.sessions = sent.ok() && *sent > offset ? pieceSessions : 1;
    co_return sent;
}

/// Sends what is missing from `offset` on, and its sum.
QCoro::Task<Result<void>> sendMissing(std::shared_ptr<UploadState> state, qint64 offset)
{
    const auto isFar = co_await isFarAway(state, offset);
    if (!isFar.ok())
        co_return isFar.error();
    qint64 there = offset;
    if (*isFar) {
        const auto shared = co_await sendShared(state, offset);
        if (!shared.ok())
            co_return shared.error();
        there = *shared;
    }
    if (there < state->source.bytes || state->source.bytes == 0) {
        const auto sent = co_await sendRest(state, there);
        if (!sent.ok())
            co_return sent.error();
    }
    state->summary.sent = state->source.bytes - offset;
    auto summing = state->sum->sumOf(state->source.bytes);
    const auto sum = co_await summing;
    if (!sum || !state->source.isUnchanged())
        co_return uploadSourceChanged(state->ends);
    state->talk->write("sum " + *sum + '\n');
    co_return Result<void>();
}

/// Compares what is there with the file: from which byte on it is to be sent. None: nothing.
QCoro::Task<Result<std::optional<qint64>>> agree(
    std::shared_ptr<UploadState> state, UploadThere there)
{
    const std::function<bool()> mayGoOn = [state] { return state->tell(state->told); };
    auto summing = state->sum->sumOf(there.bytes, mayGoOn);
    const auto sum = co_await summing;
    if (!mayGoOn())
        co_return uploadCancelled();
    if (!sum || !state->source.isUnchanged())
        co_return uploadSourceChanged(state->ends);
    const bool isSame = there.bytes > 0 && *sum == there.sum;
    if (there.isWhole && isSame)
        co_return std::optional<qint64>();
    if (isSame)
        co_return std::optional<qint64>(there.bytes);
    co_return std::optional<qint64>(0);
}

QCoro::Task<Result<LargeUploadSummary>> uploadOver(std::shared_ptr<UploadState> state)
{
    const auto first = co_await nextLine(state);
    if (!first.ok())
        co_return first.error();
    const auto there = uploadThere(*first, state->source.bytes);
    if (!there)
        co_return uploadUnclear(state->ends, *first);
    const auto offset = co_await agree(state, *there);
    if (!offset.ok())
        co_return offset.error();
    state->summary.bytes = state->source.bytes;
    state->summary.kept = offset->value_or(state->source.bytes);
    if (*offset) {
        const auto sent = co_await sendMissing(state, **offset);
        if (!sent.ok())
            co_return sent.error();
    } else {
        state->talk->write("keep\n");
    }
    state->talk->closeInput();
    const auto last = co_await nextLine(state);
    if (!last.ok())
        co_return last.error();
    if (*last != "complete")
        co_return uploadUnclear(state->ends, *last);
    state->tell(state->source.bytes);
    co_return state->summary;
}

} // namespace

QCoro::Task<Result<LargeUploadSummary>> uploadLargeFile(std::shared_ptr<Shell> shell,
    QString localPath, QString remotePath, std::function<bool(qint64 there, qint64 total)> progress)
{
    const QFileInfo info(localPath);
    if (!info.isFile() || !info.isReadable())
        co_return Error{ErrorKind::NotFound,
            tr("%1 is not a file that can be read.").arg(localPath), tr("Check the path.")};
    if (!remotePath.startsWith(u'/') || remotePath.endsWith(u'/') || remotePath.contains(u"/../"))
        co_return Error{
            ErrorKind::Invalid, tr("“%1” is not an absolute path.").arg(remotePath.left(200))};
    const auto state = std::make_shared<UploadState>();
    state->shell = shell;
    state->ends = {shell->displayName(), remotePath, info.absoluteFilePath()};
    state->source = {info.absoluteFilePath(), info.size(), info.lastModified()};
    state->progress = std::move(progress);
    state->sum = std::make_unique<FileSum>(state->source.path, FileSum::Side::Read);
    state->talk =
        std::make_unique<UploadTalk>(*shell, uploadScript(remotePath, state->source.bytes));
    auto done = co_await uploadOver(state);
    state->talk.reset(); // ends the script where it has not ended
    state->sum.reset();
    co_return done;
}

} // namespace slipway
