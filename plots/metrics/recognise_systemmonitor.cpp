// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/dayclock.h"
#include "plots/metrics/fields.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace slipway {

namespace {

/// What the columns of sysstat's programs are called, each of which says that
/// a table is theirs; in lower case.
constexpr std::string_view monitorNames[] = {"%usr", "%user", "%nice", "%sys", "%system", "%iowait",
    "%wait", "%steal", "%soft", "%guest", "%idle", "%cpu", "%util", "%memused", "%mem", "%commit",
    "%swpused", "%ifutil", "tps", "r/s", "w/s", "rkb/s", "wkb/s", "rmb/s", "wmb/s", "rrqm/s",
    "wrqm/s", "kb_read/s", "kb_wrtn/s", "mb_read/s", "mb_wrtn/s", "kb_rd/s", "kb_wr/s", "rxpck/s",
    "txpck/s", "rxkb/s", "txkb/s", "pgpgin/s", "pgpgout/s", "fault/s", "majflt/s", "minflt/s",
    "cswch/s", "nvcswch/s", "proc/s", "runq-sz", "ldavg-1", "ldavg-5", "ldavg-15", "bread/s",
    "bwrtn/s", "rtps", "wtps"};

/// What a heading of dstat begins with, and a column that turbostat always has.
constexpr std::string_view dstatBegin = "usr sys idl", turbostatName = "Bzy_MHz";

/// Columns that say what a row is about.
constexpr std::string_view subjectNames[] = {"cpu", "device", "device:", "dev", "iface", "command",
    "pid", "intr", "tid", "tgid", "uid", "user", "node", "package", "die", "core"};

template <typename Names> bool isAmong(const Names& names, std::string_view word)
{
    return std::any_of(std::begin(names), std::end(names),
        [word](std::string_view name) { return equalsIgnoringCase(word, name); });
}

/// Takes "07:02:05", "07:02:05 AM": seconds since midnight.
std::optional<double> takeTimeOfDay(std::string_view& text)
{
    std::string_view rest = text;
    const std::string_view word = takeWord(rest);
    auto time = word.size() == 8 ? clockTime(word) : std::nullopt;
    if (!time)
        return {};
    std::string_view behind = rest;
    const std::string_view half = takeWord(behind);
    if (half == "AM" || half == "PM") {
        constexpr double twelveHours = 12 * 3600;
        rest = behind;
        *time =
            (*time >= twelveHours ? *time - twelveHours : *time) + (half == "PM" ? twelveHours : 0);
    }
    text = rest;
    return time;
}

/// Reads the tables of vmstat, dstat, turbostat and sysstat's programs (sar, mpstat, pidstat,
/// iostat): a heading, and a row for each moment and subject. Each column is a series with its
/// name; the lane is what the row is about (processor, device, process), x the seconds since the
/// first row, or the line where rows have no time. The source of the columns' names are the manual
/// pages vmstat(8), sar(1), mpstat(1), pidstat(1), iostat(1), dstat(1) and turbostat(8).
class SystemMonitorRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.words = {"swpd", "%usr", "%user", "%cpu", "%memused", "/s ", "ldavg-1", "%idle",
                    "usr sys idl", "bzy_mhz"}};
    }
    bool isOpen() const override { return m_open > 0; }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    static constexpr size_t longest = 1000; ///< bytes of a line
    static constexpr size_t manyColumns = 40;
    static constexpr size_t manySubjects = 256;
    static constexpr int manyMisfits = 20;

    /// What a column holds: a number, what the row is about, or what is not shown.
    enum class Part { Value, Subject, Command, Process, Hidden };
    struct Column {
        QString series; ///< of a Value
        QString unit;
        Part part = Part::Value;
    };
    struct Table {
        std::vector<Column> columns;
        int misfits = 0;
    };

    static Part partOf(std::string_view name);
    static std::optional<double> scaledValue(std::string_view cell, const Column& column);
    bool readHeading(std::string_view text, int rank);
    bool readRow(std::string_view text, const LogLine& line, MetricSink& sink);
    bool knows(const QString& lane);

    std::string m_flat; ///< the line without its bars
    bool m_hasBars = false;
    std::map<int, Table> m_tables; ///< by the label before the line; without columns: ended
    int m_open = 0; ///< tables with columns
    std::vector<QString> m_lanes;
    DayClock m_clock;
};

bool SystemMonitorRecogniser::read(const LogLine& line, MetricSink& sink)
{
    std::string_view text = trimmed(line.text);
    if (const bool mayBeDstat = m_hasBars || text.starts_with(dstatBegin);
        mayBeDstat && text.size() <= longest && text.find('|') != std::string_view::npos) {
        m_hasBars = true; // "usr sys idl wai| read  writ": bars only part the columns
        m_flat.assign(text);
        std::replace(m_flat.begin(), m_flat.end(), '|', ' ');
        text = trimmed(m_flat);
    }
    if (line.progress || text.size() > longest)
        return false;
    if (text.empty())
        return m_open > 0 && m_tables.contains(line.rank); // between the tables of iostat
    if (readHeading(text, line.rank))
        return true;
    const auto found = m_tables.find(line.rank);
    if (found == m_tables.end() || found->second.columns.empty())
        return false;
    if (readRow(text, line, sink)) {
        found->second.misfits = 0;
        return true;
    }
    if (++found->second.misfits > manyMisfits) {
        found->second.columns.clear();
        --m_open;
    }
    return false;
}

