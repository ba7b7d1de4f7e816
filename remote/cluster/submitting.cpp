// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/submitting.h"

#include "remote/base/tr.h"
#include "remote/cluster/submissionlock.h"
#include "remote/slurm/arraytasks.h"
#include "remote/slurm/squeue.h"
#include "remote/slurm/submission.h"

#include <QCoroTimer>

#include <QDeadlineTimer>
#include <QRegularExpression>

#include <array>

namespace slipway {

namespace {

constexpr std::array kinds{
    "nofolder", "nolock", "known", "failed", "before", "busy", "dead", "away", "closed"};

Result<void> checkRequest(const SubmitRequest& request)
{
    static const QRegularExpression script(
        QStringLiteral("\\A[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\\z"));
    static const QRegularExpression tag(QStringLiteral("\\A[A-Za-z0-9._:@/+-]{1,256}\\z"));
    if (request.folder.startsWith(u'/') && script.match(request.scriptName).hasMatch()
        && tag.match(request.tag).hasMatch())
        return {};
    return Error{ErrorKind::Invalid,
        tr("The job cannot be submitted from “%1”.").arg(request.folder),
        tr("The run folder must be an absolute path, and the script a plain file name.")};
}

Error folderGone(const QString& folder)
{
    return {ErrorKind::NotFound, tr("The run folder %1 no longer exists.").arg(folder),
        tr("It may have been cleaned up by the site. Launch again.")};
}

Error noLock(const QString& folder, const QByteArray& detail)
{
    const bool full = detail.contains("space left") || detail.contains("uota");
    return {full ? ErrorKind::DiskFull : ErrorKind::Io,
        full ? tr("There is no space left for the run folder %1.").arg(folder)
             : tr("The run folder %1 is not writable.").arg(folder),
        tr("Remove files there, or choose another scratch folder."), detail};
}

/// Stores the ID of a job that was found again where the next call looks first.
QByteArray recordScript(const QString& folder, const JobId& job)
{
    return "cd -- " + shellQuoted(folder) + " && echo " + job.text.toLatin1()
        + " >jobid.tmp && mv -f jobid.tmp jobid";
}

QByteArray clearScript(const QString& folder)
{
    return "cd -- " + shellQuoted(folder) + " && rm -rf submit.lock jobid.tmp";
}

Error nothingSubmitted(const QByteArray& text)
{
    Error error = text.trimmed().isEmpty()
        ? Error{ErrorKind::Refused, tr("sbatch ended without an error and without a job ID."),
            tr("A site wrapper may have stopped it. Submit the script by hand to see more.")}
        : submitError(text);
    error.detail = text;
    return error;
}

Error givenUp(const QString& folder)
{
    return {ErrorKind::Refused, tr("The submission from %1 was abandoned earlier.").arg(folder),
        tr("Launch it again; this creates a new run folder.")};
}

Error unanswered(const SubmitAnswer& answer, const QByteArray& detail)
{
    using Kind = SubmitAnswer::Kind;
    const QString later =
        tr("Come back later: a job that was accepted is found by its tag and not submitted twice.");
    if (answer.kind == Kind::Away) {
        return {ErrorKind::Timeout,
            tr("The submission was started on %1, and it cannot be seen from here whether sbatch "
               "is still running there.")
                .arg(answer.host),
            later, detail};
    }
    if (answer.kind == Kind::Busy) {
        return {ErrorKind::Timeout,
            tr("sbatch is still running on the login node and has not returned yet."), later,
            detail};
    }
    return {ErrorKind::Timeout,
        tr("The scheduler does not respond, so it is not known whether the job was accepted."),
        later, detail};
}

/// The array that a job belongs to, which may have been found by one of its tasks.
QCoro::Task<Result<JobId>> arrayOfTask(std::shared_ptr<SlurmContext> side, JobId task)
{
    const auto separators = Separators::random();
    const std::vector<JobId> only(1, task);
    const QByteArray question = squeueCommand(separators, only);
    const auto output = co_await runOn(side, question, 1);
    if (!output.ok())
        co_return output.error();
    if (output->exitCode != 0)
        co_return submitError(output->err);
    const auto jobs = parseSqueue(output->out, separators);
    if (!jobs.ok())
        co_return jobs.error();
    for (const Job& job : *jobs) {
        if (taskOf(job.id) >= 0 || job.id.text.endsWith(u']'))
            co_return arrayOf(job.id);
    }
    co_return Error{ErrorKind::Timeout, tr("The array of job %1 is not known yet.").arg(task.text),
        tr("Come back later: a job that was accepted is found by its tag and not submitted "
           "twice.")};
}

} // namespace

QByteArray submitScript(const SubmitRequest& request, int takeOver)
{
    const QByteArray folder = shellQuoted(request.folder);
    // The redirection comes before sbatch runs: a full disk stops it. The file jobid appears
    // completely or not at all. A new session: neither the end of this connection nor that of the
    // waiting shell interrupts sbatch.
    const QByteArray job = takeLockText(QByteArray::number(takeOver + 1))
        + "sbatch --parsable --comment=" + shellQuoted(request.tag) + " --open-mode=append -D "
        + folder + " ./" + request.scriptName.toUtf8()
        + " >jobid.tmp 2>submit.err </dev/null\n"
          "rc=$?\n"
          "if [ $rc -eq 0 ] && grep -Eq '^[0-9]+(;[A-Za-z0-9._-]+)?[[:space:]]*$|Submitted batch "
          "job [0-9]' jobid.tmp; then mv -f jobid.tmp jobid\n"
          "else echo $rc >$l.tmp && mv -f $l.tmp $l.rc || exit 76\n"
          "fi\n"
          "exit 0\n";
    return "cd -- " + folder
        + " 2>/dev/null || { echo nofolder; exit 0; }\n"
          "if [ -s jobid ]; then echo known 0; cat jobid; exit 0; fi\n"
          "e=$(mkdir submit.lock 2>&1)\n"
          "[ -d submit.lock ] || { echo nolock 0; echo \"$e\"; exit 0; }\n"
        + holderText() + "holder; v=before\nif [ $n = " + QByteArray::number(takeOver)
        + " ]; then\n"
          "  s=setsid; command -v setsid >/dev/null || s=nohup\n"
          "  $s sh -c "
        + shellQuoted(job)
        + " >/dev/null 2>&1 </dev/null &\n"
          "  wait $!\n"
          "  r=$?; v=failed; holder\n"
          "  case $r in\n"
          "  75) v=before ;;\n"
          "  76) echo failed $n 1; cat submit.err 2>/dev/null; exit 0 ;;\n"
          "  77) echo nolock 0; echo 'No space left on device'; exit 0 ;;\n"
          "  esac\n"
          "fi\n"
          "if [ -s jobid ]; then echo known 0; cat jobid\n"
          "elif [ -s submit.lock/$n.rc ]; then echo $v $n $(cat submit.lock/$n.rc); cat submit.err "
          "jobid.tmp 2>/dev/null\n"
          "elif [ $w = free ]; then echo busy 0\n"
          "else echo $w $n 0 $h\n"
          "fi\n"
          "exit 0\n";
}

Result<SubmitAnswer> parseSubmitAnswer(const QByteArray& output)
{
    const auto lineEnd = output.indexOf('\n');
    const auto words = output.left(lineEnd).trimmed().split(' ');
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (words.value(0) != kinds[i])
            continue;
        SubmitAnswer answer;
        answer.kind = SubmitAnswer::Kind(i);
        answer.holders = words.value(1).toInt();
        answer.exitCode = words.value(2).toInt();
        answer.host = QString::fromLatin1(words.value(3).left(256));
        answer.text = lineEnd < 0 ? QByteArray() : output.mid(lineEnd + 1);
        return answer;
    }
    return Error{ErrorKind::Protocol, tr("The answer to the submission could not be read."),
        tr("Try again; a job that was accepted is found by its tag."), output.left(4096)};
}

