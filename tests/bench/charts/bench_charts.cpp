// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "report.h"

#include "plots/charts/metricchart.h"
#include "plots/metrics/seriesstore.h"

#include <QApplication>

#include <cmath>
#include <random>

using namespace slipway;
using namespace slipway::bench;

namespace {

void fill(SeriesStore& store, int points, int series)
{
    std::mt19937 random(1);
    std::normal_distribution<double> noise;
    for (int k = 0; k < series; ++k) {
        Sample sample;
        sample.series = QStringLiteral("loss");
        sample.lane = series > 1 ? QStringLiteral("run %1").arg(k) : QString();
        sample.xName = QStringLiteral("step");
        for (int i = 0; i < points; ++i) {
            sample.x = i;
            sample.y = 3 * std::exp(-3.0 * i / points) + 0.3 + 0.1 * noise(random);
            store.add(sample);
        }
    }
}

/// One whole frame as on the screen: a new sample, then curves, axes and labels into the widget's
/// pixels.
double frameMilliseconds(SeriesStore& store, double shown = 1)
{
    MetricChart chart;
    chart.setStore(&store);
    chart.resize(800, 400);
    chart.show();
    for (int i = 0; i < 20; ++i) {
        QApplication::processEvents();
        chart.grab();
    }
    chart.drawNow(); // the timer of the first frame may not have elapsed
    const ValueRange x = chart.xRange(), y = chart.yRange();
    QImage image(800, 400, QImage::Format_ARGB32_Premultiplied);
    int frame = 0;
    return 1e3 * medianSeconds(41, [&] {
        const bool zoomed = shown < 1;
        const double share = zoomed ? 0.4 + 0.001 * frame : 0.0002 * frame;
        chart.setRanges({x.low + (x.high - x.low) * share,
                            zoomed ? x.low + (x.high - x.low) * (share + shown) : x.high},
            y);
        chart.drawNow();
        chart.render(&image);
        ++frame;
    });
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    Report report("charts", argc, argv);
    SeriesStore store;
    fill(store, 10'000'000, 1);
    report.add("frame, 1e7 points, 800x400", frameMilliseconds(store), "ms", 1.5, false);
    report.add(
        "frame, 1e7 points, zoomed to 1 %", frameMilliseconds(store, 0.01), "ms", 1.5, false);
    report.add(
        "frame, 1e7 points, zoomed to 40 of them", frameMilliseconds(store, 4e-6), "ms", 4, false);
    SeriesStore eight;
    fill(eight, 100'000, 8);
    report.add("frame, 8 curves of 1e5 points", frameMilliseconds(eight), "ms", 2, false);
    SeriesStore few;
    fill(few, 1500, 8);
    report.add("frame, 8 curves of 1500 points", frameMilliseconds(few), "ms", 2, false);
    return report.finish();
}
