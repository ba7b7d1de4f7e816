// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/curvestablecard.h"

#include "ui/compare/curvesmodel.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/text.h"

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QShortcut>
#include <QTableWidget>

#include <algorithm>
#include <utility>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize curveSampleSize(28, 12);
constexpr int widestColumn = 260;
constexpr int columnGap = 16; ///< pixels
constexpr int leastRows = 2; ///< that are always seen
constexpr int runIdRole = Qt::UserRole;
constexpr int wholeRole = Qt::UserRole + 1;

/// Line, dashes and marker of a curve.
QIcon curveSample(int look, double ratio)
{
    const Colours& colours = Colours::now();
    const SeriesStyle style = ChartTheme::forBackground(colours.surface).style(look);
    QPixmap picture(curveSampleSize * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF middle(curveSampleSize.width() / 2.0, curveSampleSize.height() / 2.0);
    painter.setPen(style.pen(2));
    painter.drawLine(QPointF(0, middle.y()), QPointF(curveSampleSize.width(), middle.y()));
    paintMarker(painter, style.marker, middle, 8.5, style.colour, colours.surface);
    painter.end();
    return QIcon(picture);
}

} // namespace

CurvesTableCard::CurvesTableCard(CurvesModel* model, QWidget* parent)
    : QFrame(parent)
    , m_model(model)
    , m_filter(new QLineEdit)
    , m_sort(new QComboBox)
    , m_descending(makeButton(tr("descending"), ButtonKind::Quiet))
    , m_remove(makeButton(tr("Remove"), ButtonKind::Quiet))
    , m_table(new QTableWidget)
{
    setCardKind(this, "true");
    m_table->setObjectName(u"curvesTable"_s);
    m_table->setAccessibleName(tr("The runs: fields that differ, and where their curves ended"));
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QTableWidget::NoEditTriggers);
    m_table->setSelectionBehavior(QTableWidget::SelectRows);
    m_table->setSelectionMode(QTableWidget::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setIconSize(curveSampleSize);
    m_table->setVerticalScrollMode(QTableWidget::ScrollPerPixel);
    m_table->setHorizontalScrollMode(QTableWidget::ScrollPerPixel);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setToolTip(tr("Click a heading to sort by it"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addLayout(makeTools());
    layout->addWidget(m_table, 1);
    connect(model, &CurvesModel::changed, this, &CurvesTableCard::refresh);
    connect(model, &CurvesModel::orderChanged, this, &CurvesTableCard::refresh);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
        const auto& columns = m_model->table().columns;
        if (section > 0 && size_t(section) <= columns.size()) {
            const QString& id = columns[size_t(section) - 1].id;
            sortBy(id, m_model->order().column == id && !m_model->order().descending);
        }
    });
    // The table is filled again by a change of the order, so not while the item tells of it.
    connect(m_table, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem* item) {
        if (item->column() == 0) {
            QMetaObject::invokeMethod(
                m_model,
                [model = m_model, run = item->data(runIdRole).toString(),
                    on = item->checkState() == Qt::Checked] { model->setPinned(run, on); },
                Qt::QueuedConnection);
        }
    });
    // What a cell shortens is copied as a whole.
    connect(new QShortcut(QKeySequence::Copy, m_table, nullptr, nullptr, Qt::WidgetShortcut),
        &QShortcut::activated, this, [this] {
            const QTableWidgetItem* item = m_table->currentItem();
            if (item && item->column() == 0) { // a pin has no text, its run has
                item = m_table->item(item->row(), 1);
            }
            if (item) {
                const QString whole = item->data(wholeRole).toString();
                QGuiApplication::clipboard()->setText(whole.isEmpty() ? item->text() : whole);
            }
        });
    connect(m_table, &QTableWidget::itemSelectionChanged, this,
        [this] { m_remove->setEnabled(!currentRun().isEmpty()); });
    refresh();
}

