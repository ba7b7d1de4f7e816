// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// The secrets that a launch names in its field "secrets": "HF_TOKEN, WANDB_API_KEY". A plan knows
// names only; the values are read when the files are sent (app/runs/runsecrets.h). Pure.

/// In the order in which they were named, each once; names that are not allowed are left out.
QStringList secretNames(const Plan& plan);

/// The line of the script that sets them; empty: there are none.
QString secretsLine(const Plan& plan);

} // namespace slipway
