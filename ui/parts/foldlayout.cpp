// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/foldlayout.h"

#include <QWidget>

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

int heightOfPart(const QLayoutItem& part, int width)
{
    return part.hasHeightForWidth() ? part.heightForWidth(width) : part.sizeHint().height();
}

} // namespace

FoldLayout::FoldLayout(int gap, int leastChars, QWidget* parent)
    : QLayout(parent)
    , m_gap(gap)
    , m_leastChars(leastChars)
{
    setContentsMargins(0, 0, 0, 0);
}

FoldLayout::~FoldLayout()
{
    // A part that is a layout takes itself out of the list when it is deleted.
    for (QLayoutItem* item : std::exchange(m_items, {})) {
        delete item;
    }
}

void FoldLayout::addPart(QLayout* part)
{
    addChildLayout(part);
    addItem(part);
}

void FoldLayout::addItem(QLayoutItem* item)
{
    m_items.push_back(item);
    invalidate();
}

QLayoutItem* FoldLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[size_t(index)] : nullptr;
}

QLayoutItem* FoldLayout::takeAt(int index)
{
    QLayoutItem* item = itemAt(index);
    if (item) {
        m_items.erase(m_items.begin() + index);
        if (QLayout* const part = item->layout()) {
            part->setParent(nullptr);
        }
        invalidate();
    }
    return item;
}

int FoldLayout::heightForWidth(int width) const
{
    const QMargins rim = contentsMargins();
    const QRect room(0, 0, width - rim.left() - rim.right(), 0);
    return arrange(room, false) + rim.top() + rim.bottom();
}

QSize FoldLayout::sizeHint() const
{
    int width = 0, height = 0;
    for (const QLayoutItem* item : m_items) {
        if (!item->isEmpty()) {
            width += item->sizeHint().width() + (width > 0 ? m_gap : 0);
            height = std::max(height, item->sizeHint().height());
        }
    }
    return QSize(width, height).grownBy(contentsMargins());
}

QSize FoldLayout::minimumSize() const
{
    QSize size(0, 0);
    for (const QLayoutItem* item : m_items) {
        if (!item->isEmpty()) {
            size = size.expandedTo(item->minimumSize());
        }
    }
    return size.grownBy(contentsMargins());
}

void FoldLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    arrange(rect.marginsRemoved(contentsMargins()), true);
}

int FoldLayout::widthBeside(int width) const
{
    int left = width;
    for (size_t at = 1; at < m_items.size(); ++at) {
        left -= m_items[at]->isEmpty() ? 0 : m_items[at]->sizeHint().width() + m_gap;
    }
    const QWidget* const owner = parentWidget();
    const int most = m_leastChars * (owner ? owner->fontMetrics().averageCharWidth() : 0);
    const int least = std::max(m_items.front()->minimumSize().width(), most);
    return left >= least ? left : 0;
}

int FoldLayout::arrange(const QRect& rect, bool move) const
{
    if (m_items.empty()) {
        return 0;
    }
    const int beside = widthBeside(rect.width());
    const auto sizeOf = [&](const QLayoutItem* item) {
        const bool first = item == m_items.front();
        const int room = beside > 0 && first ? beside : rect.width();
        const int width = first ? room : std::min(room, item->sizeHint().width());
        return QSize(width, heightOfPart(*item, width));
    };
    int highest = 0;
    for (const QLayoutItem* item : m_items) {
        highest = item->isEmpty() ? highest : std::max(highest, sizeOf(item).height());
    }
    QPoint at = rect.topLeft();
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty()) {
            continue;
        }
        const QSize size = sizeOf(item);
        const bool top = beside == 0 || (item->alignment() & Qt::AlignTop);
        if (move) {
            item->setGeometry(QRect(at + QPoint(0, top ? 0 : (highest - size.height()) / 2), size));
        }
        at += beside > 0 ? QPoint(size.width() + m_gap, 0) : QPoint(0, size.height() + m_gap);
    }
    return beside > 0 ? highest : std::max(0, at.y() - m_gap - rect.y());
}

} // namespace slipway

#include "moc_foldlayout.cpp"
