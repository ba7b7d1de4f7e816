// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/stepping.h"

#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"
#include "remote/cluster/runtail.h"
#include "remote/slurm/jobspec.h"
#include "remote/slurm/records.h"
#include "remote/slurm/submission.h"

#include <QCoroTimer>

#include <QDeadlineTimer>
#include <QRegularExpression>

namespace slipway {

namespace {

/// "steps/01-image.sh" → "steps/01-image"
QString baseName(const StepRequest& step)
{
    return step.stepFile.endsWith(u".sh") ? step.stepFile.chopped(3) : step.stepFile;
}

QByteArray baseWord(const StepRequest& step)
{
    return shellQuoted(baseName(step));
}

/// Appears when the step has ended.
QString exitFile(const StepRequest& step)
{
    return step.folder + u'/' + baseName(step) + QStringLiteral(".exit");
}

QByteArray enter(const StepRequest& step)
{
    return "cd -- " + shellQuoted(step.folder)
        + " 2>/dev/null || { echo nofolder; exit 0; }\nb=" + baseWord(step) + '\n';
}

Error stepTrouble(const QByteArray& word, const StepRequest& step)
{
    if (word == "nofolder") {
        return {ErrorKind::NotFound, tr("The run folder %1 no longer exists.").arg(step.folder),
            tr("It may have been cleaned up by the site. Launch again.")};
    }
    return {ErrorKind::Io, tr("The step %1 cannot be started from %2.").arg(step.name, step.folder),
        tr("Check that the folder is writable and has space left.")};
}

} // namespace

Result<void> checkStep(const StepRequest& step)
{
    static const QRegularExpression option(
        QStringLiteral("\\A--[A-Za-z0-9-]+(?:=[^\\p{Cc}]*)?\\z"));
    bool good = step.folder.startsWith(u'/') && isSafeRelativeName(step.stepFile)
        && isSafeRelativeName(step.logFile) && isLegalJobName(step.name)
        && isJobIdText(step.job.text);
    static const QRegularExpression sum(QStringLiteral("\\A(?:[0-9a-f]{64})?\\z"));
    good = good && sum.match(QString::fromLatin1(step.sha256)).hasMatch();
    for (const auto& text : step.options)
        good = good && option.match(text).hasMatch();
    if (good)
        return {};
    return Error{ErrorKind::Invalid, tr("The step “%1” cannot be started.").arg(step.name.left(80)),
        tr("Its folder must be an absolute path, its files must be inside it, and its name must be "
           "a plain word.")};
}

QByteArray startStepScript(const StepRequest& step)
{
    QByteArray srun =
        "srun --jobid=" + step.job.text.toLatin1() + " --job-name=" + shellQuoted(step.name);
    for (const auto& option : step.options)
        srun += ' ' + shellQuoted(option);
    srun += " bash " + shellQuoted(step.stepFile) + " >>" + shellQuoted(step.logFile)
        + " 2>&1 </dev/null";
    // Where others may write, they could have replaced the script since it was sent.
    QByteArray check;
    if (!step.sha256.isEmpty()) {
        check = "echo " + shellQuoted(QString::fromLatin1(step.sha256) + u"  " + step.stepFile)
            + " | sha256sum --check --quiet >>" + shellQuoted(step.logFile) + " 2>&1 && ";
    }
    const QByteArray body = "b=" + baseWord(step) + "\necho $$ $(uname -n) >\"$b.pid\"\n" + check
        + srun + "\necho $? >\"$b.exit.tmp\"; mv -f \"$b.exit.tmp\" \"$b.exit\"\n";
    return enter(step)
        + "if mkdir \"$b.lock\" 2>/dev/null; then\n"
          "  s=setsid; command -v setsid >/dev/null || s=nohup\n"
          "  $s sh -c "
        + shellQuoted(body)
        + " >/dev/null 2>&1 </dev/null &\n"
          "  echo started\n"
          "elif [ -d \"$b.lock\" ]; then echo already\n"
          "else echo nolock\n"
          "fi\n"
          "exit 0\n";
}

QByteArray stepStateScript(const StepRequest& step)
{
    return enter(step)
        + "if [ -s \"$b.exit\" ]; then echo exit $(cat \"$b.exit\")\n"
          "elif [ -s \"$b.pid\" ] && read -r p h <\"$b.pid\" && [ \"$h\" = \"$(uname -n)\" ] && ! "
          "kill -0 \"$p\" 2>/dev/null; then\n"
          "  sleep 0.2 2>/dev/null; if [ -s \"$b.exit\" ]; then echo exit $(cat \"$b.exit\"); else "
          "echo dead; fi\n"
          "elif [ -d \"$b.lock\" ]; then echo running\n"
          "else echo none\n"
          "fi\n"
          "exit 0\n";
}

Result<StepState> parseStepState(const QByteArray& output)
{
    const auto words = output.trimmed().split(' ');
    if (words.value(0) == "none")
        return StepState{};
    if (words.value(0) == "running")
        return StepState{true, false, {}};
    if (words.value(0) == "dead")
        return StepState{true, true, {}};
    bool ok = false;
    const int code = words.value(1).toInt(&ok);
    if (words.value(0) == "exit" && ok)
        return StepState{true, true, code};
    return Error{
        ErrorKind::Protocol, tr("The state of the step could not be read."), {}, output.left(4096)};
}

QCoro::Task<Result<void>> startStepOn(std::shared_ptr<SlurmContext> side, StepRequest step)
{
    if (const auto checked = checkStep(step); !checked.ok())
        co_return checked.error();
    const auto output = co_await runOn(side, startStepScript(step), 1);
    if (!output.ok())
        co_return output.error();
    const QByteArray word = output->out.trimmed();
    if (word != "started" && word != "already")
        co_return stepTrouble(word, step);
    co_return Result<void>();
}

QCoro::Task<Result<StepState>> stepStateOn(std::shared_ptr<SlurmContext> side, StepRequest step)
{
    if (const auto checked = checkStep(step); !checked.ok())
        co_return checked.error();
    const auto output = co_await runOn(side, stepStateScript(step), 0);
    if (!output.ok())
        co_return output.error();
    if (output->out.trimmed() == "nofolder")
        co_return stepTrouble("nofolder", step);
    co_return parseStepState(output->out);
}

QCoro::Task<Result<int>> stepResultOn(std::shared_ptr<SlurmContext> side, StepRequest step)
{
    FileWatch watch(side->tail, {exitFile(step)});
    for (int looks = 0;; ++looks) {
        const auto state = co_await stepStateOn(side, step);
        if (!state.ok())
            co_return state.error();
        if (state->ended && state->exitCode)
            co_return *state->exitCode;
        if (state->ended) {
            co_return Error{ErrorKind::JobFailed,
                tr("The srun of step %1 ended on the login node without any output, so its result "
                   "is unknown.")
                    .arg(step.name),
                tr("Some sites end long-running programs there. Launch as a batch job instead.")};
        }
        if (!state->started) {
            co_return Error{ErrorKind::NotFound,
                tr("The step %1 was never started.").arg(step.name), tr("Start it first.")};
        }
        co_await watch.changed(looks < 10 ? side->timeouts.poll : 2 * side->timeouts.poll);
    }
}

QCoro::Task<Result<void>> cancelStepOn(std::shared_ptr<SlurmContext> side, StepRequest step)
{
    if (const auto checked = checkStep(step); !checked.ok())
        co_return checked.error();
    const auto separators = Separators::random();
    const auto listed = co_await runOn(side,
        "squeue -s -h -j " + step.job.text.toLatin1() + " -O "
            + shellQuoted("StepID:" + separators.field + ",StepName:" + separators.row),
        1);
    if (!listed.ok())
        co_return listed.error();
    static const QRegularExpression stepId(QStringLiteral("\\A[0-9]{1,10}\\.[0-9]{1,10}\\z"));
    QByteArray script;
    if (const auto rows = splitRecords(listed->out, separators, 2);
        listed->exitCode == 0 && rows.ok()) {
        for (const auto& row : *rows) {
            if (lenientText(row[1]) == step.name
                && stepId.match(QString::fromLatin1(row[0])).hasMatch())
                script += "scancel " + row[0] + '\n';
        }
    }
    // An srun that still waits for resources has no step yet: the signal goes to srun itself.
    if (script.isEmpty()) {
        script = enter(step)
            + "read -r p h <\"$b.pid\" && [ \"$h\" = \"$(uname -n)\" ] && kill -TERM -\"$p\"\n";
    }
    const auto signalled = co_await runOn(side, script, 1);
    if (!signalled.ok())
        co_return signalled.error();
    QDeadlineTimer deadline(side->timeouts.cancel);
    while (true) {
        const auto state = co_await stepStateOn(side, step);
        if (!state.ok())
            co_return state.error();
        if (state->ended || !state->started)
            co_return Result<void>();
        if (deadline.hasExpired())
            co_return Error{ErrorKind::Timeout,
                tr("The step %1 was cancelled but is still running.").arg(step.name),
                tr("Release the allocation to end it.")};
        co_await QCoro::sleepFor(side->timeouts.poll);
    }
}

} // namespace slipway