/// Of one of the subjectNames.
SystemMonitorRecogniser::Part SystemMonitorRecogniser::partOf(std::string_view name)
{
    if (equalsIgnoringCase(name, "command"))
        return Part::Command;
    if (equalsIgnoringCase(name, "pid"))
        return Part::Process;
    const bool isOwner = equalsIgnoringCase(name, "uid") || equalsIgnoringCase(name, "user");
    return isOwner ? Part::Hidden : Part::Subject;
}

/// "652k", "4392B": bytes by the thousand and 24, all else by the thousand.
std::optional<double> SystemMonitorRecogniser::scaledValue(
    std::string_view cell, const Column& column)
{
    static constexpr std::string_view bytes[] = {"read", "writ", "recv", "send", "in", "out",
        "used", "free", "buff", "buf", "cach", "cache"};
    const bool isBytes = isAmong(bytes, column.series.toStdString());
    auto value = takeNumber(cell);
    const size_t power = cell.empty() ? 0 : std::string_view("BkMGT").find(cell[0]);
    if (!value || cell.size() > 1 || power == std::string_view::npos)
        return {};
    return *value * std::pow(isBytes ? 1024.0 : 1000.0, double(power));
}

/// "07:02:05 AM   UID       PID    %usr %system  %guest    %CPU   CPU  Command"
bool SystemMonitorRecogniser::readHeading(std::string_view text, int rank)
{
    const bool hasTime = takeTimeOfDay(text).has_value();
    std::vector<Column> columns;
    const bool isOther =
        text.starts_with(dstatBegin) || text.find(turbostatName) != std::string_view::npos;
    size_t known = isOther ? 2 : 0;
    bool hasProcess = false;
    std::string_view before;
    for (std::string_view name = takeWord(text); !name.empty(); name = takeWord(text)) {
        if (columns.size() == manyColumns || isDigit(name[0]))
            return false;
        if (columns.empty()
            && (name == "#" || equalsIgnoringCase(name, "time") || name == "avg-cpu:"))
            continue;
        Column column;
        if (isAmong(subjectNames, name)) {
            column.part = partOf(name);
            hasProcess = hasProcess || column.part == Part::Process;
        } else {
            column.series = seriesName(name);
            column.unit = name[0] == '%' ? QStringLiteral("%") : QString();
        }
        if (isAmong(monitorNames, name) || (name == "free" && before == "swpd")
            || (name == "cs" && before == "in"))
            ++known;
        before = name;
        columns.push_back(column);
    }
    if (known < 2 || columns.size() < (hasTime ? 2 : 3))
        return false;
    for (Column& column : columns) { // the processor that a process ran on last
        if (hasProcess && column.part == Part::Subject)
            column.part = Part::Hidden;
    }
    if (m_tables.size() >= manyRanks && !m_tables.contains(rank))
        return true;
    Table& table = m_tables[rank];
    m_open += table.columns.empty() ? 1 : 0;
    table.columns = std::move(columns);
    table.misfits = 0;
    return true;
}

bool SystemMonitorRecogniser::knows(const QString& lane)
{
    if (std::find(m_lanes.begin(), m_lanes.end(), lane) != m_lanes.end())
        return true;
    if (m_lanes.size() >= manySubjects)
        return false;
    m_lanes.push_back(lane);
    return true;
}

bool SystemMonitorRecogniser::readRow(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const std::vector<Column>& columns = m_tables[line.rank].columns;
    if (text.starts_with("Average:"))
        return true;
    const auto time = takeTimeOfDay(text);
    std::vector<Sample> samples;
    QString subject, process;
    for (size_t i = 0; i < columns.size(); ++i) {
        const Column& column = columns[i];
        const std::string_view cell = takeWord(text);
        if (cell.empty())
            return false;
        if (column.part == Part::Subject && (cell == "-" || equalsIgnoringCase(cell, "all")))
            continue; // all processors
        if (column.part == Part::Subject)
            subject =
                wholeCount(cell) ? QStringLiteral("CPU ") + labelText(cell) : labelText(cell, 64);
        else if (column.part == Part::Command)
            subject = labelText(cell, 64);
        else if (column.part == Part::Process)
            process = labelText(cell, 16);
        if (column.part != Part::Value)
            continue;
        const auto value = m_hasBars ? scaledValue(cell, column) : wholeNumber(cell);
        if (!value && cell != "-")
            return false;
        if (!value)
            continue;
        Sample sample;
        sample.series = column.series;
        sample.unit = column.unit;
        sample.y = *value;
        samples.push_back(std::move(sample));
    }
    // A command's arguments, and the time of "vmstat -t", stand at the end.
    if (!trimmed(text).empty() && columns.back().part != Part::Command
        && !isDigit(trimmed(text)[0]))
        return false;
    QString lane = rankLane(line.rank);
    for (const QString& part : {subject, process})
        addToLane(lane, part);
    if (!knows(lane))
        return true;
    const double x = time ? m_clock.secondsAt(*time) : double(line.number);
    for (Sample& sample : samples) {
        sample.lane = lane;
        sample.x = x;
        sample.xName = time ? QStringLiteral("seconds") : QStringLiteral("line");
        sample.isOwnName = true; // what is always the same is no curve
        sample.line = line.number;
        sample.place = line.end - 1;
        sink.add(std::move(sample));
    }
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeSystemMonitorRecogniser()
{
    return std::make_unique<SystemMonitorRecogniser>();
}

} // namespace slipway
