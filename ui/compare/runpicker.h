// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QDialog>

class QListView;
class QSortFilterProxyModel;

namespace slipway {

/// RunPicker asks which runs to add to the Compare page: a list of all runs with a search, from
/// which several can be chosen. Lives on the GUI thread; deletes itself when it is closed.
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
