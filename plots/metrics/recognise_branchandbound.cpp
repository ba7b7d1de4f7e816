// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/linevalue.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/tablecells.h"

#include <algorithm>
#include <vector>

namespace slipway {

namespace {

/// Reads the node log of a branch-and-bound search as CPLEX prints it: a heading set to the right,
/// rows whose cells end where their headings end, any of which may be empty or hold words
/// ("cutoff", "Cuts: 134") instead. x is the node, and rows of the same one, such as
/// those of the cuts at the root, are thousandths apart.
///
///    Node  Left     Objective  IInf  Best Integer    Best Bound    ItCnt     Gap
/// *     0+    0                           79.0000      122.3726            54.90%
///       0     0      106.1592  1173       79.0000     Cuts: 134     3417   34.38%
class BranchAndBoundRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.words = {"iinf"}}; }
    bool isOpen() const override { return m_misfits < mostMisfits && !m_columns.empty(); }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    static constexpr int mostMisfits = 16; ///< lines in a row; it reports its time between the rows

    struct Column {
        size_t end = 0; ///< of its heading, and of its cells
        QString series;
        bool isPercent = false;
    };

    bool readHeading(std::string_view line);
    bool readRow(const LogLine& line, MetricSink& sink);
    double placeOf(double node);

    size_t m_nodeEnd = 0;
    double m_node = -1; ///< of the row before
    int m_rowsOfNode = 0;
    std::vector<Column> m_columns;
    int m_misfits = 0;
};

struct KnownHeading {
    std::string_view text;
    QLatin1String series;
    bool isPercent = false; ///< the sign is one place beyond the heading
};

constexpr KnownHeading headings[] = {
    {"Left", QLatin1String("nodes_left")},
    {"Objective", QLatin1String("objective")},
    {"Best Integer", QLatin1String("best_integer")},
    {"Best Bound", QLatin1String("best_bound")},
    {"Best Node", QLatin1String("best_bound")}, // of older releases
    {"Gap", QLatin1String("gap"), true},
};

size_t endIn(std::string_view cell, std::string_view line)
{
    return static_cast<size_t>(cell.data() - line.data()) + cell.size();
}

bool BranchAndBoundRecogniser::readHeading(std::string_view line)
{
    table::Cells cells;
    const size_t count = table::spacedCells(line, 2, cells);
    if (count < 4 || cells[0] != "Node" || cells[1] != "Left")
        return false;
    m_columns.clear();
    m_misfits = 0;
    if (m_node == 0)
        m_node = -1; // another search that begins at its root
    m_nodeEnd = endIn(cells[0], line);
    for (size_t i = 1; i < count; ++i) {
        const auto* const known = std::find_if(std::begin(headings), std::end(headings),
            [&](const KnownHeading& heading) { return heading.text == cells[i]; });
        if (known != std::end(headings))
            m_columns.push_back({endIn(cells[i], line) + (known->isPercent ? 1 : 0), known->series,
                known->isPercent});
    }
    return true;
}

double BranchAndBoundRecogniser::placeOf(double node)
{
    constexpr int most = 999;
    m_rowsOfNode = node == m_node ? std::min(m_rowsOfNode + 1, most) : 0;
    m_node = node;
    return node + m_rowsOfNode / 1000.0;
}

bool BranchAndBoundRecogniser::readRow(const LogLine& line, MetricSink& sink)
{
    table::Cells cells;
    const size_t count = table::spacedCells(line.text, 1, cells);
    size_t at = count > 0 && (cells[0] == "*" || cells[0] == "**") ? 1 : 0;
    if (at >= count)
        return false;
    std::string_view mark = cells[at];
    const auto node = takeWholeCount(mark); // "0+": found by a heuristic
    const size_t end = endIn(cells[at], line.text) - mark.size();
    if (!node || (!mark.empty() && mark != "+") || end != m_nodeEnd)
        return false;
    const double x = placeOf(*node);
    bool any = false;
    for (++at; at < count; ++at) {
        const size_t cellEnd = endIn(cells[at], line.text);
        const auto column = std::find_if(m_columns.begin(), m_columns.end(),
            [cellEnd](const Column& known) { return known.end == cellEnd; });
        std::string_view cell = cells[at];
        if (column == m_columns.end() || cells[at - 1].ends_with(':')
            || (column->isPercent && !cell.ends_with('%')))
            continue;
        if (column->isPercent)
            cell.remove_suffix(1);
        const auto value = wholeNumber(cell);
        if (!value)
            continue;
        any = true;
        Sample sample;
        sample.series = column->series;
        sample.x = x;
        sample.xName = QStringLiteral("node");
        sample.y = *value;
        sample.unit = column->isPercent ? QStringLiteral("%") : QString();
        sample.line = line.number;
        sample.place = line.end - 1;
        sink.add(std::move(sample));
    }
    return any;
}

bool BranchAndBoundRecogniser::read(const LogLine& line, MetricSink& sink)
{
    if (line.progress)
        return false;
    if (line.text.find("IInf") != std::string_view::npos && readHeading(line.text))
        return true;
    if (!isOpen() || trimmed(line.text).empty())
        return false;
    if (readRow(line, sink)) {
        m_misfits = 0;
        return true;
    }
    ++m_misfits;
    return false;
}

} // namespace

std::unique_ptr<Recogniser> makeBranchAndBoundRecogniser()
{
    return std::make_unique<BranchAndBoundRecogniser>();
}

} // namespace slipway
