// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/problem.h"

#include <optional>
#include <string>
#include <vector>

namespace slipway::probe {

/// The result of a BLAS library on this node, in addition to our own products. A value.
struct BlasTimes {
    std::string library; ///< "OpenBLAS 0.3.21, SkylakeX"
    std::vector<double> seconds;
    Proof proof;
};

/// Tries the libraries one by one, each in its own child because it may crash, and returns the
/// fastest that computes correctly. `trouble` contains the errors of the others.
std::optional<BlasTimes> fastestBlas(Work work, long size, int threads, int repeats,
    double deadlineSeconds, std::string* trouble = nullptr);

} // namespace slipway::probe
