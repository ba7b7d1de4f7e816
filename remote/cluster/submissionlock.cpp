// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/submissionlock.h"

#include "remote/base/tr.h"
#include "remote/slurm/submission.h"

#include <algorithm>
#include <array>

namespace slipway {

namespace {

constexpr std::array words{
    "nofolder", "free", "busy", "away", "dead", "refused", "known", "closed"};

Error unreadable(const QByteArray& output)
{
    return {ErrorKind::Protocol, tr("The progress of the submission could not be read."),
        tr("Try again; a job that was accepted is found by its tag."), output.left(4096)};
}

} // namespace

QByteArray takeLockText(const QByteArray& next)
{
    // Created first and filled afterwards: only the file decides which attempt continues, and if
    // there is no space for its few bytes, none does.
    return "l=submit.lock/" + next
        + "\n(set -C; : >$l) 2>/dev/null || exit 75\n"
          "echo \"$$ $(uname -n)\" >$l || { rm -f $l; exit 77; }\n";
}

QByteArray holderText()
{
    // An attempt without a process in its file is just being created. The process group is checked
    // as well: an sbatch outlives the shell that called it.
    return "holder() {\n"
           "  n=0; while [ -e submit.lock/$((n + 1)) ]; do n=$((n + 1)); done\n"
           "  p=; h=; w=free\n"
           "  a=$(( $(date +%s) - $(stat -c %Y submit.lock 2>/dev/null || date +%s) ))\n"
           "  [ $n -gt 0 ] || return 0\n"
           "  read -r p h <submit.lock/$n || { w=busy; return 0; }\n"
           "  if [ \"$p\" = 0 ]; then w=closed\n"
           "  elif [ \"$h\" != \"$(uname -n)\" ]; then w=away\n"
           "  elif kill -0 \"$p\" 2>/dev/null || kill -0 \"-$p\" 2>/dev/null; then w=busy\n"
           "  else w=dead\n"
           "  fi\n"
           "}\n";
}

QByteArray submissionStateScript(const QString& folder)
{
    // A process that ended may have written its result just after it was checked.
    return "cd -- " + shellQuoted(folder) + " 2>/dev/null || { echo nofolder; exit 0; }\n"
        + holderText()
        + "holder\n"
          "[ $w = dead ] && { sleep 0.2 2>/dev/null || sleep 1; }\n"
          "if [ -s jobid ]; then echo known $n; cat jobid; exit 0; fi\n"
          "if [ -s salloc.rc ] || [ -s submit.lock/$n.rc ]; then w=refused; fi\n"
          "echo $w $n $a $h\n"
          "cat submit.err jobid.tmp salloc.out 2>/dev/null\n"
          "exit 0\n";
}

Result<SubmissionState> parseSubmissionState(const QByteArray& output)
{
    using Kind = SubmissionState::Kind;
    constexpr std::array kinds{Kind::NoFolder, Kind::None, Kind::UnderWay, Kind::Elsewhere,
        Kind::Dead, Kind::Refused, Kind::Known, Kind::Closed};
    const auto lineEnd = output.indexOf('\n');
    const auto parts = output.left(lineEnd).simplified().split(' ');
    const auto word = std::find_if(
        words.begin(), words.end(), [&](const char* known) { return parts.value(0) == known; });
    if (word == words.end())
        return unreadable(output);
    SubmissionState state;
    state.kind = kinds.at(std::size_t(word - words.begin()));
    state.holders = parts.value(1).toInt();
    state.age = parts.value(2).toLongLong();
    state.host = QString::fromLatin1(parts.value(3).left(256));
    state.text = lineEnd < 0 ? QByteArray() : output.mid(lineEnd + 1);
    // The output of sbatch counts once nothing is about to write it into jobid; salloc prints its
    // job ID as soon as it waits.
    const auto submitted = parseSubmitted(state.text);
    const auto allocated = parseSalloc(state.text);
    if ((state.kind == Kind::Known || state.kind == Kind::Dead) && submitted)
        state.job = *submitted;
    else if (allocated.id.isValid())
        state.job = allocated.id;
    if (state.job.isValid())
        state.kind = Kind::Known;
    else if (state.kind == Kind::Known)
        return unreadable(output);
    return state;
}

QByteArray closeSubmissionScript(const QString& folder, int holders)
{
    const QByteArray next = QByteArray::number(holders + 1);
    return "cd -- " + shellQuoted(folder)
        + " 2>/dev/null || { echo closed; exit 0; }\n"
          "mkdir submit.lock 2>/dev/null\n"
          "if (set -C; echo '0 -' >submit.lock/"
        + next
        + ") 2>/dev/null; then echo closed; else echo newer; fi\n"
          "exit 0\n";
}

QCoro::Task<Result<SubmissionState>> submissionStateOn(
    std::shared_ptr<SlurmContext> side, QString folder)
{
    const auto output = co_await runOn(side, submissionStateScript(folder), 0);
    if (!output.ok())
        co_return output.error();
    co_return parseSubmissionState(output->out);
}

QCoro::Task<Result<bool>> closeSubmissionOn(
    std::shared_ptr<SlurmContext> side, QString folder, int holders)
{
    const auto output = co_await runOn(side, closeSubmissionScript(folder, holders), 0);
    if (!output.ok())
        co_return output.error();
    const QByteArray word = output->out.trimmed();
    if (word != "closed" && word != "newer")
        co_return unreadable(output->out);
    co_return word == "closed";
}

} // namespace slipway
