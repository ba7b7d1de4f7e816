// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"

#include <utility>
#include <vector>

namespace slipway {

namespace {

constexpr size_t mostCards = 64;

/// Reads the progress of gpu-burn: "11.7%  proc'd: 2947 (7124 Gflop/s) - 2664 (6963 Gflop/s)
/// errors: 0 - 0   temps: 56 C - 73 C", one number for each card. x is the share of the time that
/// has passed, the lane the card. Older releases have a slash instead of the dash.
class GpuBurnRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.holds = "%:'", .words = {"proc'd: "}}; }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    struct Card {
        std::optional<double> speed; ///< in FLOP/s
        std::optional<double> errors;
        std::optional<double> temperature; ///< in °C
    };

    static bool takeSpeeds(std::string_view& rest, std::vector<Card>& cards);
    static bool takeEach(std::string_view& rest, std::string_view unit, std::vector<Card>& cards,
        std::optional<double> Card::*field);
};

/// " - ", "- " behind a warning, " / " in older releases
bool takeSeparator(std::string_view& rest)
{
    std::string_view at = rest;
    skipSpaces(at);
    if (!skip(at, "- ") && !skip(at, "/ "))
        return false;
    rest = at;
    return true;
}

/// "2947 (7124 Gflop/s) - 2664 (6963 Gflop/s)"; very old releases have no speed.
bool GpuBurnRecogniser::takeSpeeds(std::string_view& rest, std::vector<Card>& cards)
{
    constexpr double giga = 1e9;
    do {
        if (!takeNumber(rest) || cards.size() == mostCards)
            return false;
        cards.emplace_back();
        if (!skip(rest, " ("))
            continue;
        const auto speed = takeNumber(rest);
        if (!speed || !skip(rest, " Gflop/s)"))
            return false;
        cards.back().speed = *speed * giga;
    } while (takeSeparator(rest));
    return true;
}

/// "56 C - 73 C", as many as there are cards; "--" where a number is not known.
bool GpuBurnRecogniser::takeEach(std::string_view& rest, std::string_view unit,
    std::vector<Card>& cards, std::optional<double> Card::*field)
{
    for (size_t i = 0; i < cards.size(); ++i) {
        if (i > 0 && !takeSeparator(rest))
            return false;
        cards[i].*field = takeNumber(rest);
        if (!(cards[i].*field) && !skip(rest, "--"))
            return false;
        if (!skip(rest, "  (WARNING!)")) // of errors that are new
            skip(rest, "  (DIED!)");
        skip(rest, unit);
    }
    return true;
}

bool GpuBurnRecogniser::read(const LogLine& line, MetricSink& sink)
{
    std::string_view rest = trimmed(line.text);
    const auto share = takeNumber(rest);
    if (!share || !skip(rest, "%"))
        return false;
    skipSpaces(rest);
    std::vector<Card> cards;
    if (!skip(rest, "proc'd: ") || !takeSpeeds(rest, cards))
        return false;
    skipSpaces(rest);
    if (!skip(rest, "errors: ") || !takeEach(rest, {}, cards, &Card::errors))
        return false;
    skipSpaces(rest);
    if (skip(rest, "temps: ") && !takeEach(rest, " C", cards, &Card::temperature))
        return false;
    for (size_t i = 0; i < cards.size(); ++i) {
        const auto give = [&](Sample&& sample, std::optional<double> value) {
            if (!value)
                return;
            sample.y = *value;
            sample.lane = rankLane(line.rank);
            if (cards.size() > 1)
                addToLane(sample.lane, QStringLiteral("GPU %1").arg(i));
            sample.x = *share;
            sample.line = line.number;
            sample.place = line.end - 1;
            sink.add(std::move(sample));
        };
        const QString percent = QStringLiteral("percent");
        give(
            {.series = QStringLiteral("flops"), .xName = percent, .unit = QStringLiteral("FLOP/s")},
            cards[i].speed);
        // None at all is no curve.
        give({.series = QStringLiteral("errors"), .xName = percent, .isOwnName = true},
            cards[i].errors);
        give({.series = QStringLiteral("temperature"),
                 .xName = percent,
                 .unit = QStringLiteral("°C")},
            cards[i].temperature);
    }
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeGpuBurnRecogniser()
{
    return std::make_unique<GpuBurnRecogniser>();
}

} // namespace slipway
