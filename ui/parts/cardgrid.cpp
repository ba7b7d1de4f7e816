// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/cardgrid.h"

#include <QFontMetrics>

#include <algorithm>

namespace slipway {

CardGrid::CardGrid(int leastWidth, QWidget* parent)
    : QWidget(parent)
    , m_leastWidth(leastWidth)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(16);
    setSizePolicy(
        QSizePolicy::Preferred, QSizePolicy::Maximum); // cards are only as high as their text
}

void CardGrid::setCards(const QList<QWidget*>& cards)
{
    for (QWidget* card : std::as_const(m_cards)) {
        m_grid->removeWidget(card);
        card->hide();
        card->deleteLater();
    }
    m_cards = cards;
    for (QWidget* card : cards) {
        card->setParent(this);
    }
    m_columns = 0;
    arrange();
}

void CardGrid::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void CardGrid::arrange()
{
    // The minimum width applies at 10 points; larger text needs wider cards.
    const int least = m_leastWidth * fontMetrics().averageCharWidth() / 8;
    const int most = std::clamp(int(m_cards.size()), 3, 6);
    const int columns = std::clamp((width() + 16) / (std::max(least, m_leastWidth) + 16), 1, most);
    if (columns == m_columns) {
        return;
    }
    for (int column = 0; column < std::max(columns, m_columns); ++column) {
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
        m_grid->setColumnMinimumWidth(column, 0);
    }
    m_columns = columns;
    for (int i = 0; i < m_cards.size(); ++i) {
        m_grid->addWidget(m_cards[i], i / columns, i % columns);
        m_cards[i]->show();
    }
}

} // namespace slipway

#include "moc_cardgrid.cpp"
