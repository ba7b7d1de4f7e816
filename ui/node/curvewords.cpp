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

void CurveWords::setWords(const QStringList& words)
{
    if (words == m_words) {
        return;
    }
    m_words = words;
    QStringList said = words;
    said.removeAll(QString());
    setAccessibleName(said.join(u", "_s));
    setToolTip(plainToolTip(said.join(u", "_s)));
    updateGeometry();
    update();
}

QSize CurveWords::sizeHint() const
{
    const QFontMetrics metrics(wordFont(font()));
    int width = 0;
    for (const QString& word : m_words) {
        if (!word.isEmpty()) {
            width += metrics.horizontalAdvance(word) + lineSample + 6 + wordGap;
        }
    }
    return {std::max(0, width - wordGap) + 2, metrics.height()};
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
    for (qsizetype i = 0; i < m_words.size(); ++i) {
        if (m_words[i].isEmpty() || x + lineSample + 6 >= width()) {
            continue;
        }
        const SeriesStyle style = theme.style(int(i));
        painter.setPen(style.pen(2));
        painter.drawLine(QPointF(x, height() / 2.0), QPointF(x + lineSample, height() / 2.0));
        x += lineSample + 6;
        painter.setPen(style.labelColour);
        const QString text = metrics.elidedText(m_words[i], Qt::ElideRight, int(width() - x));
        painter.drawText(
            QRectF(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += metrics.horizontalAdvance(text) + wordGap;
    }
}

} // namespace slipway

#include "moc_curvewords.cpp"
