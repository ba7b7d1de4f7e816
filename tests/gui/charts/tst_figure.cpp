// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "examples.h"

#include "plots/figure/columnraster.h"
#include "plots/figure/curvepainter.h"
#include "plots/figure/curves.h"
#include "plots/figure/endlabels.h"
#include "plots/figure/figure.h"
#include "plots/figure/ticks.h"
#include "plots/metrics/summary.h"
#include "plots/metrics/units.h"
#include "tests/support/svgtexts.h"
#include "tests/support/testmain.h"

#include <QFileInfo>
#include <QMap>
#include <QPainter>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <random>

using namespace slipway;
using namespace slipway::test;

class TestFigure : public QObject {
    Q_OBJECT

private slots:
    void numbers_areForPeople_data();
    void numbers_areForPeople();
    void ticks_areRoundNumbers_data();
    void ticks_areRoundNumbers();
    void logAxis_hasLabelsAndMinorTicks_data();
    void logAxis_hasLabelsAndMinorTicks();
    void values_areInTheUnitOfTheAxis();
    void direction_isOnlyClaimedWhereItIsKnown();
    void colours_followFromNames();
    void scale_roundTrips();
    void labels_neverOverlap();
    void reduction_keepsTheSpikeAtEveryZoom();
    void reduction_keepsFewPointsUnchanged();
    void reduction_keepsPassesApart();
    void raster_drawsTheLineOfThePainter_data();
    void raster_drawsTheLineOfThePainter();
    void raster_isTransparentWhereTheColourIs();
    void raster_survivesPointsFarAway();
    void curves_showTheMarkersAboveAllLines();
    void curves_showTheMarkersOfTheSection();
    void theme_isReadable();
    void theme_neverReliesOnColourAlone();
    void summary_isASentenceOfTheChart();
    void table_hasARowForEachX();
    void figure_isPaintedLightAndDark();
    void figure_survivesOddData_data();
    void figure_survivesOddData();
    void save_writesWhatTheSuffixSays();
    void value_isWholeOrLeftOut();
    void svg_isXmlWhateverTheNames();
};

void TestFigure::numbers_areForPeople_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<QString>("text");
    QTest::newRow("giga") << 88.4e9 << "FLOP/s" << QStringLiteral(u"88.4\u00a0GFLOP/s");
    QTest::newRow("tera") << 4.88e12 << "FLOP/s" << QStringLiteral(u"4.88\u00a0TFLOP/s");
    QTest::newRow("rounds to the next prefix")
        << 999.9e9 << "FLOP/s" << QStringLiteral(u"1\u00a0TFLOP/s");
    QTest::newRow("milliseconds") << 0.0037 << "s" << QStringLiteral(u"3.7\u00a0ms");
    QTest::newRow("seconds stay seconds") << 5400.0 << "s" << QStringLiteral(u"5400\u00a0s");
    QTest::newRow("percent") << 95.98833 << "%" << QStringLiteral(u"96\u00a0%");
    QTest::newRow("binary units stay") << 15.74 << "GiB" << QStringLiteral(u"15.7\u00a0GiB");
    QTest::newRow("plain") << 0.7057 << ""
                           << "0.7057";
    QTest::newRow("small") << 5e-6 << "" << QStringLiteral(u"5·10⁻⁶");
    QTest::newRow("power of ten") << 1e-5 << "" << QStringLiteral(u"10⁻⁵");
    QTest::newRow("negative") << -0.5 << "" << QStringLiteral(u"−0.5");
    QTest::newRow("zero") << 0.0 << "FLOP/s" << QStringLiteral(u"0\u00a0FLOP/s");
    QTest::newRow("no number") << double(NAN) << "s" << QStringLiteral(u"NaN\u00a0s");
}

void TestFigure::numbers_areForPeople()
{
    QFETCH(double, value);
    QFETCH(QString, unit);
    QTEST(quantityText(value, unit), "text");
}

