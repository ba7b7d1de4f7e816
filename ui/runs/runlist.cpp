// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runlist.h"

#include "ui/parts/text.h"
#include "ui/runs/rundelegate.h"
#include "ui/runs/runlistmodel.h"

#include <QGuiApplication>
#include <QLineEdit>
#include <QListView>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

RunList::RunList(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_model(new RunListModel(engine, this))
    , m_filter(new QSortFilterProxyModel(this))
    , m_search(new QLineEdit)
    , m_list(new QListView)
    , m_stack(new QStackedWidget)
    , m_none(TextLabel::paragraph(tr("No run matches the search."), "second"))
    , m_compare(makeButton(tr("Compare")))
{
    setUpList();
    m_stack->addWidget(m_list);
    m_stack->addWidget(makeEmpty());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(28, 24, 28, 24);
    layout->setSpacing(12);
    layout->addLayout(makeHead());
    layout->addWidget(m_none);
    layout->addWidget(m_stack, 1);
    connectParts();
    m_tick.start(10'000);
    showSelection();
    showState();
}

void RunList::setUpList()
{
    m_filter->setSourceModel(m_model);
    m_filter->setFilterRole(RunListModel::SearchRole);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_list->setModel(m_filter);
    m_list->setItemDelegate(new RunDelegate(m_list));
    m_list->setSelectionMode(QListView::ExtendedSelection);
    m_list->setMouseTracking(true);
    m_list->setUniformItemSizes(true);
    m_list->setVerticalScrollMode(QListView::ScrollPerPixel);
    m_list->setAccessibleName(tr("Runs"));
    m_list->setObjectName(u"runList"_s);
}

QLayout* RunList::makeHead()
{
    m_search->setPlaceholderText(tr("Search by recipe, site, job, state"));
    m_search->setAccessibleName(tr("Search the runs"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(260);
    auto* head = new QHBoxLayout;
    head->addWidget(new TextLabel(tr("Runs"), "title"), 1);
    m_compare->setObjectName(u"compareRuns"_s);
    m_compare->setToolTip(tr("Select several runs with Ctrl or Shift, then compare them"));
    head->addWidget(m_compare);
    head->addWidget(m_search);
    return head;
}

void RunList::connectParts()
{
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) {
        // With Ctrl or Shift a click selects.
        if (!(QGuiApplication::keyboardModifiers() & (Qt::ControlModifier | Qt::ShiftModifier))) {
            open(index);
        }
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &RunList::showSelection);
    connect(m_compare, &QPushButton::clicked, this, [this] { emit compareRequested(selected()); });
    connect(m_list, &QListView::activated, this, &RunList::open);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setFilterFixedString(text);
        showState();
    });
    connect(m_model, &QAbstractItemModel::modelReset, this, &RunList::showState);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &RunList::showState);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (isVisible()) {
            m_model->tick();
        }
    });
}

void RunList::open(const QModelIndex& index)
{
    emit opened(index.data(RunListModel::IdRole).toString());
}

QWidget* RunList::makeEmpty()
{
    auto* empty = new QWidget;
    auto* launch = makeButton(tr("Launch"), ButtonKind::Primary);
    auto* demo = makeButton(tr("Start the demo cluster"));
    launch->setAccessibleName(tr("Choose a recipe to launch"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(launch);
    buttons->addWidget(demo);
    buttons->addStretch();
    auto* layout = new QVBoxLayout(empty);
    layout->setSpacing(16);
    auto* words =
        new TextLabel(tr("No runs yet. Launch one, or start the demo cluster."), "heading");
    words->setAlignment(Qt::AlignCenter);
    layout->addStretch(2);
    layout->addWidget(words);
    layout->addLayout(buttons);
    layout->addStretch(3);
    connect(launch, &QPushButton::clicked, this, &RunList::launchRequested);
    connect(demo, &QPushButton::clicked, this, &RunList::demoRequested);
    return empty;
}

void RunList::focusList()
{
    if (!m_list->currentIndex().isValid() && m_filter->rowCount() > 0) {
        m_list->setCurrentIndex(m_filter->index(0, 0));
    }
    m_list->setFocus();
}

QStringList RunList::selected() const
{
    QStringList ids;
    for (const QModelIndex& index : m_list->selectionModel()->selectedIndexes()) {
        ids << index.data(RunListModel::IdRole).toString();
    }
    return ids;
}

void RunList::showSelection()
{
    const qsizetype count = m_list->selectionModel()->selectedIndexes().size();
    m_compare->setEnabled(count > 1);
    m_compare->setText(count > 1 ? tr("Compare %1 runs").arg(count) : tr("Compare"));
    m_compare->setAccessibleName(m_compare->text());
}

void RunList::showState()
{
    const bool any = m_model->rowCount() > 0;
    m_stack->setCurrentIndex(any ? 0 : 1);
    m_search->setVisible(any);
    m_compare->setVisible(any);
    m_none->setVisible(any && m_filter->rowCount() == 0);
}

} // namespace slipway

#include "moc_runlist.cpp"
