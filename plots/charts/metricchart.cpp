// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/metricchart.h"

#include "plots/charts/metricchart_p.h"
#include "plots/metrics/csv.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace slipway {

namespace {

constexpr int frameMilliseconds = 16;

const SeriesStore& storeOr(const SeriesStore* store)
{
    static const SeriesStore none;
    return store ? *store : none;
}

void prepare(QCustomPlot* plot)
{
    plot->setFocusPolicy(Qt::NoFocus);
    plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot->setNoAntialiasingOnDrag(true);
    plot->axisRect()->setAutoMargins(QCP::msNone);
    plot->addLayer(QStringLiteral("curves"), plot->layer(QStringLiteral("main")));
    plot->addLayer(QStringLiteral("crosshair"), plot->layer(QStringLiteral("overlay")));
    // A buffer of its own: the crosshair moves without painting a single curve again.
    plot->layer(QStringLiteral("crosshair"))->setMode(QCPLayer::lmBuffered);
}

} // namespace

MetricChart::MetricChart(QWidget* parent)
    : QWidget(parent)
    , m(std::make_unique<Private>())
{
    setFocusPolicy(Qt::StrongFocus);
    m->plot = new QCustomPlot(this);
    prepare(m->plot);
    m->xTicker = QSharedPointer<ChartTicker>::create();
    m->yTicker = QSharedPointer<ChartTicker>::create();
    m->plot->xAxis->setTicker(m->xTicker);
    m->plot->yAxis->setTicker(m->yTicker);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m->plot);

    new ChartLayer(
        m->plot, QStringLiteral("curves"), [this](QPainter& painter) { paintBelow(painter); });
    new ChartLayer(
        m->plot, QStringLiteral("crosshair"), [this](QPainter& painter) { paintAbove(painter); });
    m->plot->installEventFilter(this);
    for (QCPAxis* axis : {m->plot->xAxis, m->plot->yAxis}) {
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] {
            if (m->settingRanges)
                return;
            hold();
            m->stale = true; // other numbers beside the axis may need other room
            refresh();
        });
    }
    m->resume = new QToolButton(this);
    m->resume->setText(tr("Follow"));
    m->resume->setToolTip(tr("Follow new numbers again (F)"));
    m->resume->setAccessibleName(tr("Follow new numbers"));
    m->resume->hide();
    connect(m->resume, &QToolButton::clicked, this, [this] { setFollow(true); });

    m->frame.setSingleShot(true);
    m->frame.setInterval(frameMilliseconds);
    m->frame.setTimerType(Qt::PreciseTimer);
    connect(&m->frame, &QTimer::timeout, this, &MetricChart::drawFrame);
    applyTheme();
    setSpec(ChartSpec());
}

MetricChart::~MetricChart() = default;

void MetricChart::setStore(const SeriesStore* store)
{
    m->store = store;
    m->curves.clear();
    m->smoothed.clear();
    m->labelWidth = m->tickWidth = 0;
    m->drawnRevision = 0;
    m->stale = true;
    refresh();
}

