// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "../charts/report.h"

#include "plots/metrics/pipeline.h"
#include "plots/metrics/seriesstore.h"

#include <QDir>
#include <QFile>

#include <random>

using namespace slipway;
using namespace slipway::bench;

namespace {

/// What a busy training job writes: half of it numbers, the rest the noise of real logs.
QByteArray mixedLog(int lines)
{
    QByteArrayList noise;
    const QDir folder(QStringLiteral(SLIPWAY_SOURCE_DIR "/tests/data/logs"));
    for (const QString& name : folder.entryList({QStringLiteral("*.txt")}, QDir::Files)) {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::ReadOnly) && !name.startsWith(QLatin1String("tqdm")))
            noise += file.readAll().split('\n');
    }
    std::mt19937 random(1);
    QByteArray log;
    for (int i = 0; i < lines; ++i) {
        const QByteArray n = QByteArray::number(i);
        const QByteArray y = QByteArray::number(0.1 + double(random() % 100000) / 1e5, 'f', 4);
        switch (i % 8) {
        case 0:
            log += "Epoch [1/5], Step [" + n + "/9999999], Train Loss: " + y + ", Valid Loss: " + y
                + '\n';
            break;
        case 2:
            log += "0: step " + n + " loss " + y + " lr 1e-4\n";
            break;
        case 4:
            log += "2026-11-20 21:01:31,595 INFO iter=" + n + " | loss=" + y
                + " | grad_norm=1.5 | 812.5 img/s\n";
            break;
        case 6:
            log += "\x1b[32mEpoch " + n + "\x1b[0m, Loss: " + y
                + ", Accuracy: 95.98, Test Loss: " + y + '\n';
            break;
        default:
            log += noise[qsizetype(random() % size_t(noise.size()))] + '\n';
        }
    }
    return log;
}

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
