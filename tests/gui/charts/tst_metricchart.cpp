// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "examples.h"

#include "plots/charts/crosshair.h"
#include "plots/charts/metricchart.h"
#include "tests/support/cputime.h"
#include "tests/support/testmain.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

using namespace slipway;
using namespace slipway::test;

namespace {

/// Shows the chart and waits for its first frame.
void showChart(MetricChart& chart, QSize size = {720, 400})
{
    chart.resize(size);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    QTRY_VERIFY(chart.framesDrawn() > 0);
    QTest::qWait(40);
}

QWidget* plotOf(const MetricChart& chart)
{
    return chart.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly).first();
}

/// The offscreen platform has no pointer to move.
void point(const MetricChart& chart, QPointF at)
{
    QWidget* const plot = plotOf(chart);
    QMouseEvent move(
        QEvent::MouseMove, at, plot->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(plot, &move);
}

/// How far up (0 to 1) the colour of the first series reaches in the picture.
double topOfCurve(const QImage& image, const QColor& colour)
{
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width() * 6 / 10; ++x) {
            const QColor c = image.pixelColor(x, y);
            if (std::abs(c.red() - colour.red()) + std::abs(c.green() - colour.green())
                    + std::abs(c.blue() - colour.blue())
                < 60)
                return 1 - double(y) / image.height();
        }
    }
    return 0;
}

} // namespace

class TestMetricChart : public QObject {
    Q_OBJECT

private slots:
    void chart_drawsAtThePaceOfTheEye();
    void chart_drawsNothingWhileHidden();
    void chart_followsUntilItIsMoved();
    void chart_obeysItsKeys();
    void chart_leavesTheWheelToThePage();
    void chart_resetsOnDoubleClick();
    void chart_drawsTenMillionPoints();
    void chart_showsTheSpikeAtEveryZoom();
    void chart_followsThePalette();
    void chart_describesItselfInWords();
    void chart_readsTheNearestSample();
    void chart_exportsWhatIsVisible();
    void chart_outlivesItsStore();
    void chart_isPhotographed();
};