QLayout* CurvesTableCard::makeTools()
{
    m_filter->setObjectName(u"curvesFilter"_s);
    m_filter->setPlaceholderText(tr("Show runs that contain…"));
    m_filter->setAccessibleName(tr("Filter the runs in the table"));
    m_filter->setClearButtonEnabled(true);
    m_sort->setObjectName(u"curvesSort"_s);
    m_sort->setAccessibleName(tr("Sort the table by"));
    // Names of series are long; the drop-down list shows them in full.
    m_sort->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_sort->setMinimumContentsLength(14);
    m_descending->setObjectName(u"curvesDescending"_s);
    m_descending->setCheckable(true);
    m_descending->setAccessibleName(tr("Sort from high to low"));
    m_remove->setObjectName(u"curvesRemove"_s);
    m_remove->setAccessibleName(tr("Remove the selected run from the comparison"));
    m_remove->setEnabled(false);
    auto* sorting = new QWidget;
    auto* row = new QHBoxLayout(sorting);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(new TextLabel(tr("Sorted by"), "caption"));
    row->addWidget(m_sort);
    row->addWidget(m_descending);
    row->addWidget(m_remove);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        CurvesOrder order = m_model->order();
        order.filter = text;
        m_model->setOrder(order);
    });
    connect(m_sort, &QComboBox::activated, this,
        [this] { sortBy(m_sort->currentData().toString(), m_descending->isChecked()); });
    connect(m_descending, &QPushButton::clicked, this,
        [this](bool on) { sortBy(m_sort->currentData().toString(), on); });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (const QString run = currentRun(); !run.isEmpty()) {
            emit removeRequested(run);
        }
    });
    constexpr int charactersForFilter = 16;
    auto* tools = new FoldLayout(24, charactersForFilter);
    tools->addWidget(m_filter);
    tools->addWidget(sorting);
    return tools;
}

void CurvesTableCard::sortBy(const QString& column, bool descending)
{
    CurvesOrder order = m_model->order();
    order.column = column;
    order.descending = descending;
    m_model->setOrder(order);
}

QString CurvesTableCard::currentRun() const
{
    const auto selected = m_table->selectionModel()->selectedRows();
    return selected.isEmpty() ? QString() : selected.front().data(runIdRole).toString();
}

