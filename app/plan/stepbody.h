// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// One step of a recipe as shell text. Pure.

/// The configuration that enroot start reads (--conf); every script writes it.
inline constexpr char enrootSettings[] = "enroot.conf";

/// One repetition of a step: for a lane, for a value of the sweep, or neither.
struct StepTurn {
    const Lane* lane = nullptr;
    QString each; ///< the value of the sweep; empty: none
};

/// The complete command of one turn. `gpu`: the job has one.
QByteArray stepBody(const Plan& plan, const RecipeStep& step, const StepTurn& turn, bool gpu);

/// The words that start a command in the container of a step: "apptainer exec --nv "$image"". One
/// process in the batch script itself, except for pyxis, whose images are options of srun. Empty:
/// it has no container.
QStringList startWords(const Plan& plan, const RecipeStep& step, bool gpu);

/// The words that open a shell in the container of a step, in the run's folder: "apptainer shell
/// --nv IMAGE"; for pyxis what follows "srun ". Empty: it has none.
QString containerShellText(const Plan& plan, const RecipeStep& step, bool gpu);

/// Whether the tasks of the program are job steps: srun starts them.
bool startsSteps(const Plan& plan);

/// The MPI plugin with which srun starts a step's tasks: its own or the site's.
QString stepMpi(const Plan& plan, const RecipeStep& step);

/// Whether some step writes to an overlay: the script then has $overlays, a folder of the node.
bool usesOverlay(const Plan& plan);

/// A title with {each} filled.
QString stepTitle(const RecipeStep& step, const StepTurn& turn);

} // namespace slipway
