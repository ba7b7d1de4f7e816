// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/tablerow.h"

#include <QHash>

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

constexpr size_t leastRule = 8; ///< characters
constexpr size_t mostTableRows = 256; ///< of one table
constexpr qsizetype mostWaiting = 512; ///< that wait for another value
constexpr size_t longestTableRow = 400;
constexpr size_t longestRowName = 60; ///< of a row or a section

/// "-----------", "+-----+-----+", "└──┴──┘"; not "|---|---|", which documents have.
bool isRule(std::string_view text)
{
    size_t length = 0;
    for (size_t i = 0; i < text.size(); ++length) {
        const bool drawn = text.substr(i).starts_with("\xe2\x94") // U+2500 to U+257F
            || text.substr(i).starts_with("\xe2\x95");
        if (!drawn && text[i] != '-' && text[i] != '=' && text[i] != '+')
            return false;
        i += drawn ? 3 : 1;
    }
    return length >= leastRule;
}

/// "test_acc      0.95   0.93" → its cells, which are two spaces or more apart.
std::vector<std::string_view> cellsApart(std::string_view text)
{
    std::vector<std::string_view> cells;
    while (!text.empty() && cells.size() < 16) {
        const size_t end = std::min(text.find("  "), text.size());
        cells.push_back(trimmed(text.substr(0, end)));
        text = trimmed(text.substr(end));
    }
    return cells;
}

/// Reads tables with a name and its value in each row, framed by rules: what a training reports
/// again and again, with its counter among the rows ("| time/ | |", "|    total_timesteps | 4096
/// |"), and the results of an evaluation below "Test metric". Once is not enough for the former: a
/// document shows one as well. A name that is not known is drawn from its second value on.
class ValueTableRecogniser : public Recogniser {
public:
    ValueTableRecogniser()
        : m_cache(MetricNames::builtIn())
    {
    }

    LineSigns signs() const override { return {.first = "|-+=\xe2", .fits = isRule}; }
    bool isOpen() const override { return m_framed; }

    bool read(const LogLine& line, MetricSink& sink) override
    {
        const std::string_view text = trimmed(line.text);
        if (text.size() <= longestTableRow && isRule(text)) {
            give(line, sink);
            m_framed = true;
            m_isResult = m_isResult && m_rows.empty(); // it stands between heading and rows, too
            m_rows.clear();
            m_section.clear();
            return false;
        }
        if (!m_framed)
            return false;
        const bool taken = text.size() <= longestTableRow && takeLine(text);
        if (!taken && (m_isResult || !isBordered(text)))
            leave();
        return taken;
    }

private:
    struct Row {
        std::string name; ///< with its section
        std::vector<double> values;
    };
    struct Waiting {
        Sample first, last;
        bool varies = false;
    };

    static bool isBordered(std::string_view text)
    {
        return text.starts_with('|') || text.starts_with("\xe2\x94");
    }

    void leave()
    {
        m_framed = m_isResult = false;
        m_rows.clear();
    }

    /// A row, a section or the heading; false: the line is none of these.
    bool takeLine(std::string_view text)
    {
        const bool bordered = isBordered(text);
        const std::vector<std::string_view> cells = bordered ? tableCells(text) : cellsApart(text);
        if (cells.size() < 2 || cells[0].empty() || cells[0].size() > longestRowName)
            return false;
        if (m_rows.empty() && cells[0].ends_with("metric")) {
            m_isResult = true;
            m_columns.clear();
            for (size_t i = 1; i < cells.size(); ++i)
                m_columns.append(labelText(cells[i], 40));
            return true;
        }
        if (std::none_of(cells[0].begin(), cells[0].end(), isLetter))
            return false; // "| 8 | 0.15 |" is the row of a table with a heading
        if (!m_isResult && (!bordered || cells.size() != 2))
            return false;
        const std::string_view name = cells[0];
        if (!m_isResult && cells[1].empty() && name.ends_with('/')) {
            m_section.assign(name);
            return true;
        }
        Row row;
        if (bordered && text.starts_with("|    ") && !m_isResult)
            row.name = m_section;
        row.name += name;
        for (size_t i = 1; i < cells.size(); ++i) {
            const auto value = wholeNumber(cells[i]);
            if (!value)
                return false;
            row.values.push_back(*value);
        }
        if (m_rows.size() < mostTableRows && !name.ends_with("..."))
            m_rows.push_back(std::move(row));
        return true;
    }

