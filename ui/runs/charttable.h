// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/summary.h"

#include <QDialog>

namespace slipway {

/// ChartTableDialog shows the numbers of a chart as a table, to read and copy, also with a screen
/// reader. Lives on the GUI thread; its opener has it deleted when it is closed.
class ChartTableDialog : public QDialog {
    Q_OBJECT

public:
    ChartTableDialog(const QString& title, const ChartTable& table, QWidget* parent = nullptr);
};

} // namespace slipway
