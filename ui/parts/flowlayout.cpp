// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/flowlayout.h"

#include <QWidget>

namespace slipway {

FlowLayout::FlowLayout(int gap, QWidget* parent)
    : QLayout(parent)
    , m_gap(gap)
{
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout()
{
    for (QLayoutItem* item : m_items) {
        delete item;
    }
}

void FlowLayout::setCentred(bool centred)
{
    m_centred = centred;
    invalidate();
}

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.push_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[size_t(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    QLayoutItem* item = itemAt(index);
    if (item) {
        m_items.erase(m_items.begin() + index);
    }
    return item;
}

int FlowLayout::heightForWidth(int width) const
{
    return arrange(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::sizeHint() const
{
    int width = 0, height = 0;
    for (const QLayoutItem* item : m_items) {
        if (!item->isEmpty()) {
            width += item->sizeHint().width() + (width > 0 ? m_gap : 0);
            height = std::max(height, item->sizeHint().height());
        }
    }
    return {width, height};
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem* item : m_items) {
        size = item->isEmpty() ? size : size.expandedTo(item->minimumSize());
    }
    return size;
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool move) const
{
    int x = rect.x(), y = rect.y();
    size_t first = 0; // first item of this line
    int height = 0;
    const auto endLine = [&](size_t end) {
        const int used = x - rect.x() - m_gap;
        int left = rect.x() + (m_centred ? std::max(0, rect.width() - used) / 2 : 0);
        for (size_t at = first; move && at < end; ++at) {
            if (!m_items[at]->isEmpty()) {
                const QSize size = m_items[at]->sizeHint().boundedTo({rect.width(), height});
                m_items[at]->setGeometry(
                    QRect(QPoint(left, y + (height - size.height()) / 2), size));
                left += size.width() + m_gap;
            }
        }
        first = end;
    };
    for (size_t at = 0; at < m_items.size(); ++at) {
        if (m_items[at]->isEmpty()) {
            continue;
        }
        const QSize size = m_items[at]->sizeHint();
        if (x > rect.x() && x + size.width() > rect.x() + rect.width()) {
            endLine(at);
            x = rect.x();
            y += height + m_gap;
            height = 0;
        }
        x += size.width() + m_gap;
        height = std::max(height, size.height());
    }
    endLine(m_items.size());
    return y + height - rect.y();
}

} // namespace slipway

#include "moc_flowlayout.cpp"