void CurvesTableCard::refreshSorting()
{
    const QSignalBlocker quiet(m_sort);
    QStringList sortable;
    for (const CurvesColumn& column : m_model->table().columns) {
        sortable << column.id << column.title;
    }
    // A live run changes the numbers several times a second, while the list may be open.
    if (std::exchange(m_sortable, sortable) != sortable || m_sort->count() == 0) {
        m_sort->clear();
        m_sort->addItem(tr("the order of the runs"), QString());
        for (const CurvesColumn& column : m_model->table().columns) {
            m_sort->addItem(column.title, column.id);
        }
    }
    const CurvesOrder& order = m_model->order();
    m_sort->setCurrentIndex(std::max(0, m_sort->findData(order.column)));
    m_sort->setToolTip(plainToolTip(m_sort->currentText()));
    m_descending->setChecked(order.descending);
    m_descending->setEnabled(m_sort->currentIndex() > 0);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSortIndicatorShown(m_sort->currentIndex() > 0);
    if (m_sort->currentIndex() > 0) { // the pins are in the first column, before those of the list
        header->setSortIndicator(
            m_sort->currentIndex(), order.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    }
}

/// A live run changes its numbers several times a second: only then is the table filled again.
void CurvesTableCard::refresh()
{
    const CurvesTable& table = m_model->table();
    const std::vector<size_t> rows = arrangedRows(table, m_model->order());
    QStringList shown{m_model->order().column, QString::number(m_model->order().descending)};
    for (const CurvesColumn& column : table.columns) {
        shown << column.id << column.title;
    }
    for (const size_t row : rows) {
        const QString& run = table.rows[row].runId;
        shown << run << QString::number(m_model->order().pinned.contains(run))
              << QString::number(table.rows[row].entry);
        for (const CurvesCell& cell : table.rows[row].cells) {
            shown << cell.text << cell.whole;
        }
    }
    if (shown == m_shown) {
        return;
    }
    m_shown = shown;
    fill(rows);
    refreshSorting();
    fitHeight();
}

void CurvesTableCard::fill(const std::vector<size_t>& rows)
{
    const QSignalBlocker quiet(m_table);
    const QString selected = currentRun();
    const int currentColumn = m_table->currentColumn();
    // A row that moves takes the view along only if it was in view.
    const QTableWidgetItem* const current = m_table->currentItem();
    m_table->setAutoScroll(
        current && m_table->viewport()->rect().intersects(m_table->visualItemRect(current)));
    const CurvesTable& table = m_model->table();
    QStringList headings{tr("Pin")};
    for (const CurvesColumn& column : table.columns) {
        headings << column.title;
    }
    m_table->clearSelection();
    m_table->setColumnCount(int(headings.size()));
    m_table->setHorizontalHeaderLabels(headings);
    m_table->setRowCount(int(rows.size()));
    for (int at = 0; at < int(rows.size()); ++at) {
        const CurvesRow& row = table.rows[rows[size_t(at)]];
        auto* pin = new QTableWidgetItem;
        pin->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        pin->setCheckState(
            m_model->order().pinned.contains(row.runId) ? Qt::Checked : Qt::Unchecked);
        pin->setData(runIdRole, row.runId);
        pin->setData(Qt::AccessibleTextRole, tr("Pin %1").arg(row.cells.front().text));
        m_table->setItem(at, 0, pin);
        for (int column = 0; column < int(row.cells.size()); ++column) {
            const CurvesCell& cell = row.cells[size_t(column)];
            auto* item = new QTableWidgetItem(cell.text);
            item->setToolTip(plainToolTip(cell.whole.isEmpty() ? cell.text : cell.whole));
            item->setData(wholeRole, cell.whole);
            if (table.columns[size_t(column)].isNumber) {
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            }
            m_table->setItem(at, column + 1, item);
        }
        m_table->item(at, 1)->setIcon(curveSample(int(row.entry), devicePixelRatioF()));
        if (row.runId == selected) {
            m_table->setCurrentCell(at, std::max(0, currentColumn));
        }
    }
    for (int column = 0; column < m_table->columnCount(); ++column) {
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            (column > 0 && table.columns[size_t(column) - 1].isNumber ? Qt::AlignRight
                                                                      : Qt::AlignLeft)
            | Qt::AlignVCenter);
    }
    m_table->resizeColumnsToContents();
    for (int column = 0; column < m_table->columnCount(); ++column) {
        m_table->setColumnWidth(
            column, std::min(m_table->columnWidth(column) + columnGap, widestColumn));
    }
    m_table->setAutoScroll(true);
    m_remove->setEnabled(!currentRun().isEmpty());
}

void CurvesTableCard::fitHeight()
{
    const int line = fontMetrics().height() + 14;
    m_table->verticalHeader()->setDefaultSectionSize(line);
    m_table->setMinimumHeight(m_table->horizontalHeader()->sizeHint().height()
        + line * std::min(leastRows, m_table->rowCount())
        + m_table->horizontalScrollBar()->sizeHint().height() + 2);
    emit resized();
}

int CurvesTableCard::heightFor(int rows, int width) const
{
    const QLayout& parts = *layout();
    const int least = parts.hasHeightForWidth() ? parts.totalMinimumHeightForWidth(width)
                                                : parts.totalMinimumSize().height();
    const int more = std::min(rows, m_table->rowCount()) - leastRows;
    return least + std::max(0, more) * m_table->verticalHeader()->defaultSectionSize();
}

void CurvesTableCard::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    const bool look = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
    if (look && layout()) { // not while it is being built
        m_shown.clear();
        refresh();
    }
}

} // namespace slipway

#include "moc_curvestablecard.cpp"
