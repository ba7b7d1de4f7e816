// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/curvespanes.h"

#include "ui/compare/curvescard.h"
#include "ui/compare/curvestablecard.h"
#include "ui/compare/parallelcard.h"

#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int usualRows = 8; ///< of the table, for which the page makes room
constexpr int betweenCards = 16;

} // namespace

CurvesPanes::CurvesPanes(
    CurvesCard* curves, ParallelCard* parallel, CurvesTableCard* table, QWidget* parent)
    : GripSplitter(
        Qt::Vertical, u"curves/split"_s, tr("Divider between the curves and the table"), parent)
    , m_curves(curves)
    , m_parallel(parallel)
    , m_table(table)
    , m_charts(new QWidget)
{
    setObjectName(u"curvesSplitter"_s);
    auto* column = new QVBoxLayout(m_charts);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(betweenCards);
    column->addWidget(curves, 1); // the chart takes the space that is left
    column->addWidget(parallel);
    addWidget(m_charts);
    addWidget(table);
    setStretchFactor(0, 1);
    setStretchFactor(1, 0);
    restorePosition();
}

void CurvesPanes::fit()
{
    int least = m_curves->layout()->totalMinimumHeightForWidth(width());
    if (!m_parallel->isHidden()) {
        least += betweenCards + m_parallel->layout()->totalHeightForWidth(width());
    }
    m_charts->setMinimumHeight(least);
    m_table->setMinimumHeight(m_table->heightFor(0, width()));
    if (!isPlaced()) {
        const int room =
            height() - handleWidth() - m_charts->layout()->totalHeightForWidth(width());
        const int rows = std::min(m_table->heightFor(std::numeric_limits<int>::max(), width()),
            std::max(room, m_table->heightFor(usualRows, width())));
        setSizes({height() - handleWidth() - rows, rows});
    }
    updateGeometry();
}

int CurvesPanes::heightForWidth(int width) const
{
    return m_charts->layout()->totalHeightForWidth(width) + handleWidth()
        + m_table->heightFor(usualRows, width);
}

} // namespace slipway

#include "moc_curvespanes.cpp"