void TestFigure::ticks_areRoundNumbers_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<bool>("logarithmic");
    QTest::addColumn<QString>("labels");
    QTest::addColumn<QString>("axisUnit");
    QTest::newRow("sizes") << 1900.0 << 17000.0 << "n"
                           << "" << true << "2048 4096 8192 16384"
                           << "";
    QTest::newRow("threads") << 0.9 << 70.0 << "threads"
                             << "" << true << "1 4 16 64"
                             << "";
    QTest::newRow("few threads") << 1.0 << 4.0 << "threads"
                                 << "" << false << "1 2 3 4"
                                 << "";
    QTest::newRow("linear") << 0.0 << 0.82 << ""
                            << "" << false << "0 0.2 0.4 0.6 0.8"
                            << "";
    QTest::newRow("whole epochs") << 1.0 << 3.0 << "epoch"
                                  << "" << false << "1 2 3"
                                  << "";
    QTest::newRow("prefix") << 0.0 << 90e9 << ""
                            << "FLOP/s" << false << "0 20 40 60 80"
                            << "GFLOP/s";
    QTest::newRow("decades") << 0.05e12 << 110e12 << ""
                             << "FLOP/s" << true << "0.1 1 10 100"
                             << "TFLOP/s";
    QTest::newRow("two and five") << 0.9 << 12.0 << ""
                                  << "" << true << "1 2 5 10"
                                  << "";
    QTest::newRow("many decades") << 1e-6 << 1.5 << ""
                                  << "" << true << QStringLiteral(u"10⁻⁶ 0.0001 0.01 1") << "";
    QTest::newRow("millions") << 0.0 << 9e6 << "step"
                              << "" << false
                              << QStringLiteral(u"0 2\u00a0M 4\u00a0M 6\u00a0M 8\u00a0M") << "";
    QTest::newRow("nothing") << 1.0 << 1.0 << ""
                             << "s" << false << ""
                             << "s";
    QTest::newRow("seconds") << 0.0 << 100.0 << "time"
                             << "s" << false << "0 20 40 60 80 100"
                             << "s";
    QTest::newRow("minutes") << 0.0 << 600.0 << "time"
                             << "s" << false << "0 2 4 6 8 10"
                             << "min";
    QTest::newRow("hours") << 0.0 << 18000.0 << "time"
                           << "s" << false << "0 1 2 3 4 5"
                           << "h";
    QTest::newRow("a section of a long time") << 7200.0 << 7210.0 << "time"
                                              << "s" << false << "7200 7202 7204 7206 7208 7210"
                                              << "s";
    QTest::newRow("milliseconds") << 0.0 << 0.01 << ""
                                  << "s" << false << "0 2 4 6 8 10"
                                  << "ms";
    QTest::newRow("bytes") << 1024.0 << 16384.0 << "size"
                           << "B" << true
                           << QStringLiteral(u"1\u00a0KiB 2\u00a0KiB 4\u00a0KiB 8\u00a0KiB "
                                             "16\u00a0KiB")
                           << "B";
    QTest::newRow("below zero") << -1.0 << 1.0 << ""
                                << "" << false << QStringLiteral(u"−1 −0.5 0 0.5 1") << "";
}

void TestFigure::ticks_areRoundNumbers()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(QString, name);
    QFETCH(QString, unit);
    QFETCH(bool, logarithmic);
    const AxisTicks ticks = makeTicks({low, high}, {name, unit, logarithmic}, 5);
    QStringList labels;
    for (const Tick& tick : ticks.ticks) {
        if (!tick.label.isEmpty())
            labels.append(tick.label);
    }
    QTEST(labels.join(u' '), "labels");
    QTEST(ticks.unit, "axisUnit");
}

void TestFigure::logAxis_hasLabelsAndMinorTicks_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("less than a decade") << 11.0 << 45.0;
    QTest::newRow("half a decade") << 30e9 << 95e9;
    QTest::newRow("one decade") << 1.1e9 << 12e9;
    QTest::newRow("two decades") << 0.3e9 << 40e9;
    QTest::newRow("four decades") << 1e6 << 2e10;
    QTest::newRow("hardly anything") << 100.0 << 130.0;
}

void TestFigure::logAxis_hasLabelsAndMinorTicks()
{
    QFETCH(double, low);
    QFETCH(double, high);
    const auto ticks = makeTicks({low, high}, {{}, QStringLiteral("FLOP/s"), true}, 5).ticks;
    const auto labels = std::count_if(
        ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.label.isEmpty(); });
    QVERIFY2(labels >= 3 && labels <= 9, qPrintable(QString::number(labels)));
    if (high / low > 5)
        QVERIFY(ticks.size() > size_t(labels)); // minor ones between them
}

