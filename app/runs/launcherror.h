// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

/// Why a plan with errors is not launched: the first of them, with its remedy. Pure.
Error lintError(const Plan& plan);

} // namespace slipway
