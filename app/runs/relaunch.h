// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explain.h"
#include "app/plan/plan.h"
#include "app/runs/run.h"

namespace slipway {

// From an explanation to the next launch. Pure.

/// What is known of a run besides its log; `gpus` as the plan had it.
ExplainContext explainContext(const Run& run, const Plan& plan);

/// A remedy for the form: which field, what it is called there, and its new value. Without a value
/// only the person can choose one.
struct RelaunchOffer {
    QString field;
    QString label;
    std::optional<QString> value;
};

/// None when the form has no such field, or when its value would stay what it is.
std::optional<RelaunchOffer> relaunchOffer(const FieldChange& change, const Plan& plan);

/// The script that a plan stands for: job.sh, or of an interactive launch all steps, one behind the
/// other. `tag` is the run's, so that two scripts of one run differ only in what was changed.
QByteArray scriptOf(Plan plan, const QString& tag);

} // namespace slipway
