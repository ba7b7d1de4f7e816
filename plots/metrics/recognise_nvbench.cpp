// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace slipway {

namespace {

/// "Elements=2^20" of "[Device=0 T=U32 Elements=2^20]".
struct NvbenchAxis {
    std::string name;
    std::string text;
    std::optional<double> value; ///< none: a word
};

/// Reads what an NVBench program reports while it runs: "Run:  [3/78] copy [Device=0 T=U32]",
/// then "Pass: Cold: 0.026654ms GPU, 0.040284ms CPU, 0.50s total GPU, …" or a Batch or CpuOnly
/// pass. "gpu_time", "cpu_time" and "batch_gpu_time" are means in seconds, a lane for each
/// benchmark. x is the axis whose number the second run of a benchmark changes, else the number of
/// the run. The source of the format is NVBench's detail/measure_cold.cu and its siblings.
class NvbenchRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.first = "RP", .words = {"run: ", "pass: "}}; }
    bool read(const LogLine& line, MetricSink& sink) override;
    void finish(MetricSink& sink) override { giveHeld(sink); }

private:
    using Axes = std::vector<NvbenchAxis>;

    bool startRun(std::string_view rest, MetricSink& sink);
    static Axes axesIn(std::string_view text);
    void findX(const Axes& axes);
    void place(Sample& sample, const Axes& axes) const;
    void giveHeld(MetricSink& sink);
    bool readTimes(
        std::string_view rest, const QString& prefix, const LogLine& line, MetricSink& sink);

    double m_run = 0; ///< 0: none has begun
    double m_firstRun = 0; ///< of the benchmark
    QString m_benchmark;
    Axes m_axes; ///< of the run
    Axes m_firstAxes; ///< of the benchmark's first run
    std::string m_x; ///< the axis that its second run changed; empty: x is the number of the run
    std::vector<Sample> m_held; ///< of its first run
};

/// What stands before each "=" is a name, up to the value of the one before, which has no space.
NvbenchRecogniser::Axes NvbenchRecogniser::axesIn(std::string_view text)
{
    constexpr size_t most = 16;
    Axes axes;
    for (size_t equals = text.find('='); equals != std::string_view::npos && axes.size() < most;
         equals = text.find('=')) {
        NvbenchAxis axis;
        axis.name = trimmed(text.substr(0, equals));
        text.remove_prefix(equals + 1);
        std::string_view value = text.substr(0, text.find(' '));
        text.remove_prefix(value.size());
        axis.text = value;
        value = value.substr(0, value.find('=')); // "2^20=1048576"
        const bool isPower = skip(value, "2^");
        axis.value = wholeNumber(value);
        if (isPower && axis.value)
            axis.value = std::exp2(*axis.value);
        if (axis.name != "Device")
            axes.push_back(std::move(axis));
    }
    return axes;
}

void NvbenchRecogniser::findX(const Axes& axes)
{
    m_x.clear();
    int changed = 0;
    for (size_t i = 0; i < std::min(axes.size(), m_firstAxes.size()); ++i) {
        if (axes[i].text == m_firstAxes[i].text)
            continue;
        ++changed;
        m_x = axes[i].value && m_firstAxes[i].value ? axes[i].name : std::string();
    }
    if (changed != 1)
        m_x.clear();
}

void NvbenchRecogniser::place(Sample& sample, const Axes& axes) const
{
    for (size_t i = 0; i < axes.size(); ++i) {
        const NvbenchAxis& axis = axes[i];
        if (axis.name == m_x && axis.value) {
            sample.x = *axis.value;
            sample.xName = labelText(axis.name);
        } else if (!m_x.empty() && i < m_firstAxes.size() && axis.text != m_firstAxes[i].text) {
            addToLane(sample.lane, labelText(axis.name + '=' + axis.text));
        }
    }
}

void NvbenchRecogniser::giveHeld(MetricSink& sink)
{
    for (Sample& sample : m_held) {
        place(sample, m_firstAxes);
        sink.add(std::move(sample));
    }
    m_held.clear();
}

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
    const QString benchmark = labelText(trimmed(rest.substr(0, axes)));
    m_axes = axesIn(rest.substr(axes + 2, rest.size() - axes - 3));
    if (m_run > 0 && benchmark == m_benchmark) {
        if (m_run == m_firstRun)
            findX(m_axes);
        giveHeld(sink);
    } else {
        giveHeld(sink);
        m_x.clear();
        m_firstAxes = m_axes;
        m_firstRun = *run;
    }
    m_run = *run;
    m_benchmark = benchmark;
    sink.setProgress(QStringLiteral("run"), *run, *runs);
    return true;
}

/// "0.026654ms GPU, 0.040284ms CPU, 0.50s total GPU, 1.50s total wall, 18760x"
bool NvbenchRecogniser::readTimes(
    std::string_view rest, const QString& prefix, const LogLine& line, MetricSink& sink)
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
        Sample sample{
            .series = prefix + (isGpu ? QStringLiteral("gpu_time") : QStringLiteral("cpu_time")),
            .lane = lane,
            .x = m_run,
            .xName = QStringLiteral("run"),
            .y = *time * 1e-3,
            .unit = QStringLiteral("s"),
            .line = line.number};
        constexpr size_t mostHeld = 16;
        if (m_run == m_firstRun && m_held.size() < mostHeld) {
            sample.place = line.end - 1;
            m_held.push_back(std::move(sample));
            continue;
        }
        place(sample, m_axes);
        sink.add(std::move(sample));
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
