// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/gripsplitter.h"

namespace slipway {

class CurvesCard;
class CurvesTableCard;
class ParallelCard;

/// CurvesPanes divides the curves page between the charts and the table of the runs. Until a person
/// moves the divider, the table has the height of its rows, as far as there is room, and the chart
/// the rest. Lives on the GUI thread, owned by the CurvesPage.
class CurvesPanes : public GripSplitter {
    Q_OBJECT

public:
    CurvesPanes(CurvesCard* curves, ParallelCard* parallel, CurvesTableCard* table,
        QWidget* parent = nullptr);
    /// Gives the charts the room that they need at this width, once the layouts are invalidated.
    void fit();
    bool hasHeightForWidth() const override { return true; }
    /// What the page should give them: a table with more rows scrolls.
    int heightForWidth(int width) const override;

private:
    CurvesCard* m_curves;
    ParallelCard* m_parallel;
    CurvesTableCard* m_table;
    QWidget* m_charts; ///< above the divider
};

} // namespace slipway
