// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linemeaning.h"
#include "plots/metrics/recogniser.h"
#include "plots/metrics/sizesweep.h"

#include <deque>
#include <unordered_map>
#include <vector>

namespace slipway {

/// ParameterSweeps finds the lines of a program that tries out values: "C: 0.1, accuracy: 0.93",
/// each with another value than the one before, which rises or falls while the program stays where
/// it is. What they measure is drawn by that value. Passive; bounded.
class ParameterSweeps {
public:
    /// `text` is the line, `samples` are those of it, by whatever is known without this. Those that
    /// belong to a sweep are given to the sink. Else those of the lines before that were held for
    /// it are left, and not those of this one. True: the line needs nothing else.
    bool add(std::string_view text, const LineMeaning& line, std::vector<Sample>& samples,
        MetricSink& sink);
    /// What is held when the log ends.
    void finish(MetricSink& sink);

private:
    /// Lines of the same names.
    struct Form {
        SizeSweep sweep;
        QString lane; ///< of what the values are tried out: "gpt2-b"
        double placeX = 0; ///< where the program was at the first of them
        QString placeName;
        bool isProven = false;
        bool isNone = false;
    };
    static constexpr size_t mostForms = 64, mostNames = 64;

    const QString* axisName(const LinePair& parameter);
    static void give(const Form& form, std::vector<Sample>& samples, MetricSink& sink);
    SizeSweep::Found place(
        Form& form, const SweepSizes& sizes, std::vector<Sample>& samples, const MetricSink& sink);

    std::unordered_map<size_t, Form> m_forms;
    std::deque<QString> m_names; ///< of the axes; they stay where they are
};

} // namespace slipway
