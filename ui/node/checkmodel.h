// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodereport.h"
#include "ui/parts/words.h"

#include <QAbstractListModel>

namespace slipway {

/// "ok", "warning", "failed", "skipped", each with its sign.
StateWord stateWord(CheckState state);

/// Whether a person is to look at it.
inline bool needsAttention(CheckState state)
{
    return state == CheckState::Warn || state == CheckState::Fail;
}

/// "1 failed, 2 warnings, 18 ok, 3 skipped"; what there is none of is left out.
QString countWords(const std::vector<CheckRow>& rows);

/// CheckModel lists a node's checks as a view shows them: what host and container tell together,
/// then each place, every group under a heading of its own. On the GUI thread; its page owns it.
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
    /// "In the container on c1", and what it came to; empty for a check.
    QString heading(const QModelIndex& index) const;
    QString headingCounts(const QModelIndex& index) const;
    /// The first check of that id that has this state; else invalid.
    QModelIndex find(const QString& id, CheckState state) const;
    /// The same check, at the same place, whatever it says now.
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
