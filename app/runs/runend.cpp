// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runstory.h"

#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr int shownLines = 15;

RunEnd failed(const EndFacts& facts, const QString& sentence, const QString& remedy = {})
{
    RunEnd end;
    end.phase = RunPhase::Failed;
    end.sentence = sentence;
    if (facts.exit)
        end.exitCode = facts.exit->exitCode;
    end.error = Error{ErrorKind::JobFailed, sentence, remedy, lastLines(facts.logTail, shownLines)};
    return end;
}

RunEnd outOfMemory(const EndFacts& facts)
{
    return failed(facts, tr("Failed: the job used more memory than it requested."),
        tr("Request more memory."));
}

/// What slurmstepd writes when it ends a step or a job over its memory. Without cgroups the job's
/// state is then FAILED, and with them too when only a step was ended.
bool saysOutOfMemory(const QByteArray& log)
{
    const QByteArray text = log.toLower();
    return text.contains("exceeded job memory limit") || text.contains("oom_kill event")
        || text.contains("oom-kill event");
}

/// The first row that failed; null: none.
const CheckRow* failedRow(const NodeReport& report)
{
    const auto row = std::find_if(report.rows.begin(), report.rows.end(),
        [](const CheckRow& one) { return one.state == CheckState::Fail; });
    return row == report.rows.end() ? nullptr : &*row;
}

/// "GPUs in the container: none"
QString rowWords(const CheckRow& row)
{
    return row.value.isEmpty() ? checkTitle(row.id)
                               : checkTitle(row.id) + QStringLiteral(": ") + row.value;
}

/// Whether the node check ended the job, as requested.
bool stoppedByCheck(const EndFacts& facts)
{
    const bool there =
        facts.exit && facts.exit->exitCode != 0 && facts.exit->stage == QLatin1String("check");
    return (there || !facts.exit) && !facts.marks.empty()
        && facts.marks.back().stage == QLatin1String("check")
        && facts.marks.back().state == QLatin1String("failed");
}

RunEnd endedByCheck(const EndFacts& facts)
{
    const CheckRow* const row = failedRow(facts.node);
    if (!row)
        return failed(
            facts, tr("Stopped: the node check failed."), tr("See the log for what it found."));
    const QString where = row->node.isEmpty() ? QString() : tr(" on %1").arg(row->node);
    QString sentence = tr("Stopped by the node check%1. %2.").arg(where, rowWords(*row));
    if (!row->why.isEmpty())
        sentence += u' ' + row->why;
    return failed(facts, sentence, row->fix);
}

/// "Failed: step “CPU, all threads” ended with exit code 2 after 0:14."
RunEnd failedByExitCode(const EndFacts& facts)
{
    if (saysOutOfMemory(facts.logTail))
        return outOfMemory(facts);
    // The first failed step is the cause, except a check, which only reports.
    const auto step =
        std::find_if(facts.marks.begin(), facts.marks.end(), [](const StepMark& mark) {
            return mark.state == QLatin1String("failed") && mark.stage != QLatin1String("check");
        });
    if (step == facts.marks.end() && stoppedByCheck(facts))
        return endedByCheck(facts);
    if (step == facts.marks.end())
        return failed(facts,
            facts.exit && facts.exit->exitCode != 0
                ? tr("Failed: the job script ended with exit code %1.").arg(facts.exit->exitCode)
                : tr("Failed: the scheduler reports that the job failed, and no step shows why."),
            tr("Check the end of the log."));
    // Before anything runs, the script compares the files in its folder with what was sent.
    if (step->step == QLatin1String("files")) {
        RunEnd end = failed(facts,
            tr("Stopped before it started. %1")
                .arg(step->text.isEmpty() ? tr("slipway.sh is not the file that was sent.")
                                          : step->text),
            tr("Check who can write to the run folder and to its parent folders, and launch "
               "again."));
        end.exitCode = step->code;
        return end;
    }
    const auto begin = std::find_if(facts.marks.begin(), step, [&](const StepMark& mark) {
        return mark.step == step->step && mark.state == QLatin1String("begin");
    });
    const bool timed = begin != step && begin->time.isValid() && step->time >= begin->time;
    const std::chrono::seconds took(timed ? begin->time.secsTo(step->time) : 0);
    QString sentence = timed && took.count() == 0
        ? tr("Failed: step “%1” ended at once, with exit code %2")
        : tr("Failed: step “%1” ended with exit code %2");
    sentence = sentence.arg(step->text).arg(step->code);
    if (took.count() > 0)
        sentence += u' ' + tr("after %1").arg(durationText(took));
    RunEnd end = failed(facts, sentence + u'.',
        step->code == 137 ? tr(
            "Exit code 137 means that it was killed, usually because memory ran out: request more.")
                          : tr("The last lines of the log show the output of the command."));
    end.exitCode = step->code;
    return end;
}

