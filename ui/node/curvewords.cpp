// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/node/curvewords.h"

#include "plots/figure/theme.h"
#include "ui/look/colours.h"
#include "ui/parts/text.h"

#include <QPainter>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int lineSample = 18; ///< width of the line sample of a curve
constexpr int wordGap = 16;

QFont wordFont(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

CurveWords::CurveWords(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void CurveWords::setWords(const QStringList& words, const QStringList& brief)
{
    if (words == m_words && brief == m_brief) {
        return;
    }
    m_words = words;
    m_brief = brief;
    QStringList said = words;
    said.removeAll(QString());
    setAccessibleName(said.join(u", "_s));
    setToolTip(plainToolTip(said.join(u", "_s)));
    updateGeometry();
    update();
}

int CurveWords::widthOf(const QStringList& words) const
{
    const QFontMetrics metrics(wordFont(font()));
    int width = 0;
    for (const QString& word : words) {
        if (!word.isEmpty()) {
            width += metrics.horizontalAdvance(word) + lineSample + 6 + wordGap;
        }
    }
    return std::max(0, width - wordGap);
}

QStringList CurveWords::paintedWords() const
{
    QStringList words =
        widthOf(m_words) > width() && m_brief.size() == m_words.size() ? m_brief : m_words;
    for (qsizetype i = words.size() - 1; i >= 0 && widthOf(words) > width(); --i) {
        words[i].clear();
    }
    return words;
}

QSize CurveWords::sizeHint() const
{
    return {widthOf(m_words) + 2, QFontMetrics(wordFont(font())).height()};
}

QSize CurveWords::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 8, QFontMetrics(wordFont(font())).height()};
}

void CurveWords::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& colours = Colours::now();
    const ChartTheme theme = ChartTheme::forBackground(colours.surface);
    painter.setFont(wordFont(font()));
    const QFontMetrics metrics(painter.font());
    double x = 0;
    const QStringList words = paintedWords();
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words[i].isEmpty()) {
            continue;
        }
        const SeriesStyle style = theme.style(int(i));
        painter.setPen(style.pen(2));
        painter.drawLine(QPointF(x, height() / 2.0), QPointF(x + lineSample, height() / 2.0));
        x += lineSample + 6;
        painter.setPen(style.labelColour);
        painter.drawText(
            QRectF(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, words[i]);
        x += metrics.horizontalAdvance(words[i]) + wordGap;
    }
}

} // namespace slipway

#include "moc_curvewords.cpp"
