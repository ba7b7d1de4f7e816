// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/heldlines.h"
#include "plots/metrics/metricnames.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace slipway {

/// TurnLanes finds lines that take turns: "RF: accuracy 0.91" and "SVM: accuracy 0.88", and the
/// same two with other numbers, round after round. What differs in their words is the lane; without
/// it the curve would jump from one to the other. Lines are held for two rounds, or three where it
/// may be chance, and go to HeldLines. Passive; bounded.
class TurnLanes {
public:
    using Proof = HeldLines::Proof;

    TurnLanes(const MetricNames& names, HeldLines& held)
        : m_names(names)
        , m_held(held)
    {
    }

    /// As HeldLines::takeLines(), with the text of the line.
    void take(size_t form, std::string_view text, Proof proof, std::vector<Sample>& samples,
        MetricSink& sink);
    /// A line that goes out at once, whatever was held: it begins with this measurement.
    void pass(const Sample& first, MetricSink& sink);
    /// The log has ended.
    void finish(MetricSink& sink);

private:
    struct Line {
        std::string words;
        size_t form; ///< in m_held
        Proof proof;
        std::vector<Sample> samples;
    };
    struct Turn {
        std::string words;
        QString lane;
    };
    /// Lines that measure the same first.
    struct Form {
        bool isNone = false;
        std::vector<Line> held;
        size_t inRound = 0; ///< lines; 0: the first of them has not come again
        std::string before, behind; ///< what differs, in all lines
        std::vector<Turn> turns;
    };
    static constexpr size_t mostForms = 64, mostTurns = 16;

    bool mayTakeTurns(Form& form) const;
    static bool isProven(const Form& form);
    bool nameTurns(Form& form) const;
    QString laneOf(const Form& form, std::string_view words) const;
    void give(Form& form, Line& line, MetricSink& sink);
    void giveHeld(Form& form, MetricSink& sink);

    const MetricNames& m_names;
    HeldLines& m_held;
    std::unordered_map<size_t, Form> m_forms;
    size_t m_waiting = 0; ///< lines that are held
};

} // namespace slipway
