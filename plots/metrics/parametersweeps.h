// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linemeaning.h"
#include "plots/metrics/recogniser.h"
#include "plots/metrics/sizesweep.h"

#include <array>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slipway {

/// "1773.31": of so many digits that not even a loop in equal steps comes to that. Nobody chose it.
bool isMeasurement(double value);

/// ParameterSweeps finds the results of a program that tries out values, each another one than the
/// one before, rising or falling while the program stays where it is: "C: 0.1, accuracy: 0.93", or
/// "Threads: 4" and "nMax = 3, lMax = 0" on lines above "energy = -2.86". What is measured is drawn
/// by that value; above it, by the first that changed from one result to the next. Passive;
/// bounded.
class ParameterSweeps {
public:
    /// A line of nothing but settings.
    void note(const LineMeaning& line);
    /// The same for a number that a command gives to its program.
    void note(std::string_view name, double value);

    /// For the `samples` of a line, by whatever is known without this: those that belong to a sweep
    /// are given to the sink, and the line needs nothing else (true). Else those of the lines
    /// before that were held for it are left, and not those of this one. `text` is the line.
    bool add(std::string_view text, const LineMeaning& line, std::vector<Sample>& samples,
        MetricSink& sink);
    /// What a line below settings has.
    enum class Below {
        Measurement, ///< its name or its unit says that
        Number ///< an own name, which needs more lines
    };
    /// For a line without a parameter, below those that were noted: true as well if its samples
    /// belong to a sweep. Else all are left, those of the lines before first.
    bool addBelow(size_t form, Below below, std::vector<Sample>& samples, MetricSink& sink);
    /// The same for a row, which is given at the end if none of its kind follows.
    bool addRowBelow(size_t form, std::vector<Sample>& samples, MetricSink& sink);
    /// The same for a line that begins with a number: "0.10 <m> = 0.99".
    bool addBehind(size_t form, double first, std::vector<Sample>& samples, MetricSink& sink);
    /// Whether lines of this form are known to be a sweep.
    bool isProven(size_t form) const;
    /// The same for a line of names that nobody knows: "k= 1  ortho=1.8e-10  probe= 84.3%". The
    /// first of the samples is of the first name, and is left out where that is x.
    bool addLed(size_t form, const LinePair& first, std::vector<Sample>& samples, MetricSink& sink);
    /// The same for the row of a table.
    bool addRow(
        size_t form, const SweepSizes& parameters, std::vector<Sample>& samples, MetricSink& sink);
    /// What is held when the log ends.
    void finish(MetricSink& sink);

private:
    using Setting = SweepSizes::Size;
    using Settings = std::vector<Setting>;
    /// Lines of the same names.
    struct Form {
        SizeSweep sweep;
        QString lane; ///< of what the values are tried out: "gpt2-b"
        double placeX = 0; ///< where the program was at the first of them
        QString placeName;
        bool isProven = false;
        bool isNone = false;
        Settings above = {}; ///< the first of them
        std::vector<Sample> first = {}; ///< of it, until the second shows what changes
        bool isOfRows = false; ///< `first` counts though nothing may follow
        const QString* axis = nullptr; ///< what changed
        QString own = {}; ///< the series of x, which is not drawn by itself
        /// Those of the other parameters, drawn where they are what came of it.
        std::array<QString, SweepSizes::most> others = {};
        std::optional<size_t> results = {}; ///< which of them are drawn, a bit for each

        bool isAt(const MetricSink& sink) const
        {
            return placeX == sink.placeX() && placeName == sink.placeName();
        }
    };
    static constexpr size_t mostForms = 64, mostAxes = 64, mostSettings = 32;

    const QString* axisOf(std::string_view name);
    void note(const Setting& setting);
    const double* settingOf(const QString* name) const;
    const QString* changedSince(const Settings& above) const;
    Form* formOf(
        size_t key, const QString& lane, const MetricSink& sink, const SizeSweep::Rules& rules);
    static void giveUp(Form& form, std::vector<Sample>& samples);
    static bool take(
        Form& form, const SweepSizes& sizes, std::vector<Sample>& samples, MetricSink& sink);
    static bool takeLine(
        Form& form, const SweepSizes& sizes, std::vector<Sample>& samples, MetricSink& sink);
    static void eraseOthers(const Form& form, std::vector<Sample>& samples);
    static void addOthers(Form& form, const LineMeaning& line, std::vector<Sample>& samples);
    static void give(Form& form, std::vector<Sample>& samples, MetricSink& sink);

    std::unordered_map<size_t, Form> m_forms;
    std::deque<QString> m_axes; ///< they stay where they are
    Settings m_settings; ///< the latest of each name, in the order in which they are repeated
};

} // namespace slipway
