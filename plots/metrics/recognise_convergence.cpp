// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/fields.h"
#include "plots/metrics/linevalue.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/tablecells.h"

#include <QHash>

#include <algorithm>

namespace slipway {

namespace {

/// Reads the criteria that programs of quantum chemistry print in each step of an optimisation:
/// "Maximum Force            0.012345     0.000450     NO", a value, its threshold, and whether it
/// is met. The value is a series with the name in front; x is how often that name was printed.
/// Gaussian, ORCA, Q-Chem and Psi4 print such lines.
class ConvergenceRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.last = "OS", .words = {" no", " yes"}}; }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    static constexpr qsizetype mostNames = 64;

    QHash<QString, int> m_printed; ///< how often each name was
};

/// "Maximum Force", "RMS     Displacement", "Energy change"
bool isCriterion(std::string_view name)
{
    static constexpr std::string_view words[] = {
        "force", "displacement", "gradient", "energy", "step", "change", "stress", "density"};
    constexpr size_t longest = 40;
    const auto isPart = [](char c) { return isLetter(c) || c == ' ' || c == '-'; };
    if (name.size() > longest || !std::all_of(name.begin(), name.end(), isPart))
        return false;
    for (std::string_view word = takeWord(name); !word.empty(); word = takeWord(name)) {
        if (std::any_of(std::begin(words), std::end(words),
                [word](std::string_view known) { return equalsIgnoringCase(word, known); }))
            return true;
    }
    return false;
}

bool ConvergenceRecogniser::read(const LogLine& line, MetricSink& sink)
{
    constexpr size_t cellsBehindName = 3; // value, threshold, answer
    const std::string_view text = trimmed(line.text);
    if (line.progress || !(text.ends_with(" NO") || text.ends_with(" YES")))
        return false;
    table::Cells cells;
    const size_t count = table::spacedCells(text, 1, cells);
    if (count <= cellsBehindName)
        return false;
    const std::string_view value = cells[count - 3], threshold = cells[count - 2];
    const auto begin = static_cast<size_t>(value.data() - text.data());
    const std::string_view name = trimmed(text.substr(0, begin));
    const auto number = wholeNumber(value), least = wholeNumber(threshold);
    if (!number || !least || *least < 0 || !isFraction(value) || !isFraction(threshold)
        || !isCriterion(name))
        return false;
    Sample sample;
    sample.series = seriesName(name);
    sample.lane = rankLane(line.rank);
    const QString key = sample.series + u'/' + sample.lane;
    if (m_printed.size() >= mostNames && !m_printed.contains(key))
        return true;
    sample.x = ++m_printed[key];
    sample.xName = QStringLiteral("optimization"); // of which this is a step
    sample.y = *number;
    sample.line = line.number;
    sample.place = line.end - 1;
    sink.add(std::move(sample));
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeConvergenceRecogniser()
{
    return std::make_unique<ConvergenceRecogniser>();
}

} // namespace slipway
