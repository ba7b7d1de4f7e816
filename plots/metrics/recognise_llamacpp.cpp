// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"

namespace slipway {

namespace {

/// Reads what llama.cpp prints at its end and while it measures perplexity: "eval time = 4567.89 ms
/// / 99 runs ( 46.14 ms per token, 21.67 tokens per second)" gives "tokens_per_second" with the
/// stage as the lane (line), "[1]4.1234,[2]4.5678," gives "perplexity" (chunk).
class LlamaCppRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.first = "[", .last = ")", .fits = mayBe}; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        std::string_view text = line.text;
        skipSpaces(text);
        if (text.empty())
            return false;
        if (text[0] == '[')
            return readChunks(text, line, sink);
        return text.find("tokens per second)") != std::string_view::npos
            && readTiming(text, line, sink);
    }

private:
    static bool mayBe(std::string_view text)
    {
        return (text.starts_with("[0") && text.find("],") == std::string_view::npos)
            || text.find("tokens per second)") != std::string_view::npos;
    }
    static bool readTiming(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        const size_t name = text.find(" time =");
        const size_t comma = text.rfind(',');
        if (name == std::string_view::npos || comma == std::string_view::npos || comma < name)
            return false;
        std::string_view stage = text.substr(0, name);
        if (const size_t colon = stage.rfind(':'); colon != std::string_view::npos)
            stage = stage.substr(colon + 1);
        std::string_view rate = text.substr(comma + 1);
        skipSpaces(rate);
        const auto value = takeNumber(rate);
        stage = trimmed(stage);
        if (!value || trimmed(rate) != "tokens per second)" || stage.empty() || stage.size() > 40)
            return false;
        sink.add(Sample{.series = QStringLiteral("tokens_per_second"),
            .lane = labelText(stage),
            .x = static_cast<double>(line.number),
            .xName = QStringLiteral("line"),
            .y = *value,
            .unit = QStringLiteral("tokens/s"),
            .line = line.number});
        return true;
    }

    /// "[1]4.1234,[2]4.5678,"
    static bool readChunks(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        std::string_view rest = text;
        std::vector<std::pair<double, double>> chunks;
        while (skip(rest, "[")) {
            const size_t close = rest.find(']');
            const auto chunk = wholeCount(rest.substr(0, std::min(close, rest.size())));
            const size_t comma = rest.find(',');
            if (!chunk || close == std::string_view::npos || comma == std::string_view::npos
                || comma < close || chunks.size() >= 100'000)
                return false;
            const auto value = wholeNumber(rest.substr(close + 1, comma - close - 1));
            if (!value || (!chunks.empty() && *chunk != chunks.back().first + 1))
                return false;
            chunks.emplace_back(*chunk, *value);
            rest.remove_prefix(comma + 1);
        }
        if (chunks.empty() || !trimmed(rest).empty() || line.progress)
            return false;
        for (const auto& [chunk, value] : chunks) {
            sink.add(Sample{.series = QStringLiteral("perplexity"),
                .x = chunk,
                .xName = QStringLiteral("chunk"),
                .y = value,
                .line = line.number});
        }
        return true;
    }
};

} // namespace

std::unique_ptr<Recogniser> makeLlamaCppRecogniser()
{
    return std::make_unique<LlamaCppRecogniser>();
}

} // namespace slipway
