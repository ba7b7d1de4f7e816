// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace slipway {

namespace {

constexpr size_t mostColumns = 64;

/// Calls `take` with each cell between commas; false as soon as it returns false, or when there are
/// too many.
template <typename Take> bool forCells(std::string_view line, Take take)
{
    for (size_t i = 0; i < mostColumns; ++i) {
        const size_t comma = line.find(',');
        if (!take(i, trimmed(line.substr(0, comma))))
            return false;
        if (comma == std::string_view::npos)
            return true;
        line.remove_prefix(comma + 1);
    }
    return false;
}

/// "2020/11/12 13:48:11.412" → seconds on a continuous time line.
std::optional<double> takeTime(std::string_view text)
{
    if (text.size() < 19 || text[4] != '/' || text[7] != '/' || text[10] != ' ' || text[13] != ':'
        || text[16] != ':')
        return {};
    const auto year = wholeCount(text.substr(0, 4)), month = wholeCount(text.substr(5, 2)),
               day = wholeCount(text.substr(8, 2)), hour = wholeCount(text.substr(11, 2)),
               minute = wholeCount(text.substr(14, 2));
    const auto second = wholeNumber(text.substr(17));
    if (!year || !month || !day || !hour || !minute || !second || *month < 1 || *month > 12
        || *day < 1 || *day > 31 || !(*second >= 0 && *second < 61))
        return {};
    // Days of the Gregorian calendar, with March as the first month so that the leap day is last.
    const int y = int(*year) - (*month <= 2), m = (int(*month) + 9) % 12;
    const double days = 365.0 * y + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + *day - 1;
    return days * 86400 + *hour * 3600 + *minute * 60 + *second;
}

struct Unit {
    const char* text;
    const char* base;
    double factor;
};

/// Units as nvidia-smi writes them, and the base unit for charts.
constexpr Unit knownUnits[] = {{"%", "%", 1}, {"MiB", "B", 1024.0 * 1024}, {"W", "W", 1},
    {"MHz", "Hz", 1e6}, {"KB/s", "B/s", 1000}, {"MB/s", "B/s", 1e6}};

const Unit* knownUnit(std::string_view text)
{
    for (const Unit& unit : knownUnits) {
        if (text == unit.text)
            return &unit;
    }
    return nullptr;
}

/// "utilization.gpu [%], …"
bool isColumnOfQuery(std::string_view text)
{
    static constexpr std::string_view starts[] = {"index", "timestamp", "utilization.", "memory.",
        "power.", "temperature.", "clocks.", "name", "uuid", "gpu_", "pstate", "fan.", "pci.",
        "driver_version", "count", "serial", "encoder.", "ecc.", "pcie.", "compute_", "clocks_"};
    return std::any_of(std::begin(starts), std::end(starts),
        [text](std::string_view start) { return text[0] == start[0] && text.starts_with(start); });
}

/// Reads the output of "nvidia-smi --query-gpu=… --format=csv -l 5". Each column of numbers is a
/// series with the name of the query, dots as underscores ("utilization_gpu", "memory_used"), in
/// base units (%, B, W, Hz); the lane is the GPU, x the seconds since the first row, or without a
/// timestamp the number of the row. Without a header the meaning of the numbers is unknown.
class NvidiaCsvRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "itumpcngfdse", .holds = ",", .fits = [](std::string_view text) {
                    return text.find(',') != std::string_view::npos || isColumnOfQuery(text);
                }};
    }
    bool isOpen() const override { return m_hasOneColumn; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        const std::string_view text = trimmed(line.text);
        if (line.progress || text.empty() || text.size() > 2048)
            return false;
        if (isLetter(text[0]) && (text.back() == ']' || text.find(',') != std::string_view::npos)
            && readHeader(text, line.rank))
            return true;
        return !m_tables.empty() && readRow(text, line, sink);
    }

private:
    struct Column {
        QString series; ///< empty: not drawn
        std::string unit; ///< of the header, empty when it has none
    };
    struct Table {
        std::vector<Column> columns;
        int index = -1; ///< the columns with the GPU and the time
        int time = -1;
        std::optional<double> start;
        std::map<std::string, int, std::less<>> rows; ///< by GPU, where no time is given
    };

    bool readHeader(std::string_view text, int rank);
    static bool readColumn(std::string_view text, Table& table);
    bool readRow(std::string_view text, const LogLine& line, MetricSink& sink);
    static bool readCell(std::string_view text, const Column& column, Sample& sample, bool& drawn);

    std::map<int, Table> m_tables; ///< by the label before the line
    bool m_hasOneColumn = false; ///< one of them: its rows are single words
};

