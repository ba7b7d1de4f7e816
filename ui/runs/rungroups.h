// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runquery.h"

#include <QAbstractListModel>
#include <QSet>

namespace slipway {

class RunListModel;

/// RunGroups arranges the runs of a RunListModel for the list: those that a search finds, under
/// headings by day or by sweep, each with a tick for the comparison. Ticks stay while the search
/// and the groups change. Lives on the GUI thread, owned by the list.
class RunGroups : public QAbstractListModel {
    Q_OBJECT

public:
    enum class Grouping { Day, Sweep, None };

    explicit RunGroups(RunListModel* runs, QObject* parent = nullptr);

    void setGrouping(Grouping grouping);
    void setQuery(const RunQuery& query);
    /// The number of runs that the search finds; some may be in a folded sweep.
    int found() const { return m_found; }
    /// Newest first, whether or not the search finds them.
    QStringList ticked() const;
    void setTicked(const QModelIndexList& indexes, bool ticked);
    /// Opens or folds the sweep below a heading; false: it is no such heading.
    bool toggle(const QModelIndex& index);
    /// Where a run is shown; not valid: nowhere.
    QModelIndex indexOf(const QString& runId) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void ticksChanged();

private:
    /// A row of the list: a run, or a heading above runs.
    struct Line {
        int run = -1; ///< its row in the source; -1: a heading
        QString heading;
        QString sweep; ///< of a heading that can be folded
        std::vector<int> runs; ///< of such a heading
        bool indented = false;
    };

    void rebuild();
    void addByDay();
    void addBySweep();
    Line sweepLine(const QString& sweep, std::vector<int> runs) const;
    bool isOpen(const QString& sweep) const;
    bool isFound(int run) const;
    QVariant headingData(const Line& line, int role) const;
    Qt::CheckState tickOf(const Line& line) const;
    void onInserted(int first, int count);
    void onChanged(int first, int last);
    void updateHeading(const QString& sweep);

    RunListModel* m_runs;
    RunQuery m_query;
    Grouping m_grouping = Grouping::Day;
    std::vector<Line> m_lines;
    std::vector<int> m_lineOf; ///< by row of the source; -1: not shown
    std::vector<bool> m_isFound; ///< by row of the source
    int m_found = 0;
    QSet<QString> m_ticked;
    QSet<QString> m_open; ///< sweeps
};

} // namespace slipway
