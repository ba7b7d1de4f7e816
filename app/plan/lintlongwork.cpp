// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/lint.h"
#include "app/plan/longwork.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

void lintCheckpoints(const Plan& plan, std::vector<Problem>* problems)
{
    const QString key = QStringLiteral("checkpoints");
    const QString text = plan.values.value(key).trimmed();
    if (!text.isEmpty() && checkpointName(text).isEmpty())
        problems->push_back(errorIn(key,
            tr("“%1” is not a folder in your folder: expected a path such as checkpoints or "
               "out/checkpoints, without “..” and not in results/.")
                .arg(text.left(80)),
            tr("Use checkpoints"), QStringLiteral("checkpoints")));
    if (!plan.spec.chain.isEmpty() && !isChainId(plan.spec.chain))
        problems->push_back(
            errorIn({}, tr("The run that this one continues has an id that cannot be used."),
                tr("Launch the program again, without continuing a run")));
    if (!plan.spec.continues.isEmpty() && text.isEmpty())
        problems->push_back(errorIn(key,
            tr("Without a checkpoint folder there is nothing with which to continue run %1.")
                .arg(plan.spec.continues.left(20)),
            tr("Name the folder into which the program writes its checkpoints")));
}

/// Slurm may send the signal up to a minute earlier (sbatch(1), --signal).
void lintSignal(const Plan& plan, std::vector<Problem>* problems)
{
    const QString key = QStringLiteral("signal");
    const QString text = plan.values.value(key).trimmed();
    if (text.isEmpty())
        return;
    const std::optional<EndSignal> wanted = parseEndSignal(text);
    if (!wanted) {
        problems->push_back(errorIn(key,
            tr("“%1” is not a signal with its time: expected USR1, USR2 or HUP, “@” and the "
               "seconds before the time limit, at most 65535.")
                .arg(text.left(80)),
            tr("Use USR1@120"), QStringLiteral("USR1@120")));
        return;
    }
    const WallTime limit = plan.job.timeLimit;
    const bool isLimited = !limit.isUnlimited() && limit.seconds().count() > 0;
    if (isLimited && wanted->before >= limit.seconds())
        problems->push_back(errorIn(key,
            tr("The signal would be sent %1 seconds before the time limit, but the job has only "
               "%2.")
                .arg(wanted->before.count())
                .arg(limit.slurmText())));
    if (plan.spec.mode == LaunchMode::Interactive)
        problems->push_back(warningIn(key,
            tr("The steps of an interactive run get no signal before the time limit."),
            tr("Launch it as a batch job")));
    else if (plan.site.launcher == LauncherKind::Ibrun && !scriptSignal(plan).isEmpty()
        && plan.job.nodes * plan.job.tasksPerNode > 1)
        problems->push_back(warningIn(key,
            tr("It is unknown whether ibrun passes a signal on to the tasks of the program.")));
}

} // namespace

void lintLongWork(const Plan& plan, std::vector<Problem>* problems)
{
    lintCheckpoints(plan, problems);
    lintSignal(plan, problems);
}

} // namespace slipway
