// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "examples.h"

#include "plots/figure/curves.h"
#include "plots/figure/endlabels.h"
#include "plots/figure/figure.h"
#include "plots/figure/ticks.h"
#include "plots/metrics/summary.h"
#include "plots/metrics/units.h"
#include "tests/support/testmain.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;
using namespace slipway::test;

class TestFigure : public QObject {
    Q_OBJECT

private slots:
    void numbers_areForPeople_data();
    void numbers_areForPeople();
    void ticks_areRoundNumbers_data();
    void ticks_areRoundNumbers();
    void scale_mapsThereAndBack();
    void labels_neverOverlap();
    void reduction_keepsTheSpikeAtEveryZoom();
    void reduction_givesFewPointsAsTheyAre();
    void theme_isReadable();
    void theme_neverTellsByColourAlone();
    void summary_isASentenceOfTheChart();
    void table_hasARowForEachX();
    void figure_isPaintedLightAndDark();
    void figure_survivesOddData_data();
    void figure_survivesOddData();
    void save_writesWhatTheSuffixSays();
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

void TestFigure::scale_mapsThereAndBack()
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
    // Alone, a label stands beside the end of its curve.
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

void TestFigure::reduction_givesFewPointsAsTheyAre()
{
    MinMaxPyramid points;
    for (int i = 0; i < 10; ++i)
        points.append(i, float(i * i));
    std::vector<QPointF> drawn;
    reducedPoints(points, {{2.5, 5.5}, false, 0, 800}, 800, drawn);
    QCOMPARE(drawn.size(), size_t(5)); // 3, 4, 5 and a neighbour on each side
    QCOMPARE(drawn.front(), QPointF(2, 4));
    points.append(4, 99); // going back in x
    reducedPoints(points, {{0, 10}, false, 0, 800}, 800, drawn);
    QCOMPARE(drawn.size(), size_t(11));
    QVERIFY(std::is_sorted(
        drawn.begin(), drawn.end(), [](QPointF a, QPointF b) { return a.x() < b.x(); }));
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

void TestFigure::theme_neverTellsByColourAlone()
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

SLIPWAY_GUI_TEST(TestFigure, charts_figure)
#include "tst_figure.moc"
