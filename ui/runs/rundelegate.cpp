// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/rundelegate.h"

#include "ui/look/fonts.h"
#include "ui/parts/pill.h"
#include "ui/runs/runlistmodel.h"

#include <QPainter>

namespace slipway {

namespace {

constexpr int sideMargin = 16;

void paintGround(QPainter* painter, const QStyleOptionViewItem& option, const Colours& colours)
{
    const bool selected = option.state & QStyle::State_Selected;
    const bool focused = option.state & QStyle::State_HasFocus;
    const QRectF area = QRectF(option.rect).adjusted(0.5, 4.5, -0.5, -4.5);
    // Several rows can be selected; each shows it, not only the one with the focus.
    painter->setPen(QPen(selected ? colours.accent : colours.line, selected ? 2 : 1));
    const bool hover = option.state & QStyle::State_MouseOver;
    painter->setBrush(
        hover || (selected && focused) ? colours.soft(colours.accent) : colours.surface);
    painter->drawRoundedRect(area, 8, 8);
}

} // namespace

QSize RunDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {200, 2 * option.fontMetrics.height() + 42};
}

void RunDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Colours& colours = Colours::now();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintGround(painter, option, colours);
    const QRect area = option.rect.adjusted(sideMargin, 16, -sideMargin, -14);
    const int line = option.fontMetrics.height();
    const int rightWidth = std::min(area.width() / 3, 260);

    painter->setFont(option.font);
    painter->setPen(colours.secondText);
    const QRect right(area.right() - rightWidth, area.top(), rightWidth, line);
    const auto elided = [&](const QFont& font, int role, int width) {
        return QFontMetrics(font).elidedText(index.data(role).toString(), Qt::ElideRight, width);
    };
    painter->drawText(right, Qt::AlignRight | Qt::AlignVCenter,
        elided(option.font, RunListModel::PlaceRole, rightWidth));
    painter->drawText(right.translated(0, line + 8), Qt::AlignRight | Qt::AlignVCenter,
        index.data(RunListModel::WhenRole).toString());

    const QFont strong = fontFor(TextRole::Strong);
    const StateWord state = stateWord(RunPhase(index.data(RunListModel::PhaseRole).toInt()));
    const QSize pill = StatePill::sizeFor(state, option.font);
    const int leftWidth = area.width() - rightWidth - sideMargin;
    const QString title = elided(strong, RunListModel::TitleRole, leftWidth - pill.width() - 12);
    painter->setFont(strong);
    painter->setPen(colours.text);
    painter->drawText(
        QRect(area.left(), area.top(), leftWidth, line), Qt::AlignLeft | Qt::AlignVCenter, title);
    const int after = area.left() + QFontMetrics(strong).horizontalAdvance(title) + 12;
    StatePill::paint(*painter, QPoint(after, area.top() + (line - pill.height()) / 2), state,
        option.font, colours);
    painter->setFont(option.font);
    painter->setPen(colours.secondText);
    painter->drawText(QRect(area.left(), area.top() + line + 8, leftWidth, line),
        Qt::AlignLeft | Qt::AlignVCenter,
        elided(option.font, RunListModel::SentenceRole, leftWidth));
    painter->restore();
}

} // namespace slipway

#include "moc_rundelegate.cpp"
