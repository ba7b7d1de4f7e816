// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/storedimagestable.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "ui/look/colours.h"
#include "ui/parts/text.h"
#include "ui/parts/words.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

enum Column { NameColumn, FromColumn, ReadColumn, DeletedColumn, UsedColumn, SizeColumn, Columns };
constexpr int rowsInSight = 12; ///< that are seen without scrolling in the table
constexpr int mostText = 512; ///< characters of a cell
constexpr int leastColumn = 12; ///< characters
constexpr int soonDays = 7;

QString plain(const QString& text)
{
    return text.left(mostText).simplified();
}

QString lastReadText(const StoredImage& image, const QDateTime& now)
{
    if (image.lastRead.isValid()) {
        return agoText(image.lastRead, now);
    }
    return image.modified.isValid()
        ? StoredImagesTable::tr("changed %1").arg(agoText(image.modified, now))
        : StoredImagesTable::tr("unknown");
}

bool isSoon(const StoredImage& image)
{
    return image.deletedOn && QDate::currentDate().daysTo(*image.deletedOn) <= soonDays;
}

QString deletedText(const StoredImage& image)
{
    if (!image.deletedOn) {
        return StoredImagesTable::tr("not known");
    }
    const QString date = image.deletedOn->toString(u"d MMM yyyy"_s);
    return isSoon(image) ? StoredImagesTable::tr("%1, soon").arg(date) : date;
}

QString usedText(const StoredImage& image)
{
    const QString runs = counted(
        image.runs.size(), StoredImagesTable::tr("1 run"), StoredImagesTable::tr("%1 runs"));
    const bool any = !image.runs.isEmpty();
    return image.inUse ? StoredImagesTable::tr("%1, in use").arg(runs)
        : any          ? runs
                       : StoredImagesTable::tr("no run");
}

} // namespace

StoredImagesTable::StoredImagesTable(QWidget* parent)
    : QTableWidget(parent)
{
    setObjectName(u"storedImages"_s);
    setAccessibleName(tr("Images on the cluster"));
    setColumnCount(Columns);
    setHorizontalHeaderLabels(
        {tr("Image"), tr("From"), tr("Last read"), tr("Deleted on"), tr("Used by"), tr("Size")});
    verticalHeader()->hide();
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setShowGrid(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setTextElideMode(Qt::ElideMiddle);
    setWordWrap(false);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    QHeaderView* const header = horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(NameColumn, QHeaderView::Stretch);
    header->setSectionResizeMode(FromColumn, QHeaderView::Stretch);
    for (int column = 0; column < Columns; ++column) {
        horizontalHeaderItem(column)->setTextAlignment(
            (column == SizeColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    // Aligns the header text with the cells below it.
    setStyleSheet(u"QHeaderView::section { padding: 6px 3px; }"_s);
    fitHeight();
}

void StoredImagesTable::setImages(const std::vector<StoredImage>& images)
{
    clearSelection();
    m_images = images;
    setRowCount(int(m_images.size()));
    for (int row = 0; row < rowCount(); ++row) {
        fillRow(row, m_images[size_t(row)]);
    }
    fitHeight();
}

void StoredImagesTable::fillRow(int row, const StoredImage& image)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QString from = image.from.isEmpty() ? tr("unknown") : plain(image.from);
    const QString texts[Columns] = {plain(image.path.section(u'/', -1)), from,
        lastReadText(image, now), deletedText(image), usedText(image),
        ByteCount(image.bytes).text()};
    const QString whole[Columns] = {plain(image.path),
        image.digest.isEmpty() ? from : QString(from % u' ' % plain(image.digest)),
        texts[ReadColumn], texts[DeletedColumn],
        image.runs.isEmpty() ? texts[UsedColumn] : plain(image.runs.join(u", "_s)),
        texts[SizeColumn]};
    for (int column = 0; column < Columns; ++column) {
        auto* cell = new QTableWidgetItem(texts[column]);
        cell->setToolTip(plainToolTip(whole[column]));
        setItem(row, column, cell);
    }
    const Colours& colours = Colours::now();
    item(row, SizeColumn)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    item(row, FromColumn)->setForeground(colours.secondText);
    if (isSoon(image)) {
        item(row, DeletedColumn)->setForeground(tintColour(colours, Tint::Warning));
    }
    if (image.inUse) {
        item(row, UsedColumn)->setForeground(tintColour(colours, Tint::Running));
        item(row, NameColumn)
            ->setData(
                Qt::AccessibleTextRole, tr("%1, in use, cannot be removed").arg(texts[NameColumn]));
    }
}

std::vector<StoredImage> StoredImagesTable::selected() const
{
    std::vector<StoredImage> some;
    for (int row = 0; row < rowCount() && size_t(row) < m_images.size(); ++row) {
        if (selectionModel()->isRowSelected(row, {})) {
            some.push_back(m_images[size_t(row)]);
        }
    }
    return some;
}

void StoredImagesTable::fitHeight()
{
    const int line = fontMetrics().height() + 14;
    verticalHeader()->setDefaultSectionSize(line);
    horizontalHeader()->setMinimumSectionSize(leastColumn * fontMetrics().averageCharWidth());
    setFixedHeight(horizontalHeader()->sizeHint().height()
        + line * std::clamp(rowCount(), 1, rowsInSight) + horizontalScrollBar()->sizeHint().height()
        + 2);
}

void StoredImagesTable::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Delete) {
        emit removeRequested();
    } else {
        QTableWidget::keyPressEvent(event);
    }
}

void StoredImagesTable::changeEvent(QEvent* event)
{
    QTableWidget::changeEvent(event);
    const bool look = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
    if (!look || columnCount() < Columns) {
        return;
    }
    for (int row = 0; row < rowCount() && size_t(row) < m_images.size(); ++row) {
        fillRow(row, m_images[size_t(row)]);
    }
    fitHeight();
}

} // namespace slipway

#include "moc_storedimagestable.cpp"
