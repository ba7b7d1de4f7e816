// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/arrayscript.h"

#include "remote/base/tr.h"
#include "remote/slurm/arraytasks.h"

#include <algorithm>

namespace slipway {

namespace {

/// What the tasks of an array have in common.
JobSpec sharedRequest(const Plan& plan)
{
    JobSpec job = plan.job;
    job.comment.clear();
    job.output.clear();
    return job;
}

/// The first option in which two requests differ, as "--cpus-per-task=2"; empty: in none.
QString differingOption(const Plan& one, const Plan& other)
{
    const auto mine = jobOptions(sharedRequest(one), one.site.gpuRequest);
    const auto its = jobOptions(sharedRequest(other), other.site.gpuRequest);
    if (!mine.ok() || !its.ok())
        return mine.ok() == its.ok() ? QString() : QStringLiteral("…");
    for (const QString& option : *its)
        if (!mine->contains(option))
            return option;
    for (const QString& option : *mine)
        if (!its->contains(option))
            return option;
    return {};
}

QString commentText(QString text)
{
    for (QChar& c : text) {
        if (!c.isPrint())
            c = u' ';
    }
    return text.simplified().left(200);
}

} // namespace

QString taskFolder(int task)
{
    return QStringLiteral("points/") + QString::number(task);
}

QString arrayObstacle(const std::vector<Plan>& plans, const std::optional<ClusterInfo>& cluster)
{
    if (plans.size() < 2)
        return tr("There is only one run.");
    if (!cluster || cluster->arraySize == 0)
        return tr("Whether the cluster takes job arrays is known once it is connected.");
    if (cluster->arraySize == 1)
        return tr("This cluster takes no job arrays (MaxArraySize=1).");
    if (plans.size() > std::size_t(cluster->arraySize))
        return tr("An array of this cluster has at most %1 tasks (MaxArraySize).")
            .arg(cluster->arraySize);
    for (const Plan& plan : plans) {
        if (plan.spec.mode != LaunchMode::Batch)
            return tr("An interactive run is no task of an array.");
        if (!plan.spec.editedScript.isEmpty())
            return tr("The script was edited by hand, and its requests are not known.");
        if (plan.spec.siteId != plans.front().spec.siteId)
            return tr("The runs are on different sites.");
        if (const QString option = differingOption(plans.front(), plan); !option.isEmpty())
            return tr("All tasks of an array request the same of Slurm, but %1 is not the same for "
                      "all runs.")
                .arg(option.section(u'=', 0, 0));
    }
    return {};
}

QByteArray renderArrayScript(const std::vector<Plan>& plans, int atOnce)
{
    const Plan& first = plans.front();
    const bool tagged = first.tag != u"{tag}";
    JobSpec job = first.job;
    job.comment = jobComment(tagged ? arrayTagOf(first.tag) : QStringLiteral("no-tag-yet"));
    job.output = QStringLiteral("points/%a/slurm-%A_%a.out");
    job.array = QStringLiteral("0-%1").arg(plans.size() - 1);
    if (atOnce > 0 && std::size_t(atOnce) < plans.size())
        job.array += u'%' + QString::number(atOnce);
    QString text = QStringLiteral("#!/bin/bash\n");
    const Result<QStringList> options = jobOptions(job, first.site.gpuRequest);
    if (!options.ok())
        text += QStringLiteral("# Not ready: ") + commentText(options.error().summary) + u'\n';
    for (QString option : options.ok() ? *options : QStringList()) {
        if (!tagged)
            option.replace(QStringLiteral("no-tag-yet"), QStringLiteral("{tag}"));
        text += u"#SBATCH " + option + u'\n';
    }
    text += u"\n# " + commentText(first.recipe.title) + u" on " + commentText(first.site.name)
        + QStringLiteral(": %1 runs as one job array. Each task is a run with a folder and a\n"
                         "# job.sh of its own:\n")
              .arg(plans.size());
    for (std::size_t task = 0; task < plans.size(); ++task)
        text += QStringLiteral("#   %1  %2\n")
                    .arg(taskFolder(int(task)), commentText(plans[task].spec.sweepLabel));
    text += u"cd \"points/$SLURM_ARRAY_TASK_ID\" || exit\nexec ./job.sh\n";
    return text.toUtf8();
}

} // namespace slipway
