// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace slipway {

namespace {

/// Reads the intervals of iperf and iperf3: "[  5]   1.00-2.00   sec  20.0 MBytes   168 Mbits/sec
/// 19    880 KBytes" below "[ ID] Interval  Transfer  Bitrate  Retr  Cwnd". x is the end of the
/// interval, the lane the stream or the sum of all. What is printed of the whole time is no
/// interval.
class IperfRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "[", .words = {"interval", "bits/sec", "bytes/sec"}};
    }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    enum class Column { Transfer, Bitrate, Retransmits, Window, Jitter, Lost, Datagrams };

    bool readHeading(std::string_view rest);
    bool readInterval(std::string_view text, const LogLine& line, MetricSink& sink);

    /// Of the heading; before one, what each release prints first.
    std::vector<Column> m_columns = {Column::Transfer, Column::Bitrate};
    std::map<QString, double> m_ends; ///< of the last interval, by lane
};

bool IperfRecogniser::read(const LogLine& line, MetricSink& sink)
{
    constexpr size_t longest = 300;
    const std::string_view text = trimmed(line.text);
    if (text.size() > longest || !text.starts_with('['))
        return false;
    return readHeading(text) || readInterval(text, line, sink);
}

bool IperfRecogniser::readHeading(std::string_view rest)
{
    if (!skip(rest, "[ ID]"))
        return false;
    skip(rest, "[Role]");
    if (takeWord(rest) != "Interval" || takeWord(rest) != "Transfer")
        return false;
    m_columns = {Column::Transfer};
    for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest)) {
        if (word == "Bitrate" || word == "Bandwidth")
            m_columns.push_back(Column::Bitrate);
        else if (word == "Retr")
            m_columns.push_back(Column::Retransmits);
        else if (word == "Cwnd")
            m_columns.push_back(Column::Window);
        else if (word == "Jitter")
            m_columns.push_back(Column::Jitter);
        else if (word == "Lost/Total")
            m_columns.push_back(Column::Lost);
        else if (word == "Total" || word == "Datagrams")
            m_columns.push_back(Column::Datagrams);
        else
            break;
    }
    return true;
}

/// Takes "20.1 MBytes", "31.4 Mbits/sec", "0.012 ms" in base units. iperf counts bytes in powers of
/// 1024 and bits in powers of 1000.
std::optional<double> takeQuantity(std::string_view& rest, bool& isBits)
{
    skipSpaces(rest);
    const auto value = takeNumber(rest);
    if (!value)
        return {};
    std::string_view behind = rest;
    std::string_view unit = takeWord(behind);
    static constexpr std::string_view prefixes = "KMGT";
    const size_t power = unit.empty() ? std::string_view::npos : prefixes.find(unit[0]);
    const std::string_view base = power == std::string_view::npos ? unit : unit.substr(1);
    isBits = base == "bits/sec";
    if (!isBits && base != "Bytes" && base != "Bytes/sec" && unit != "ms")
        return value;
    rest = behind;
    double scaled = unit == "ms" ? *value / 1000 : *value;
    for (size_t i = 0; power != std::string_view::npos && i <= power; ++i)
        scaled *= isBits ? 1000 : 1024;
    return scaled;
}

bool IperfRecogniser::readInterval(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = text.substr(1);
    const size_t close = rest.find(']');
    const bool hasRate = text.find("bits/sec") != std::string_view::npos
        || text.find("Bytes/sec") != std::string_view::npos;
    if (close == std::string_view::npos || !hasRate) // without a word of signs()
        return false;
    const std::string_view stream = trimmed(rest.substr(0, close));
    rest.remove_prefix(close + 1);
    if (stream != "SUM" && !wholeCount(stream))
        return false;
    if (rest.starts_with('[')) // "[TX-C]", where both ends send
        rest.remove_prefix(std::min(rest.size(), rest.find(']') + 1));
    skipSpaces(rest);
    const size_t dash = rest.substr(0, 12).find('-'); // "0.00-1.00", " 9.0-10.0", "0.0- 1.0"
    if (dash == std::string_view::npos)
        return false;
    const auto begin = wholeNumber(trimmed(rest.substr(0, dash)));
    rest.remove_prefix(dash + 1);
    skipSpaces(rest);
    const auto end = takeNumber(rest);
    if (!begin || !end || takeWord(rest) != "sec" || !(*end > *begin))
        return false;
    QString lane = rankLane(line.rank);
    addToLane(lane,
        stream == "SUM" ? QStringLiteral("sum") : QStringLiteral("stream ") + labelText(stream));
    constexpr size_t manyStreams = 1024;
    const auto last = m_ends.find(lane);
    if (text.ends_with("sender") || text.ends_with("receiver")
        || (last != m_ends.end() && *begin + 1e-6 < last->second)
        || (last == m_ends.end() && m_ends.size() >= manyStreams))
        return true; // of the whole time
    m_ends[lane] = *end;
    const auto give = [&](const QString& series, double value, const QString& unit) {
        Sample sample;
        sample.series = series;
        sample.lane = lane;
        sample.x = *end;
        sample.xName = QStringLiteral("seconds");
        sample.y = value;
        sample.unit = unit;
        sample.line = line.number;
        sample.place = line.end - 1;
        sink.add(std::move(sample));
    };
    for (const Column column : m_columns) {
        bool isBits = false;
        const auto value = takeQuantity(rest, isBits);
        if (!value)
            break; // "(omitted)", and columns that this end does not have
        switch (column) {
        case Column::Transfer:
            give(QStringLiteral("transferred"), *value, QStringLiteral("B"));
            break;
        case Column::Bitrate:
            give(QStringLiteral("bitrate"), *value,
                isBits ? QStringLiteral("bit/s") : QStringLiteral("B/s"));
            break;
        case Column::Retransmits:
            give(QStringLiteral("retransmits"), *value, {});
            break;
        case Column::Window:
            give(QStringLiteral("congestion_window"), *value, QStringLiteral("B"));
            break;
        case Column::Jitter:
            give(QStringLiteral("jitter"), *value, QStringLiteral("s"));
            break;
        case Column::Lost:
            give(QStringLiteral("lost_datagrams"), *value, {});
            break;
        case Column::Datagrams:
            break;
        }
    }
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeIperfRecogniser()
{
    return std::make_unique<IperfRecogniser>();
}

} // namespace slipway
