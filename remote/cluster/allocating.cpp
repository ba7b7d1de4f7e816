// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/allocating.h"

#include "remote/base/tr.h"
#include "remote/cluster/runtail.h"
#include "remote/cluster/submissionlock.h"
#include "remote/cluster/submitting.h"
#include "remote/slurm/jobstates.h"
#include "remote/slurm/squeue.h"
#include "remote/slurm/submission.h"

#include <QCoroTimer>

#include <QDeadlineTimer>

namespace slipway {

namespace {

/// First line: the exit code of salloc, "-" while it runs, "dead" when it ended without one. Then
/// its output. The process is not visible from another login node, where it is assumed to run.
QByteArray lookScript(const QString& folder)
{
    return "cd -- " + shellQuoted(folder)
        + " 2>/dev/null || { echo nofolder; exit 0; }\n"
          "if [ -s salloc.rc ]; then cat salloc.rc\n"
          "elif { read -r p h <salloc.pid || read -r p h <submit.lock/1; } 2>/dev/null && [ \"$h\" "
          "= "
          "\"$(uname -n)\" ] && ! kill -0 \"$p\" 2>/dev/null && ! kill -0 "
          "\"-$p\" 2>/dev/null; then\n"
          "  sleep 0.2 2>/dev/null; if [ -s salloc.rc ]; then cat salloc.rc; else echo dead; fi\n"
          "else echo -\n"
          "fi\n"
          "cat salloc.out 2>/dev/null; exit 0\n";
}

Error folderTrouble(const QByteArray& word, const QString& folder)
{
    if (word == "nofolder") {
        return {ErrorKind::NotFound, tr("The run folder %1 does not exist.").arg(folder),
            tr("It may have been cleaned up by the site. Launch again.")};
    }
    return {ErrorKind::Io, tr("The run folder %1 is not writable.").arg(folder),
        tr("Remove files there, or choose another scratch folder.")};
}

Error cancelledMeanwhile()
{
    return {ErrorKind::Cancelled, tr("The allocation was cancelled while it was being requested.")};
}

/// The error when salloc ended without granting anything.
Error endedWithoutGrant(const SallocProgress& progress, const QByteArray& text)
{
    if (progress.revoked)
        return cancelledMeanwhile();
    return submitError(text);
}

Allocation granted(const SallocProgress& progress, const AllocateRequest& request)
{
    return {progress.id, progress.nodeList, JobState::Running, request.tag, request.folder};
}

struct Look {
    QByteArray status;
    QByteArray text;
    SallocProgress progress;
};

QCoro::Task<Result<Look>> lookAt(std::shared_ptr<SlurmContext> side, QString folder)
{
    const auto output = co_await runOn(side, lookScript(folder), 0);
    if (!output.ok())
        co_return output.error();
    Look look;
    const auto lineEnd = output->out.indexOf('\n');
    look.status = output->out.left(lineEnd).trimmed();
    look.text = lineEnd < 0 ? QByteArray() : output->out.mid(lineEnd + 1);
    look.progress = parseSalloc(look.text);
    if (look.status == "nofolder")
        co_return folderTrouble(look.status, folder);
    co_return look;
}

/// salloc ended without an exit code (killed, or its machine restarted): the scheduler knows the
/// outcome.
QCoro::Task<Result<Allocation>> withoutSalloc(
    std::shared_ptr<SlurmContext> side, AllocateRequest request)
{
    // A scheduler that is busy may show late what salloc asked of it.
    constexpr int looksForNone = 3;
    int none = 0;
    while (true) {
        const auto found = co_await findTagged(side, request.tag, request.folder);
        if (!found.ok())
            co_return found.error();
        const bool live = found->has_value() && !isTerminal((*found)->state);
        if (!live && !found->has_value() && ++none < looksForNone) {
            co_await QCoro::sleepFor(side->timeouts.look);
            continue;
        }
        if (!live) {
            co_return Error{ErrorKind::Refused,
                tr("The allocation request ended on the login node without any output."),
                tr("Try again; some sites end programs that wait there for a long time.")};
        }
        if (holdsNodes((*found)->state))
            co_return **found;
        co_await QCoro::sleepFor(side->timeouts.look);
    }
}

/// A batch job that only waits holds the nodes; what follows prints its progress like salloc, so
/// that one parser reads both. If the controller does not respond, the query is repeated.
QByteArray holdersProgress()
{
    return "code=$?; [ $code = 0 ] || exit $code\n"
           "id=$(printf '%s\\n' \"$out\" | tail -n 1 | cut -d';' -f1)\n"
           "echo \"salloc: Pending job allocation $id\"\n"
           "silent=0\n"
           "while [ $silent -lt 60 ]; do\n"
           "  if state=$(squeue -h -j \"$id\" -o '%t %N' 2>/dev/null); then silent=0; else "
           "silent=$((silent + 1)); state=PD; fi\n"
           "  case $state in\n"
           "  R*) echo \"salloc: Granted job allocation $id\"; echo \"salloc: Nodes ${state#R } "
           "are ready for job\"; exit 0 ;;\n"
           "  PD* | CF*) sleep 2 ;;\n"
           "  *) break ;;\n"
           "  esac\n"
           "done\n"
           "echo \"salloc: Job allocation $id has been revoked.\"\n"
           "exit 1\n";
}

} // namespace

QByteArray allocateScript(const AllocateRequest& request)
{
    QByteArray command = request.byBatchJob
        ? QByteArray("sbatch --parsable --output=/dev/null --wrap='while sleep 3600; do :; done'")
        : QByteArray("salloc --no-shell");
    bool tagged = false;
    for (const auto& option : request.options) {
        command += ' ' + shellQuoted(option);
        tagged = tagged || option.startsWith(u"--comment=");
    }
    if (!tagged || !request.options.contains(QStringLiteral("--comment=") + request.tag))
        command += " --comment=" + shellQuoted(request.tag);
    // A new session, so that the end of this connection sends no signal: a pending salloc would
    // treat a hang-up as a cancel.
    if (request.byBatchJob)
        command = "sh -c " + shellQuoted("out=$(" + command + ")\n" + holdersProgress());
    const QByteArray job = takeLockText("1") + "echo $$ $(uname -n) >salloc.pid\n" + command
        + " >salloc.out 2>&1 </dev/null\necho $? >salloc.rc.tmp; mv -f salloc.rc.tmp salloc.rc\n";
    return "cd -- " + shellQuoted(request.folder)
        + " 2>/dev/null || { echo nofolder; exit 0; }\n"
          "if mkdir submit.lock 2>/dev/null || { [ -d submit.lock ] && [ ! -e submit.lock/1 ]; }; "
          "then\n"
          "  s=setsid; command -v setsid >/dev/null || s=nohup\n"
          "  $s sh -c "
        + shellQuoted(job)
        + " >/dev/null 2>&1 </dev/null &\n"
          "  echo started\n"
          "elif [ -d submit.lock ]; then echo already\n"
          "else echo nolock\n"
          "fi\n"
          "exit 0\n";
}

QCoro::Task<Result<Allocation>> allocateNodes(std::shared_ptr<SlurmContext> side,
    AllocateRequest request, std::function<void(const JobId&)> pending)
{
    const auto begun = co_await runOn(side, allocateScript(request), 1);
    if (!begun.ok())
        co_return begun.error();
    const QByteArray word = begun->out.trimmed();
    if (word != "started" && word != "already")
        co_return folderTrouble(word, request.folder);

    FileWatch watch(side->tail,
        {request.folder + QStringLiteral("/salloc.out"),
            request.folder + QStringLiteral("/salloc.rc")});
    bool reported = false;
    for (int looks = 0;; ++looks) {
        const auto look = co_await lookAt(side, request.folder);
        if (!look.ok())
            co_return look.error();
        const auto& progress = look->progress;
        if (progress.id.isValid() && !reported) {
            reported = true;
            pending(progress.id);
        }
        const bool ended = look->status != "-";
        if (progress.granted && !progress.revoked && (progress.ready || ended)
            && look->status != "dead")
            co_return granted(progress, request);
        if (look->status == "dead") {
            auto rest = co_await withoutSalloc(side, request);
            co_return rest;
        }
        if (ended)
            co_return endedWithoutGrant(progress, look->text);
        co_await watch.changed(looks < 10 ? side->timeouts.poll : 3 * side->timeouts.poll);
    }
}

QCoro::Task<Result<void>> cancelJob(std::shared_ptr<SlurmContext> side, JobId job)
{
    if (!isJobIdText(job.text))
        co_return Error{ErrorKind::Invalid, tr("“%1” is not a job ID.").arg(job.text.left(40))};
    const auto asked = co_await runOn(side, "scancel " + job.text.toLatin1(), 1);
    if (!asked.ok())
        co_return asked.error();
    // A job that no longer exists counts as cancelled; old versions print nothing about it.
    if (asked->exitCode != 0 && !asked->err.contains("nvalid job id")
        && !asked->err.contains("already completing")
        && !asked->err.contains("already completed")) {
        Error error = submitError(asked->err);
        if (error.kind == ErrorKind::Refused)
            error.summary = tr("Job %1 could not be cancelled: %2")
                                .arg(job.text, lenientText(asked->err.trimmed()).left(300));
        co_return error;
    }
    QDeadlineTimer deadline(side->timeouts.cancel);
    auto pause = side->timeouts.poll;
    const std::vector<JobId> only(1, job);
    while (true) {
        const auto separators = Separators::random();
        const QByteArray question = squeueCommand(separators, only);
        const auto output = co_await runOn(side, question, 1);
        if (!output.ok())
            co_return output.error();
        if (output->exitCode == 0) {
            int odd = 0;
            const auto rows = parseSqueue(output->out, separators, &odd);
            if (rows.ok() && odd == 0) { // a row that cannot be read may be this job's
                const bool live = std::any_of(rows->begin(), rows->end(), [](const Job& row) {
                    return finality(row.state) == Finality::Live
                        && row.state != JobState::Completing;
                });
                if (!live)
                    co_return Result<void>();
            }
        } else if (output->err.contains("nvalid job id")) {
            co_return Result<void>();
        }
        if (deadline.hasExpired()) {
            co_return Error{ErrorKind::Timeout,
                tr("Job %1 was cancelled but has not ended yet.").arg(job.text),
                tr("A node may be slow to respond. Cancel again, or check again in a minute.")};
        }
        co_await QCoro::sleepFor(pause);
        pause = std::min(pause * 2, side->timeouts.look);
    }
}

} // namespace slipway
