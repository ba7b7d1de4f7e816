// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>

namespace slipway {

/// How long this computer was asleep since it was started: the difference of CLOCK_BOOTTIME and
/// CLOCK_MONOTONIC, clock_gettime(2).
std::chrono::milliseconds timeAsleep();

} // namespace slipway
