// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/metricchart.h"

#include "plots/charts/chartnavigation.h"
#include "plots/charts/chartscene.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <qcustomplot.h>

namespace slipway {

namespace {

constexpr int frameMilliseconds = 16;

QCPAxis::ScaleType scaleType(bool logarithmic)
{
    return logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear;
}

} // namespace

/// What MetricChart keeps, out of its header, so that only this folder knows QCustomPlot.
struct MetricChart::Private {
    explicit Private(MetricChart* chart)
        : plot(new QCustomPlot(chart))
        , resume(new QToolButton(chart))
        , scene(plot, resume)
        , navigation(plot, chart)
    {
    }

    QCustomPlot* plot; ///< child of the chart
    QToolButton* resume;
    ChartScene scene;
    ChartNavigation navigation; ///< ends with this, before the plot does
    QTimer frame;
    QElapsedTimer announced;
    QString caption;
    QString summary;
    std::optional<ValueRange> followedY;
    std::optional<ChartTheme> ownTheme;
    bool follow = true;
    bool settingRanges = false; ///< the chart itself changes its axes, not the person
    bool stale = true; ///< the store or the look has changed since the last frame
};

MetricChart::MetricChart(QWidget* parent)
    : QWidget(parent)
    , m(std::make_unique<Private>(this))
{
    setFocusPolicy(Qt::StrongFocus);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m->plot);
    m->resume->setText(tr("Follow"));
    m->resume->setToolTip(tr("Follow new values again (F)"));
    m->resume->setAccessibleName(tr("Follow new values"));
    m->resume->hide();
    connectPlot();
    m->frame.setSingleShot(true);
    m->frame.setInterval(frameMilliseconds);
    m->frame.setTimerType(Qt::PreciseTimer);
    applyTheme();
    setSpec(ChartSpec());
}

MetricChart::~MetricChart() = default;

void MetricChart::connectPlot()
{
    for (QCPAxis* axis : {m->plot->xAxis, m->plot->yAxis}) {
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] {
            if (m->settingRanges)
                return;
            setFollow(false);
            redraw(); // other labels beside the axis may need other margins
        });
    }
    connect(&m->navigation, &ChartNavigation::sectionChosen, this, [this] { setFollow(false); });
    connect(
        &m->navigation, &ChartNavigation::everythingRequested, this, &MetricChart::showEverything);
    connect(&m->navigation, &ChartNavigation::pointerMoved, this,
        [this](std::optional<QPointF> pointer) { m->scene.setPointer(pointer); });
    connect(m->resume, &QToolButton::clicked, this, [this] { setFollow(true); });
    connect(&m->frame, &QTimer::timeout, this, &MetricChart::drawNow);
}

void MetricChart::setStore(const SeriesStore* store)
{
    m->scene.setStore(store);
    redraw();
}

void MetricChart::setSpec(const ChartSpec& spec)
{
    m->scene.setSpec(spec);
    setScales();
    setAccessibleName(spec.title.isEmpty() ? tr("Chart") : tr("Chart: %1").arg(spec.title));
    showEverything();
}

void MetricChart::setScales()
{
    // QCustomPlot adjusts the ranges to a new scale, which is not a choice of the person.
    m->settingRanges = true;
    m->plot->xAxis->setScaleType(scaleType(spec().x.logarithmic));
    m->plot->yAxis->setScaleType(scaleType(spec().y.logarithmic));
    m->settingRanges = false;
}

const ChartSpec& MetricChart::spec() const
{
    return m->scene.spec();
}

void MetricChart::refresh()
{
    if (m->scene.isOutdated())
        m->stale = true;
    if (m->stale && isVisible() && !m->frame.isActive())
        m->frame.start();
}

void MetricChart::redraw()
{
    m->stale = true;
    refresh();
}

void MetricChart::drawNow()
{
    m->frame.stop();
    if (!isVisible())
        return;
    m->scene.update();
    if (m->follow) {
        ChartRanges ranges = m->scene.ranges();
        ranges.y = m->followedY.value_or(ranges.y);
        m->settingRanges = true;
        m->plot->xAxis->setRange(ranges.x.low, ranges.x.high);
        m->plot->yAxis->setRange(ranges.y.low, ranges.y.high);
        m->settingRanges = false;
    }
    m->scene.layOut();
    m->resume->adjustSize();
    m->resume->move(width() - m->resume->width() - 4, 0);
    m->stale = false;
    m->plot->replot(QCustomPlot::rpQueuedRefresh);
    const QString summary = summaryText();
    if (summary != m->summary) {
        m->summary = summary;
        announce();
    }
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
    redraw();
    emit followChanged(follow);
}

