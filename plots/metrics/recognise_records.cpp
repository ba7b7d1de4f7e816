// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/tablecells.h"

#include <algorithm>
#include <string>
#include <vector>

namespace slipway {

namespace {

/// Names two spaces apart.
bool mayBeginRecords(std::string_view text)
{
    return !text.empty() && isLetter(text[0]) && text.find("  ") != std::string_view::npos;
}

/// Reads tables of simulations whose records take several lines, below a heading of as many lines:
/// "step  eng_tot  temp_tot" above "time  eng_pv  vir_cfg" above two lines of numbers for each
/// step. Where the lines of the heading have labels ("DYNA PROP:"), those of a record have the same
/// ("DYNA PROP>"). Each column is a series with its name, as far as its numbers vary; x is the
/// first number of a record. DL_POLY, MESA and CHARMM print such tables.
class RecordRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.words = {"step", "cycle"}, .fits = mayBeginRecords};
    }
    bool isOpen() const override { return !m_heading.empty(); }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    static constexpr size_t longest = 400; ///< bytes of a line
    static constexpr size_t mostLines = 8;
    static constexpr size_t leastNames = 4; ///< on a line of the heading
    static constexpr size_t mostHeld = 256; ///< numbers of the first record
    static constexpr int mostMisfits = 100; ///< lines between two of a record

    /// A line of the heading, or of a record.
    struct Part {
        std::string_view label; ///< "DYNA PROP"
        table::Cells cells;
        size_t count = 0;
    };
    struct Heading {
        std::string label;
        std::vector<std::string> names;
    };

    static Part partOf(std::string_view text, char mark);
    bool keepHeading(std::string_view text);
    bool readRow(std::string_view text, const LogLine& line, MetricSink& sink);
    bool isRowOfOther(std::string_view text) const;
    int lineOf(const Part& part) const;
    bool fits(const Part& part, size_t at) const;
    void give(const Part& part, size_t at, const LogLine& line, MetricSink& sink);
    void close();
    void dropHeading();
    bool isHeading(const Part& part) const;

    const MetricNames& m_names = MetricNames::builtIn();
    NameCache m_cache{m_names};
    std::vector<Heading> m_heading;
    bool m_hasEnded = false; ///< the heading
    size_t m_next = 0; ///< the line of the record that is to come
    int m_records = 0; ///< that have begun
    double m_x = 0; ///< of the record
    QString m_xName;
    std::vector<Sample> m_held; ///< of the first record
    int m_misfits = 0;
};

/// "Step", "nstep", "Cycle": see signs().
bool isStep(std::string_view name)
{
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(), toLowerCase);
    return lower.find("step") != std::string::npos || lower.find("cycle") != std::string::npos;
}

/// Nothing but marks: what parts the heading from the records, and these from each other.
bool isDivider(std::string_view text)
{
    return text.find_first_not_of("-=_* \t") == std::string_view::npos;
}

bool RecordRecogniser::read(const LogLine& line, MetricSink& sink)
{
    const std::string_view text = trimmed(line.text);
    if (line.progress || text.size() > longest || (m_heading.empty() && !mayBeginRecords(text)))
        return false;
    if (isDivider(text)) {
        m_hasEnded = !m_heading.empty();
        if (m_hasEnded && m_heading.size() < 2)
            close();
        return false;
    }
    if (keepHeading(text))
        return false; // for whoever else may know its columns
    if (m_heading.size() < 2) {
        close();
        return false;
    }
    m_hasEnded = true;
    if (readRow(text, line, sink)) {
        m_misfits = 0;
        return m_records > 0;
    }
    m_next = 0;
    const bool isOther = m_records > 0 && isRowOfOther(text);
    if (++m_misfits > mostMisfits)
        close();
    return isOther;
}

/// "rolling  2.8428E+04  2.9996E+02 …": averages between the records, as many as a record has.
bool RecordRecogniser::isRowOfOther(std::string_view text) const
{
    table::Cells cells;
    const size_t count = table::spacedCells(text, 1, cells);
    return table::countNumbers(cells, count) + 2 >= m_heading.front().names.size();
}

void RecordRecogniser::close()
{
    dropHeading();
    m_held.clear();
    m_records = 0;
}

void RecordRecogniser::dropHeading()
{
    m_heading.clear();
    m_hasEnded = false;
    m_next = 0;
    m_misfits = 0;
}

/// Whether this is the first line of the heading that is known.
bool RecordRecogniser::isHeading(const Part& part) const
{
    return !m_heading.empty()
        && std::equal(part.cells.begin(), part.cells.begin() + part.count,
            m_heading.front().names.begin(), m_heading.front().names.end());
}

/// The words of a line behind its label, which ends with the mark.
RecordRecogniser::Part RecordRecogniser::partOf(std::string_view text, char mark)
{
    constexpr size_t longestLabel = 20;
    Part part;
    const size_t end = text.substr(0, longestLabel).find(mark);
    const auto isOfLabel = [](char c) { return (c >= 'A' && c <= 'Z') || c == ' '; };
    if (end != std::string_view::npos && std::all_of(text.begin(), text.begin() + end, isOfLabel)) {
        part.label = text.substr(0, end);
        text.remove_prefix(end + 1);
    }
    part.count = table::spacedCells(text, mark == ':' ? 2 : 1, part.cells);
    return part;
}

