// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/launchspec.h"
#include "app/runs/runfeed.h"

#include <QHash>

#include <memory>
#include <vector>

namespace slipway {

class Runs;

/// One field of a sweep over jobs, with its values. A value.
struct SweepField {
    QString key;
    QStringList values;
};

/// The launches of a sweep over several fields: one per combination, the values of the last field
/// changing fastest. At most `atOnce` of their jobs run at the same time; 0: no limit.
std::vector<LaunchSpec> sweepSpecs(const LaunchSpec& spec, const std::vector<SweepField>& fields,
    const QString& sweepId, int atOnce = 0);
/// The same launches as the tasks of one job array.
std::vector<LaunchSpec> arraySpecs(std::vector<LaunchSpec> specs, int atOnce);

/// The launches of a sweep over jobs: one per value of the field `key`, all with the same sweep id.
std::vector<LaunchSpec> sweepSpecs(
    const LaunchSpec& spec, const QString& key, const QStringList& values, const QString& sweepId);

/// The label of one value of a sweep in a chart: "nodes 2", "image pytorch:24.03".
QString sweepLabel(const QString& key, const QString& value);

/// SweepFeed is the common live side of the runs of one sweep: the series of all runs in one store,
/// each in a lane with its run's label; it has no lines and no events. Lives on the GUI (or main)
/// thread, owned by the caller; the runs must outlive it.
class SweepFeed : public RunFeed {
    Q_OBJECT

public:
    SweepFeed(Runs* runs, QString sweepId, QObject* parent = nullptr);

    /// The runs of the sweep, in the order of their launch.
    QStringList runIds() const { return m_runs; }

    qint64 firstLine() const override { return 1; }
    const QStringList& lines() const override { return m_noLines; }
    const SeriesStore& series() const override { return m_series; }
    const std::vector<MetricEvent>& events() const override { return m_noEvents; }
    qint64 bytes() const override;
    bool live() const override;
    bool isCaughtUp() const override;

private:
    void gather();
    void take(const QString& runId);
    void append(const QString& runId);
    void rebuild();

    Runs* m_allRuns;
    QString m_sweepId;
    QStringList m_runs;
    QHash<QString, std::shared_ptr<RunFeed>> m_feeds;
    QHash<QString, quint64> m_generations; ///< by run: of its series, when they were taken
    QHash<QString, std::vector<size_t>>
        m_taken; ///< by run: the number of points of each of its series
    SeriesStore m_series;
    const QStringList m_noLines;
    const std::vector<MetricEvent> m_noEvents;
};

} // namespace slipway
