// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runbegin.h"

#include "app/node/probedelivery.h"
#include "app/plan/checksteps.h"
#include "app/plan/stepimages.h"
#include "app/runs/interactivesteps.h"
#include "app/runs/runcode.h"
#include "app/runs/runlogin.h"
#include "app/runs/runsecrets.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"

namespace slipway {

QString runFolderPath(const QString& scratch, const Run& run)
{
    return scratch + u"/slipway/" + run.created.toString(QStringLiteral("yyyyMMdd-HHmm")) + u'-'
        + run.spec.recipeId + u'-' + run.id;
}

QCoro::Task<Result<void>> prepareRun(RunFlow flow, Plan plan, QString scratch)
{
    const auto record = flow.record;
    if (scratch.isEmpty()) {
        co_return Error{ErrorKind::NotFound,
            tr("The scratch folder of %1 is not known.").arg(plan.site.name),
            tr("Set a scratch folder in the site file that exists on the cluster.")};
    }
    if (record->run.arrayTask < 0) // otherwise the array has one
        record->run.folder = runFolderPath(scratch, record->run);
    record->planned = plannedStages(plan);
    record->run.stages = record->planned;
    record->setPhase(RunPhase::Preparing, tr("Uploading to %1.").arg(record->run.folder));

    const auto files = launchFiles(plan);
    if (!files.ok())
        co_return files.error();
    if (const auto kept = record->local.keepFiles(*files); !kept.ok())
        co_return kept;
    if (record->isInteractive()) {
        if (const auto kept = keepSteps(record->local, plan, *files); !kept.ok())
            co_return kept;
    }

    const auto secrets = co_await readSecrets(flow, plan);
    if (flow.over())
        co_return connectionGone();
    if (!secrets.ok())
        co_return secrets.error();

    const RunFolder there(flow.cluster->shell(), record->run.folder);
    const auto made = co_await there.make(scratch);
    if (!made.ok())
        co_return made;
    if (flow.over())
        co_return connectionGone();
    std::vector<RunFolder::Upload> uploads;
    for (const LaunchFile& file : *files)
        uploads.push_back({file.name, file.bytes, file.mode});
    if (!record->run.spec.project.isEmpty()) {
        const auto code = co_await sendCode(flow, scratch);
        if (!code.ok())
            co_return code.error();
        for (const LaunchFile& file : *code)
            uploads.push_back({file.name, file.bytes, file.mode});
    }
    // Without the probe the launch continues; a warning says that its checks are missing.
    const auto probe = co_await deliverProbe(flow.cluster->shell(), scratch);
    if (flow.over())
        co_return connectionGone();
    if (probe.ok())
        uploads.push_back({QStringLiteral("probe.sha256"), probe->sumFile()});
    else if (nodeCheck(plan) != NodeCheck::None)
        uploads.push_back({QStringLiteral("probe.ndjson"), missingProbeRow(probe.error())});
    const QByteArray sizes =
        flow.imageBytes ? imageBytesFile(plan, *flow.imageBytes) : QByteArray();
    if (!sizes.isEmpty())
        uploads.push_back({QStringLiteral("image.bytes"), sizes});
    // Last, so that an upload that fails halfway leaves none of them; nothing keeps a copy.
    const auto login = co_await registryLoginFile(flow.secrets, plan);
    if (flow.over())
        co_return connectionGone();
    if (!login.ok())
        co_return login.error();
    if (*login)
        uploads.push_back({(*login)->name, (*login)->bytes, (*login)->mode});
    if (*secrets)
        uploads.push_back({(*secrets)->name, (*secrets)->bytes, (*secrets)->mode});
    const auto written = co_await there.write(uploads);
    co_return written;
}

} // namespace slipway
