// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/node/checkdelegate.h"

#include "ui/look/fonts.h"
#include "ui/node/checkmodel.h"

#include <QListView>
#include <QPainter>
#include <QTextLayout>

#include <cmath>
#include <memory>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int rowMargin = 16;
constexpr int rowPadding = 10;

/// Wrapping text whose parts have their own colours.
class Paragraph {
public:
    void add(const QString& text, const QColor& colour, bool strong = false)
    {
        if (!m_text.isEmpty()) {
            m_text += QChar::LineSeparator;
        }
        QTextCharFormat format;
        format.setForeground(colour);
        if (strong) {
            format.setFontWeight(QFont::DemiBold);
        }
        m_formats << QTextLayout::FormatRange{int(m_text.size()), int(text.size()), format};
        // A line break in remote text becomes a space: a row has one line for each part.
        m_text += QString(text).replace(u'\n', u' ').replace(QChar::LineSeparator, u' ');
    }
    bool isEmpty() const { return m_text.isEmpty(); }

    /// Breaks it into lines and returns the height.
    double layOut(const QFont& font, double width)
    {
        m_layout = std::make_unique<QTextLayout>(m_text, font);
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        m_layout->setTextOption(option);
        m_layout->setFormats(m_formats);
        m_layout->beginLayout();
        double y = 0;
        for (QTextLine line = m_layout->createLine(); line.isValid();
             line = m_layout->createLine()) {
            line.setLineWidth(width);
            line.setPosition(QPointF(0, y));
            y += line.height() + 2;
        }
        m_layout->endLayout();
        return m_text.isEmpty() ? 0 : y;
    }
    void draw(QPainter* painter, const QPointF& at) const { m_layout->draw(painter, at); }

private:
    QString m_text;
    QList<QTextLayout::FormatRange> m_formats;
    std::unique_ptr<QTextLayout> m_layout;
};

/// Where the parts of a row are, relative to its top left corner; used for both size and painting.
struct RowLayout {
    Paragraph title, body, fix;
    double stateWidth = 0;
    QPointF titleAt, bodyAt, fixAt;
    QRectF fixBox; ///< empty: nothing to do, or nothing urgent
    double height = 0;
};

double stateWidth(const QFontMetricsF& metrics)
{
    double widest = 0;
    for (const CheckState state :
        {CheckState::Ok, CheckState::Warn, CheckState::Fail, CheckState::Skip}) {
        widest = std::max(widest, metrics.horizontalAdvance(stateWord(state).word));
    }
    return metrics.ascent() + 6 + widest + 20;
}

RowLayout layOut(const CheckRow& row, const QFont& font, double width)
{
    const Colours& colours = Colours::now();
    const QFontMetricsF metrics(font);
    const bool urgent = needsAttention(row.state);
    RowLayout out;
    out.stateWidth = stateWidth(metrics);
    const double inner = width - 2 * rowMargin;
    const double titleWidth = std::min(inner * 0.26, metrics.averageCharWidth() * 28);
    const double bodyLeft = out.stateWidth + titleWidth + 16;
    // In a narrow window the text goes below the title.
    const bool stacked = inner - bodyLeft < metrics.averageCharWidth() * 30;
    const double left = rowMargin + (stacked ? metrics.ascent() + 6 : bodyLeft);
    const double bodyWidth = width - rowMargin - left;

    out.title.add(checkTitle(row.id),
        row.state == CheckState::Skip ? colours.secondText : colours.text, true);
    out.titleAt = {rowMargin + out.stateWidth, rowPadding};
    const double titleHeight =
        out.title.layOut(font, stacked ? inner - out.stateWidth : titleWidth);

    if (!row.value.isEmpty()) {
        out.body.add(row.value, row.state == CheckState::Skip ? colours.secondText : colours.text);
    } else if (row.why.isEmpty()) {
        out.body.add(CheckDelegate::tr("unknown"), colours.secondText);
    }
    if (!row.expected.isEmpty()) {
        out.body.add(CheckDelegate::tr("Expected: %1").arg(row.expected), colours.secondText);
    }
    if (!row.why.isEmpty()) {
        out.body.add(row.why, urgent ? colours.text : colours.secondText);
    }
    if (!row.fix.isEmpty() && !urgent) {
        out.body.add(CheckDelegate::tr("What to do: %1").arg(row.fix), colours.secondText);
    }
    out.bodyAt = {left, stacked ? rowPadding + titleHeight + 2 : rowPadding};
    double bottom = out.bodyAt.y() + out.body.layOut(font, bodyWidth);
    if (!row.fix.isEmpty() && urgent) {
        out.fix.add(
            CheckDelegate::tr("What to do"), tintColour(colours, stateWord(row.state).tint), true);
        out.fix.add(row.fix, colours.text);
        const double fixHeight = out.fix.layOut(font, bodyWidth - 28);
        out.fixBox = QRectF(left, bottom + 4, bodyWidth, fixHeight + 14);
        out.fixAt = out.fixBox.topLeft() + QPointF(16, 7);
        bottom = out.fixBox.bottom();
    }
    out.height = std::ceil(std::max(bottom, rowPadding + titleHeight) + rowPadding);
    return out;
}

