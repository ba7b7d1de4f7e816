// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "app/runs/localrun.h"
#include "remote/base/result.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// One script of an interactive run, as it was uploaded.
struct InteractiveStep {
    QString file;
    QString id;
    QString title;
    bool mayFail = false; ///< a check only reports, and a lane leaves the others running
    QByteArray sha256; ///< of its file
    bool leavesGpus = false; ///< to the job steps that it starts itself
};

/// The request and the steps of an interactive run. A value; stored with the run, so that any later
/// connection can continue it.
struct InteractiveSteps {
    std::vector<InteractiveStep> steps;
    std::optional<InteractiveStep> keeper; ///< runs in parallel until the nodes are released
    QStringList allocationOptions;
    bool allocateByBatchJob = false; ///< where interactive jobs use idev

    QStringList ids() const;
};

Result<void> keepSteps(LocalRun& local, const Plan& plan, const std::vector<LaunchFile>& files);
InteractiveSteps readSteps(const LocalRun& local);

} // namespace slipway
