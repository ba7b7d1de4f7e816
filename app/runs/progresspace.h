// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <chrono>
#include <optional>

namespace slipway {

struct MetricProgress;

/// The progress that a program reports, and how long the rest takes. A value.
struct RunProgress {
    QString name; ///< "step", "epoch"
    double done = 0;
    double total = 0;
    std::optional<std::chrono::seconds> left = {}; ///< none: not known

    bool operator==(const RunProgress&) const = default;
};

/// ProgressPace measures how fast a program proceeds, from its own progress and the time at which
/// each was read: over the last one to two minutes, so that a slow start does not count for long.
/// It knows nothing of the rest while the program repeats its steps (a progress bar for each
/// epoch), and once it has reported nothing for longer than it was measured. A value; the owner has
/// the clock.
class ProgressPace {
public:
    void note(const MetricProgress& progress, qint64 now); ///< milliseconds of any clock
    std::optional<RunProgress> at(qint64 now) const;

private:
    struct Mark {
        double done = 0;
        qint64 when = 0;
    };
    std::optional<std::chrono::seconds> left(qint64 now) const;

    QString m_name;
    double m_total = 0;
    bool m_repeats = false;
    Mark m_from, m_middle, m_last; ///< m_last: the latest; m_from to it is measured
};

/// "about 30 s", "about 4 min", "about 2 h 10 min": for a time that is estimated.
QString roughTime(std::chrono::seconds duration);

} // namespace slipway
