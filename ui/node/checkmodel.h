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

/// CheckModel lists the checks of a node for a view: first those that compare host and container,
/// then those of each place, every group under its own heading. GUI thread; NodePage owns it.
class CheckModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setReport(const NodeReport& report);
    /// Only warnings and failures.
    void setOnlyAttention(bool only);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    /// Null for a heading.
    const CheckRow* check(const QModelIndex& index) const;
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
    };
    void rebuild();

    std::vector<CheckRow> m_rows;
    std::vector<Line> m_lines;
    bool m_onlyAttention = false;
};

} // namespace slipway
