// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/parallelcard.h"

#include "plots/figure/theme.h"
#include "plots/metrics/summary.h"
#include "ui/compare/curvesmodel.h"
#include "ui/parts/text.h"

#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr double parallelMargin = 8;
constexpr double parallelMarker = 8;
constexpr double labelGap = 6; ///< between a label and the next axis

/// "run a1b2: Epochs 4, Batch 32, train loss, final 0.41": a line in words.
QString lineWords(const ParallelPlot& plot, const ParallelLine& line)
{
    QStringList parts;
    for (size_t i = 0; i < plot.axes.size(); ++i) {
        if (line.at[i]) {
            parts << QString(plot.axes[i].title % u' ' % line.texts[qsizetype(i)]);
        }
    }
    return line.label % u": "_s % parts.join(u", "_s);
}

} // namespace

ParallelView::ParallelView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"parallelView"_s);
}

void ParallelView::setPlot(const ParallelPlot& plot)
{
    m_plot = plot;
    QStringList lines;
    for (const ParallelLine& line : plot.lines) {
        lines << lineWords(plot, line);
    }
    setAccessibleName(tr("Fields and results of the runs"));
    setAccessibleDescription(lines.join(u"; "_s));
    update();
}

QSize ParallelView::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 16};
}

QSize ParallelView::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 20, fontMetrics().height() * 14};
}

QRectF ParallelView::plotArea() const
{
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(
        parallelMargin, line * 1.8, -parallelMargin, -line * 0.8 - parallelMargin);
}

/// The width of the titles and labels at an axis: up to the next axis, at the last as wide as they
/// are.
double ParallelView::roomAt(size_t axis) const
{
    const QFontMetricsF metrics(font());
    const ParallelAxis& last = m_plot.axes.back();
    double wide = metrics.horizontalAdvance(last.title);
    for (const auto& [at, text] : last.ticks) {
        wide = std::max(wide, metrics.horizontalAdvance(text) + 2 * parallelMarker);
    }
    const double width = plotArea().width();
    const double count = double(m_plot.axes.size());
    const double atLast = std::min(wide + labelGap, width / count);
    return axis + 1 == m_plot.axes.size() ? atLast : (width - atLast) / (count - 1);
}

double ParallelView::axisX(size_t axis) const
{
    return plotArea().left() + parallelMarker + roomAt(0) * double(axis);
}

void ParallelView::paintEvent(QPaintEvent*)
{
    if (m_plot.axes.size() < 2) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Colours::now().line, 1));
    const QRectF area = plotArea();
    for (size_t i = 0; i < m_plot.axes.size(); ++i) {
        painter.drawLine(QPointF(axisX(i), area.top()), QPointF(axisX(i), area.bottom()));
    }
    paintLines(painter);
    paintLabels(painter);
}

/// Over the lines, each on the colour of the card, so that no line runs through a number.
void ParallelView::paintLabels(QPainter& painter) const
{
    const Colours& colours = Colours::now();
    const QRectF area = plotArea();
    const QFontMetricsF metrics(font());
    for (size_t i = 0; i < m_plot.axes.size(); ++i) {
        const ParallelAxis& axis = m_plot.axes[i];
        const double x = axisX(i);
        painter.setPen(colours.text);
        painter.drawText(QPointF(x - parallelMarker, area.top() - metrics.height() * 0.6),
            metrics.elidedText(axis.title, Qt::ElideRight, roomAt(i) - labelGap));
        double lowest =
            area.bottom() + 2 * metrics.height(); // labels that would overlap are left out
        for (const auto& [at, text] : axis.ticks) {
            const double y = area.bottom() - at * area.height();
            if (lowest - y < metrics.height() && at < 1) {
                continue;
            }
            lowest = y;
            const QString shown =
                metrics.elidedText(text, Qt::ElideRight, roomAt(i) - 2 * parallelMarker - labelGap);
            const QPointF place(x + parallelMarker + 2, y + metrics.capHeight() / 2);
            const QRectF behind(place.x() - 2, y - metrics.capHeight() / 2 - 3,
                metrics.horizontalAdvance(shown) + 4, metrics.capHeight() + 6);
            painter.fillRect(behind, colours.surface);
            painter.setPen(colours.secondText);
            painter.drawText(place, shown);
        }
    }
}

void ParallelView::paintLines(QPainter& painter) const
{
    const Colours& colours = Colours::now();
    const ChartTheme theme = ChartTheme::forBackground(colours.surface);
    const QRectF area = plotArea();
    for (const ParallelLine& line : m_plot.lines) {
        const SeriesStyle style = theme.style(int(line.entry));
        std::optional<QPointF> before;
        for (size_t i = 0; i < line.at.size(); ++i) {
            if (!line.at[i]) {
                before.reset();
                continue;
            }
            const QPointF point(axisX(i), area.bottom() - *line.at[i] * area.height());
            if (before) {
                painter.setPen(style.pen(1.8));
                painter.drawLine(*before, point);
            }
            paintMarker(
                painter, style.marker, point, parallelMarker, style.colour, colours.surface);
            before = point;
        }
    }
}

ParallelCard::ParallelCard(CurvesModel* model, QWidget* parent)
    : QFrame(parent)
    , m_model(model)
    , m_title(TextLabel::paragraph({}, "heading"))
    , m_view(new ParallelView)
{
    setCardKind(this, "true");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addWidget(m_view, 1);
    connect(model, &CurvesModel::changed, this, &ParallelCard::refresh);
    refresh();
}

void ParallelCard::refresh()
{
    const ParallelPlot plot = m_model->parallel();
    setVisible(plot.axes.size() > 2 && plot.lines.size() > 1);
    m_title->setText(
        tr("What was varied, and %1 at the end").arg(seriesTitle(m_model->view().series.value(0))));
    m_view->setPlot(plot);
}

} // namespace slipway

#include "moc_parallelcard.cpp"
