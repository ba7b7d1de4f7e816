// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/largeupload.h"

#include "remote/base/sha256.h"
#include "remote/base/tr.h"
#include "remote/cluster/uploadtalk.h"
#include "remote/cluster/worker.h"
#include "remote/shell/hashfunction.h"

#include <QCoroFuture>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 uploadPiece = 256 * 1024;
constexpr qint64 uploadAhead = 1024 * 1024; ///< written, and not yet sent
constexpr std::chrono::minutes hashPatience{30}; ///< sums of many GB on a busy file system
constexpr std::chrono::minutes sendPatience{5};

enum UploadExit { DamagedExit = 74, BusyExit = 75, ShortExit = 76, UnsafeExit = 77 };

// It says what is there: the complete file if that may be the same, or the part. Then it reads an
// order ("keep", "continue OFFSET" or nothing), the bytes and their sum. The lock is on the part
// itself, so that nothing else stays; it is looked at again once it is held, because its
// former holder has renamed or removed it by then. Without flock the sum at the end tells. An
// empty line follows each answer, because the end of a line could be the beginning of the frame's
// end.
constexpr char uploadBody[] = R"SH(umask 077
p=$f.part
[ ! -L "$f" ] && [ ! -L "$p" ] || exit 77
[ ! -e "$f" ] || [ -f "$f" ] || exit 77
exec 9>>"$p" || exit 1
if command -v flock >/dev/null 2>&1; then
  flock -w 1 9 || { [ "$?" -ne 1 ] || exit 75; }
  [ ! -e /proc/self/fd/9 ] || [ "$p" -ef /proc/self/fd/9 ] || exit 75
fi
say() { printf '%s\n\n' "$*"; }
full() { rm -f -- "$p"; exit 1; }
count() { echo $(($(wc -c <"$1"))); }
sum() { largehash256 <"$1" | cut -d ' ' -f 1; }
have=$(count "$p")
if [ -f "$f" ] && [ "$(count "$f")" -eq "$size" ]; then
  say "file $size $(sum "$f")"
elif [ "$have" -gt 0 ] && [ "$have" -le "$size" ]; then
  say "part $have $(sum "$p")"
else
  say "part 0 -"
fi
read -r order offset || exit 76
case $order in
keep)
  [ "$have" -gt 0 ] || rm -f -- "$p"
  echo complete
  exit 0
  ;;
continue) ;;
*) exit 76 ;;
esac
[ "$offset" -ne 0 ] || : >"$p" || full
head -c "$((size - offset))" >>"$p" || full
have=$(count "$p")
[ "$have" -ge "$size" ] || exit 76
read -r order want || exit 76
[ "$order" = sum ] || exit 76
if [ "$have" -ne "$size" ] || [ "$(sum "$p")" != "$want" ]; then
  rm -f -- "$p"
  exit 74
fi
mv -f -- "$p" "$f" || exit 1
echo complete
)SH";

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
    QString where;
    QString remotePath;
    UploadSource source;
    std::unique_ptr<UploadTalk> talk;
    std::function<bool(qint64, qint64)> progress;
    LargeUploadSummary summary;
    qint64 told = 0;

    /// False: the upload is to end.
    bool tell(qint64 there)
    {
        told = there;
        return !progress || progress(there, source.bytes);
    }
};

/// What the cluster has: the complete file, or a part.
struct UploadThere {
    bool isWhole = false;
    qint64 bytes = 0;
    QByteArray sum;
};

std::optional<UploadThere> uploadThere(const QByteArray& line, qint64 most)
{
    const QList<QByteArray> words = line.split(' ');
    bool ok = false;
    UploadThere there;
    there.bytes = words.value(1).toLongLong(&ok);
    there.isWhole = words.value(0) == "file";
    there.sum = words.value(2);
    const bool isKnown = there.isWhole || words.value(0) == "part";
    const qint64 least = there.isWhole ? most : 0; // a whole file is as long as this one
    if (!ok || !isKnown || words.size() != 3 || there.bytes < least || there.bytes > most)
        return std::nullopt;
    return there;
}

/// The hash of the first bytes of a file, to be continued with the others; null: there are not so
/// many.
using UploadHash = std::shared_ptr<Sha256>;
UploadHash hashOfBeginning(const QString& path, qint64 bytes)
{
    const auto hash = std::make_shared<Sha256>();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    while (bytes > 0) {
        const QByteArray some = file.read(std::min<qint64>(bytes, 4 * uploadPiece));
        if (some.isEmpty())
            return {};
        hash->add(some);
        bytes -= some.size();
    }
    return hash;
}

Error uploadCancelled()
{
    return {ErrorKind::Cancelled, tr("Cancelled by you.")};
}

Error sourceChanged(const UploadState& state)
{
    return {ErrorKind::Io,
        tr("%1 has changed while it was uploaded, so the upload was ended.").arg(state.source.path),
        tr("Wait until the file is complete, and upload it again.")};
}

Error unclearUpload(const UploadState& state, const QByteArray& said)
{
    return {ErrorKind::Protocol, tr("%1 did not answer the upload as expected.").arg(state.where),
        tr("Try again: what has arrived is kept."), said.left(1000)};
}

