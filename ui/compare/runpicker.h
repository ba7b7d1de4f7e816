// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QDialog>

class QListView;
class QSortFilterProxyModel;

namespace slipway {

/// RunPicker asks which runs to put on the Compare page: all runs with a search, several at a time.
class RunPicker : public QDialog {
    Q_OBJECT

public:
    explicit RunPicker(Engine* engine, QWidget* parent = nullptr);

signals:
    void chosen(const QStringList& runIds);

private:
    QStringList selected() const;

    QSortFilterProxyModel* m_filter;
    QListView* m_list;
};

} // namespace slipway
