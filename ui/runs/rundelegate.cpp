// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/rundelegate.h"

#include "ui/look/fonts.h"
#include "ui/parts/pill.h"
#include "ui/runs/runlistmodel.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int sideMargin = 16;
constexpr int boxSide = 16;
constexpr int boxSpace = sideMargin + boxSide + 12; ///< from the edge to the text
constexpr int rowIndent = 24; ///< of a run below its sweep
constexpr int curveWidth = 120;
constexpr int widthForCurve = 760; ///< narrower rows have text only

int indentOf(const QModelIndex& index)
{
    return index.data(RunListModel::IndentRole).toBool() ? rowIndent : 0;
}

void paintGround(QPainter* painter, const QStyleOptionViewItem& option, const Colours& colours,
    const QRect& rect, bool ticked)
{
    const bool focused = option.state & QStyle::State_HasFocus;
    const bool strong = ticked || (option.state & QStyle::State_Selected) || focused;
    const bool hover = option.state & QStyle::State_MouseOver;
    painter->setPen(QPen(strong ? colours.accent : colours.line, strong ? 2 : 1));
    painter->setBrush(hover || focused || ticked ? colours.soft(colours.accent) : colours.surface);
    painter->drawRoundedRect(QRectF(rect).adjusted(0.5, 4.5, -0.5, -4.5), 8, 8);
}

void paintBox(QPainter* painter, const QRect& row, Qt::CheckState state, const Colours& colours)
{
    const QRectF box(row.left() + sideMargin + 0.5, row.center().y() - boxSide / 2 + 0.5,
        boxSide - 1, boxSide - 1);
    const bool marked = state != Qt::Unchecked;
    painter->setPen(QPen(marked ? colours.accent : colours.secondText, 1));
    painter->setBrush(marked ? colours.accent : colours.surface);
    painter->drawRoundedRect(box, 3, 3);
    if (marked) {
        paintSign(*painter, box.adjusted(1, 1, -1, -1),
            state == Qt::Checked ? Sign::Check : Sign::Dash, colours.onAccent);
    }
}

/// A triangle to the right where a heading is folded, downwards where it is open.
void paintFold(QPainter* painter, const QRectF& square, bool open, const QColor& colour)
{
    QPolygonF shape{QPointF(0.3, 0.15), QPointF(0.75, 0.5), QPointF(0.3, 0.85)};
    if (open) {
        shape = QPolygonF{QPointF(0.15, 0.3), QPointF(0.85, 0.3), QPointF(0.5, 0.75)};
    }
    QTransform place;
    place.translate(square.left(), square.top());
    place.scale(square.width(), square.height());
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    painter->drawPolygon(place.map(shape));
}

void paintGroupHeading(QPainter* painter, const QStyleOptionViewItem& option,
    const QModelIndex& index, const Colours& colours)
{
    const QVariant open = index.data(RunListModel::OpenRole);
    const QVariant tick = index.data(Qt::CheckStateRole);
    QRect area = option.rect.adjusted(2, 0, -sideMargin, 0);
    if (open.isValid()) {
        paintGround(painter, option, colours, option.rect, tick.toInt() == Qt::Checked);
        paintBox(painter, option.rect, Qt::CheckState(tick.toInt()), colours);
        const double side = option.fontMetrics.height() * 0.8;
        const QRectF square(
            option.rect.left() + boxSpace, option.rect.center().y() - side / 2, side, side);
        paintFold(painter, square, open.toBool(), colours.secondText);
        area.setLeft(int(square.right()) + 8);
    }
    const QFont strong = fontFor(TextRole::Strong);
    painter->setFont(strong);
    painter->setPen(open.isValid() ? colours.text : colours.secondText);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(strong).elidedText(
            index.data(RunListModel::HeadingRole).toString(), Qt::ElideRight, area.width()));
}

void paintCurve(QPainter* painter, const QPolygonF& curve, const QRectF& area, const QColor& colour)
{
    QTransform place;
    place.translate(area.left(), area.top());
    place.scale(area.width(), area.height());
    painter->setPen(QPen(colour, 1.5));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(place.map(curve));
}

/// Where it runs, and how long: two lines at the right edge.
void paintRight(QPainter* painter, const QStyleOptionViewItem& option, const RunRow& row,
    const QRect& area, const Colours& colours)
{
    const int line = option.fontMetrics.height();
    const QString ago = agoText(row.created, QDateTime::currentDateTimeUtc());
    const QString duration = durationOf(row);
    const QString times = duration.isEmpty() ? ago : QString(duration % u" · "_s % ago);
    painter->setFont(option.font);
    painter->setPen(colours.secondText);
    const QRect first(area.left(), area.top(), area.width(), line);
    const auto elided = [&](const QString& text) {
        return option.fontMetrics.elidedText(text, Qt::ElideRight, area.width());
    };
    painter->drawText(first, Qt::AlignRight | Qt::AlignVCenter, elided(row.place));
    painter->drawText(
        first.translated(0, line + 8), Qt::AlignRight | Qt::AlignVCenter, elided(times));
}

