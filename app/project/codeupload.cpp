// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/codeupload.h"

#include "app/project/storescript.h"
#include "app/project/uploadplan.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"
#include "remote/cluster/worker.h"
#include "remote/shell/framedrun.h"

#include <QElapsedTimer>

#include <algorithm>
#include <optional>

namespace slipway {

namespace {

// A batch takes some two seconds, however fast the line is: so long does the progress stand still,
// and so much is lost in a cut. Its bytes are in memory.
constexpr qint64 firstBatch = 4 * 1024 * 1024;
constexpr qint64 smallestBatch = 1024 * 1024;
constexpr qint64 largestBatch = 64 * 1024 * 1024;
constexpr std::size_t mostInBatch = 5000;
constexpr qint64 shortBatchMs = 1500;
constexpr qint64 longBatchMs = 4000;
constexpr std::chrono::minutes longestSilence{5}; ///< a busy file system unpacks slowly
constexpr std::chrono::minutes longestBuild{30}; ///< of a script that makes the code folder

/// UploadJob is what the steps of one upload share. Its values change between the steps only; on
/// the shell's thread.
struct UploadJob {
    std::shared_ptr<Shell> shell;
    QString codeFolder;
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const UploadPlan> plan;
    std::optional<StoreScripts> scripts;
    std::vector<MissingContent> missing;
    std::size_t next = 0; ///< of `missing`
    qint64 batchBytes = firstBatch;
    qint64 total = 0;
    CodeUploadSummary summary;
    std::function<bool(qint64, qint64)> progress;

