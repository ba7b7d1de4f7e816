// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/plan.h"

#include <algorithm>

namespace slipway {

bool Plan::hasErrors() const
{
    return std::any_of(problems.begin(), problems.end(),
        [](const Problem& problem) { return problem.severity == Problem::Severity::Error; });
}

} // namespace slipway
