// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string_view>
#include <vector>

namespace slipway {

/// The position of a DLLogger line in a run.
struct DLLStep {
    enum Kind { Parameter, Iteration, Validation, Epoch, Run };
    Kind kind = Run;
    double epoch = 0;
    double iteration = 0;
    double validation = 0;
    double perEpoch = 0; ///< iterations of one epoch; 0: not in the line
};

/// "train.loss : 6.91 None". The views point into the line.
struct DLLPair {
    std::string_view name;
    std::string_view value;
    std::string_view unit;
};

struct DLLLine {
    DLLStep step;
    std::vector<DLLPair> pairs;
};

/// Parses the text output of DLLogger after its prefix and time: "Epoch: 0 Iteration: 100
/// train.loss : 6.91 None …", "(0, 120) total_ips : 2879.1", "PARAMETER lr : 2.048", "Summary: …",
/// and the form of the speech examples, "epoch    1 | iter   1/48 | loss 40.97 | …".
bool readDllText(std::string_view text, DLLLine& out);

} // namespace slipway
