// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/runs/runrow.h"

#include <QAbstractListModel>

#include <memory>

namespace slipway {

/// RunListModel lists all runs, newest first; each row has the text that a search looks through.
/// Runs are copied once; a change touches only its own row, and what a row shows is made when it is
/// first painted, because there may be thousands. Lives on the GUI thread, owned by the list or the
/// picker that shows it.
class RunListModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        IdRole = Qt::UserRole,
        TitleRole,
        SentenceRole,
        PlaceRole,
        WhenRole,
        PhaseRole,
        SearchRole,
        RowRole, ///< const RunRow*, valid until the row changes
        HeadingRole, ///< the text above a group; of a run: not valid
        IndentRole, ///< whether it belongs to the heading above
        OpenRole ///< of a heading that can be folded: whether it is open
    };

    explicit RunListModel(Engine* engine, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    const Run& run(int row) const { return m_items[size_t(row)].run; }
    QString siteName(const QString& siteId) const;

private:
    struct Item {
        Run run;
        mutable std::unique_ptr<RunRow> row; ///< null: to be made
    };

    const RunRow& rowOf(const Item& item) const;
    void add(const QString& runId);
    void update(const QString& runId);
    void updateSite(const QString& siteId);

    Engine* m_engine;
    std::vector<Item> m_items;
};

/// How long a row's run has been running, or ran: "11:42"; empty: it has not started.
QString durationOf(const RunRow& row);

} // namespace slipway

Q_DECLARE_METATYPE(const slipway::RunRow*)
