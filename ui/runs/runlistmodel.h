// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QAbstractListModel>

namespace slipway {

/// RunListModel lists all runs, newest first; each row has the text that a search looks through.
/// Lives on the GUI thread, owned by the list or the picker that shows it.
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
        SearchRole
    };

    explicit RunListModel(Engine* engine, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    /// Updates the ages in the rows.
    void tick();

private:
    void reload();
    void update(const QString& runId);
    QString place(const Run& run) const;

    Engine* m_engine;
    std::vector<Run> m_runs;
};

} // namespace slipway
