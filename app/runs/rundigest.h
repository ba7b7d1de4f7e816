// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/chartspec.h"
#include "plots/metrics/risenx.h"
#include "plots/metrics/sample.h"
#include "plots/records/recordedtwice.h"

#include <QHash>
#include <QJsonObject>
#include <QSet>
#include <QString>

#include <utility>
#include <vector>

namespace slipway {

/// The last value of one curve. A value.
struct MetricValue {
    QString series; ///< "train_loss"
    QString lane; ///< "cuda"; empty: there are none
    QString unit;
    double value = 0; ///< may be infinite, or not a number
};

/// RunDigest is what the list of runs shows of a run's curves; it is stored with the run, so that
/// no log is read for it. A value.
struct RunDigest {
    static constexpr size_t mostPoints = 32;

    std::vector<MetricValue> last; ///< of each curve; the main curve first
    std::vector<double> points; ///< of the main curve, or of its latest run, to its last value
};

/// DigestBuilder makes the digest of samples as they arrive. Its memory is bounded: of each curve
/// it keeps a few dozen values. Passive: no thread, clock or disk.
class DigestBuilder {
public:
    void add(const std::vector<Sample>& samples);
    /// The log begins again: what was measured before belongs to an earlier attempt.
    void clear();
    /// Drops the curves of files beside the log.
    void clearRecorded();
    /// The curves of the log.
    std::vector<CurveId> printed() const;
    /// The main curve is the first that the recipe's charts show; among those of one chart, a loss.
    RunDigest digest(const std::vector<ChartSpec>& charts) const;

private:
    struct Curve {
        MetricValue last;
        std::vector<double> points; ///< every `stride`-th value
        size_t stride = 1;
        size_t count = 0;
        SampleSource source = SampleSource::Output;
        bool byEpoch = false; ///< as in CurveId
        RisenX x; ///< of the latest run
        bool rises = true; ///< x, so far

        void goOnTo(double to);
    };

    Curve& curveOf(const Sample& sample);
    template <typename Drops> void drop(Drops drops);
    const Curve* mainCurve(const std::vector<ChartSpec>& charts) const;
    const Curve* mainCurveOf(const ChartSpec& chart) const;

    std::vector<Curve> m_curves;
    QHash<std::pair<QString, QString>, size_t> m_index;
    QSet<QString> m_read; ///< series that were read from the output for people
};

/// "train loss 0.412", "flops, cuda 4.88 TFLOP/s".
QString metricText(const MetricValue& metric);

QJsonObject digestToJson(const RunDigest& digest);
RunDigest digestFromJson(const QJsonObject& json);

} // namespace slipway