void paintHeading(QPainter* painter, const QRectF& area, const QString& text, const QString& counts,
    const QColor& countColour)
{
    const Colours& colours = Colours::now();
    const QRectF line = area.adjusted(rowMargin, 8, -rowMargin, 0);
    const QFont heading = fontFor(TextRole::Heading);
    painter->setFont(heading);
    painter->setPen(colours.text);
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetrics(heading).elidedText(text, Qt::ElideRight, int(line.width())));
    const double used = QFontMetricsF(heading).horizontalAdvance(text) + 16;
    painter->setFont(fontFor(TextRole::Caption));
    painter->setPen(countColour);
    if (QFontMetricsF(painter->font()).horizontalAdvance(counts) < line.width() - used) {
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, counts);
    }
}

void paintFix(QPainter* painter, const RowLayout& row, const QPointF& origin, Tint tint)
{
    const Colours& colours = Colours::now();
    const QColor colour = tintColour(colours, tint);
    const QRectF box = row.fixBox.translated(origin);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colours.soft(colour));
    painter->drawRoundedRect(box, 6, 6);
    painter->setBrush(colour);
    painter->drawRoundedRect(QRectF(box.left(), box.top(), 4, box.height()), 2, 2);
    row.fix.draw(painter, origin + row.fixAt);
}

} // namespace

CheckDelegate::CheckDelegate(QListView* view)
    : QStyledItemDelegate(view)
    , m_view(view)
{
}

QSize CheckDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int width = std::max(m_view->viewport()->width(), 200);
    const auto* model = static_cast<const CheckModel*>(index.model());
    const CheckRow* row = model->check(index);
    if (!row) {
        return {width, QFontMetrics(fontFor(TextRole::Heading)).height() + 20};
    }
    return {width, int(layOut(*row, option.font, width).height)};
}

void CheckDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto* model = static_cast<const CheckModel*>(index.model());
    const Colours& colours = Colours::now();
    const QRectF area(option.rect);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(QPen(colours.accent, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(area.adjusted(1.5, 1.5, -1.5, -1.5), 6, 6);
    }
    const CheckRow* row = model->check(index);
    if (!row) {
        paintHeading(painter, area, model->heading(index), model->headingCounts(index),
            model->isFold(index) ? colours.ink(colours.accent) : colours.secondText);
        painter->restore();
        return;
    }
    painter->setPen(Qt::NoPen);
    painter->setBrush(colours.line);
    painter->drawRect(QRectF(area.left() + rowMargin, area.top(), area.width() - 2 * rowMargin, 1));
    const RowLayout lay = layOut(*row, option.font, area.width());
    const QFontMetricsF metrics(option.font);
    const StateWord state = stateWord(row->state);
    const double side = metrics.ascent();
    const QRectF sign(area.left() + rowMargin,
        area.top() + rowPadding + (metrics.height() - side) / 2, side, side);
    paintSign(*painter, sign, state.sign, tintColour(colours, state.tint));
    painter->setFont(option.font);
    painter->setPen(tintColour(colours, state.tint));
    painter->drawText(
        QPointF(sign.right() + 6, area.top() + rowPadding + metrics.ascent()), state.word);
    lay.title.draw(painter, area.topLeft() + lay.titleAt);
    lay.body.draw(painter, area.topLeft() + lay.bodyAt);
    if (!lay.fixBox.isEmpty()) {
        paintFix(painter, lay, area.topLeft(), state.tint);
    }
    painter->restore();
}

} // namespace slipway

#include "moc_checkdelegate.cpp"
