// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explain.h"
#include "app/plan/plan.h"
#include "app/runs/run.h"

namespace slipway {

// From an explanation to the next launch. Pure.

/// What is known of a run besides its log; `gpus` as in the plan.
ExplainContext explainContext(const Run& run, const Plan& plan);

/// A remedy for the form: the field, its label, and its new value. Without a value the user must
/// choose one.
struct RelaunchOffer {
    QString field;
    QString label;
    std::optional<QString> value;
};

/// None when the form has no such field, or when its value would not change.
std::optional<RelaunchOffer> relaunchOffer(const FieldChange& change, const Plan& plan);

/// All offers of an explanation, the best one first.
std::vector<RelaunchOffer> relaunchOffers(const Explanation& explanation, const Plan& plan);

/// The script of a plan: job.sh, or for an interactive launch all steps in order. `tag` is the
/// run's, so that two scripts of one run differ only in what was changed.
QByteArray scriptOf(Plan plan, const QString& tag);

} // namespace slipway
