// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"

#include <cmath>
#include <map>

namespace slipway {

namespace {

/// Reads the timings of the development exercise: "mul_sum(x, x):  9631.4 us (warm-up)". They are
/// "seconds" with the operation as the lane, its first call separately ("mul_sum, warm-up"), x =
/// the number of the measurement; the path of the package is an event.
class PtBenchRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "abcdefghijklmnopqrstuvwxyz", .words = {" us", "pt_bench"}};
    }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress)
            return false;
        std::string_view text = trimmed(line.text);
        if (text.empty() || text[0] < 'a' || text[0] > 'z' || text.size() > 200)
            return false;
        if (text[0] == 'l' && skip(text, "loaded pt_bench from ")) {
            const QString path = labelText(text, 1024);
            sink.add(MetricEvent{QStringLiteral("library"), QStringLiteral("pt_bench: ") + path,
                {{QStringLiteral("path"), path}}, line.number});
            return true;
        }
        return readTiming(text, line, sink);
    }

private:
    bool readTiming(std::string_view text, const LogLine& line, MetricSink& sink);

    std::map<QString, int> m_calls;
};

bool PtBenchRecogniser::readTiming(std::string_view text, const LogLine& line, MetricSink& sink)
{
    size_t end = 0;
    while (end < text.size() && isWordCharacter(text[end]))
        ++end;
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(end);
    if (!skip(text, "("))
        return false;
    const size_t close = text.find("):");
    if (close == std::string_view::npos || name.size() > 64)
        return false;
    text.remove_prefix(close + 2);
    skipSpaces(text);
    const auto time = takeNumber(text);
    if (!time || !std::isfinite(*time) || *time < 0 || !skip(text, " us"))
        return false;
    const bool warmUp = text == " (warm-up)";
    if (!warmUp && !text.empty())
        return false;
    QString lane = labelText(name);
    if (warmUp)
        lane += QStringLiteral(", warm-up");
    if (line.rank > 0)
        lane = rankLane(line.rank) + QStringLiteral(", ") + lane;
    constexpr size_t mostLanes = 256;
    if (m_calls.size() >= mostLanes && !m_calls.contains(lane))
        return true;
    sink.add(Sample{.series = QStringLiteral("seconds"),
        .lane = lane,
        .x = double(++m_calls[lane]),
        .xName = QStringLiteral("call"),
        .y = *time * 1e-6,
        .unit = QStringLiteral("s"),
        .line = line.number});
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makePtBenchRecogniser()
{
    return std::make_unique<PtBenchRecogniser>();
}

} // namespace slipway