RunEnd cancelled(const EndFacts& facts)
{
    RunEnd end;
    end.phase = RunPhase::Cancelled;
    if (facts.cancelAsked) {
        end.sentence = tr("Cancelled by you.");
        return end;
    }
    // "CANCELLED by 1001": Slurm reports the user where accounting is available.
    const qsizetype by = facts.stateText.indexOf(QLatin1String(" by "));
    end.sentence = by < 0
        ? tr("Cancelled outside Slipway.")
        : tr("Cancelled outside Slipway, by user ID %1.").arg(facts.stateText.mid(by + 4));
    return end;
}

RunEnd done(const EndFacts& facts)
{
    RunEnd end;
    end.phase = RunPhase::Done;
    end.exitCode = 0;
    end.sentence = tr("Done.");
    for (const StepMark& mark : facts.marks) {
        if (mark.stage == QLatin1String("node"))
            end.sentence = tr("Done."); // restarted: the earlier failure no longer counts
        if (mark.state != QLatin1String("failed"))
            continue;
        const CheckRow* const row =
            mark.stage == QLatin1String("check") ? failedRow(facts.node) : nullptr;
        end.sentence = row
            ? tr("Done; the node check found a fault, which does not stop the job. %1.")
                  .arg(rowWords(*row))
            : tr("Done; step “%1” ended with exit code %2, which does not stop the job.")
                  .arg(mark.text)
                  .arg(mark.code);
    }
    return end;
}

RunEnd unknown(const QString& why)
{
    RunEnd end;
    end.sentence = tr("Ended, result unknown: %1").arg(why);
    end.error = Error{
        ErrorKind::Unknown, end.sentence, tr("Check the log and the files in the run folder."), {}};
    return end;
}

/// Only the job's own record, where Slurm no longer knows the job.
RunEnd endByExitRecord(const EndFacts& facts)
{
    // A job that had not begun leaves no record; nor does one that had to be killed.
    if (!facts.exit && facts.cancelAsked)
        return cancelled(facts);
    if (!facts.exit)
        return unknown(facts.lost.isEmpty()
                ? tr("Slurm no longer knows the job, and the job left no exit record.")
                : tr("Slurm no longer knows the job, and %1").arg(facts.lost));
    if (facts.exit->exitCode == 0)
        return done(facts);
    // 143 is the code that the script records when it was ended by scancel or by the time limit.
    if (facts.exit->exitCode == 143 && facts.cancelAsked)
        return cancelled(facts);
    return failedByExitCode(facts);
}

RunEnd endByState(const EndFacts& facts)
{
    if (!facts.state)
        return endByExitRecord(facts);
    switch (*facts.state) {
    case JobState::Completed:
        if (facts.exit && facts.exit->exitCode != 0)
            return failedByExitCode(facts);
        return !facts.lost.isEmpty()    ? unknown(facts.lost)
            : !facts.noRecord.isEmpty() ? unknown(facts.noRecord)
                                        : done(facts);
    case JobState::Failed:
        return failedByExitCode(facts);
    case JobState::Cancelled:
    case JobState::Revoked:
        return cancelled(facts);
    case JobState::TimedOut:
        return failed(facts,
            facts.timeLimit.isUnlimited()
                ? tr("Failed: the time limit was reached.")
                : tr("Failed: the time limit of %1 was reached.").arg(facts.timeLimit.slurmText()),
            tr("Request more time, or reduce the work."));
    case JobState::OutOfMemory:
        return outOfMemory(facts);
    case JobState::NodeFailed:
    case JobState::BootFailed:
        return failed(facts, tr("Failed: a node of the job failed."),
            tr("Launch it again, or ask the cluster's administrators."));
    case JobState::Preempted:
        return failed(facts, tr("Ended early: a job of higher priority took the nodes."),
            tr("Launch it again, or choose another QOS."));
    case JobState::DeadlineMissed:
        return failed(facts, tr("Failed: the job could not end before its deadline."));
    default:
        return unknown(tr("the last state that Slurm reported was “%1”.").arg(facts.stateText));
    }
}

/// A run whose output is not complete is never plainly done.
void addLoss(RunEnd& end, const QString& plain, const QString& beside, const QString& what)
{
    if (what.isEmpty() || end.sentence.contains(what))
        return;
    if (end.phase == RunPhase::Done && end.sentence == tr("Done."))
        end.sentence = plain.arg(what);
    else
        end.sentence += u' ' + beside.arg(what);
}

} // namespace

RunEnd runEnd(const EndFacts& facts)
{
    RunEnd end = endByState(facts);
    addLoss(end, tr("Done, but output was lost: %1"), tr("Output was lost: %1"), facts.lost);
    addLoss(end, tr("Done, but the log is not complete: %1"), tr("The log is not complete: %1"),
        facts.logCut);
    addLoss(end, tr("Done, but the log here is not complete: %1"),
        tr("The log here is not complete: %1"), facts.logGap);
    return end;
}

} // namespace slipway
