// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodereport.h"
#include "ui/parts/words.h"

#include <QAbstractListModel>

namespace slipway {

/// "ok", "warning", "failed" or "skipped", each with its sign.
StateWord stateWord(CheckState state);

/// Whether a person should look at it.
inline bool needsAttention(CheckState state)
{
    return state == CheckState::Warn || state == CheckState::Fail;
}

/// "1 failed, 2 warnings, 18 ok, 3 skipped"; states without a check are left out.
QString countWords(const std::vector<CheckRow>& rows);

/// CheckModel lists the checks of a node for a view, those that compare host and container and
/// those of each place under a heading of their own. What needs attention comes first: among the
/// groups, and within each. Skipped checks come last, behind a row that unfolds them. GUI thread;
/// NodePage owns it.
class CheckModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setReport(const NodeReport& report);
    /// Only warnings and failures.
    void setOnlyAttention(bool only);
    /// The skipped checks are listed; folded by default.
    void setSkippedShown(bool shown);
    bool skippedShown() const { return m_skippedShown; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    /// Null for a heading, and for the row that unfolds the skipped checks.
    const CheckRow* check(const QModelIndex& index) const;
    /// Whether it is the row that unfolds the skipped checks.
    bool isFold(const QModelIndex& index) const;
    /// "In the container on c1", and the counts of its states; empty for a check.
    QString heading(const QModelIndex& index) const;
    QString headingCounts(const QModelIndex& index) const;
    /// The first check with that id and state; otherwise invalid.
    QModelIndex find(const QString& id, CheckState state) const;
    /// The same check at the same place, whatever its state is now.
    QModelIndex find(const CheckRow& row) const;

private:
    struct Line {
        int check = -1; ///< in m_rows; -1: a heading
        QString heading = {};
        QString counts = {};
        bool fold = false;
    };
    struct Group {
        std::vector<int> rows; ///< in m_rows, the worst first
        QString heading;
        bool attention = false;
    };
    void rebuild();
    std::vector<Group> groups() const;
    void addLines(const Group& group, bool skipped);

    std::vector<CheckRow> m_rows;
    std::vector<Line> m_lines;
    bool m_onlyAttention = false;
    bool m_skippedShown = false;
};

} // namespace slipway