void TestMetricChart::chart_drawsAtThePaceOfTheEye()
{
    SeriesStore store;
    MetricChart chart;
    chart.setStore(&store);
    chart.setSpec(lossSpec());
    showChart(chart);
    const qint64 before = chart.framesDrawn();
    QElapsedTimer timer;
    timer.start();
    int refreshes = 0;
    // Longer on a busy machine: what counts is how many frames there are for the time.
    while (timer.elapsed() < 320
        || ((refreshes <= 100 || chart.framesDrawn() < before + 3) && timer.elapsed() < 20'000)) {
        ++refreshes;
        store.add(sample("train_loss", "", "step", refreshes, 1.0 / refreshes));
        chart.refresh();
        QCoreApplication::processEvents();
    }
    QVERIFY(refreshes > 100);
    const qint64 frames = chart.framesDrawn() - before;
    QVERIFY2(
        frames >= 3 && frames <= timer.elapsed() / 16 + 3, qPrintable(QString::number(frames)));
    QTest::qWait(60);
    const qint64 quiet = chart.framesDrawn();
    chart.refresh(); // nothing new
    QTest::qWait(60);
    QCOMPARE(chart.framesDrawn(), quiet);
}

void TestMetricChart::chart_drawsNothingWhileHidden()
{
    SeriesStore store;
    MetricChart chart;
    chart.setStore(&store);
    showChart(chart);
    chart.hide();
    const qint64 before = chart.framesDrawn();
    store.add(sample("loss", "", "step", 1, 1));
    chart.refresh();
    QTest::qWait(60);
    QCOMPARE(chart.framesDrawn(), before);
    chart.show();
    QTRY_VERIFY(chart.framesDrawn() > before);
    QVERIFY(chart.xRange().low <= 1 && chart.xRange().high >= 1);
}

void TestMetricChart::chart_followsUntilItIsMoved()
{
    SeriesStore store;
    fillLoss(store, 100);
    MetricChart chart;
    chart.setStore(&store);
    chart.setSpec(lossSpec());
    showChart(chart);
    QVERIFY(chart.isFollowing());
    QVERIFY(!chart.findChild<QToolButton*>()->isVisible());
    QCOMPARE(chart.xRange().high, 100.0);
    QSignalSpy followed(&chart, &MetricChart::followChanged);
    chart.setRanges({20, 40}, {0, 1});
    QCOMPARE(followed.size(), 1);
    store.add(sample("train_loss", "", "step", 500, 0.1));
    chart.refresh();
    QTest::qWait(60);
    QVERIFY((chart.xRange() == ValueRange{20, 40}));
    auto* const resume = chart.findChild<QToolButton*>();
    QVERIFY(resume && resume->isVisible());
    QTest::mouseClick(resume, Qt::LeftButton);
    QTRY_COMPARE(chart.xRange().high, 500.0);
    QCOMPARE(followed.size(), 2);
    QVERIFY(!resume->isVisible());
}

void TestMetricChart::chart_obeysItsKeys()
{
    SeriesStore store;
    fillLoss(store, 100);
    MetricChart chart;
    chart.setStore(&store);
    chart.setSpec(lossSpec());
    showChart(chart);
    const auto width = [&] { return chart.xRange().high - chart.xRange().low; };
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(chart.xRange().low, 10.0);
    QVERIFY(!chart.isFollowing());
    QTest::keyClick(&chart, Qt::Key_Plus);
    QCOMPARE(width(), 80.0);
    QTest::keyClick(&chart, Qt::Key_Minus);
    QCOMPARE(width(), 100.0);
    QTest::keyClick(&chart, Qt::Key_Home);
    QTRY_VERIFY((chart.xRange() == ValueRange{0, 100}));
    QTest::keyClick(&chart, Qt::Key_F);
    QVERIFY(!chart.isFollowing());
    QTest::keyClick(&chart, Qt::Key_F);
    QVERIFY(chart.isFollowing());
    QTest::keyClick(&chart, Qt::Key_L);
    QVERIFY(chart.isLogarithmicY());
    QTRY_VERIFY(chart.yRange().low > 0);
    QTest::keyClick(&chart, Qt::Key_L);
    QVERIFY(!chart.isLogarithmicY());
}

void TestMetricChart::chart_leavesTheWheelToThePage()
{
    SeriesStore store;
    fillLoss(store, 100);
    QWidget page;
    MetricChart chart(&page);
    QWidget other(&page);
    other.setFocusPolicy(Qt::StrongFocus);
    chart.setStore(&store);
    chart.setGeometry(0, 0, 600, 300);
    page.resize(600, 400);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QTRY_VERIFY(chart.framesDrawn() > 0);
    other.setFocus();
    QWidget* const plot = plotOf(chart);
    const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
        QWheelEvent event({300, 150}, plot->mapToGlobal(QPointF(300, 150)), {}, {0, 120},
            Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(plot, &event);
    };
    wheel(Qt::NoModifier);
    QVERIFY(chart.isFollowing());
    wheel(Qt::ControlModifier);
    QVERIFY(!chart.isFollowing());
    QVERIFY(chart.xRange().high - chart.xRange().low < 100);
}

void TestMetricChart::chart_resetsOnDoubleClick()
{
    SeriesStore store;
    fillLoss(store, 100);
    MetricChart chart;
    chart.setStore(&store);
    showChart(chart);
    chart.setRanges({1, 2}, {0, 1});
    QTest::mouseDClick(plotOf(chart), Qt::LeftButton, {}, QPoint(200, 150));
    QTRY_VERIFY((chart.xRange() == ValueRange{0, 100}));
    QVERIFY(chart.isFollowing());
}

void TestMetricChart::chart_drawsTenMillionPoints()
{
    SeriesStore store;
    std::mt19937 random(1);
    std::normal_distribution<double> noise;
    Sample s = sample("loss", "", "step", 0, 0);
    const int count = 10'000'000;
    for (int i = 0; i < count; ++i) {
        s.x = i;
        s.y = 3 * std::exp(-3.0 * i / count) + 0.3 + 0.1 * noise(random);
        store.add(s);
    }
    MetricChart chart;
    chart.setStore(&store);
    showChart(chart, {800, 400});
    const CpuTime timer;
    for (int i = 0; i < 20; ++i)
        chart.grab();
    const qint64 frame = timer.elapsed() / 20;
    QVERIFY2(frame < 50 * sanitizersTake, qPrintable(QString::number(frame)));
    QVERIFY(chart.grab().save(screenshot("chart-ten-million.png")));
}

void TestMetricChart::chart_showsTheSpikeAtEveryZoom()
{
    SeriesStore store;
    const int count = 300'000, spike = 123'456;
    for (int i = 0; i < count; ++i)
        store.add(sample("loss", "", "step", i, i == spike ? 1.0 : 0.05));
    MetricChart chart;
    chart.setTheme(ChartTheme::light());
    chart.setStore(&store);
    showChart(chart);
    for (double width : {300000.0, 30000.0, 3000.0, 300.0, 30.0}) {
        chart.setRanges({spike - width * 0.3, spike + width * 0.7}, {0, 1.1});
        QTest::qWait(50);
        QVERIFY2(topOfCurve(chart.grab().toImage(), ChartTheme::light().style(0).colour) > 0.75,
            qPrintable(QString::number(width)));
    }
    chart.setRanges({0, spike - 10}, {0, 1.1});
    QTest::qWait(50);
    QVERIFY(topOfCurve(chart.grab().toImage(), ChartTheme::light().style(0).colour) < 0.4);
}

void TestMetricChart::chart_followsThePalette()
{
    MetricChart chart;
    QPalette dark;
    dark.setColor(QPalette::Base, QColor(0x1c222a));
    chart.setPalette(dark);
    showChart(chart);
    QCOMPARE(chart.grab().toImage().pixelColor(2, 2), ChartTheme::dark().surface);
    QPalette light;
    light.setColor(QPalette::Base, Qt::white);
    chart.setPalette(light);
    QTest::qWait(50);
    QCOMPARE(chart.grab().toImage().pixelColor(2, 2), ChartTheme::light().surface);
    chart.setTheme(ChartTheme::dark());
    QTest::qWait(50);
    QCOMPARE(chart.grab().toImage().pixelColor(2, 2), ChartTheme::dark().surface);
}

void TestMetricChart::chart_describesItselfInWords()
{
    SeriesStore store;
    MetricChart chart;
    chart.setStore(&store);
    chart.setSpec(matmulSpec());
    QSignalSpy told(&chart, &MetricChart::summaryChanged);
    showChart(chart);
    QCOMPARE(chart.accessibleName(), QStringLiteral("Chart: GPU against CPU: matmul scaling"));
    fillMatmul(store);
    chart.refresh();
    QTRY_VERIFY(chart.accessibleDescription().contains(QLatin1String("at n 16384 (highest)")));
    QCOMPARE(chart.accessibleDescription(), u"2 curves. " + chart.summaryText());
    QSignalSpy asked(&chart, &MetricChart::tableRequested);
    QTest::keyClick(&chart, Qt::Key_T);
    QCOMPARE(asked.size(), 1);
    QVERIFY(!told.isEmpty());
    QCOMPARE(chart.dataTable().rows.size(), size_t(4));
    QCOMPARE(chart.dataTable().header.size(), 3);
}

void TestMetricChart::chart_readsTheNearestSample()
{
    SeriesStore store;
    fillMatmul(store);
    MetricChart chart;
    chart.setStore(&store);
    chart.setSpec(matmulSpec());
    showChart(chart);
    const QImage before = chart.grab().toImage();
    const qint64 frames = chart.framesDrawn();
    point(chart, {390, 160});
    QTest::qWait(40);
    QVERIFY(chart.grab().toImage() != before);
    QCOMPARE(chart.framesDrawn(), frames); // the curves were not painted again

    const ChartSpec spec = matmulSpec();
    const ChartTheme theme = ChartTheme::light();
    const CurveCanvas canvas{QRectF(0, 0, 400, 200), {{2048, 16384}, true, 0, 400},
        {{1e10, 1e14}, true, 200, 0}, &theme, QFont(), true};
    auto reading = readCrosshair(spec, curvesOf(spec, store, theme), canvas, {140, 50});
    QVERIFY(reading.has_value());
    QCOMPARE(reading->title, QStringLiteral("n 4096"));
    QCOMPARE(reading->entries.size(), size_t(2));
    QCOMPARE(reading->entries[0].value.replace(QChar(0xa0), u' '),
        QStringLiteral(u"46 TFLOP/s  (41.4 – 48.3 TFLOP/s)"));
    QVERIFY(!readCrosshair(spec, {}, canvas, {140, 50}));
}

void TestMetricChart::chart_exportsWhatIsVisible()
{
    SeriesStore store;
    fillMatmul(store);
    MetricChart chart;
    chart.setStore(&store);
    chart.setSpec(matmulSpec());
    QCOMPARE(chart.picture().image({800, 450}, 2).size(), QSize(1600, 900));
    QVERIFY(chart.picture().svg({800, 450}).contains("Frontera RTX 5000"));
    QVERIFY(chart.picture().pdf({800, 450}).startsWith("%PDF-"));
    QVERIFY(chart.picture().csv().startsWith("series,lane,"));
    const QImage whole = chart.picture().image({400, 300}, 1);
    chart.setRanges({4000, 9000}, {1e12, 1e14});
    QVERIFY(chart.picture().image({400, 300}, 1) != whole);
}

void TestMetricChart::chart_outlivesItsStore()
{
    MetricChart chart;
    {
        SeriesStore store;
        fillLoss(store, 200);
        chart.setSmoothing(0.9);
        chart.setStore(&store);
        showChart(chart);
        point(chart, {300, 150});
        store.clear();
        chart.refresh();
        chart.grab(); // before the next frame
        fillLoss(store, 60);
        chart.refresh();
        QTest::qWait(50);
        chart.setStore(nullptr);
    }
    chart.refresh();
    chart.grab();
    QCOMPARE(chart.summaryText(), QStringLiteral("no numbers yet"));
}

void TestMetricChart::chart_isPhotographed()
{
    SeriesStore matmul, loss;
    fillMatmul(matmul);
    fillLoss(loss, 160);
    for (const bool dark : {false, true}) {
        MetricChart chart;
        chart.setTheme(dark ? ChartTheme::dark() : ChartTheme::light());
        chart.setStore(&matmul);
        chart.setSpec(matmulSpec());
        showChart(chart);
        point(chart, {390, 160});
        QTest::qWait(80);
        QVERIFY(chart.grab().save(
            screenshot(dark ? "chart-matmul-dark.png" : "chart-matmul-light.png")));
        chart.setStore(&loss);
        chart.setSpec(lossSpec());
        chart.setSmoothing(0.88);
        point(chart, {300, 160});
        chart.setLegendVisible(dark);
        QTest::qWait(80);
        QVERIFY(
            chart.grab().save(screenshot(dark ? "chart-loss-dark.png" : "chart-loss-light.png")));
    }
}

SLIPWAY_GUI_TEST(TestMetricChart, charts_metricchart)
#include "tst_metricchart.moc"
