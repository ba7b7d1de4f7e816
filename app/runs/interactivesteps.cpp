// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/interactivesteps.h"

#include "app/plan/checksteps.h"
#include "app/runs/shelllines.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>

namespace slipway {

QStringList InteractiveSteps::ids() const
{
    QStringList ids;
    for (const InteractiveStep& step : steps)
        ids << step.id;
    return ids;
}

Result<void> keepSteps(LocalRun& local, const Plan& plan, const std::vector<LaunchFile>& files)
{
    QHash<QString, QString> sums;
    for (const LaunchFile& file : files)
        sums.insert(file.name, QString::fromLatin1(sumOf(file.bytes)));
    const auto options = allocationOptions(plan.job, plan.site.gpuRequest);
    if (!options.ok())
        return options.error();
    const auto scripts = renderStepScripts(plan);
    QJsonArray steps;
    for (size_t i = 0; i < scripts.size() && i < plan.steps.size(); ++i) {
        const PlanStep& step = plan.steps[i];
        const bool onlyReports = step.stage == checkStepId && nodeCheck(plan) != NodeCheck::Stop;
        const bool mayFail =
            onlyReports || step.goesOn || step.expect != RecipeStep::Expect::Success;
        steps.append(QJsonObject{{QStringLiteral("file"), scripts[i].name},
            {QStringLiteral("sha256"), sums.value(scripts[i].name)},
            {QStringLiteral("id"), step.id}, {QStringLiteral("title"), step.title},
            {QStringLiteral("mayFail"), mayFail},
            {QStringLiteral("leavesGpus"), leavesGpus(plan, step)}});
    }
    const bool byBatchJob = plan.site.interactive == InteractiveStyle::Idev;
    QJsonObject kept{{QStringLiteral("options"), QJsonArray::fromStringList(*options)},
        {QStringLiteral("byBatchJob"), byBatchJob}, {QStringLiteral("steps"), steps},
        {QStringLiteral("shell"), shellToJson(plan)}};
    if (const auto keeper = renderOverlayKeeper(plan)) {
        kept.insert(QStringLiteral("keeper"),
            QJsonObject{{QStringLiteral("file"), keeper->name},
                {QStringLiteral("sha256"), sums.value(keeper->name)},
                {QStringLiteral("id"), QStringLiteral("overlays")},
                {QStringLiteral("leavesGpus"), holdsGpus(plan)}});
    }
    local.keepSteps(kept);
    return {};
}

InteractiveSteps readSteps(const LocalRun& local)
{
    const auto read = [](const QJsonObject& step) {
        return InteractiveStep{step.value(u"file").toString(), step.value(u"id").toString(),
            step.value(u"title").toString(), step.value(u"mayFail").toBool(),
            step.value(u"sha256").toString().toLatin1(), step.value(u"leavesGpus").toBool()};
    };
    const QJsonObject json = local.steps();
    InteractiveSteps kept;
    kept.allocateByBatchJob = json.value(u"byBatchJob").toBool();
    for (const auto& option : json.value(u"options").toArray())
        kept.allocationOptions.append(option.toString());
    for (const auto& entry : json.value(u"steps").toArray())
        kept.steps.push_back(read(entry.toObject()));
    if (const QJsonObject keeper = json.value(u"keeper").toObject(); !keeper.isEmpty())
        kept.keeper = read(keeper);
    return kept;
}

} // namespace slipway
