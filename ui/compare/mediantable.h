// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFrame>

class QTableWidget;

namespace slipway {

class CompareModel;
class TextLabel;

/// MedianTable is the card with the medians of the compared lanes, one row per size, and a note on
/// what they include. The page scrolls, so the table is as high as its rows. Lives on the GUI
/// thread, owned by the page.
class MedianTable : public QFrame {
    Q_OBJECT

public:
    explicit MedianTable(QWidget* parent = nullptr);
    void refresh(const CompareModel& model);

private:
    void fill(const CompareModel& model);

    QTableWidget* m_table;
    TextLabel* m_note;
};

} // namespace slipway
