// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// Work that is longer than one job: a checkpoint folder that is kept, and a signal before the time
// limit. Pure.

/// The field “signal”: which signal the program gets, and how long before the time limit.
struct EndSignal {
    QString name; ///< without SIG: "USR1"
    std::chrono::seconds before{0};
};

/// "USR1@120", "SIGUSR1@120"; none: it is no such text.
std::optional<EndSignal> parseEndSignal(const QString& text);

/// The field “checkpoints” as a plain path in the person's folder: "out/checkpoints"; empty: there
/// is none, or it cannot be used.
QString checkpointName(const QString& text);

/// Whether the plan has a checkpoint folder.
bool keepsCheckpoints(const Plan& plan);

/// Whether the id of a chain of runs can be part of a path.
bool isChainId(const QString& id);

/// The folder on the cluster, as a path that its shell expands:
/// "$SCRATCH/slipway/checkpoints/k3f9".
QString checkpointFolder(const Plan& plan);

/// The lines of the script that make the folder and link it into the code, and that let the script
/// outlive the signal; empty: it has neither.
QString longWorkLines(const Plan& plan);

/// A script that was edited before its launch, with the plan's checkpoint folder.
QByteArray withChain(const Plan& plan, QByteArray script);

/// The value of --signal. Slurm sends it to the steps that srun starts; where the program is no
/// such step, it goes to the script ("B:"), which passes it on.
QString jobSignal(const Plan& plan, bool toSteps);

/// The signal that the script itself gets and passes on: "USR1"; empty: none.
QString scriptSignal(const Plan& plan);

} // namespace slipway