void TestFigure::values_areInTheUnitOfTheAxis()
{
    SeriesStore store;
    store.add({sample("flops", "cuda", "n", 2048, 53e12, "FLOP/s"),
        sample("flops", "cpu", "n", 2048, 885e9, "FLOP/s")});
    ChartSpec spec = matmulSpec();
    const auto values = [&](const ValueRange& range) {
        auto curves = curvesOf(spec, store, ChartTheme::light());
        setValues(curves, spec, range);
        return QStringList{curves[0].detail, curves[1].detail}.join(u" | ").replace(
            QChar(0xa0), u' ');
    };
    QCOMPARE(values({1e11, 1e14}), QStringLiteral("53 TFLOP/s | 0.885 TFLOP/s"));
    QCOMPARE(makeTicks({1e11, 1e14}, spec.y, 5).unit, QStringLiteral("TFLOP/s"));
    QCOMPARE(values({1e8, 5e13}), QStringLiteral("53 TFLOP/s | 885 GFLOP/s")); // each its prefix
    spec.y = {{}, QStringLiteral("s")};
    SeriesStore times;
    times.add(sample("seconds", "", "n", 1, 90, "s"));
    auto curves = curvesOf(
        [&] {
            auto s = spec;
            s.series = QStringLiteral("seconds");
            return s;
        }(),
        times, ChartTheme::light());
    setValues(curves, spec, {0, 600});
    QCOMPARE(curves.front().detail, QStringLiteral(u"1.5\u00a0min"));
}

void TestFigure::direction_isOnlyClaimedWhereItIsKnown()
{
    ChartSpec spec;
    spec.y.name = QStringLiteral("loss");
    QCOMPARE(axisCaption(spec, {}), QStringLiteral("loss"));
    SeriesStore store;
    store.add({sample("loss", "", "step", 1, 0.9), sample("loss", "", "step", 2, 0.2),
        sample("loss", "", "step", 3, 0.4)});
    QCOMPARE(chartSummary(spec, store), QStringLiteral("loss 0.4 at step 3, between 0.2 and 0.9"));
    spec.higherIsBetter = false;
    QCOMPARE(axisCaption(spec, {}), QStringLiteral(u"loss · lower is better"));
    QCOMPARE(chartSummary(spec, store), QStringLiteral("loss 0.4 at step 3, lowest 0.2 at step 2"));
    QCOMPARE(chartDescription(spec, store),
        QStringLiteral("1 curve. loss 0.4 at step 3, lowest 0.2 at step 2"));
}

void TestFigure::colours_followFromNames()
{
    const auto colours = [](const QStringList& names) {
        SeriesStore store;
        for (const QString& name : names)
            store.add(sample(name.section(u'/', 0, 0).toLatin1().constData(),
                name.section(u'/', 1).toLatin1().constData(), "step", 1, 1));
        QMap<QString, QRgb> map;
        for (const Curve& curve : curvesOf(ChartSpec(), store, ChartTheme::light()))
            map.insert(
                curve.series->series() + u'/' + curve.series->lane(), curve.style.colour.rgb());
        return map;
    };
    QStringList names{QStringLiteral("train_loss/CPU"), QStringLiteral("valid_loss/CPU"),
        QStringLiteral("train_loss/GPU"), QStringLiteral("grad_norm/"), QStringLiteral("lr/"),
        QStringLiteral("x/rank 3")};
    const auto before = colours(names);
    QCOMPARE(QSet<QRgb>(before.cbegin(), before.cend()).size(), 6); // no two alike
    std::mt19937 random(2);
    for (int i = 0; i < 10; ++i) {
        std::shuffle(names.begin(), names.end(), random);
        QCOMPARE(colours(names), before);
    }
    // Training and validation have their own colours, whatever else there is.
    const auto few = colours({QStringLiteral("valid_loss/"), QStringLiteral("train_loss/")});
    QCOMPARE(few.value(QStringLiteral("train_loss/")), ChartTheme::light().style(0).colour.rgb());
    QCOMPARE(few.value(QStringLiteral("valid_loss/")), ChartTheme::light().style(1).colour.rgb());
    QStringList lanes;
    for (int i = 0; i < 20; ++i)
        lanes.append(QStringLiteral("flops/run %1").arg(i));
    const auto many = colours(lanes);
    QCOMPARE(QSet<QRgb>(many.cbegin(), many.cend()).size(), 6);
}

