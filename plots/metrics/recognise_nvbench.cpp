// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"

namespace slipway {

namespace {

/// Reads what an NVBench program reports while it runs: "Run:  [3/78] copy [Device=0 T=U32]",
/// then "Pass: Cold: 0.026654ms GPU, 0.040284ms CPU, 0.50s total GPU, …" or a Batch or CpuOnly
/// pass. "gpu_time", "cpu_time" and "batch_gpu_time" are means in seconds, a lane for each
/// benchmark; x is the number of the run. The source of the format is NVBench's
/// detail/measure_cold.cu and its siblings.
class NvbenchRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.first = "RP", .words = {"run: ", "pass: "}}; }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    bool startRun(std::string_view rest, MetricSink& sink);
    bool readTimes(
        std::string_view rest, const QString& prefix, const LogLine& line, MetricSink& sink) const;

    double m_run = 0; ///< 0: none has begun
    QString m_benchmark;
};

/// "[3/78] copy [Device=0 T=U32]"
bool NvbenchRecogniser::startRun(std::string_view rest, MetricSink& sink)
{
    if (!skip(rest, "["))
        return false;
    const auto run = takeWholeCount(rest);
    if (!run || *run < 1 || !skip(rest, "/"))
        return false;
    const auto runs = takeWholeCount(rest);
    if (!runs || *runs < *run || !skip(rest, "] "))
        return false;
    const size_t axes = rest.rfind(" [");
    if (axes == std::string_view::npos || axes == 0 || !rest.ends_with(']'))
        return false;
    m_run = *run;
    m_benchmark = labelText(trimmed(rest.substr(0, axes)));
    sink.setProgress(QStringLiteral("run"), *run, *runs);
    return true;
}

/// "0.026654ms GPU, 0.040284ms CPU, 0.50s total GPU, 1.50s total wall, 18760x"
bool NvbenchRecogniser::readTimes(
    std::string_view rest, const QString& prefix, const LogLine& line, MetricSink& sink) const
{
    QString lane = rankLane(line.rank);
    addToLane(lane, m_benchmark);
    bool any = false;
    while (const auto time = takeNumber(rest)) {
        if (!skip(rest, "ms "))
            break; // what follows are totals
        skip(rest, "mean ");
        const bool isGpu = skip(rest, "GPU, ");
        if (!isGpu && !skip(rest, "CPU, "))
            break;
        any = true;
        sink.add(Sample{
            .series = prefix + (isGpu ? QStringLiteral("gpu_time") : QStringLiteral("cpu_time")),
            .lane = lane,
            .x = m_run,
            .xName = QStringLiteral("run"),
            .y = *time * 1e-3,
            .unit = QStringLiteral("s"),
            .line = line.number});
    }
    return any;
}

bool NvbenchRecogniser::read(const LogLine& line, MetricSink& sink)
{
    std::string_view rest = trimmed(line.text);
    if (skip(rest, "Run: ")) {
        skipSpaces(rest);
        return startRun(rest, sink);
    }
    if (m_run == 0 || !skip(rest, "Pass: "))
        return false;
    if (skip(rest, "Batch: "))
        return readTimes(rest, QStringLiteral("batch_"), line, sink);
    return (skip(rest, "Cold: ") || skip(rest, "CpuOnly: ")) && readTimes(rest, {}, line, sink);
}

} // namespace

std::unique_ptr<Recogniser> makeNvbenchRecogniser()
{
    return std::make_unique<NvbenchRecogniser>();
}

} // namespace slipway