void MetricChart::setSpec(const ChartSpec& spec)
{
    m->spec = spec;
    m->labelWidth = m->tickWidth = 0;
    // A new scale makes the plot put its ranges in order, which nobody asked for by hand.
    m->settingRanges = true;
    m->plot->xAxis->setScaleType(spec.x.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m->plot->yAxis->setScaleType(spec.y.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m->settingRanges = false;
    setAccessibleName(spec.title.isEmpty() ? tr("Chart") : tr("Chart: %1").arg(spec.title));
    m->stale = true;
    setFollow(true);
    refresh();
}

const ChartSpec& MetricChart::spec() const
{
    return m->spec;
}

void MetricChart::refresh()
{
    if (m->store && m->store->revision() != m->drawnRevision)
        m->stale = true;
    if (m->stale && isVisible() && !m->frame.isActive())
        m->frame.start();
}

bool MetricChart::isFollowing() const
{
    return m->follow;
}

void MetricChart::setFollow(bool follow)
{
    if (m->follow == follow)
        return;
    m->follow = follow;
    m->resume->setVisible(!follow);
    m->stale = true;
    refresh();
    emit followChanged(follow);
}

bool MetricChart::isLogarithmicY() const
{
    return m->spec.y.logarithmic;
}

void MetricChart::setLogarithmicY(bool logarithmic)
{
    if (m->spec.y.logarithmic == logarithmic)
        return;
    m->spec.y.logarithmic = logarithmic;
    m->settingRanges = true;
    m->plot->yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m->settingRanges = false;
    m->tickWidth = 0;
    // A section held on one scale means nothing on the other: zero has no logarithm.
    showEverything();
    emit logarithmicYChanged(logarithmic);
}

double MetricChart::smoothing() const
{
    return m->smoothing;
}

void MetricChart::setSmoothing(double weight)
{
    weight = qBound(0.0, weight, 0.999);
    if (m->smoothing == weight)
        return;
    m->smoothing = weight;
    m->smoothed.clear();
    m->stale = true;
    refresh();
    emit smoothingChanged(weight);
}

void MetricChart::setCaption(const QString& caption)
{
    m->caption = caption;
}

void MetricChart::setLegendVisible(bool visible)
{
    m->legend = visible;
    m->stale = true;
    refresh();
}

void MetricChart::setEndLabelsVisible(bool visible)
{
    m->endLabels = visible;
    m->labelWidth = 0;
    m->stale = true;
    refresh();
}

void MetricChart::setAxisCaption(const std::optional<QString>& caption)
{
    m->axisCaption = caption;
    m->stale = true;
    refresh();
}

void MetricChart::setFollowedY(const std::optional<ValueRange>& range)
{
    m->followedY = range;
    m->stale = true;
    refresh();
}

void MetricChart::setTheme(const std::optional<ChartTheme>& theme)
{
    m->ownTheme = theme;
    applyTheme();
}

void MetricChart::showEverything()
{
    setFollow(true);
    m->stale = true;
    refresh();
}

ValueRange MetricChart::xRange() const
{
    return {m->plot->xAxis->range().lower, m->plot->xAxis->range().upper};
}

ValueRange MetricChart::yRange() const
{
    return {m->plot->yAxis->range().lower, m->plot->yAxis->range().upper};
}

void MetricChart::setRanges(const ValueRange& x, const ValueRange& y)
{
    hold();
    m->plot->xAxis->setRange(x.low, x.high);
    m->plot->yAxis->setRange(y.low, y.high);
    m->stale = true;
    refresh();
}

QString MetricChart::summaryText() const
{
    return chartSummary(m->spec, storeOr(m->store));
}

ChartTable MetricChart::dataTable() const
{
    return chartTable(m->spec, storeOr(m->store));
}

FigureOptions MetricChart::figureOptions() const
{
    FigureOptions options;
    options.theme = m->theme;
    options.font = font();
    options.caption = m->caption;
    options.smoothing = m->smoothing;
    options.legend = m->legend;
    if (!m->follow) {
        options.xRange = xRange();
        options.yRange = yRange();
    }
    return options;
}

QImage MetricChart::image(QSize size, double scale) const
{
    return renderChart(m->spec, storeOr(m->store), size, scale, figureOptions());
}

QByteArray MetricChart::svg(QSize size) const
{
    return renderChartSvg(m->spec, storeOr(m->store), size, figureOptions());
}

QByteArray MetricChart::pdf(QSize size) const
{
    return renderChartPdf(m->spec, storeOr(m->store), size, figureOptions());
}

QByteArray MetricChart::csv() const
{
    return toCsv(storeOr(m->store), m->spec);
}

Result<void> MetricChart::save(const QString& path, QSize size, double scale) const
{
    return saveChart(path, m->spec, storeOr(m->store), size, scale, figureOptions());
}

void MetricChart::drawNow()
{
    drawFrame();
}

qint64 MetricChart::framesDrawn() const
{
    return m->frames;
}

QSize MetricChart::sizeHint() const
{
    return {560, 320};
}

QSize MetricChart::minimumSizeHint() const
{
    return {240, 150};
}

} // namespace slipway

#include "moc_metricchart.cpp"