void TestFigure::scale_roundTrips()
{
    const AxisScale linear{{0, 10}, false, 100, 300};
    QCOMPARE(linear.pixel(5), 200.0);
    QCOMPARE(linear.value(200), 5.0);
    const AxisScale log{{1, 100}, true, 300, 100}; // upside down, as a y axis is
    QCOMPARE(log.pixel(10), 200.0);
    QCOMPARE(log.value(200), 10.0);
    QVERIFY(log.pixel(0) > 300); // far below, yet a number
    QVERIFY(std::isfinite(log.pixel(-1)));
}

void TestFigure::labels_neverOverlap()
{
    std::mt19937 random(4);
    for (int round = 0; round < 500; ++round) {
        std::vector<double> middles, heights;
        for (unsigned i = 0, n = 1 + random() % 12; i < n; ++i) {
            middles.push_back(double(random() % 400));
            heights.push_back(double(14 + random() % 16));
        }
        const auto tops = placeLabels(middles, heights, 0, 400);
        for (size_t a = 0; a < tops.size(); ++a) {
            for (size_t b = 0; b < tops.size(); ++b) {
                if (middles[a] < middles[b])
                    QVERIFY(tops[a] + heights[a] <= tops[b] + 1e-9);
            }
        }
    }
    // A single label is placed at the end of its curve.
    QCOMPARE(placeLabels({100}, {20}, 0, 400).front(), 90.0);
}

void TestFigure::reduction_keepsTheSpikeAtEveryZoom()
{
    MinMaxPyramid points;
    const int count = 1'000'000, spike = 654'321;
    for (int i = 0; i < count; ++i)
        points.append(i, i == spike ? 7.0f : float(i % 3) * 0.1f);
    std::vector<QPointF> drawn;
    for (double width = count; width > 4; width /= 3) {
        for (double share : {0.01, 0.5, 0.99}) {
            for (bool logarithmic : {false, true}) {
                const AxisScale x{
                    {std::max(1.0, spike - width * share), spike + width * (1 - share)},
                    logarithmic, 0, 800};
                reducedPoints(points, x, 800, drawn);
                QVERIFY(drawn.size() <= 800 * 4 + 2);
                QVERIFY(
                    std::any_of(drawn.begin(), drawn.end(), [](QPointF p) { return p.y() == 7; }));
            }
        }
    }
}

void TestFigure::reduction_keepsFewPointsUnchanged()
{
    MinMaxPyramid points;
    for (int i = 0; i < 10; ++i)
        points.append(i, float(i * i));
    std::vector<QPointF> drawn;
    reducedPoints(points, {{2.5, 5.5}, false, 0, 800}, 800, drawn);
    QCOMPARE(drawn.size(), size_t(5)); // 3, 4, 5 and a neighbour on each side
    QCOMPARE(drawn.front(), QPointF(2, 4));
    points.append(4.5, 99); // a value between others, measured later
    reducedPoints(points, {{0, 10}, false, 0, 800}, 800, drawn);
    QCOMPARE(drawn.size(), size_t(11));
    QVERIFY(std::is_sorted(
        drawn.begin(), drawn.end(), [](QPointF a, QPointF b) { return a.x() < b.x(); }));
    QCOMPARE(strokeEnd(drawn, 0), size_t(11));
}

void TestFigure::reduction_keepsPassesApart()
{
    MinMaxPyramid points;
    for (int step = 0; step < 3; ++step) {
        for (int i = 1; i <= 4; ++i)
            points.append(i, float(10 * step + i));
    }
    std::vector<QPointF> drawn;
    reducedPoints(points, {{0, 10}, false, 0, 800}, 800, drawn);
    QCOMPARE(drawn.size(), size_t(12));
    for (size_t begin = 0; begin < drawn.size(); begin += 4) {
        QCOMPARE(strokeEnd(drawn, begin), begin + 4);
        QCOMPARE(drawn[begin].y(), double(10 * (begin / 4) + 1));
    }
    // A sweep in no particular order is one line, with several values of each x as well.
    MinMaxPyramid sweep;
    for (int x : {8, 8, 8, 2, 2, 2, 4, 4, 4, 6, 6, 6})
        sweep.append(x, float(x));
    reducedPoints(sweep, {{0, 20}, false, 0, 800}, 800, drawn);
    QCOMPARE(strokeEnd(drawn, 0), size_t(12));
}

