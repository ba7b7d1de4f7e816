// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"

#include <cmath>
#include <map>

namespace slipway {

namespace {

/// Reads the benchmark of the n-body sample: devices, and for each measurement the time and the
/// speeds. They are "seconds", "interactions_per_second" and "flops" over x = bodies (the number
/// after rounding, which is what was computed), with double precision, several GPUs or the CPU as
/// the lane; and "flops_by_gpus" over x = GPUs with the bodies as the lane, to show scaling. A
/// measurement has three lines; one without its last line is dropped.
class NbodyRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = ">=E0123456789",
            .words = {
                "mode", "simulation", "cuda device", "bodies", "interaction", "devices available"}};
    }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress)
            return false;
        std::string_view text = trimmed(line.text);
        if (text.empty())
            return false;
        switch (text[0]) {
        case '>':
            return readHeader(text.substr(1), line, sink);
        case '=':
            return readSpeed(text.substr(1), line, sink);
        case 'E':
            return readError(text, line, sink);
        default:
            return isDigit(text[0]) && readTime(text, line);
        }
    }

private:
    struct Measurement {
        double bodies = 0;
        double seconds = 0;
        double interactions = 0; ///< per second; 0: unknown yet
        qint64 line = 0;
        qint64 interactionsLine = 0;
    };
    struct Run {
        double gpus = 0; ///< 0: unknown
        bool cpu = false;
        std::optional<Measurement> measurement;
    };

    Run* run(int rank);

    bool readHeader(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readTime(std::string_view text, const LogLine& line);
    bool readSpeed(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readError(std::string_view text, const LogLine& line, MetricSink& sink);
    static void give(Run& run, double flops, bool isDouble, const LogLine& line, MetricSink& sink);

    std::map<int, Run> m_runs; ///< by the label before the line
};

NbodyRecogniser::Run* NbodyRecogniser::run(int rank)
{
    constexpr size_t most = 4096;
    if (m_runs.size() >= most && !m_runs.contains(rank))
        return nullptr;
    return &m_runs[rank];
}

/// "> 1 Devices used for simulation", "> Compute 8.9 CUDA device: [NVIDIA L40S]"
bool NbodyRecogniser::readHeader(std::string_view text, const LogLine& line, MetricSink& sink)
{
    skipSpaces(text);
    if (text == "Windowed mode" || text == "Fullscreen mode") {
        if (Run* const state = run(line.rank))
            *state = {};
        return true;
    }
    if (text == "Simulation with CPU") {
        if (Run* const state = run(line.rank))
            state->cpu = true;
        return true;
    }
    std::string_view rest = text;
    if (skip(rest, "Compute ")) {
        const std::string_view capability = takeWord(rest);
        if (!skip(rest, " CUDA device: [") || !rest.ends_with(']'))
            return false;
        const QString name = labelText(rest.substr(0, rest.size() - 1), 120);
        sink.add(MetricEvent{QStringLiteral("device"), name,
            {{QStringLiteral("name"), name},
                {QStringLiteral("compute_capability"), labelText(capability, 16)}},
            line.number});
        return true;
    }
    const auto devices = wholeCount(takeWord(rest));
    if (devices
        && (rest == " Devices used for simulation" || rest == " Device used for simulation")) {
        if (Run* const state = run(line.rank))
            state->gpus = *devices;
        return true;
    }
    return text == "Simulation data stored in video memory"
        || text == "Simulation data stored in system memory"
        || text.ends_with(" precision floating point simulation");
}

/// "2000128 bodies, total time for 10 iterations: 21772.984 ms"
bool NbodyRecogniser::readTime(std::string_view text, const LogLine& line)
{
    const auto bodies = wholeCount(takeWord(text));
    if (!bodies || !skip(text, " bodies, total time for "))
        return false;
    const auto iterations = wholeCount(takeWord(text));
    if (!iterations || !skip(text, " iterations: "))
        return false;
    const auto time = takeNumber(text);
    Run* const state = run(line.rank);
    if (!state)
        return false;
    state->measurement.reset();
    if (!time || !std::isfinite(*time) || text != " ms")
        return false;
    state->measurement = Measurement{*bodies, *time / 1000, 0, line.number, 0};
    return true;
}

/// "= 1837.374 billion interactions per second" and
/// "= 36747.484 single-precision GFLOP/s at 20 flops per interaction"
bool NbodyRecogniser::readSpeed(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const auto found = m_runs.find(line.rank);
    if (found == m_runs.end() || !found->second.measurement)
        return false;
    skipSpaces(text);
    const auto value = takeNumber(text);
    if (!value || !std::isfinite(*value))
        return false;
    if (text == " billion interactions per second") {
        found->second.measurement->interactions = *value * 1e9;
        found->second.measurement->interactionsLine = line.number;
        return true;
    }
    const bool isDouble = skip(text, " double-precision");
    if ((!isDouble && !skip(text, " single-precision")) || !skip(text, " GFLOP/s at "))
        return false;
    if (!wholeCount(takeWord(text)) || text != " flops per interaction")
        return false;
    give(found->second, *value * 1e9, isDouble, line, sink);
    return true;
}

void NbodyRecogniser::give(
    Run& run, double flops, bool isDouble, const LogLine& line, MetricSink& sink)
{
    const Measurement m = *run.measurement;
    run.measurement.reset();
    QStringList common;
    if (line.rank > 0)
        common.append(rankLane(line.rank));
    if (isDouble)
        common.append(QStringLiteral("double precision"));
    QStringList lane = common;
    if (run.cpu)
        lane.append(QStringLiteral("cpu"));
    else if (run.gpus > 1)
        lane.append(QStringLiteral("%1 GPUs").arg(run.gpus, 0, 'f', 0));
    Sample sample{.series = {},
        .lane = lane.join(QStringLiteral(", ")),
        .x = m.bodies,
        .xName = QStringLiteral("bodies")};
    const auto add = [&](const char* series, double y, const char* unit, qint64 at) {
        sample.series = QLatin1String(series);
        sample.y = y;
        sample.unit = QLatin1String(unit);
        sample.line = at;
        sink.add(sample);
    };
    add("seconds", m.seconds, "s", m.line);
    if (m.interactions > 0)
        add("interactions_per_second", m.interactions, "interactions/s", m.interactionsLine);
    add("flops", flops, "FLOP/s", line.number);
    if (run.cpu || run.gpus < 1)
        return;
    common.append(QStringLiteral("%1 bodies").arg(m.bodies, 0, 'f', 0));
    sample.lane = common.join(QStringLiteral(", "));
    sample.x = run.gpus;
    sample.xName = QStringLiteral("GPUs");
    add("flops_by_gpus", flops, "FLOP/s", line.number);
}

/// "Error: only 0 Devices available, 1 requested.  Exiting."
bool NbodyRecogniser::readError(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const std::string_view whole = text;
    if (!skip(text, "Error: only "))
        return false;
    const std::string_view available = takeWord(text);
    if (!wholeCount(available) || !skip(text, " Devices available, "))
        return false;
    const std::string_view requested = takeWord(text);
    if (!wholeCount(requested) || !text.starts_with(" requested."))
        return false;
    sink.add(MetricEvent{available == "0" ? QStringLiteral("no_device") : QStringLiteral("failed"),
        labelText(whole),
        {{QStringLiteral("available"), labelText(available)},
            {QStringLiteral("requested"), labelText(requested)}},
        line.number});
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeNbodyRecogniser()
{
    return std::make_unique<NbodyRecogniser>();
}

} // namespace slipway
