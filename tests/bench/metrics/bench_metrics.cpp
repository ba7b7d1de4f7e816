// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "../charts/report.h"
#include "../mixedlog.h"

#include "plots/metrics/pipeline.h"
#include "plots/metrics/seriesstore.h"

using namespace slipway;
using namespace slipway::bench;

namespace {

QByteArray ownLog(int lines)
{
    QByteArray log;
    for (int i = 0; i < lines; ++i)
        log += "@slipway {\"sample\":\"flops\",\"lane\":\"cuda\",\"x\":" + QByteArray::number(i)
            + ",\"x_name\":\"n\",\"y\":1.2e11,\"unit\":\"FLOP/"
              "s\",\"low\":1.1e11,\"high\":1.3e11}\n";
    return log;
}

double linesPerSecond(const QByteArray& log, int lines)
{
    return lines / medianSeconds(5, [&] {
        MetricsPipeline pipeline;
        SeriesStore store;
        for (qsizetype at = 0; at < log.size(); at += 65536) {
            pipeline.feed(
                QByteArrayView(log).sliced(at, std::min<qsizetype>(65536, log.size() - at)));
            store.add(pipeline.takeSamples());
            pipeline.takeEvents();
        }
        pipeline.finish();
    });
}

} // namespace

int main(int argc, char** argv)
{
    Report report("metrics", argc, argv);
    const int lines = 400'000;
    report.add("mixed log, recognised and stored", linesPerSecond(mixedLog(lines), lines),
        "lines/s", 200'000, true);
    report.add("own lines (JSON), recognised and stored",
        linesPerSecond(ownLog(lines / 4), lines / 4), "lines/s", 200'000, true);

    const int points = 10'000'000;
    MinMaxPyramid pyramid;
    const double append = medianSeconds(1, [&] {
        for (int i = 0; i < points; ++i)
            pyramid.append(i, float(i % 1000));
    });
    report.add("pyramid, append", points / append, "points/s", 10e6, true);
    report.add("pyramid, memory", double(pyramid.bytes()) / points, "B/point", 12.7, false);
    std::vector<double> edges;
    for (int i = 0; i <= 800; ++i)
        edges.push_back(double(points) * i / 800);
    std::vector<PyramidColumn> columns;
    report.add("pyramid, 800 columns of 1e7 points",
        1e3 * medianSeconds(51, [&] { pyramid.columns(edges, columns); }), "ms", 0.5, false);
    return report.finish();
}