void TestFigure::raster_drawsTheLineOfThePainter_data()
{
    QTest::addColumn<double>("ratio");
    QTest::addColumn<bool>("noisy");
    QTest::newRow("smooth") << 1.0 << false;
    QTest::newRow("noise") << 1.0 << true;
    QTest::newRow("smooth, scaled by half") << 1.5 << false;
    QTest::newRow("noise, scaled by half") << 1.5 << true;
    QTest::newRow("smooth, two device pixels") << 2.0 << false;
    QTest::newRow("noise, two device pixels") << 2.0 << true;
}

void TestFigure::raster_drawsTheLineOfThePainter()
{
    QFETCH(double, ratio);
    QFETCH(bool, noisy);
    std::mt19937 random(7);
    std::vector<QPointF> line;
    for (int i = 0; i <= 800; ++i)
        line.emplace_back(
            i * 0.25, 60 + 40 * std::sin(i / 80.0) + (noisy ? double(random() % 30) - 15 : 0));
    const auto draw = [&](const auto& paint) {
        QImage image(QSize(200, 120) * ratio, QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        image.fill(Qt::white);
        QPainter painter(&image);
        paint(painter);
        painter.end();
        return image;
    };
    const QImage ours = draw([&](QPainter& painter) {
        ColumnRaster raster({0, 0, 200, 120}, ratio);
        raster.add(line, Qt::black, 2);
        raster.paint(painter);
    });
    const QImage wanted = draw([&](QPainter& painter) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Qt::black, 2, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter.drawPolyline(line.data(), int(line.size()));
    });
    double ink = 0, difference = 0;
    for (int y = 0; y < wanted.height(); ++y) {
        for (int x = 0; x < wanted.width(); ++x) {
            const int a = qGray(ours.pixel(x, y)), b = qGray(wanted.pixel(x, y));
            ink += 255 - b;
            difference += std::abs(a - b);
        }
    }
    QVERIFY(ink > 0);
    QVERIFY2(difference / ink < 0.2, qPrintable(QString::number(difference / ink)));
}

void TestFigure::raster_isTransparentWhereTheColourIs()
{
    QImage image(20, 20, QImage::Format_RGB32);
    image.fill(Qt::white);
    const std::vector<QPointF> line{{0, 10}, {20, 10}};
    QColor half = Qt::black;
    half.setAlphaF(0.5f);
    QPainter painter(&image);
    ColumnRaster raster({5, 0, 10, 20}, 1);
    raster.add(line, half, 6);
    raster.paint(painter);
    painter.end();
    QVERIFY(std::abs(qGray(image.pixel(10, 10)) - 127) <= 2);
    QCOMPARE(qGray(image.pixel(10, 2)), 255);
    QCOMPARE(qGray(image.pixel(4, 10)), 255); // outside its area
    QCOMPARE(qGray(image.pixel(15, 10)), 255);
    painter.begin(&image);
    raster.paint(painter); // nothing was added since
    raster.add(line, Qt::black, 2);
    raster.add(line, Qt::red, 2);
    raster.paint(painter);
    painter.end();
    QCOMPARE(image.pixelColor(10, 10), QColor(Qt::red)); // the later line is on top
}