    /// It may go on.
    bool tell() const { return !progress || progress(summary.bytesSent, total); }
};

Error uploadError(const UploadJob& job, const CommandOutput& output)
{
    const QString where = job.shell->displayName();
    switch (output.exitCode) {
    case StoreScripts::damagedCode:
        return {ErrorKind::Io,
            tr("A file has changed since the launch began, or was damaged on the way to %1. It was "
               "discarded there.")
                .arg(where),
            tr("Launch again."), output.err};
    case StoreScripts::exchangedCode:
        return {ErrorKind::Io,
            tr("Another upload of the same large file to %1 is under way.").arg(where),
            tr("Wait until it has ended, and launch again."), output.err};
    case StoreScripts::existsCode:
        return {ErrorKind::Invalid,
            tr("%1 exists on %2, with other files.").arg(job.codeFolder, where),
            tr("Launch again: a new run has a new folder."), output.err};
    case StoreScripts::sweptCode:
        return {ErrorKind::Io, tr("What was uploaded to %1 has been removed there.").arg(where),
            tr("Launch again."), output.err};
    default:
        break;
    }
    if (output.err.contains("No space left"))
        return {ErrorKind::DiskFull,
            tr("Your files could not be uploaded: the disk of %1 is full.").arg(where),
            tr("Free some space there, or choose another scratch folder."), output.err};
    if (output.err.contains("uota exceeded"))
        return {ErrorKind::DiskFull,
            tr("Your files could not be uploaded: your disk quota on %1 is used up.").arg(where),
            tr("Remove files there, or choose another scratch folder."), output.err};
    return {ErrorKind::Io, tr("Your files could not be uploaded to %1.").arg(where),
        tr("Try again: what has arrived is kept."), output.err};
}

/// One script with bytes on its standard input.
QCoro::Task<Result<CommandOutput>> runFed(
    std::shared_ptr<Shell> shell, QByteArray script, QByteArray input, std::chrono::minutes silence)
{
    FramedRequest request;
    request.script = std::move(script);
    request.input = std::move(input);
    request.timeout = silence;
    request.timeoutIsIdle = true;
    request.where = shell->displayName();
    FramedRun framed(*shell, std::move(request));
    auto done = co_await framed.result();
    co_return done;
}

QCoro::Task<void> giveUp(std::shared_ptr<UploadJob> job)
{
    if (job->shell->linkState() != LinkState::Down)
        (void)co_await job->shell->run(job->scripts->giveUp());
}

/// The code folder was made, or its links could not be.
QCoro::Task<Result<void>> finishFolder(std::shared_ptr<UploadJob> job, QByteArray said)
{
    if (said.contains("made"))
        co_return Result<void>();
    if (!said.contains("unlinked"))
        co_return Error{ErrorKind::Protocol,
            tr("%1 did not say whether the files are complete.").arg(job->shell->displayName()),
            tr("Try again."), said.left(4096)};
    const auto plan = [snapshot = job->snapshot] { return copyPlan(*snapshot); };
    QByteArray input = co_await onWorker(plan);
    const auto copied =
        co_await runFed(job->shell, job->scripts->copyMissing(), input, longestBuild);
    if (!copied.ok())
        co_return copied.error();
    if (copied->exitCode != 0)
        co_return uploadError(*job, *copied);
    co_return Result<void>();
}

/// What travels next: its script and its bytes.
struct UploadBatch {
    QByteArray script, input;
    qint64 bytes = 0; ///< of contents
    std::size_t next = 0;
    qint64 thereAfter = 0; ///< of a large content that is not complete then
};

QCoro::Task<Result<UploadBatch>> pieceBatch(std::shared_ptr<UploadJob> job)
{
    const MissingContent content = job->missing[job->next];
    const auto read = [content, bytes = job->batchBytes] { return contentPiece(content, bytes); };
    auto piece = co_await onWorker(read);
    if (!piece.ok())
        co_return piece.error();
    UploadBatch batch;
    batch.bytes = piece->bytes.size();
    const bool ends = content.there + batch.bytes == content.bytes;
    batch.next = ends ? job->next + 1 : job->next;
    batch.thereAfter = ends ? 0 : content.there + batch.bytes;
    StoreScripts::Piece part;
    part.key = content.key;
    part.offset = content.there;
    part.bytes = batch.bytes;
    part.whole = content.bytes;
    part.isBuilt = piece->isBuilt;
    batch.script = job->scripts->addPiece(part, batch.next == job->missing.size());
    batch.input = std::move(piece->bytes);
    co_return batch;
}

QCoro::Task<Result<UploadBatch>> archiveBatch(std::shared_ptr<UploadJob> job)
{
    UploadBatch batch;
    std::vector<MissingContent> contents;
    for (batch.next = job->next; batch.next < job->missing.size(); ++batch.next) {
        const auto& content = job->missing[batch.next];
        const bool full = batch.bytes + content.bytes > job->batchBytes
            || contents.size() == mostInBatch || content.bytes > largeContentBytes;
        if (full && !contents.empty())
            break;
        batch.bytes += content.bytes;
        contents.push_back(content);
    }
    const auto count = qint64(contents.size());
    const auto read = [contents] { return contentArchive(contents); };
    auto archive = co_await onWorker(read);
    if (!archive.ok())
        co_return archive.error();
    batch.script = job->scripts->addContents(count, batch.next == job->missing.size());
    batch.input = std::move(*archive);
    co_return batch;
}

void countBatch(UploadJob& job, const UploadBatch& batch, qint64 elapsed)
{
    job.summary.bytesSent += batch.bytes;
    job.summary.filesSent += int(batch.next - job.next);
    job.next = batch.next;
    if (batch.thereAfter > 0)
        job.missing[job.next].there = batch.thereAfter;
    if (elapsed < shortBatchMs)
        job.batchBytes = std::min(job.batchBytes * 4, largestBatch);
    else if (elapsed > longBatchMs)
        job.batchBytes = std::max(job.batchBytes / 2, smallestBatch);
}

QCoro::Task<Result<QByteArray>> sendMissing(std::shared_ptr<UploadJob> job)
{
    QByteArray said;
    bool goesOn = job->tell();
    while (job->next < job->missing.size()) {
        if (!goesOn) {
            co_await giveUp(job);
            co_return Error{ErrorKind::Cancelled, tr("Cancelled by you.")};
        }
        const bool isLarge = job->missing[job->next].bytes > largeContentBytes;
        auto preparing = isLarge ? pieceBatch(job) : archiveBatch(job);
        auto batch = co_await std::move(preparing);
        if (!batch.ok()) {
            co_await giveUp(job);
            co_return batch.error();
        }
        QElapsedTimer timer;
        timer.start();
        const auto silence = batch->next == job->missing.size() ? longestBuild : longestSilence;
        const auto sent =
            co_await runFed(job->shell, batch->script, std::move(batch->input), silence);
        if (!sent.ok())
            co_return sent.error();
        if (sent->exitCode != 0)
            co_return uploadError(*job, *sent);
        countBatch(*job, *batch, timer.elapsed());
        goesOn = job->tell();
        said = sent->out;
    }
    co_return said;
}

QCoro::Task<Result<QByteArray>> askAndSend(std::shared_ptr<UploadJob> job)
{
    const QByteArray script = job->scripts->ask(job->plan->list.size(), job->plan->tree.size());
    const QByteArray input = job->plan->list + job->plan->tree;
    const auto asked = co_await runFed(job->shell, script, input, longestBuild);
    if (!asked.ok())
        co_return asked.error();
    if (asked->exitCode != 0)
        co_return uploadError(*job, *asked);
    const auto read = [plan = job->plan, out = asked->out] { return readMissing(*plan, out); };
    auto missing = co_await onWorker(read);
    if (!missing.ok()) {
        co_await giveUp(job);
        co_return missing.error();
    }
    job->missing = std::move(*missing);
    for (const auto& content : job->missing)
        job->total += content.bytes - content.there;
    if (job->missing.empty()) {
        job->tell();
        co_return asked->out;
    }
    auto sent = co_await sendMissing(job);
    co_return sent;
}

} // namespace

QCoro::Task<Result<CodeUploadSummary>> uploadSnapshot(std::shared_ptr<Shell> shell,
    Snapshot snapshot, QString storeFolder, QString codeFolder,
    std::function<bool(qint64 sent, qint64 total)> progress)
{
    if (!codeFolder.startsWith(u'/') || codeFolder.endsWith(u'/') || codeFolder.contains(u"/../"))
        co_return Error{
            ErrorKind::Invalid, tr("“%1” is not an absolute path.").arg(codeFolder.left(200))};
    const auto job = std::make_shared<UploadJob>();
    job->shell = shell;
    job->codeFolder = codeFolder;
    job->progress = std::move(progress);
    job->snapshot = std::make_shared<const Snapshot>(std::move(snapshot));
    const auto prepare = [snapshot = job->snapshot] { return makeUploadPlan(*snapshot); };
    auto plan = co_await onWorker(prepare);
    if (!plan.ok())
        co_return plan.error();
    job->plan = std::make_shared<const UploadPlan>(std::move(*plan));
    job->scripts.emplace(storeFolder, codeFolder, job->plan->id, job->plan->stamp);

    const RunFolder store(shell, storeFolder);
    const auto made = co_await store.make();
    if (!made.ok())
        co_return made.error();
    const auto said = co_await askAndSend(job);
    if (!said.ok())
        co_return said.error();
    const auto finished = co_await finishFolder(job, *said);
    if (!finished.ok())
        co_return finished.error();
    job->summary.filesLinked = job->plan->files - job->summary.filesSent;
    co_return job->summary;
}

} // namespace slipway
