// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/nccltable.h"
#include "plots/metrics/scan.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace slipway {

namespace {

/// "node01:417:430 [0] NCCL INFO Channel 00 …": a line of NCCL's own log. Returns the text after
/// "NCCL ", empty for other lines.
std::string_view ncclLog(std::string_view text)
{
    const size_t space = text.substr(0, 100).find(' ');
    if (space == std::string_view::npos || space == 0 || !isDigit(text[space - 1]))
        return {};
    const std::string_view writer = text.substr(0, space);
    if (std::count(writer.begin(), writer.end(), ':') < 2)
        return {};
    text.remove_prefix(space + 1);
    const size_t at = text.substr(0, 40).find("NCCL ");
    return at == std::string_view::npos ? std::string_view() : text.substr(at + 5);
}

/// Reads the tables of nccl-tests: over x = size in bytes "seconds" ("cpu_seconds"), "algbw" and
/// "busbw" (B/s) with lanes "out-of-place" and "in-place", and "average_busbw" over x = ranks. The
/// lanes of a later table in the same text contain what distinguishes it from the first. Two tables
/// whose only rank is 0 are two programs without a connection: "mpi-not-connected".
class NcclTestsRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "#0123456789", .holds = "NCL:", .fits = mayBe};
    }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress)
            return false;
        std::string_view text = trimmed(line.text);
        if (text.empty())
            return false;
        if (text[0] == '#')
            return readComment(trimmed(text.substr(1)), line, sink);
        if (isDigit(text[0]) && readRow(text, line, sink))
            return true;
        const std::string_view log = ncclLog(text);
        if (log.starts_with("WARN ") && m_warnings < 32) {
            ++m_warnings;
            sink.add(
                MetricEvent{QStringLiteral("warning"), labelText(text, 1000), {}, line.number});
        }
        return !log.empty();
    }

