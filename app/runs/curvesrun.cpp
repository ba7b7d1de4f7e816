// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/curvesrun.h"

#include "app/runs/runs.h"
#include "app/runs/runwords.h"

namespace slipway {

CurvesRun curvesRunOf(const Runs& runs, const Run& run, const QDateTime& now)
{
    const LaunchFacts facts = runs.launchFacts(run.id);
    CurvesRun known;
    known.id = run.id;
    known.recipe = known.title = known.label = run.title;
    if (!run.labels.name.isEmpty())
        known.title = known.label = run.labels.name;
    known.site = facts.siteName.value_or(run.spec.siteId);
    known.fields = run.spec.values;
    for (auto it = facts.values.begin(); it != facts.values.end(); ++it)
        known.fields.insert(it.key(), it.value());
    for (const Parameter& field : runs.plan(run.spec).fields)
        known.fieldLabels.insert(field.key, field.label);
    known.live = !isTerminal(run.phase);
    const QDateTime end = run.ended.isValid() ? run.ended
        : known.live                          ? clusterTime(run, now)
                                              : QDateTime();
    if (run.started.isValid() && end.isValid())
        known.seconds = std::max(0.0, double(run.started.msecsTo(end)) / 1000);
    known.node = run.nodeList;
    known.image = facts.image.value_or(QString());
    known.imageDigest = run.imageDigest;
    return known;
}

} // namespace slipway