/// "cpu  (s)": a unit belongs to the name before it.
void dropUnits(table::Cells& cells, size_t& count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        const bool isUnit = kept > 0 && cells[i].starts_with('(') && cells[i].ends_with(')');
        if (!isUnit)
            cells[kept++] = cells[i];
    }
    count = kept;
}

/// "   step     eng_tot    temp_tot     eng_cfg", "DYNA DYN: Step         Time      TOTEner"
bool RecordRecogniser::keepHeading(std::string_view text)
{
    constexpr size_t longestName = 24;
    const auto isName = [](std::string_view cell) {
        return isLetter(cell[0]) && cell.size() <= longestName
            && cell.find_first_of("=:,.") == std::string_view::npos;
    };
    if (!isLetter(text[0]))
        return false;
    Part part = partOf(text, ':');
    dropUnits(part.cells, part.count);
    if (part.count < leastNames || part.count >= table::mostCells
        || !std::all_of(part.cells.begin(), part.cells.begin() + part.count, isName))
        return false;
    const auto isUnit = [this](std::string_view cell) { return m_names.unit(cell) != nullptr; };
    const auto units = std::count_if(part.cells.begin(), part.cells.begin() + part.count, isUnit);
    if (size_t(units) * 2 >= part.count) { // "fs   ps   eV   K" below the names
        close();
        return false;
    }
    const bool begins = m_heading.empty() || m_hasEnded || m_heading.size() == mostLines;
    const NameMeaning& first = m_cache.find(part.cells[0]);
    if (begins) {
        if (first.kind != NameMeaning::Counter || !isStep(part.cells[0]))
            return false;
        if (isHeading(part))
            dropHeading(); // once more: its records go on
        else
            close();
        m_xName = *first.x;
    } else if (part.label.empty() != m_heading.front().label.empty()) {
        return false;
    }
    m_heading.push_back({std::string(part.label), {}});
    for (size_t i = 0; i < part.count; ++i)
        m_heading.back().names.emplace_back(part.cells[i]);
    return true;
}

/// The line of the record that has this label: that of the first one may be shorter than its
/// heading's ("DYNA" for "DYNA DYN"). -1: the heading has none.
int RecordRecogniser::lineOf(const Part& part) const
{
    for (size_t i = 0; i < m_heading.size(); ++i) {
        if (m_heading[i].label == part.label)
            return static_cast<int>(i);
    }
    const std::string& first = m_heading.front().label;
    return first.starts_with(part.label) && first[part.label.size()] == ' ' ? 0 : -1;
}

/// The first line of a record begins with a count, and no other does: else each line is a row.
bool RecordRecogniser::fits(const Part& part, size_t at) const
{
    const size_t names = m_heading[at].names.size();
    const bool counts = part.count > 0 && wholeCount(part.cells[0]).has_value();
    return counts == (at == 0) && part.count <= names && part.count + 1 >= names
        && part.count - table::countNumbers(part.cells, part.count) <= 1;
}

bool RecordRecogniser::readRow(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const Part part = partOf(text, '>');
    const bool isLabelled = !m_heading.front().label.empty();
    if (isLabelled != !part.label.empty())
        return false;
    const int at = isLabelled ? lineOf(part) : static_cast<int>(m_next);
    if (at < 0)
        return true; // a line that the heading does not announce
    if (!fits(part, size_t(at)))
        return false;
    if (at == 0) {
        ++m_records;
        m_x = *wholeCount(part.cells[0]);
        for (Sample& sample : m_records > 1 ? std::exchange(m_held, {}) : std::vector<Sample>())
            sink.add(std::move(sample));
    } else if (m_records == 0) {
        return false;
    }
    give(part, size_t(at), line, sink);
    m_next = (size_t(at) + 1) % m_heading.size();
    return true;
}

void RecordRecogniser::give(const Part& part, size_t at, const LogLine& line, MetricSink& sink)
{
    for (size_t i = at == 0 ? 1 : 0; i < part.count; ++i) {
        const NameMeaning& meaning = m_cache.find(m_heading[at].names[i]);
        const bool isTime = meaning.kind == NameMeaning::Counter
            || (meaning.quantity && meaning.quantity->id == QLatin1String("time"));
        const auto value = isTime ? std::nullopt : table::cellValue(part.cells[i], m_names);
        if (!value || meaning.series.isEmpty())
            continue;
        Sample sample;
        sample.series = meaning.series;
        sample.lane = rankLane(line.rank);
        sample.x = m_x;
        sample.xName = m_xName;
        sample.y = *value;
        sample.unit = meaning.quantity ? meaning.quantity->unit : QString();
        sample.isOwnName = true; // what is always the same is no curve
        sample.line = line.number;
        sample.place = line.end - 1;
        if (m_records > 1)
            sink.add(std::move(sample));
        else if (m_held.size() < mostHeld)
            m_held.push_back(std::move(sample));
    }
}

} // namespace

std::unique_ptr<Recogniser> makeRecordRecogniser()
{
    return std::make_unique<RecordRecogniser>();
}

} // namespace slipway
