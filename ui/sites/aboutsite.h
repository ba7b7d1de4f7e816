// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"

#include <QDialog>

class QVBoxLayout;

namespace slipway {

/// AboutSite shows all that a site file says: facts, partitions, quirks, and where each fact comes
/// from and when it was true.
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