Error uploadFailure(const UploadState& state, const CommandOutput& output)
{
    const QString name = state.remotePath;
    switch (output.exitCode) {
    case DamagedExit:
        return {ErrorKind::Io,
            tr("%1 was damaged on the way to %2, and discarded there.").arg(name, state.where),
            tr("Upload it again."), output.err};
    case BusyExit:
        return {ErrorKind::Refused,
            tr("Another upload to %1 on %2 is under way.").arg(name, state.where),
            tr("Wait until it has ended, or choose another name."), output.err};
    case UnsafeExit:
        return {ErrorKind::Refused,
            tr("%1 on %2 is a link or a folder, and was not written.").arg(name, state.where),
            tr("Remove it, or choose another name."), output.err};
    default:
        break;
    }
    if (output.err.contains("No space left") || output.err.contains("File too large"))
        return {ErrorKind::DiskFull,
            tr("%1 could not be uploaded: the disk of %2 is full. What had arrived was removed.")
                .arg(name, state.where),
            tr("Free some space there, or choose another folder for images."), output.err};
    if (output.err.contains("uota exceeded"))
        return {ErrorKind::DiskFull,
            tr("%1 could not be uploaded: your disk quota on %2 is used up. What had arrived was "
               "removed.")
                .arg(name, state.where),
            tr("Remove files there, or choose another folder for images."), output.err};
    return {ErrorKind::Io, tr("%1 could not be uploaded to %2.").arg(name, state.where),
        tr("Try again: what has arrived is kept."), output.err};
}

/// Why a talk ended before it was complete.
Error uploadEnd(const UploadState& state)
{
    const Result<CommandOutput>& end = *state.talk->end();
    if (end.ok())
        return end->exitCode == 0 ? unclearUpload(state, end->err) : uploadFailure(state, *end);
    Error error = end.error();
    if (error.kind == ErrorKind::LinkLost)
        error.remedy =
            tr("Connect again and repeat the upload: it continues with what is missing.");
    return error;
}

QCoro::Task<Result<QByteArray>> nextLine(std::shared_ptr<UploadState> state)
{
    for (;;) {
        while (auto line = state->talk->takeLine()) {
            if (!line->isEmpty())
                co_return *line;
        }
        if (state->talk->end())
            co_return uploadEnd(*state);
        // The cluster may take minutes for the sum of what it has.
        if (!state->tell(state->told))
            co_return uploadCancelled();
        const QFuture<void> news = state->talk->news(hashPatience);
        co_await news;
    }
}

/// The rest of the file, with the pace of the line.
QCoro::Task<Result<void>> sendRest(
    std::shared_ptr<UploadState> state, UploadHash hash, qint64 offset)
{
    QFile file(state->source.path);
    if (!file.open(QIODevice::ReadOnly) || !file.seek(offset))
        co_return Error{ErrorKind::Io,
            tr("%1 cannot be read: %2.").arg(state->source.path, file.errorString())};
    qint64 written = offset;
    for (;;) {
        if (state->talk->end())
            co_return uploadEnd(*state);
        if (!state->tell(std::max(offset, written - state->talk->waiting()))) // orders wait, too
            co_return uploadCancelled();
        while (written < state->source.bytes && state->talk->waiting() < uploadAhead) {
            const QByteArray piece =
                file.read(std::min(uploadPiece, state->source.bytes - written));
            if (piece.isEmpty())
                co_return sourceChanged(*state);
            hash->add(piece);
            state->talk->write(piece);
            written += piece.size();
            state->summary.sent += piece.size();
        }
        if (written == state->source.bytes && state->talk->waiting() == 0)
            break;
        const QFuture<void> news = state->talk->news(sendPatience);
        co_await news;
    }
    if (!state->source.isUnchanged())
        co_return sourceChanged(*state);
    state->talk->write("sum " + hash->hex() + '\n');
    co_return Result<void>();
}

/// Compares what is there with the file: what is to be sent from which byte on. None: nothing.
QCoro::Task<Result<std::optional<std::pair<UploadHash, qint64>>>> agree(
    std::shared_ptr<UploadState> state, UploadThere there)
{
    using Plan = std::optional<std::pair<UploadHash, qint64>>;
    const auto begin = [path = state->source.path, bytes = there.bytes] {
        return hashOfBeginning(path, bytes);
    };
    UploadHash hash = co_await onWorker(begin);
    if (!hash)
        co_return sourceChanged(*state);
    const bool isSame = there.bytes > 0 && hash->hex() == there.sum;
    if (there.isWhole && isSame && state->source.isUnchanged())
        co_return Plan();
    if (isSame && !there.isWhole)
        co_return Plan(std::in_place, std::move(hash), there.bytes);
    co_return Plan(std::in_place, std::make_shared<Sha256>(), 0);
}

QCoro::Task<Result<LargeUploadSummary>> uploadOver(std::shared_ptr<UploadState> state)
{
    const auto first = co_await nextLine(state);
    if (!first.ok())
        co_return first.error();
    const auto there = uploadThere(*first, state->source.bytes);
    if (!there)
        co_return unclearUpload(*state, *first);
    const auto plan = co_await agree(state, *there);
    if (!plan.ok())
        co_return plan.error();
    state->summary.bytes = state->source.bytes;
    state->summary.kept = *plan ? (**plan).second : state->source.bytes;
    if (*plan) {
        const auto& [hash, offset] = **plan;
        state->talk->write("continue " + QByteArray::number(offset) + '\n');
        const auto sent = co_await sendRest(state, hash, offset);
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
        co_return unclearUpload(*state, *last);
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
    state->where = shell->displayName();
    state->remotePath = remotePath;
    state->source = {info.absoluteFilePath(), info.size(), info.lastModified()};
    state->progress = std::move(progress);
    const QByteArray script = "f=" + shellQuoted(remotePath)
        + "\nsize=" + QByteArray::number(state->source.bytes) + '\n' + hashFunction
        + largeHashFunction + uploadBody;
    state->talk = std::make_unique<UploadTalk>(*shell, script);
    auto done = co_await uploadOver(state);
    state->talk.reset(); // ends the script where it has not ended
    co_return done;
}

} // namespace slipway
