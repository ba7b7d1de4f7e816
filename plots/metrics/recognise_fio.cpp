// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/metricnames.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"

namespace slipway {

namespace {

/// Reads the status lines of fio: "Jobs: 8 (f=8): [W(1),r(7)][10.1%][r=204MiB/s,w=32.3MiB/s]
/// [r=418k,w=258 IOPS][eta 01m:02s]". x is the share of the work that is done; "read_bandwidth",
/// "write_iops" and their kin are averages since the line before. The source of the format is
/// fio(1), "INTERPRETING THE OUTPUT".
class FioRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.first = "J", .words = {"jobs: "}}; }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    void give(std::string_view rates, double share, const LogLine& line, MetricSink& sink) const;

    const MetricNames& m_names = MetricNames::builtIn();
};

/// Takes "[…]" from the start and returns what is inside; empty: there is none.
std::string_view takeBrackets(std::string_view& rest)
{
    skipSpaces(rest);
    const size_t close = rest.starts_with('[') ? rest.find(']') : std::string_view::npos;
    if (close == std::string_view::npos)
        return {};
    const std::string_view inside = rest.substr(1, close - 1);
    rest.remove_prefix(close + 1);
    return inside;
}

/// "10.1%", "10.1% done"
std::optional<double> shareIn(std::string_view inside)
{
    const auto share = takeNumber(inside);
    const bool isShare = skip(inside, "%") && (inside.empty() || inside == " done");
    return isShare ? share : std::nullopt;
}

/// "204MiB/s", "418k" of operations: in B/s and 1/s.
std::optional<double> rateIn(std::string_view text, bool isOperations, const MetricNames& names)
{
    const auto value = takeNumber(text);
    if (!value)
        return {};
    if (!isOperations) {
        const MetricUnit* const unit = text == "B/s" ? nullptr : names.unit(text);
        return unit || text == "B/s" ? std::optional(*value * (unit ? unit->factor : 1))
                                     : std::nullopt;
    }
    const double factor = text == "k" ? 1e3 : text == "M" ? 1e6 : text.empty() ? 1 : 0;
    return factor > 0 ? std::optional(*value * factor) : std::nullopt;
}

/// "r=204MiB/s,w=32.3MiB/s", "r=418k,w=258 IOPS"
void FioRecogniser::give(
    std::string_view rates, double share, const LogLine& line, MetricSink& sink) const
{
    constexpr std::string_view mark = " IOPS";
    const bool isOperations = rates.ends_with(mark);
    if (isOperations)
        rates.remove_suffix(mark.size());
    while (rates.size() > 2 && rates[1] == '=') {
        const char way = rates[0];
        const size_t end = std::min(rates.find(','), rates.size());
        const auto rate = rateIn(rates.substr(2, end - 2), isOperations, m_names);
        if (!rate || (way != 'r' && way != 'w' && way != 't'))
            return;
        Sample sample;
        sample.series = way == 'r' ? QStringLiteral("read_")
            : way == 'w'           ? QStringLiteral("write_")
                                   : QStringLiteral("trim_");
        sample.series += isOperations ? QStringLiteral("iops") : QStringLiteral("bandwidth");
        sample.unit = isOperations ? QStringLiteral("1/s") : QStringLiteral("B/s");
        sample.lane = rankLane(line.rank);
        sample.x = share;
        sample.xName = QStringLiteral("percent");
        sample.y = *rate;
        sample.line = line.number;
        sample.place = line.end - 1;
        sink.add(std::move(sample));
        rates.remove_prefix(std::min(end + 1, rates.size()));
    }
}

bool FioRecogniser::read(const LogLine& line, MetricSink& sink)
{
    std::string_view rest = trimmed(line.text);
    if (!skip(rest, "Jobs: ") || !takeWholeCount(rest) || !skip(rest, " (f="))
        return false;
    rest = rest.substr(std::min(rest.find('['), rest.size()));
    if (takeBrackets(rest).empty()) // "W(1),r(7),P(8)": what each job does
        return false;
    const auto share = shareIn(takeBrackets(rest));
    if (!share)
        return rest.empty();
    for (std::string_view inside = takeBrackets(rest); !inside.empty(); inside = takeBrackets(rest))
        give(inside, *share, line, sink);
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeFioRecogniser()
{
    return std::make_unique<FioRecogniser>();
}

} // namespace slipway