/// "index, timestamp, utilization.gpu [%], memory.used [MiB]"
bool NvidiaCsvRecogniser::readHeader(std::string_view text, int rank)
{
    if (!isColumnOfQuery(text) || (m_tables.size() >= manyRanks && !m_tables.contains(rank)))
        return false;
    Table table;
    if (!forCells(text, [&](size_t, std::string_view cell) { return readColumn(cell, table); }))
        return false;
    bool measures = false;
    for (const Column& column : table.columns)
        measures = measures || !column.series.isEmpty();
    if (!measures || (table.columns.size() < 2 && table.columns[0].unit.empty()))
        return false;
    if (const auto before = m_tables.find(rank); before != m_tables.end())
        table.start = before->second.start;
    m_hasOneColumn = m_hasOneColumn || table.columns.size() == 1;
    m_tables[rank] = std::move(table);
    return true;
}

bool NvidiaCsvRecogniser::readColumn(std::string_view text, Table& table)
{
    if (text.empty() || !isLetter(text[0]))
        return false; // "serial,16,1.5": a row
    Column column;
    const size_t open = text.find(" [");
    if (open != std::string_view::npos) {
        if (text.back() != ']')
            return false;
        column.unit = text.substr(open + 2, text.size() - open - 3);
        text = text.substr(0, open);
    }
    if (text.empty() || text.size() > 64)
        return false;
    for (char c : text) {
        if (!isWordCharacter(c) && c != '.')
            return false;
    }
    const int at = int(table.columns.size());
    if (text == "index")
        table.index = at;
    else if (text == "timestamp")
        table.time = at;
    else if (table.index < 0
        && (text == "uuid" || text == "gpu_uuid" || text == "pci.bus_id" || text == "gpu_bus_id"))
        table.index = at;
    else if (text.find('.') != std::string_view::npos && !text.starts_with("pci.")) {
        column.series = labelText(text).replace(u'.', u'_');
        if (column.unit.empty() && text.starts_with("temperature."))
            column.unit = "°C";
    }
    table.columns.push_back(std::move(column));
    return true;
}

/// False when the cell cannot be one of this column. "[N/A]" can, and is not plotted.
bool NvidiaCsvRecogniser::readCell(
    std::string_view text, const Column& column, Sample& sample, bool& drawn)
{
    drawn = false;
    if (text.empty())
        return false;
    if (text[0] == '[' || text == "N/A" || column.series.isEmpty())
        return true;
    const auto value = takeNumber(text);
    if (!value)
        return isLetter(text[0]) || text[0] == '0'; // "Enabled", "0x0000000000000001"
    text = trimmed(text);
    if (!text.empty() && !column.unit.empty() && text != column.unit)
        return false;
    const std::string_view unit = text.empty() ? std::string_view(column.unit) : text;
    const Unit* const known = knownUnit(unit);
    sample.series = column.series;
    sample.y = *value * (known ? known->factor : 1);
    sample.unit = known ? QString::fromLatin1(known->base) : labelText(unit, 16);
    drawn = std::isfinite(sample.y);
    return true;
}

bool NvidiaCsvRecogniser::readRow(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const auto found = m_tables.find(line.rank);
    if (found == m_tables.end())
        return false;
    Table& table = found->second;
    size_t cells = 1; // find() is faster here than a count of all bytes
    for (size_t at = text.find(','); at != std::string_view::npos; at = text.find(',', at + 1))
        ++cells;
    constexpr size_t longestCell = 40;
    if (cells != table.columns.size() || (cells == 1 && text.size() > longestCell))
        return false;
    std::optional<double> time;
    std::string_view gpu;
    std::vector<Sample> samples;
    size_t count = 0;
    const bool fits = forCells(text, [&](size_t i, std::string_view cell) {
        count = i + 1;
        if (count > table.columns.size())
            return false;
        if (int(i) == table.time)
            return (time = takeTime(cell)).has_value();
        if (int(i) == table.index)
            gpu = cell;
        Sample sample;
        bool drawn = false;
        if (!readCell(cell, table.columns[i], sample, drawn))
            return false;
        if (drawn)
            samples.push_back(std::move(sample));
        return true;
    });
    if (!fits || count != table.columns.size() || gpu.size() > 64)
        return false;
    double x = 0;
    if (time) {
        table.start = table.start.value_or(*time);
        x = *time - *table.start;
        x = std::round(x * 1000)
            / 1000; // the time stamps have milliseconds, and so has their difference
    } else {
        constexpr size_t manyGpus = 1024;
        if (table.rows.size() >= manyGpus && !table.rows.contains(gpu))
            return true;
        x = ++table.rows[std::string(gpu)];
    }
    QString lane = rankLane(line.rank);
    if (!gpu.empty())
        addToLane(lane, (wholeCount(gpu) ? QStringLiteral("GPU ") : QString()) + labelText(gpu));
    for (Sample& sample : samples) {
        sample.lane = lane;
        sample.x = x;
        sample.xName = time ? QStringLiteral("seconds") : QStringLiteral("row");
        sample.line = line.number;
        sink.add(std::move(sample));
    }
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeNvidiaCsvRecogniser()
{
    return std::make_unique<NvidiaCsvRecogniser>();
}

} // namespace slipway