QCoro::Task<Result<std::optional<Allocation>>> findTagged(
    std::shared_ptr<SlurmContext> side, QString tag, QString folder)
{
    using Found = Result<std::optional<Allocation>>;
    const auto separators = Separators::random();
    const auto output = co_await runOn(side, taggedJobsCommand(separators), 1);
    if (!output.ok())
        co_return Found(output.error());
    if (output->exitCode != 0)
        co_return Found(submitError(output->err));
    const auto jobs = parseTaggedJobs(output->out, separators);
    if (!jobs.ok())
        co_return Found(jobs.error());
    std::optional<Allocation> found;
    for (const auto& job : *jobs) {
        const bool fits = job.comment == tag || (job.comment.isEmpty() && job.workDir == folder);
        if (fits && !found)
            found = Allocation{job.id, job.nodeList, job.state, job.comment, job.workDir};
    }
    if (found && isArrayTag(tag)) {
        const auto array = co_await arrayOfTask(side, found->id);
        if (!array.ok())
            co_return Found(array.error());
        found->id = *array;
    }
    co_return Found(found);
}

QCoro::Task<Result<JobId>> submitJob(std::shared_ptr<SlurmContext> side, SubmitRequest request)
{
    if (const auto checked = checkRequest(request); !checked.ok())
        co_return checked.error();
    using Kind = SubmitAnswer::Kind;
    QDeadlineTimer looking(side->timeouts.absent);
    int takeOver = 0;
    int looksAtDead = 0;
    QByteArray words;
    while (true) {
        const auto output =
            co_await runOn(side, submitScript(request, takeOver), 1, std::chrono::minutes(3));
        if (!output.ok())
            co_return output.error();
        const auto answer = parseSubmitAnswer(output->out);
        if (!answer.ok())
            co_return answer.error();
        if (answer->kind == Kind::NoFolder)
            co_return folderGone(request.folder);
        if (answer->kind == Kind::NoLock)
            co_return noLock(request.folder, answer->text);
        if (answer->kind == Kind::Closed)
            co_return givenUp(request.folder);
        if (answer->kind == Kind::Known) {
            if (const auto id = parseSubmitted(answer->text))
                co_return *id;
            co_return nothingSubmitted(answer->text);
        }
        const bool ended = answer->kind == Kind::Failed || answer->kind == Kind::FailedBefore;
        const bool refused = ended && answer->exitCode != 0 && !isAmbiguousRefusal(answer->text);
        if (refused && answer->kind == Kind::FailedBefore) {
            // An earlier call was refused and could not report it: try again.
            takeOver = answer->holders;
            continue;
        }
        if (refused) {
            const auto cleared = co_await runOn(side, clearScript(request.folder), 0);
            Q_UNUSED(cleared)
            co_return submitError(answer->text);
        }
        if (ended)
            words = answer->text;

        // It is not known whether the scheduler accepted the job: search for it before repeating
        // anything.
        const auto found = co_await findTagged(side, request.tag, request.folder);
        if (found.ok() && found->has_value()) {
            const JobId id = (*found)->id;
            const auto recorded = co_await runOn(side, recordScript(request.folder, id), 0);
            Q_UNUSED(recorded)
            co_return id;
        }
        // Its process is dead, and the scheduler answered twice that there is no such job.
        if (answer->kind == Kind::Dead && found.ok() && ++looksAtDead >= 2) {
            takeOver = answer->holders;
            continue;
        }
        if (looking.hasExpired()) {
            if (found.ok() && ended) {
                const auto cleared = co_await runOn(side, clearScript(request.folder), 0);
                Q_UNUSED(cleared)
                co_return nothingSubmitted(words);
            }
            co_return unanswered(*answer, found.ok() ? words : found.error().detail);
        }
        co_await QCoro::sleepFor(side->timeouts.look);
    }
}

} // namespace slipway
