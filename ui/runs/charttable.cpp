// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/charttable.h"

#include "ui/parts/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

namespace slipway {

ChartTableDialog::ChartTableDialog(const QString& title, const ChartTable& table, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(title);
    resize(640, 460);
    auto* view = new QTableWidget(int(table.rows.size()), int(table.header.size()));
    view->setHorizontalHeaderLabels(table.header);
    view->verticalHeader()->hide();
    view->setEditTriggers(QTableWidget::NoEditTriggers);
    view->setShowGrid(false);
    view->setTabKeyNavigation(false);
    view->setAccessibleName(tr("Numbers of %1").arg(title));
    QString text = table.header.join(u'\t');
    for (int row = 0; row < int(table.rows.size()); ++row) {
        const QStringList& cells = table.rows[size_t(row)];
        text += u'\n' + cells.join(u'\t');
        for (int column = 0; column < cells.size() && column < view->columnCount(); ++column) {
            auto* cell = new QTableWidgetItem(cells[column]);
            cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            view->setItem(row, column, cell);
        }
    }
    view->resizeColumnsToContents();
    view->setSelectionBehavior(QTableWidget::SelectRows);
    if (!table.rows.empty()) {
        view->setCurrentCell(0, 0); // where a screen reader begins, and the arrow keys
    }
    setAccessibleName(tr("Numbers of %1").arg(title));
    auto* copy = makeButton(tr("Copy"));
    auto* close = makeButton(tr("Close"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(copy);
    buttons->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(12);
    layout->addWidget(new TextLabel(title, "title"));
    layout->addWidget(view, 1);
    layout->addLayout(buttons);
    connect(
        copy, &QPushButton::clicked, this, [text] { QGuiApplication::clipboard()->setText(text); });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    view->setFocus();
}

} // namespace slipway

#include "moc_charttable.cpp"
