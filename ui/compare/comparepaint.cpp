// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparepaint.h"

#include "plots/figure/figure.h"
#include "ui/parts/sign.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr double figureText = 12; ///< pixels of the text in paintFigure()

struct RuleLook {
    Sign sign;
    QColor colour;
};

RuleLook lookOf(FairnessRule::State state, const Colours& colours)
{
    switch (state) {
    case FairnessRule::State::Kept:
        return {Sign::Check, colours.ink(colours.done)};
    case FairnessRule::State::Note:
        return {Sign::Bang, colours.ink(colours.warning)};
    case FairnessRule::State::Broken:
        return {Sign::Cross, colours.ink(colours.error)};
    case FairnessRule::State::Unknown:
        break;
    }
    return {Sign::Ring, colours.secondText};
}

double paintRule(QPainter& painter, const QRectF& area, const RuleLook& look, const QString& text,
    const QColor& ink, const PaperStyle& style)
{
    const double line = QFontMetricsF(style.face(1)).height();
    paintSign(painter, QRectF(area.left(), area.top(), line, line), look.sign, look.colour);
    return std::max(
        line, paintWords(painter, area.adjusted(line * 1.4, 0, 0, 0), text, style.face(1), ink));
}

} // namespace

QFont PaperStyle::face(double times, bool bold) const
{
    QFont face = font;
    face.setPixelSize(std::max(6, qRound(text * times)));
    face.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return face;
}

double paintWords(QPainter& painter, const QRectF& area, const QString& text, const QFont& font,
    const QColor& colour, int align)
{
    if (text.isEmpty()) {
        return 0;
    }
    const int flags = Qt::TextWordWrap | Qt::AlignTop | align;
    const QRectF all(area.left(), area.top(), area.width(), 1e5);
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(all, flags, text);
    return QFontMetricsF(font).boundingRect(all, flags, text).height();
}

double paintVerdict(QPainter& painter, const QRectF& area, const RaceVerdict& verdict,
    const PaperStyle& style, double headline, int align)
{
    const Colours& colours = style.colours;
    QRectF rest = area;
    const auto below = [&rest](double height, double gap) {
        if (height > 0) {
            rest.setTop(rest.top() + height + gap);
        }
    };
    below(paintWords(painter, rest, verdict.where, style.face(1.1), colours.secondText, align),
        style.text * 0.3);
    QFont face = style.face(verdict.fair ? headline : std::min(headline, 2.2), true);
    while (verdict.fair && face.pixelSize() > style.text
        && QFontMetricsF(face).horizontalAdvance(verdict.headline) > area.width()) {
        face.setPixelSize(face.pixelSize() - 1);
    }
    const QColor ink = verdict.fair ? colours.ink(colours.accent) : colours.text;
    const QString sign = verdict.fair ? QString() : u"! "_s;
    below(paintWords(painter, rest, sign % verdict.headline, face, ink, align), style.text * 0.5);
    const QColor detail = verdict.fair ? colours.secondText : colours.text;
    below(paintWords(painter, rest, verdict.detail, style.face(1.1), detail, align),
        style.text * 0.4);
    below(paintWords(painter, rest, verdict.crossover, style.face(1.1), colours.secondText, align),
        style.text * 0.4);
    below(paintWords(painter, rest, verdict.remedy, style.face(1.1), colours.secondText, align), 0);
    return rest.top() - area.top();
}

double paintRules(
    QPainter& painter, const QRectF& area, const CompareModel& model, const PaperStyle& style)
{
    QRectF rest = area;
    const Colours& colours = style.colours;
    const auto add = [&](const RuleLook& look, const QString& text, const QColor& ink) {
        rest.setTop(
            rest.top() + paintRule(painter, rest, look, text, ink, style) + style.text * 0.5);
    };
    if (const auto& pair = model.comparison()) {
        for (const FairnessRule& rule : pair->rules) {
            const RuleLook look = lookOf(rule.state, colours);
            add(look, rule.text,
                rule.state == FairnessRule::State::Kept ? colours.text : look.colour);
        }
    }
    for (const AbsentLane& lane : model.absent()) {
        add({Sign::Dash, colours.secondText}, absentWords(lane), colours.text);
    }
    return rest.top() - area.top();
}

double paintTable(
    QPainter& painter, const QRectF& area, const ComparisonTable& table, const PaperStyle& style)
{
    const int columns = int(table.headings.size());
    const double line = QFontMetricsF(style.face(1)).height() * 1.55;
    const int room = std::max(1, int(area.height() / line) - 1);
    const size_t skip = table.rows.size() > size_t(room) ? table.rows.size() - size_t(room) : 0;
    const double first = std::min(area.width() * 0.16, style.text * 8);
    const double width = columns > 1 ? (area.width() - first) / (columns - 1) : area.width();
    double top = area.top();
    const auto row = [&](const QStringList& cells, bool head) {
        for (int column = 0; column < columns; ++column) {
            const bool ratio = !head && column == 3;
            const QFont face = style.face(head ? 0.92 : 1, ratio);
            const double left =
                column == 0 ? area.left() : area.left() + first + (column - 1) * width;
            const QRectF box(left, top, column == 0 ? first : width - style.text * 0.4, line);
            painter.setFont(face);
            painter.setPen(head ? style.colours.secondText : style.colours.text);
            painter.drawText(box, (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                QFontMetricsF(face).elidedText(cells.value(column), Qt::ElideRight, box.width()));
        }
        top += line;
        painter.setPen(QPen(style.colours.line, std::max(1.0, style.text / 14)));
        painter.drawLine(QPointF(area.left(), top), QPointF(area.right(), top));
    };
    row(table.headings, true);
    for (size_t at = skip; at < table.rows.size(); ++at) {
        row(table.rows[at], false);
    }
    return top - area.top();
}

void paintCurvesPart(
    QPainter& painter, const QRectF& area, const CompareModel& model, const PaperStyle& style)
{
    ChartSpec spec = compareChart(model);
    spec.title.clear();
    SeriesStore store;
    fillSeries(store, model);
    FigureOptions options;
    options.theme = laneTheme(style.colours.dark ? ChartTheme::dark() : ChartTheme::light(), model);
    options.theme.surface = style.colours.surface;
    options.font = style.font;
    const double scale = style.text / figureText;
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(scale, scale);
    paintFigure(painter, QRectF(QPointF(), area.size() / scale), spec, store, options);
    painter.restore();
}

} // namespace slipway
