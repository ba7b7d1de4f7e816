// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/resourceloader.h"
#include "app/compare/references.h"
#include "app/documents/document.h"
#include "app/explain/hints.h"
#include "app/plan/filledspec.h"
#include "app/plan/plan.h"

namespace slipway {

/// What a row is checked against. A view: everything it refers to outlives the check.
struct CheckGround {
    const Resources& resources;
    std::shared_ptr<const HintBook> hints;
    const RaceReferences& references;
};

/// Checks a row: each problem is a sentence that names what is missing. Renders scripts, runs lint
/// and the recognisers. Reads the files of recipes and sites.
QStringList rowProblems(const DocumentRow& row, const CheckGround& ground);

} // namespace slipway
