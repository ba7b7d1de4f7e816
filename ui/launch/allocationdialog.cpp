// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/allocationdialog.h"

#include "remote/base/counted.h"

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QString keptSentence(qsizetype kept)
{
    return kept == 0 ? QString()
                     : u"\n\n"_s
            + counted(kept,
                AllocationDialog::tr("You keep an allocation there already. This is another one, "
                                     "and both are charged."),
                AllocationDialog::tr("You keep %1 allocations there already. This is another one, "
                                     "and all are charged."));
}

} // namespace

AllocationDialog::AllocationDialog(const Plan& plan, qsizetype kept, QWidget* parent)
    : Confirm(tr("Run in an allocation?"), sentence(plan) + keptSentence(kept), tr("Run"),
        ButtonKind::Primary, parent)
{
}

QString AllocationDialog::sentence(const Plan& plan)
{
    QString demand = counted(plan.job.nodes, tr("1 node"), tr("%1 nodes"));
    if (plan.job.gpus > 0) {
        demand += u", "_s % counted(plan.job.gpus, tr("1 GPU per node"), tr("%1 GPUs per node"));
    }
    return tr(
        "Requests an allocation on %1: %2 for %3. The steps run in it one after another. After "
        "the last step you keep the nodes until you release them or the time limit is "
        "reached, and the time is charged for as long as you keep them.")
        .arg(plan.site.name, demand, plan.job.timeLimit.slurmText());
}

} // namespace slipway

#include "moc_allocationdialog.cpp"
