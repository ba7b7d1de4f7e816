// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/sample.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slipway {

/// What something was measured with, as a line says: 4 "threads", 1024 "batch size".
struct SweepSizes {
    struct Size {
        const QString* name = nullptr; ///< of the axis; one of MetricNames
        double value = 0;
    };
    static constexpr size_t most = 4;

    /// Adds a size, or changes the one of this name; false: there are too many.
    bool set(const QString* name, double value);
    void set(const SweepSizes& others);
    bool has(const QString* name) const;
    bool hasNamesOf(const SweepSizes& other) const;

    std::array<Size, most> all;
    size_t count = 0;
};

/// SizeSweep finds out by which of its sizes a program measures: "N=1000 threads=1", "N=1000
/// threads=2", … "N=2000 threads=1": that which changes from the first line to the second is x, as
/// in the inner loop of the program; the others tell the curves apart. Of sizes that change
/// together, the first is x that is not just a size. Passive; one for lines of the same form.
class SizeSweep {
public:
    struct Rules {
        size_t lines = 2; ///< that are needed
        size_t unsure = 0; ///< lines that are needed where the sizes are no progression
        size_t ofOneSize = 1; ///< lines that may come before the size changes for the first time
        /// Within a curve, x goes on as it began or begins again, and what is measured varies.
        bool isStrict = false;
        bool mayStandStill = false; ///< of many sizes, those that are always the same name no curve
        bool counts = false; ///< x of the lines that prove the sweep is a progression
    };
    enum class Found {
        Held, ///< the samples were moved away until it is known
        Placed, ///< the samples have their x, those that were held first
        None ///< this is no sweep, nor will it be one; the samples that were held come first
    };

    explicit SizeSweep(Rules rules)
        : m_rules(rules)
    {
    }

    /// `samples` are those of one line. None as well for a line that has other sizes than the
    /// first.
    Found add(const SweepSizes& sizes, std::vector<Sample>& samples);

    /// Lines that are held, and their samples, which are forgotten.
    size_t heldLines() const { return m_held.size(); }
    std::vector<Sample> takeHeld();
    /// Whether the size tells curves apart, or changes with x and is what came of it.
    bool isApart(size_t size) const { return m_isApart[size]; }
    bool isX(size_t size) const { return m_x == size; }
    /// At the end: the samples that are held, with their x if there are lines enough; else without.
    bool finish(std::vector<Sample>& samples);

private:
    struct Line {
        SweepSizes sizes;
        std::vector<Sample> samples;
    };

    static constexpr size_t mostHeld = 64; ///< lines

    bool decide(const SweepSizes& sizes);
    bool isEnough(size_t lines) const;
    bool isProgression() const;
    bool goesOn(const SweepSizes& sizes);
    void findResults(const SweepSizes& sizes);
    void place(const SweepSizes& sizes, std::vector<Sample>& samples) const;
    void placeHeld(std::vector<Sample>& samples);
    void giveUp(std::vector<Sample>& samples);

    Rules m_rules;
    std::vector<Line> m_held;
    SweepSizes m_last;
    size_t m_x = SweepSizes::most; ///< which size it is; `most`: not decided
    std::array<bool, SweepSizes::most> m_isApart{}; ///< sizes that tell curves apart
    std::array<bool, SweepSizes::most> m_isAround{}; ///< sizes that changed where x began again
    std::array<bool, SweepSizes::most> m_isVaried{}; ///< sizes that have had two values
    double m_first = 0; ///< x of the first line
    bool m_rises = true;
    bool m_isProven = false;
    bool m_isNone = false;
};

} // namespace slipway
