// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/problem.h"

#include <optional>
#include <string>
#include <vector>

namespace slipway::probe {

/// What a BLAS library that lies on this node reached, beside our own products. A value.
struct BlasTimes {
    std::string library; ///< "OpenBLAS 0.3.21, SkylakeX"
    std::vector<double> seconds;
    Proof proof;
};

/// Tries the libraries one by one, each in a child of its own as it may crash, and gives the
/// fastest that computes correctly. `trouble` says what went wrong with others.
std::optional<BlasTimes> fastestBlas(Work work, long size, int threads, int repeats,
    double deadlineSeconds, std::string* trouble = nullptr);

} // namespace slipway::probe
