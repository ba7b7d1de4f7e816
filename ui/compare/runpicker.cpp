// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/runpicker.h"

#include "ui/parts/text.h"
#include "ui/runs/rundelegate.h"
#include "ui/runs/runlistmodel.h"

#include <QLineEdit>
#include <QListView>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

RunPicker::RunPicker(Engine* engine, QWidget* parent)
    : QDialog(parent)
    , m_filter(new QSortFilterProxyModel(this))
    , m_list(new QListView)
{
    setWindowTitle(tr("Add runs to the comparison"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(680, 520);
    m_filter->setSourceModel(new RunListModel(engine, this));
    m_filter->setFilterRole(RunListModel::SearchRole);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_list->setModel(m_filter);
    m_list->setItemDelegate(new RunDelegate(m_list));
    m_list->setSelectionMode(QListView::MultiSelection);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setVerticalScrollMode(QListView::ScrollPerPixel);
    m_list->setAccessibleName(tr("Runs to choose from"));
    m_list->setObjectName(u"pickerList"_s);
    auto* search = new QLineEdit;
    search->setPlaceholderText(tr("Search by recipe, site, job, state"));
    search->setAccessibleName(tr("Search the runs"));
    auto* add = makeButton(tr("Add"), ButtonKind::Primary);
    auto* leave = makeButton(tr("Cancel"));
    add->setObjectName(u"pickerAdd"_s);
    add->setEnabled(false);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(leave);
    buttons->addWidget(add);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(12);
    layout->addWidget(new TextLabel(windowTitle(), "title"));
    layout->addWidget(search);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    connect(
        search, &QLineEdit::textChanged, m_filter, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        [this, add] { add->setEnabled(!selected().isEmpty()); });
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    connect(add, &QPushButton::clicked, this, [this] {
        emit chosen(selected());
        accept();
    });
}

QStringList RunPicker::selected() const
{
    QStringList ids;
    for (const QModelIndex& index : m_list->selectionModel()->selectedIndexes()) {
        ids << index.data(RunListModel::IdRole).toString();
    }
    return ids;
}

} // namespace slipway

#include "moc_runpicker.cpp"
