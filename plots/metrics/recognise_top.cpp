// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/dayclock.h"
#include "plots/metrics/fields.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

/// Reads what `top -b` prints above its processes: the shares of the processors' time, and the
/// memory in use. x is the time since the first of these, by the clock in the first line of each.
/// The source of the forms is the manual page top(1).
class TopRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.words = {"top - ", "cpu(s):", "ib mem", "mem: "}}; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        std::string_view text = trimmed(line.text);
        if (line.progress || text.size() > longest)
            return false;
        if (skip(text, "top - "))
            return readClock(text);
        skip(text, "%");
        if (skip(text, "Cpu(s):"))
            return readShares(text, line, sink);
        return m_seconds && readMemory(text, line, sink);
    }

private:
    static constexpr size_t longest = 200; ///< bytes of a line

    bool readClock(std::string_view text);
    bool readShares(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readMemory(std::string_view text, const LogLine& line, MetricSink& sink);
    void give(const QString& series, double value, const QString& unit, const LogLine& line,
        MetricSink& sink) const;

    std::optional<double> m_seconds; ///< since the first clock
    DayClock m_clock;
};

/// "10:12:01 up 12 days, …"
bool TopRecogniser::readClock(std::string_view text)
{
    const auto time = clockTime(takeWord(text));
    if (time)
        m_seconds = m_clock.secondsAt(*time);
    return time.has_value();
}

/// "5.2 us,  1.1 sy,  0.0 ni, 93.0 id, …", "5.2%us,  1.1%sy, …"
bool TopRecogniser::readShares(std::string_view text, const LogLine& line, MetricSink& sink)
{
    bool any = false;
    for (skipSpaces(text); !text.empty(); skipSpaces(text)) {
        const auto share = takeNumber(text);
        skip(text, "%");
        skipSpaces(text);
        const std::string_view name = text.substr(0, text.find_first_of(", "));
        text.remove_prefix(name.size());
        skip(text, ",");
        if (!share || name.size() != 2)
            return any;
        give(QStringLiteral("cpu_") + labelText(name), *share, QStringLiteral("%"), line, sink);
        any = true;
    }
    return any;
}

/// "MiB Mem :  64000.0 total,  30000.0 free,  10000.0 used, …", "Mem:   65852k total, …"
bool TopRecogniser::readMemory(std::string_view text, const LogLine& line, MetricSink& sink)
{
    double factor = 1024;
    if (skip(text, "MiB "))
        factor *= 1024;
    else if (skip(text, "GiB "))
        factor *= 1024 * 1024;
    else
        skip(text, "KiB ");
    if (!skip(text, "Mem"))
        return false;
    skipSpaces(text);
    if (!skip(text, ":"))
        return false;
    for (skipSpaces(text); !text.empty(); skipSpaces(text)) {
        const auto value = takeNumber(text);
        skip(text, "k");
        skipSpaces(text);
        const std::string_view name = text.substr(0, text.find_first_of(",."));
        text.remove_prefix(std::min(name.size() + 1, text.size()));
        if (!value)
            return true;
        if (name == "used")
            give(QStringLiteral("memory_used"), *value * factor, QStringLiteral("B"), line, sink);
    }
    return true;
}

void TopRecogniser::give(const QString& series, double value, const QString& unit,
    const LogLine& line, MetricSink& sink) const
{
    Sample sample;
    sample.series = series;
    sample.unit = unit;
    sample.y = value;
    sample.x = m_seconds.value_or(double(line.number));
    sample.xName = m_seconds ? QStringLiteral("seconds") : QStringLiteral("line");
    sample.lane = rankLane(line.rank);
    sample.isOwnName = true; // what is always the same is no curve
    sample.line = line.number;
    sample.place = line.end - 1;
    sink.add(std::move(sample));
}

} // namespace

std::unique_ptr<Recogniser> makeTopRecogniser()
{
    return std::make_unique<TopRecogniser>();
}

} // namespace slipway
