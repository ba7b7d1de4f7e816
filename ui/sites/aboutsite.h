// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"

#include <QDialog>

class QVBoxLayout;

namespace slipway {

/// AboutSite shows everything that a site file says: facts, partitions, peculiarities, and the
/// source and date of each fact. GUI thread; it deletes itself when it is closed.
class AboutSite : public QDialog {
    Q_OBJECT

public:
    explicit AboutSite(const Site& site, QWidget* parent = nullptr);

private:
    void addFacts(QVBoxLayout* layout, const Site& site);
    void addPartitions(QVBoxLayout* layout, const Site& site);
    void addQuirks(QVBoxLayout* layout, const Site& site);
    void addSources(QVBoxLayout* layout, const Site& site);
};

} // namespace slipway