    void give(const LogLine& line, MetricSink& sink)
    {
        if (m_rows.empty())
            return;
        if (m_isResult)
            giveResult(line, sink);
        else
            giveReport(line, sink);
    }

    static Sample sampleOf(const Row& row, size_t column, const LogLine& line)
    {
        Sample sample;
        sample.series = seriesName(row.name);
        sample.lane = rankLane(line.rank);
        sample.y = row.values[column];
        sample.unit = seriesUnit(sample.series, NamedNumber{row.name, sample.y, {}});
        sample.line = line.number;
        sample.place = line.end - 1;
        return sample;
    }

    /// Stands where the training was.
    void giveResult(const LogLine& line, MetricSink& sink)
    {
        if (sink.placeName().isEmpty())
            return;
        const double x = sink.placeX();
        const QString xName = sink.placeName();
        for (const Row& row : m_rows) {
            for (size_t i = 0; i < row.values.size(); ++i) {
                Sample sample = sampleOf(row, i, line);
                if (sample.series.isEmpty())
                    continue;
                if (row.values.size() > 1 && sample.lane.isEmpty())
                    sample.lane = m_columns.value(qsizetype(i));
                sample.x = x;
                sample.xName = xName;
                sink.add(std::move(sample));
            }
        }
    }

    const NameMeaning& meaningOf(const Row& row)
    {
        const std::string_view name = row.name;
        return m_cache.find(name.substr(name.rfind('/') + 1));
    }

    void giveReport(const LogLine& line, MetricSink& sink)
    {
        std::optional<double> x;
        QString xName;
        bool hasMetric = false;
        for (const Row& row : m_rows) {
            const NameMeaning& meaning = meaningOf(row);
            hasMetric = hasMetric || meaning.kind == NameMeaning::Metric;
            const bool counts = meaning.kind == NameMeaning::Counter && row.values[0] >= 0
                && meaning.use != NameMeaning::Alone;
            if (counts && (!x || (*meaning.x == u"step" && xName != u"step"))) {
                x = row.values[0];
                xName = *meaning.x;
            }
        }
        if (!x || !hasMetric)
            return;
        m_made.clear();
        for (const Row& row : m_rows) {
            const NameMeaning& meaning = meaningOf(row);
            if (meaning.kind == NameMeaning::Counter || meaning.kind == NameMeaning::Setting)
                continue;
            Sample sample = sampleOf(row, 0, line);
            if (sample.series.isEmpty())
                continue;
            sample.x = *x;
            sample.xName = xName;
            if (meaning.kind == NameMeaning::Metric)
                m_made.push_back(std::move(sample));
            else
                hold(std::move(sample));
        }
        if (!m_isProven && (!m_firstX || *m_firstX == *x)) {
            m_firstX = x;
            m_first = std::exchange(m_made, {});
            return;
        }
        m_isProven = true;
        for (auto* samples : {&m_first, &m_made}) {
            for (Sample& sample : *samples)
                sink.add(std::move(sample));
            samples->clear();
        }
    }

    /// Of a name that is not known: a setting has one value.
    void hold(Sample sample)
    {
        const auto key = std::make_pair(sample.series, sample.lane);
        auto known = m_waiting.find(key);
        if (known == m_waiting.end()) {
            if (m_waiting.size() < mostWaiting)
                m_waiting.insert(key, {sample, sample, false});
            return;
        }
        Waiting& waiting = *known;
        if (!waiting.varies && waiting.first.y == sample.y) {
            waiting.last = std::move(sample);
            return;
        }
        if (!std::exchange(waiting.varies, true)) {
            m_made.push_back(waiting.first);
            if (waiting.last.x != waiting.first.x)
                m_made.push_back(waiting.last);
        }
        m_made.push_back(std::move(sample));
    }

    NameCache m_cache;
    std::vector<Row> m_rows;
    std::string m_section; ///< "rollout/"
    QStringList m_columns; ///< the headings of the values
    bool m_framed = false; ///< a rule is above, or one and rows
    bool m_isResult = false; ///< the heading says that they are metrics
    QHash<std::pair<QString, QString>, Waiting> m_waiting; ///< by series and lane
    std::vector<Sample> m_made; ///< of the table that is given
    std::vector<Sample> m_first; ///< of the first table, until there is a second
    std::optional<double> m_firstX;
    bool m_isProven = false;
};

} // namespace

std::unique_ptr<Recogniser> makeValueTableRecogniser()
{
    return std::make_unique<ValueTableRecogniser>();
}

} // namespace slipway
