// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "../charts/report.h"

#include "app/explain/logpass.h"

#include <QDir>
#include <QFile>

#include <random>

using namespace slipway;
using namespace slipway::bench;

namespace {

/// Half of it numbers of a training, the rest lines of real logs, failures among them.
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
        if (i % 2)
            log += noise[qsizetype(random() % size_t(noise.size()))] + '\n';
        else
            log += "Epoch [1/5], Step [" + n + "/9999999], Train Loss: 0.5" + n
                + ", Valid Loss: 0.7" + n + '\n';
    }
    return log;
}

template <typename Feed> double linesPerSecond(const QByteArray& log, int lines, Feed feed)
{
    return lines / medianSeconds(5, [&] { feed(log); });
}

} // namespace

int main(int argc, char** argv)
{
    Report report("explain", argc, argv);
    std::vector<Error> errors;
    const auto book = loadHints(QStringLiteral(SLIPWAY_SOURCE_DIR "/resources"), {}, &errors);
    const int lines = 400'000;
    const QByteArray log = mixedLog(lines);
    const auto inSlices = [&](auto& reader) {
        for (qsizetype at = 0; at < log.size(); at += 65536)
            reader.feed(
                QByteArrayView(log).sliced(at, std::min<qsizetype>(65536, log.size() - at)));
        reader.finish();
    };
    report.add("metrics alone",
        linesPerSecond(log, lines,
            [&](const QByteArray&) {
                MetricsPipeline pipeline;
                inSlices(pipeline);
            }),
        "lines/s", 200'000, true);
    report.add("hints alone, lines put together",
        linesPerSecond(log, lines, [&](const QByteArray& bytes) { explain(book, bytes); }),
        "lines/s", 500'000, true);
    report.add("metrics and hints",
        linesPerSecond(log, lines,
            [&](const QByteArray&) {
                LogPass explainer(book);
                inSlices(explainer);
            }),
        "lines/s", 200'000, true);
    // A log of nothing but faults: each line goes through the regular expressions.
    const QByteArray faults = QByteArray(
        "slurmstepd: error: Detected 1 oom_kill event in StepId=1.0, no space left on device\n")
                                  .repeated(100'000);
    report.add("hints alone, every line a fault",
        linesPerSecond(faults, 100'000, [&](const QByteArray& bytes) { explain(book, bytes); }),
        "lines/s", 50'000, true);
    return report.finish();
}