void TestFigure::raster_survivesPointsFarAway()
{
    QImage image(50, 40, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    ColumnRaster raster({0, 0, 50, 40}, 1);
    raster.add(std::vector<QPointF>{{-1e6, 20}, {1e6, 20}}, Qt::black, 2);
    raster.add(std::vector<QPointF>{{-1e300, -1e5}, {1e300, 1e5}}, Qt::black, 2);
    raster.add(std::vector<QPointF>{{-9, 5}, {-3, 5}}, Qt::black, 2);
    raster.add(std::vector<QPointF>{{10, -1e5}, {10.5, 1e5}}, Qt::black, 2);
    raster.add({}, Qt::black, 2);
    raster.paint(painter);
    ColumnRaster nowhere(QRectF(), 1);
    nowhere.add(std::vector<QPointF>{{0, 0}, {1, 1}}, Qt::black, 2);
    nowhere.paint(painter);
    painter.end();
    for (int x : {0, 25, 49})
        QCOMPARE(qGray(image.pixel(x, 20)), 0);
    for (int y : {2, 12, 39})
        QCOMPARE(qGray(image.pixel(10, y)), 0);
    QCOMPARE(qGray(image.pixel(3, 5)), 255);
}

void TestFigure::curves_showTheMarkersAboveAllLines()
{
    SeriesStore store;
    const int count = 20'000;
    for (int i = 0; i < count; ++i) {
        const bool isLast = i == count - 1;
        store.add(sample("loss", "first", "step", i, isLast ? 0.5 : i % 2));
        store.add(sample("loss", "second", "step", i, i % 2));
    }
    const ChartTheme theme = ChartTheme::light();
    const auto curves = curvesOf({}, store, theme);
    QCOMPARE(curves.size(), size_t(2));
    QVERIFY(curves[0].style.colour != curves[1].style.colour);
    QImage image(400, 200, QImage::Format_RGB32);
    image.fill(theme.surface);
    QPainter painter(&image);
    const CurveCanvas canvas{QRectF(0, 0, 400, 200), {{0, count * 1.01}, false, 0, 400},
        {{-0.5, 1.5}, false, 200, 0}, &theme, QFont(), true};
    paintCurves(painter, curves, canvas);
    painter.end();
    // The second curve covers the first, but not the marker in the middle of its height.
    const int end = int(canvas.x.pixel(count - 1)), middle = int(canvas.y.pixel(0.5));
    QCOMPARE(image.pixelColor(100, middle), curves[1].style.colour);
    QCOMPARE(image.pixelColor(end - 12, middle), curves[1].style.colour);
    QCOMPARE(image.pixelColor(end - 1, middle), curves[0].style.colour);
}

void TestFigure::curves_showTheMarkersOfTheSection()
{
    SeriesStore store;
    for (int i = 0; i < 5000; ++i)
        store.add(sample("loss", "", "step", i, 1));
    const ChartTheme theme = ChartTheme::light();
    const auto curves = curvesOf({}, store, theme);
    QCOMPARE(visiblePoints(curves[0].series->points(), {2000, 2009}).begin, size_t(2000));
    QCOMPARE(visiblePoints(curves[0].series->points(), {2000, 2009}).count(), size_t(10));
    QCOMPARE(visiblePoints(curves[0].series->points(), {6000, 7000}).count(), size_t(0));
    QImage image(400, 200, QImage::Format_RGB32);
    image.fill(theme.surface);
    QPainter painter(&image);
    const CurveCanvas canvas{QRectF(0, 0, 400, 200), {{2000, 2009}, false, 0, 400},
        {{0, 2}, false, 200, 0}, &theme, QFont(), true};
    paintCurves(painter, curves, canvas);
    painter.end();
    // Three pixels above the line there are markers and nothing else.
    int markers = 0;
    for (int x = 1; x < image.width(); ++x)
        markers += image.pixelColor(x, 97) == curves[0].style.colour
            && image.pixelColor(x - 1, 97) != curves[0].style.colour;
    QVERIFY2(markers >= 9 && markers <= 10, qPrintable(QString::number(markers)));
}

void TestFigure::theme_isReadable()
{
    for (const ChartTheme& theme : {ChartTheme::light(), ChartTheme::dark()}) {
        QVERIFY(contrast(theme.text, theme.surface) >= 4.5);
        QVERIFY(contrast(theme.secondText, theme.surface) >= 4.5);
        for (int i = 0; i < 12; ++i)
            QVERIFY2(contrast(theme.style(i).labelColour, theme.surface) >= 4.5,
                qPrintable(QString::number(i)));
    }
}

void TestFigure::theme_neverReliesOnColourAlone()
{
    const ChartTheme theme = ChartTheme::light();
    for (int a = 0; a < 6; ++a) {
        for (int b = 0; b < a; ++b) {
            QVERIFY(theme.style(a).colour != theme.style(b).colour);
            QVERIFY(theme.style(a).dashes != theme.style(b).dashes);
            QVERIFY(theme.style(a).marker != theme.style(b).marker);
        }
    }
    QCOMPARE(theme.style(6).colour, theme.style(0).colour);
    QVERIFY(theme.style(6).marker != theme.style(0).marker);
}

void TestFigure::summary_isASentenceOfTheChart()
{
    SeriesStore store;
    ChartSpec spec = matmulSpec();
    spec.title = QStringLiteral("flops");
    spec.references.clear();
    QCOMPARE(chartSummary(spec, store), QStringLiteral("flops: no numbers yet"));
    store.add({sample("flops", "cpu, 2 threads", "n", 4096, 88.13e9, "FLOP/s"),
        sample("flops", "cpu, 2 threads", "n", 8192, 88.4e9, "FLOP/s"),
        sample("flops", "cuda", "n", 4096, 4.9e12, "FLOP/s"),
        sample("flops", "cuda", "n", 8192, 4.88e12, "FLOP/s")});
    QCOMPARE(chartSummary(spec, store).replace(QChar(0xa0), u' '),
        QStringLiteral("flops: cpu, 2 threads 88.4 GFLOP/s at n 8192 (highest); "
                       "cuda 4.88 TFLOP/s at n 8192, highest 4.9 TFLOP/s at n 4096"));
}

void TestFigure::table_hasARowForEachX()
{
    SeriesStore store;
    store.add({sample("train_loss", "", "step", 1, 0.5), sample("train_loss", "", "step", 2, 0.4),
        sample("valid_loss", "", "step", 2, 0.6)});
    const ChartTable table = chartTable(lossSpec(), store);
    QCOMPARE(table.header,
        (QStringList{
            QStringLiteral("step"), QStringLiteral("train loss"), QStringLiteral("valid loss")}));
    QCOMPARE(table.rows.size(), size_t(2));
    QCOMPARE(table.rows[0], (QStringList{QStringLiteral("1"), QStringLiteral("0.5"), QString()}));
    QCOMPARE(table.rows[1],
        (QStringList{QStringLiteral("2"), QStringLiteral("0.4"), QStringLiteral("0.6")}));
    QCOMPARE(chartTable(lossSpec(), store, 1).rows.front().front(), QStringLiteral("2"));
}

void TestFigure::figure_isPaintedLightAndDark()
{
    SeriesStore matmul, loss;
    fillMatmul(matmul);
    fillLoss(loss, 160);
    loss.add(sample("train_loss", "", "step", 130, NAN));
    FigureOptions options;
    options.caption =
        QStringLiteral("Median of 7 runs after 2 warm-ups, bars from the smallest to the largest. "
                       "FP32 on both, GPU synchronised before each timer reading.");
    FigureOptions smooth;
    smooth.smoothing = 0.88;
    for (const bool dark : {false, true}) {
        options.theme = smooth.theme = dark ? ChartTheme::dark() : ChartTheme::light();
        options.legend = dark;
        const QImage image = renderChart(matmulSpec(), matmul, {960, 540}, 2, options);
        QCOMPARE(image.size(), QSize(1920, 1080));
        QCOMPARE(image.pixelColor(2, 2), options.theme.surface);
        QVERIFY(
            image.save(screenshot(dark ? "figure-matmul-dark.png" : "figure-matmul-light.png")));
        QVERIFY(renderChart(lossSpec(), loss, {720, 400}, 2, smooth)
                    .save(screenshot(dark ? "figure-loss-dark.png" : "figure-loss-light.png")));
    }
}

void TestFigure::figure_survivesOddData_data()
{
    QTest::addColumn<QList<QPointF>>("points");
    QTest::newRow("nothing") << QList<QPointF>();
    QTest::newRow("one point") << QList<QPointF>{{1, 1}};
    QTest::newRow("one point at zero") << QList<QPointF>{{0, 0}};
    QTest::newRow("constant") << QList<QPointF>{{0, 5}, {1, 5}};
    QTest::newRow("not a number") << QList<QPointF>{{0, NAN}, {1, INFINITY}};
    QTest::newRow("huge and tiny") << QList<QPointF>{{-1e300, 1e300}, {1e300, -1e300}, {1, 1e-300}};
    QTest::newRow("negative") << QList<QPointF>{{-3, -1}, {-2, -5}};
    QTest::newRow("same x") << QList<QPointF>{{1, 1}, {1, 2}, {1, 3}};
    QTest::newRow("going back") << QList<QPointF>{{3, 1}, {1, 2}, {2, 3}};
}

void TestFigure::figure_survivesOddData()
{
    QFETCH(QList<QPointF>, points);
    SeriesStore store;
    for (const QPointF& p : points)
        store.add(sample("loss", "", "step", p.x(), p.y()));
    for (int i = 0; i < 4; ++i) {
        ChartSpec spec;
        spec.x.logarithmic = i & 1;
        spec.y.logarithmic = i & 2;
        FigureOptions options;
        options.smoothing = 0.9;
        QCOMPARE(renderChart(spec, store, {300, 200}, 1, options).size(), QSize(300, 200));
    }
    QVERIFY(!renderChart({}, store, {0, 0}, 0, {}).isNull());
    QVERIFY(renderChart({}, store, {100000, 10}, 9, {}).width() <= 16384);
}

void TestFigure::save_writesWhatTheSuffixSays()
{
    SeriesStore store;
    fillMatmul(store);
    QTemporaryDir folder;
    const auto read = [&](const char* name) {
        const QString path = folder.filePath(QLatin1String(name));
        const auto saved = saveChart(path, matmulSpec(), store, {640, 360}, 2, {});
        QFile file(path);
        return saved.ok() && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QCOMPARE(QImage::fromData(read("a.png")).size(), QSize(1280, 720));
    const QByteArray svg = read("a.svg");
    QVERIFY(svg.contains("<svg") && svg.contains("GPU against CPU") && svg.contains("</svg>"));
    QVERIFY(read("a.pdf").startsWith("%PDF-"));
    QCOMPARE(read("a.csv").count('\n'), 1 + 8 + 7);
    QCOMPARE(saveChart(folder.filePath(QStringLiteral("a.gif")), {}, store, {640, 360}, 1, {})
                 .error()
                 .kind,
        ErrorKind::Usage);
    QCOMPARE(saveChart(QStringLiteral("/nowhere/a.png"), {}, store, {640, 360}, 1, {}).error().kind,
        ErrorKind::Io);
}

/// "1.9…" could be 1.9 or 1.9 million.
void TestFigure::value_isWholeOrLeftOut()
{
    SeriesStore store;
    fillMatmul(store);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.svg"));
    bool shown = false, left = false;
    for (int width = 160; width <= 960; width += 40) {
        QVERIFY(saveChart(path, matmulSpec(), store, {width, 360}, 1, {}).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList texts = svgTexts(file.readAll());
        QVERIFY(!texts.isEmpty());
        for (const QString& text : texts)
            QVERIFY2(!(text.at(0).isDigit() && text.endsWith(u'…')), qPrintable(text));
        const bool whole = texts.contains(QStringLiteral(u"53\u00a0TFLOP/s"));
        shown = shown || whole;
        left = left || !whole;
    }
    QVERIFY(shown && left); // where there is room, and where there is none
}

/// Titles, series and lanes are named by programs.
void TestFigure::svg_isXmlWhateverTheNames()
{
    ChartSpec spec;
    spec.title = QStringLiteral("a < b & \"c\"");
    spec.series = QStringLiteral("<y>&");
    SeriesStore store;
    for (const QString& lane : {QStringLiteral("one <b>"), QStringLiteral("two\u0001")})
        for (int x = 1; x <= 3; ++x)
            store.add(Sample{spec.series, lane, double(x), QStringLiteral("<x>"), double(x)});
    FigureOptions options;
    options.legend = true;
    QXmlStreamReader svg(renderChartSvg(spec, store, {640, 360}, options));
    QString title;
    while (!svg.atEnd())
        if (svg.readNext() == QXmlStreamReader::StartElement && svg.name() == u"title")
            title = svg.readElementText();
    QVERIFY2(!svg.hasError(), qPrintable(svg.errorString()));
    QCOMPARE(title, spec.title);
}

SLIPWAY_GUI_TEST(TestFigure, charts_figure)
#include "tst_figure.moc"
