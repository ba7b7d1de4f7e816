// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/comparison.h"
#include "app/compare/references.h"
#include "plots/metrics/chartspec.h"

#include <QDateTime>
#include <QObject>
#include <QSet>

namespace slipway {

/// One run on the Compare page: what it measured, and the texts that identify it. A value.
struct ComparedRun {
    QString id;
    QString title; ///< "Matmul scaling"
    QString site; ///< "Kestrel"
    QString image; ///< name or digest, if known
    QDateTime when;
    bool live = false; ///< more points may come
    RaceFile file;
    std::vector<ReferenceSeries> references; ///< of its recipe: "flops", "seconds"
};

/// How the lanes are shown. A value.
struct CompareView {
    bool withTransfers = false;
    bool seconds = false; ///< false: work per second
    bool operator==(const CompareView&) const = default;
};

/// CompareModel holds the runs of the Compare page, their lanes, which two are compared, which are
/// shown, and the result. The page and the presenter's view read the same model, so both are live.
/// It works on values only; CompareFeeder puts runs of the engine in. Lives on the GUI thread,
/// owned by the page.
class CompareModel : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Published results, for the notes and the chart.
    void setPublished(const RaceReferences& published);
    /// Adds the run, or replaces it if the model already has it.
    void putRun(const ComparedRun& run);
    void removeRun(const QString& runId);
    /// The same, because the person asks for it and not for want of lanes.
    void dismissRun(const QString& runId);
    void clear();
    const std::vector<ComparedRun>& runs() const { return m_runs; }
    bool holds(const QString& runId) const;
    bool isLive() const;

    /// The kinds of work of the runs, without number type ("gemm", "triad"); the chart shows one.
    const QStringList& works() const { return m_works; }
    const QString& work() const { return m_work; }
    void setWork(const QString& work);

    const std::vector<CompareLane>& lanes() const { return m_lanes; }
    std::vector<AbsentLane> absent() const;
    bool isShown(const QString& key) const { return !m_hidden.contains(key); }
    void setShown(const QString& key, bool shown);

    /// The compared lanes, as positions in lanes(); -1: none.
    int first() const { return m_first; }
    int second() const { return m_second; }
    void choose(const QString& firstKey, const QString& secondKey);
    const std::optional<Comparison>& comparison() const { return m_comparison; }

    const CompareView& view() const { return m_view; }
    void setView(const CompareView& view);
    bool
    hasRate() const; ///< whether the work of a lane is known, so that it can be shown per second
    bool hasTransfers() const;
    std::vector<ReferenceSeries> references() const;

signals:
    /// The runs, the lanes, the choice or the view changed.
    void changed();
    void runDismissed(const QString& runId);

private:
    void update();
    int indexOf(const QString& key) const;

    std::vector<ComparedRun> m_runs;
    QStringList m_works;
    QString m_work;
    std::vector<CompareLane> m_lanes;
    QSet<QString> m_hidden;
    QString m_firstKey, m_secondKey; ///< empty: chosen automatically
    int m_first = -1, m_second = -1;
    std::optional<Comparison> m_comparison;
    CompareView m_view;
    RaceReferences m_published;
};

} // namespace slipway