/// A frame around what differs from the defaults. Returns where the next part begins.
int paintSettings(QPainter* painter, const QFont& font, const QString& text, const QRect& room,
    const Colours& colours)
{
    const QFontMetrics metrics(font);
    if (text.isEmpty() || room.width() < 60) {
        return room.left();
    }
    const QString shown = metrics.elidedText(text, Qt::ElideRight, room.width() - 16);
    const QRectF frame(room.left() + 0.5, room.top() - 2.5, metrics.horizontalAdvance(shown) + 16,
        room.height() + 5);
    painter->setPen(QPen(colours.line, 1));
    painter->setBrush(colours.page);
    painter->drawRoundedRect(frame, 4, 4);
    painter->setFont(font);
    painter->setPen(colours.secondText);
    painter->drawText(frame, Qt::AlignCenter, shown);
    return int(frame.right()) + 12;
}

/// Title, settings, state and tags: the state is always whole, the others are shortened.
void paintFirstLine(QPainter* painter, const QStyleOptionViewItem& option, const RunRow& row,
    const QRect& area, const Colours& colours)
{
    const QFont strong = fontFor(TextRole::Strong);
    const QFontMetrics bold(strong);
    const QSize pill = StatePill::sizeFor(row.state, option.font);
    const int room = area.width() - pill.width() - 12;
    const int titleRoom = row.settings.isEmpty() ? room : std::max(room / 2, room - 360);
    const QString title = bold.elidedText(row.title, Qt::ElideRight, titleRoom);
    painter->setFont(strong);
    painter->setPen(colours.text);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, title);
    int x = area.left() + bold.horizontalAdvance(title) + 12;
    x = paintSettings(painter, fontFor(TextRole::Second), row.settings,
        QRect(x, area.top(), area.left() + room - x, area.height()), colours);
    StatePill::paint(*painter, QPoint(x, area.top() + (area.height() - pill.height()) / 2),
        row.state, option.font, colours);
    x += pill.width() + 12;
    const QRect rest(x, area.top(), area.right() - x, area.height());
    if (!row.tags.isEmpty() && rest.width() > 40) {
        painter->setFont(option.font);
        painter->setPen(colours.ink(colours.accent));
        painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
            option.fontMetrics.elidedText(row.tags, Qt::ElideRight, rest.width()));
    }
}

void paintRun(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
    const RunRow& row, const Colours& colours)
{
    const QVariant tick = index.data(Qt::CheckStateRole);
    const QRect ground = option.rect.adjusted(indentOf(index), 0, 0, 0);
    paintGround(painter, option, colours, ground, tick.toInt() == Qt::Checked);
    if (tick.isValid()) {
        paintBox(painter, ground, Qt::CheckState(tick.toInt()), colours);
    }
    const int line = option.fontMetrics.height();
    const int before = tick.isValid() ? boxSpace : sideMargin;
    const QRect area = ground.adjusted(before, 16, -sideMargin, -14);
    QRect right = area;
    right.setLeft(area.right() - std::min(area.width() / 3, 260));
    paintRight(painter, option, row, right, colours);
    int leftWidth = right.left() - area.left() - sideMargin;
    if (!row.curve.isEmpty() && option.rect.width() >= widthForCurve) {
        leftWidth -= curveWidth + sideMargin;
        const QRectF curve(
            area.left() + leftWidth + sideMargin, area.top() + 4, curveWidth, area.height() - 8);
        paintCurve(painter, row.curve, curve, colours.ink(colours.running));
    }
    const QRect first(area.left(), area.top(), leftWidth, line);
    paintFirstLine(painter, option, row, first, colours);
    painter->setFont(option.font);
    painter->setPen(row.failed ? colours.ink(colours.error) : colours.secondText);
    painter->drawText(first.translated(0, line + 8), Qt::AlignLeft | Qt::AlignVCenter,
        option.fontMetrics.elidedText(row.text, Qt::ElideRight, leftWidth));
}

} // namespace

QSize RunDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int line = option.fontMetrics.height();
    if (!index.data(RunListModel::HeadingRole).isValid()) {
        return {200, 2 * line + 42};
    }
    return {200, line + (index.flags() & Qt::ItemIsEnabled ? 30 : 14)};
}

void RunDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Colours& colours = Colours::now();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (const auto* row = index.data(RunListModel::RowRole).value<const RunRow*>()) {
        paintRun(painter, option, index, *row, colours);
    } else {
        paintGroupHeading(painter, option, index, colours);
    }
    painter->restore();
}

bool RunDelegate::isOnBox(const QRect& rect, const QModelIndex& index, const QPoint& point)
{
    const int left = rect.left() + indentOf(index);
    return (index.flags() & Qt::ItemIsUserCheckable) && rect.contains(point) && point.x() >= left
        && point.x() < left + boxSpace - 4;
}

/// The box is where this class paints it, not where the style would.
bool RunDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
    const QStyleOptionViewItem& option, const QModelIndex& index)
{
    return event->type() == QEvent::KeyPress
        && QStyledItemDelegate::editorEvent(event, model, option, index);
}

} // namespace slipway

#include "moc_rundelegate.cpp"
