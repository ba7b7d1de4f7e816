// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imagelist.h"

#include <QWidget>

class QPushButton;
class QTableWidget;

namespace slipway {

/// StoredPackages lists the sets of Python packages that are kept on a site, one a row, and asks
/// before it lets any be removed. GUI thread; StoredImagesCard owns it.
class StoredPackages : public QWidget {
    Q_OBJECT

public:
    explicit StoredPackages(QWidget* parent = nullptr);
    void setPackages(const std::vector<PackageSet>& sets);

signals:
    void removeRequested(const QStringList& paths);

private:
    std::vector<PackageSet> removable() const;
    void showSelection();
    void ask();

    std::vector<PackageSet> m_sets;
    QTableWidget* m_table;
    QPushButton* m_remove;
};

} // namespace slipway
