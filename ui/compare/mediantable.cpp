// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/mediantable.h"

#include "ui/compare/comparefigure.h"
#include "ui/parts/text.h"

#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int ratioColumn = 3;

Qt::Alignment alignmentOf(int column)
{
    return (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

} // namespace

MedianTable::MedianTable(QWidget* parent)
    : QFrame(parent)
    , m_table(new QTableWidget)
    , m_note(TextLabel::paragraph({}, "caption"))
{
    setCardKind(this, "true");
    m_table->setObjectName(u"compareTable"_s);
    m_table->setAccessibleName(tr("Medians by size"));
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QTableWidget::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the page scrolls
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    // Aligns the header text with the numbers below it.
    m_table->setStyleSheet(u"QHeaderView::section { padding: 6px 3px; }"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_table);
    layout->addWidget(m_note);
}

void MedianTable::refresh(const CompareModel& model)
{
    fill(model);
    const int line = fontMetrics().height() + 14;
    m_table->verticalHeader()->setDefaultSectionSize(line);
    m_table->setFixedHeight(
        m_table->horizontalHeader()->sizeHint().height() + line * m_table->rowCount() + 2);
    const auto& pair = model.comparison();
    m_note->setText(!pair   ? QString()
            : !pair->fair() ? tr("Medians. No ratios are shown, because no speed-up is stated.")
            : model.view().withTransfers ? tr("Medians, transfers included.")
                                         : tr("Medians, compute only."));
    m_note->setVisible(!m_note->text().isEmpty());
}

void MedianTable::fill(const CompareModel& model)
{
    const ComparisonTable table = compareTable(model);
    m_table->setColumnCount(int(table.headings.size()));
    m_table->setHorizontalHeaderLabels(table.headings);
    m_table->setRowCount(int(table.rows.size()));
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    for (int row = 0; row < int(table.rows.size()); ++row) {
        for (int column = 0; column < m_table->columnCount(); ++column) {
            auto* cell = new QTableWidgetItem(table.rows[size_t(row)].value(column));
            cell->setTextAlignment(alignmentOf(column));
            cell->setToolTip(plainToolTip(cell->text()));
            if (column == ratioColumn) {
                cell->setFont(bold);
            }
            m_table->setItem(row, column, cell);
        }
    }
    for (int column = 0; column < m_table->columnCount(); ++column) {
        m_table->horizontalHeaderItem(column)->setTextAlignment(alignmentOf(column));
        m_table->horizontalHeaderItem(column)->setToolTip(
            plainToolTip(table.headings.value(column)));
    }
}

} // namespace slipway

#include "moc_mediantable.cpp"
