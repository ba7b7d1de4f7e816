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

/// One run on the Compare page: what it measured, and the words that name it. A value.
struct ComparedRun {
    QString id;
    QString title; ///< "Matmul scaling"
    QString site; ///< "Kestrel"
    QString image; ///< name or digest, where it is known
    QDateTime when;
    bool live = false; ///< more points may come
    RaceFile file;
    std::vector<ReferenceSeries> references; ///< of its recipe: "flops", "seconds"
};

/// How the lanes are looked at. A value.
struct CompareView {
    bool withTransfers = false;
    bool seconds = false; ///< else work in a second
    bool operator==(const CompareView&) const = default;
};

/// CompareModel holds the runs of the Compare page, their lanes, which two are compared, which are
/// shown, and what came out. Page and presenter's view read the same one, so both are live. GUI
/// thread; owned by the page. It works on values alone: who has a Engine puts the runs in.
class CompareModel : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// What others published, for the notes and the chart.
    void setPublished(const RaceReferences& published);
    /// Adds the run, or replaces it where it is already here.
    void putRun(const ComparedRun& run);
    void removeRun(const QString& runId);
    void clear();
    const std::vector<ComparedRun>& runs() const { return m_runs; }
    bool holds(const QString& runId) const;
    bool isLive() const;

    /// What the runs did, without its number type ("gemm", "triad"): one at a time is on the axes.
    const QStringList& works() const { return m_works; }
    const QString& work() const { return m_work; }
    void setWork(const QString& work);

    const std::vector<CompareLane>& lanes() const { return m_lanes; }
    std::vector<AbsentLane> absent() const;
    bool isShown(const QString& key) const { return !m_hidden.contains(key); }
    void setShown(const QString& key, bool shown);

    /// The lanes that are compared, as positions in lanes(); -1: none.
    int first() const { return m_first; }
    int second() const { return m_second; }
    void choose(const QString& firstKey, const QString& secondKey);
    const std::optional<Comparison>& comparison() const { return m_comparison; }

    const CompareView& view() const { return m_view; }
    void setView(const CompareView& view);
    bool hasRate() const; ///< the work of a lane is counted, so that it can be shown per second
    bool hasTransfers() const;
    std::vector<ReferenceSeries> references() const;

signals:
    /// Runs, lanes, choice or view changed.
    void changed();

private:
    void update();
    int indexOf(const QString& key) const;

    std::vector<ComparedRun> m_runs;
    QStringList m_works;
    QString m_work;
    std::vector<CompareLane> m_lanes;
    QSet<QString> m_hidden;
    QString m_firstKey, m_secondKey; ///< empty: whatever is likely
    int m_first = -1, m_second = -1;
    std::optional<Comparison> m_comparison;
    CompareView m_view;
    RaceReferences m_published;
};

} // namespace slipway
