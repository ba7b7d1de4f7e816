// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "../charts/report.h"
#include "../mixedlog.h"

#include "app/explain/logpass.h"
#include "plots/metrics/seriesstore.h"

using namespace slipway;
using namespace slipway::bench;

namespace {

template <typename Feed> double linesPerSecond(const QByteArray& log, int lines, Feed feed)
{
    return lines / medianSeconds(5, [&] { feed(log); });
}

/// All that the program makes of a log while it reads it: lines, samples in their series, events,
/// explanations.
void readAll(const std::shared_ptr<const HintBook>& book, const QByteArray& log)
{
    constexpr qsizetype slice = 65536;
    LogPass pass(book);
    SeriesStore store;
    std::vector<MetricEvent> events;
    qint64 bytes = 0;
    const auto line = [&bytes](const LogLine& read) { bytes += qint64(read.text.size()); };
    for (qsizetype at = 0; at < log.size(); at += slice) {
        pass.feed(QByteArrayView(log).sliced(at, std::min(slice, log.size() - at)), line);
        store.add(pass.takeSamples());
        events = pass.takeEvents();
    }
    pass.finish(line);
    store.add(pass.takeSamples());
    if (store.empty() || bytes == 0 || pass.result().empty())
        std::abort(); // nothing was read: the figure would mean nothing
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
    report.add("everything: lines, metrics stored, hints",
        lines / fastestSeconds(7, [&] { readAll(book, log); }), "lines/s", 1'500'000, true);
    // A log of nothing but faults: each line goes through the regular expressions.
    const QByteArray faults = QByteArray(
        "slurmstepd: error: Detected 1 oom_kill event in StepId=1.0, no space left on device\n")
                                  .repeated(100'000);
    report.add("hints alone, every line a fault",
        linesPerSecond(faults, 100'000, [&](const QByteArray& bytes) { explain(book, bytes); }),
        "lines/s", 50'000, true);
    return report.finish();
}