bool MetricChart::isLogarithmicY() const
{
    return spec().y.logarithmic;
}

void MetricChart::setLogarithmicY(bool logarithmic)
{
    if (isLogarithmicY() == logarithmic)
        return;
    ChartSpec other = spec();
    other.y.logarithmic = logarithmic;
    m->scene.setSpec(other);
    setScales();
    // The section of one scale may have no meaning on the other: zero has no logarithm.
    showEverything();
    emit logarithmicYChanged(logarithmic);
}

double MetricChart::smoothing() const
{
    return m->scene.look().smoothing;
}

void MetricChart::setSmoothing(double weight)
{
    ChartLook look = m->scene.look();
    look.smoothing = qBound(0.0, weight, 0.999);
    if (look.smoothing == smoothing())
        return;
    setLook(look);
    emit smoothingChanged(look.smoothing);
}

void MetricChart::setLook(const ChartLook& look)
{
    m->scene.setLook(look);
    redraw();
}

void MetricChart::setCaption(const QString& caption)
{
    m->caption = caption;
}

void MetricChart::setLegendVisible(bool visible)
{
    ChartLook look = m->scene.look();
    look.legend = visible;
    setLook(look);
}

void MetricChart::setEndLabelsVisible(bool visible)
{
    ChartLook look = m->scene.look();
    look.endLabels = visible;
    setLook(look);
}

void MetricChart::setAxisCaption(const std::optional<QString>& caption)
{
    ChartLook look = m->scene.look();
    look.axisCaption = caption;
    setLook(look);
}

void MetricChart::setFollowedY(const std::optional<ValueRange>& range)
{
    m->followedY = range;
    redraw();
}

void MetricChart::setTheme(const std::optional<ChartTheme>& theme)
{
    m->ownTheme = theme;
    applyTheme();
}

void MetricChart::applyTheme()
{
    m->scene.setTheme(
        m->ownTheme ? *m->ownTheme : ChartTheme::forBackground(palette().color(QPalette::Base)));
    redraw();
}

void MetricChart::showEverything()
{
    setFollow(true);
    redraw();
}

ValueRange MetricChart::xRange() const
{
    return visibleRange(m->plot->xAxis);
}

ValueRange MetricChart::yRange() const
{
    return visibleRange(m->plot->yAxis);
}

void MetricChart::setRanges(const ValueRange& x, const ValueRange& y)
{
    setFollow(false);
    m->plot->xAxis->setRange(x.low, x.high);
    m->plot->yAxis->setRange(y.low, y.high);
    redraw();
}

QString MetricChart::summaryText() const
{
    return chartSummary(spec(), m->scene.store());
}

ChartTable MetricChart::dataTable() const
{
    return chartTable(spec(), m->scene.store());
}

ChartPicture MetricChart::picture() const
{
    FigureOptions options;
    options.theme = m->scene.theme();
    options.font = font();
    options.caption = m->caption;
    options.smoothing = smoothing();
    options.legend = m->scene.look().legend;
    if (!m->follow) {
        options.xRange = xRange();
        options.yRange = yRange();
    }
    return {spec(), m->scene.store(), options};
}

qint64 MetricChart::framesDrawn() const
{
    return m->scene.framesDrawn();
}

QSize MetricChart::sizeHint() const
{
    return {560, 320};
}

QSize MetricChart::minimumSizeHint() const
{
    return {240, 150};
}

void MetricChart::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Home:
        return showEverything();
    case Qt::Key_F:
        return setFollow(!isFollowing());
    case Qt::Key_L:
        return setLogarithmicY(!isLogarithmicY());
    case Qt::Key_T:
        return emit tableRequested();
    default:
        if (!m->navigation.press(event->key()))
            QWidget::keyPressEvent(event);
    }
}

bool MetricChart::event(QEvent* event)
{
    const bool handled = QWidget::event(event);
    switch (event->type()) {
    case QEvent::Resize:
        m->scene.resetLabelWidth();
        redraw();
        break;
    case QEvent::FocusIn:
    case QEvent::FocusOut:
        redraw();
        break;
    case QEvent::Show:
        refresh();
        break;
    case QEvent::PaletteChange:
    case QEvent::FontChange:
    case QEvent::StyleChange:
        applyTheme();
        break;
    default:
        break;
    }
    return handled;
}

/// Screen readers are notified of a change from time to time, not sixty times per second.
void MetricChart::announce()
{
    setAccessibleDescription(chartDescription(spec(), m->scene.store()));
    emit summaryChanged(m->summary);
    constexpr qint64 pause = 5000;
    if (m->announced.isValid() && m->announced.elapsed() < pause)
        return;
    m->announced.start();
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

} // namespace slipway

#include "moc_metricchart.cpp"
