// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/allocationdialog.h"

#include "ui/parts/words.h"

namespace slipway {

using namespace Qt::StringLiterals;

AllocationDialog::AllocationDialog(const Plan& plan, QWidget* parent)
    : Confirm(tr("Run in an allocation?"), sentence(plan), tr("Run"), ButtonKind::Primary, parent)
{
}

QString AllocationDialog::sentence(const Plan& plan)
{
    QString demand = counted(plan.job.nodes, tr("1 node"), tr("%1 nodes"));
    if (plan.job.gpus > 0) {
        demand += u", "_s % counted(plan.job.gpus, tr("1 GPU a node"), tr("%1 GPUs a node"));
    }
    return tr("Asks %1 for %2 for %3 and runs the steps there one by one, each as soon as the one "
              "before it has ended. The nodes stay yours after the last step until you release "
              "them or the time is over, and time is charged for as long as they are kept.")
        .arg(plan.site.name, demand, plan.job.timeLimit.slurmText());
}

} // namespace slipway

#include "moc_allocationdialog.cpp"
