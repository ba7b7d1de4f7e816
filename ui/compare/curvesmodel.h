// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/curveschart.h"
#include "app/compare/sweepcurves.h"
#include "plots/figure/theme.h"

#include <QObject>
#include <QTimer>

namespace slipway {

/// CurvesModel holds the runs whose curves are compared: which series and axis are shown, the table
/// and its order, and a store with the curves of all runs, copied in slices so that the window
/// stays responsive with millions of points. It works on values and on stores that outlive it;
/// CurvesFeeder provides them. Lives on the GUI thread, owned by the CurvesPage.
class CurvesModel : public QObject {
    Q_OBJECT

public:
    explicit CurvesModel(QObject* parent = nullptr);

    /// Replaces the runs. Called again with the same stores, it reads what is new in them.
    void setSources(std::vector<CurvesSource> sources);
    const std::vector<CurvesSource>& sources() const { return m_sources; }
    const std::vector<OfferedSeries>& offered() const { return m_offered; }
    const std::vector<CurvesEntry>& entries() const { return m_entries; }
    /// The number of runs whose programs printed numbers.
    int printedRuns() const;

    const CurvesView& view() const { return m_view; }
    /// Shows or hides a series. One of another unit replaces those that are shown; the result says
    /// which, and is otherwise empty. The last one stays.
    QStringList setSeries(const QString& series, bool shown);
    /// "step", "epoch", …, "field:lr": those on which a shown curve can be drawn.
    const QStringList& axes() const { return m_axes; }
    void setAxis(const QString& axis);
    /// Which curves are missing on this axis, and why; empty: none.
    const QString& missing() const { return m_missing; }
    /// Which run is best, as a sentence; empty: not known.
    QString sentence() const { return bestSentence(m_view, m_sources, m_entries); }

    const CurvesTable& table() const { return m_table; }
    const CurvesOrder& order() const { return m_order; }
    void setOrder(const CurvesOrder& order);
    void setPinned(const QString& runId, bool pinned);

    ChartSpec chart() const { return curvesChart(m_view, m_sources, m_offered); }
    const SeriesStore& store() const { return m_store; }
    /// Whether all points that were there at the last call of setSources() have been copied.
    bool isComplete() const { return !m_copying.isActive(); }
    /// The theme in which each run keeps its look, whichever of its curves are drawn.
    ChartTheme theme(ChartTheme theme) const;
    ParallelPlot parallel() const;

signals:
    /// The runs, the series, the axis or the values in the table changed.
    void changed();
    void orderChanged();
    /// store() has more points, or was cleared.
    void pointsChanged();

private:
    struct Copy {
        CurveToDraw curve;
        const SeriesStore* source;
        quint64 generation; ///< of the source: its series are gone when it differs
        CurveCursor cursor;
        bool isSame(const Copy& other) const;
    };
    void update();
    void chooseView();
    void prepareCopies();
    void copySlice();

    std::vector<CurvesSource> m_sources;
    std::vector<OfferedSeries> m_offered;
    std::vector<CurvesEntry> m_entries;
    CurvesTable m_table;
    CurvesOrder m_order;
    QStringList m_wanted; ///< series chosen by the person; empty: none yet
    QString m_wantedAxis;
    CurvesView m_view;
    QStringList m_axes;
    QString m_missing;
    SeriesStore m_store;
    std::vector<Copy> m_copies;
    QTimer m_copying;
};

} // namespace slipway