private:
    struct Table {
        std::optional<NcclColumns> columns;
        std::string collective;
        double ranks = 0;
        QString label; ///< what distinguishes it from the first table; empty for that one
        bool labelled = false;
    };

    Table* table(int rank);
    static bool mayBe(std::string_view text);
    bool readComment(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readDevice(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readTotals(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readRow(std::string_view text, const LogLine& line, MetricSink& sink);
    void nameTable(Table& table);
    static QString lane(const Table& table, int rank, const char* place);
    static void give(const NcclRow& row, const Table& table, const LogLine& line, MetricSink& sink);

    std::map<int, Table> m_tables; ///< the table that is being read, by the label before the line
    std::string m_collective; ///< announced for the next table
    std::optional<std::pair<std::string, double>> m_first; ///< collective and ranks of table 1
    int m_named = 0; ///< tables so far
    int m_zeros = 0; ///< number of times that a rank 0 was listed
    bool m_others = false; ///< another rank was listed
    int m_warnings = 0;
    int m_devices = 0;
};

NcclTestsRecogniser::Table* NcclTestsRecogniser::table(int rank)
{
    const auto found = m_tables.find(rank);
    return found == m_tables.end() ? nullptr : &found->second;
}

/// A comment, a row that begins with a size, or a line of NCCL's log.
bool NcclTestsRecogniser::mayBe(std::string_view text)
{
    std::string_view rest = text;
    const std::string_view first = takeWord(rest);
    const bool mayBeRow = isDigit(text[0])
        && (std::all_of(first.begin(), first.end(), isDigit)
            || text.find('[') != std::string_view::npos); // see withoutTags()
    return text.starts_with('#') || mayBeRow || !ncclLog(text).empty();
}

bool NcclTestsRecogniser::readComment(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = text;
    if (skip(rest, "nccl-tests version ")) {
        const QString version = labelText(takeWord(rest), 32);
        sink.add(MetricEvent{QStringLiteral("library"), QStringLiteral("nccl-tests ") + version,
            {{QStringLiteral("version"), version}}, line.number});
        return true;
    }
    if (skip(rest, "Collective test starting: ")) {
        std::string_view name = rest.substr(0, 64);
        name = name.substr(0, name.find("_perf"));
        m_collective = name;
        return true;
    }
    if (text.starts_with("nThread ")) {
        if (m_tables.size() < manyRanks || m_tables.contains(line.rank)) {
            m_tables[line.rank] = {};
            m_tables[line.rank].collective = m_collective;
        }
        return true;
    }
    if (m_tables.empty())
        return false; // any file may begin a line like this
    if (text.starts_with("Rank "))
        return readDevice(text, line, sink);
    if (text.starts_with("size ")) {
        if (Table* const current = table(line.rank)) {
            current->columns = NcclColumns::read(text);
            if (!current->labelled && current->columns)
                nameTable(*current);
        }
        return true;
    }
    return readTotals(text, line, sink) || text.empty() || text == "Using devices"
        || text.starts_with("(B) ") || text.starts_with("out-of-place ")
        || text.starts_with("Collective test concluded");
}

void NcclTestsRecogniser::nameTable(Table& table)
{
    table.labelled = true;
    ++m_named;
    if (!m_first) {
        m_first = std::pair(table.collective, table.ranks);
        return;
    }
    QStringList words;
    if (table.collective != m_first->first && !table.collective.empty())
        words.append(labelText(table.collective));
    if (table.ranks != m_first->second && table.ranks > 0)
        words.append(QStringLiteral("%1 ranks").arg(table.ranks, 0, 'f', 0));
    if (words.isEmpty())
        words.append(QStringLiteral("table %1").arg(m_named));
    table.label = words.join(QStringLiteral(", "));
}

/// "Rank  0 Group  0 Pid  15784 on  nid007106 device  0 [0009:01:00] NVIDIA GH200 120GB"
bool NcclTestsRecogniser::readDevice(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = text.substr(5);
    const auto rank = wholeCount(takeWord(rest));
    const size_t on = rest.find(" on ");
    if (!rank || *rank > 1e6 || on == std::string_view::npos)
        return false;
    rest.remove_prefix(on + 4);
    const std::string_view host = takeWord(rest);
    skipSpaces(rest);
    if (!skip(rest, "device "))
        return false;
    const std::string_view device = takeWord(rest);
    const size_t close = rest.find("] ");
    if (!wholeCount(device) || close == std::string_view::npos)
        return false;
    if (Table* const current = table(line.rank))
        current->ranks = std::max(current->ranks, *rank + 1);
    const QString name = labelText(trimmed(rest.substr(close + 2)), 120);
    if (++m_devices <= 1024)
        sink.add(MetricEvent{QStringLiteral("device"), name,
            {{QStringLiteral("name"), name},
                {QStringLiteral("rank"), QString::number(*rank, 'f', 0)},
                {QStringLiteral("host"), labelText(host, 120)},
                {QStringLiteral("index"), labelText(device, 16)}},
            line.number});
    m_others = m_others || *rank > 0;
    m_zeros += *rank == 0;
    if (m_zeros == 2 && *rank == 0 && !m_others)
        sink.add(MetricEvent{QStringLiteral("mpi-not-connected"),
            tr("Each rank tests alone: MPI in the container did not connect to the launcher."), {},
            line.number});
    return true;
}

/// "Avg bus bandwidth    : 21.4033" and "Out of bounds values : 0 OK"
bool NcclTestsRecogniser::readTotals(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = text;
    if (skip(rest, "Out of bounds values")) {
        const bool good = text.ends_with(" OK");
        sink.add(MetricEvent{good ? QStringLiteral("check") : QStringLiteral("failed"),
            labelText(text), {}, line.number});
        return true;
    }
    const Table* const current = table(line.rank);
    if (!skip(rest, "Avg bus bandwidth") || !current)
        return false;
    skipSpaces(rest);
    if (!skip(rest, ":"))
        return false;
    const auto average = wholeNumber(rest);
    if (average && std::isfinite(*average) && current->ranks > 0)
        sink.add(Sample{.series = QStringLiteral("average_busbw"),
            .lane = lane(*current, line.rank, ""),
            .x = current->ranks,
            .xName = QStringLiteral("ranks"),
            .y = *average * 1e9,
            .unit = QStringLiteral("B/s"),
            .line = line.number});
    return true;
}

bool NcclTestsRecogniser::readRow(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (text.size() > 1024)
        return false;
    const Table* const current = table(line.rank);
    if (!current || !current->columns) {
        if (!m_tables.empty() || !NcclColumns::isUsualRow(text))
            return false;
        const auto row = NcclColumns::usual().readRow(text);
        if (row)
            give(*row, Table(), line, sink);
        return row.has_value();
    }
    const auto row = text.find('[') == std::string_view::npos
        ? current->columns->readRow(text)
        : current->columns->readRow(withoutTags(text));
    if (row)
        give(*row, *current, line, sink);
    return row.has_value();
}

QString NcclTestsRecogniser::lane(const Table& table, int rank, const char* place)
{
    QStringList words;
    if (rank > 0)
        words.append(rankLane(rank));
    if (!table.label.isEmpty())
        words.append(table.label);
    if (*place)
        words.append(QLatin1String(place));
    return words.join(QStringLiteral(", "));
}

void NcclTestsRecogniser::give(
    const NcclRow& row, const Table& table, const LogLine& line, MetricSink& sink)
{
    static constexpr const char* places[] = {"out-of-place", "in-place"};
    for (size_t i = 0; i < 2; ++i) {
        const NcclTiming& timing = row.timings[i];
        Sample sample{.series = {},
            .lane = lane(table, line.rank, places[i]),
            .x = row.size,
            .xName = QStringLiteral("size"),
            .line = line.number};
        const auto add = [&](const char* series, double y, const char* unit) {
            sample.series = QLatin1String(series);
            sample.y = y;
            sample.unit = QLatin1String(unit);
            sink.add(sample);
        };
        sample.low = timing.low;
        sample.high = timing.high;
        add(timing.cpuTime ? "cpu_seconds" : "seconds", timing.seconds, "s");
        sample.low = sample.high = std::nullopt;
        add("algbw", timing.algbw, "B/s");
        add("busbw", timing.busbw, "B/s");
        if (timing.wrong.value_or(0) > 0)
            sink.add(MetricEvent{QStringLiteral("failed"),
                tr("Wrong values at %1 bytes, %2: %3")
                    .arg(row.size, 0, 'f', 0)
                    .arg(QLatin1String(places[i]))
                    .arg(*timing.wrong, 0, 'f', 0),
                {}, line.number});
    }
}

} // namespace

std::unique_ptr<Recogniser> makeNcclTestsRecogniser()
{
    return std::make_unique<NcclTestsRecogniser>();
}

} // namespace slipway
