// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/fields.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/sizesweep.h"

#include <algorithm>
#include <deque>
#include <map>

namespace slipway {

namespace {

/// Reads the table that Java's benchmark harness (JMH) prints at its end: "Benchmark  (size)  Mode
/// Cnt  Score  Error  Units" above "Sort.quick  1024  avgt  5  9.41 ± 0.13  us/op". Its numeric
/// parameters are sizes, of which the one that changes is x; its other parameters, and the names of
/// the methods, are lanes. A table without a numeric parameter is no curve.
class JmhRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.first = "B[", .words = {"benchmark"}}; }
    bool isOpen() const override { return m_isOpen; }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    bool begin(std::string_view text);
    bool readRow(std::string_view text, const LogLine& line, MetricSink& sink);
    bool setUnits(std::string_view units, Sample& sample) const;
    void give(Sample&& sample, const SweepSizes& sizes, MetricSink& sink);

    const MetricNames& m_names = MetricNames::builtIn();
    bool m_isOpen = false;
    bool m_hasCount = false; ///< the column of the number of iterations
    std::deque<QString> m_parameters; ///< they stay where they are
    std::map<QString, SizeSweep> m_sweeps; ///< by lane
};

constexpr size_t longestRow = 400, mostParameters = 8;

bool JmhRecogniser::begin(std::string_view text)
{
    if (takeWord(text) != "Benchmark")
        return false;
    std::deque<QString> parameters;
    std::string_view word = takeWord(text);
    for (; word.starts_with('(') && word.ends_with(')') && parameters.size() < mostParameters;
         word = takeWord(text))
        parameters.push_back(labelText(word.substr(1, word.size() - 2)));
    if (word != "Mode")
        return false;
    word = takeWord(text);
    const bool hasCount = word == "Cnt" || word == "Samples";
    if ((hasCount ? takeWord(text) : word) != "Score" || !text.ends_with("Units"))
        return false;
    m_isOpen = true;
    m_hasCount = hasCount;
    m_parameters = std::move(parameters);
    m_sweeps.clear();
    return true;
}

/// "us/op", "ops/ms"; false: it is of something else, as "MB/sec" and "counts" are.
bool JmhRecogniser::setUnits(std::string_view units, Sample& sample) const
{
    const size_t slash = units.find('/');
    if (slash == std::string_view::npos)
        return false;
    const bool isTime = units.substr(slash) == "/op", isRate = units.starts_with("ops/");
    const MetricUnit* const time = isTime ? m_names.unit(units.substr(0, slash))
        : isRate                          ? m_names.unit(units.substr(slash + 1))
                                          : nullptr;
    if (!time || time->unit != QLatin1String("s") || !(time->factor > 0))
        return false;
    sample.series = isTime ? QStringLiteral("time") : QStringLiteral("throughput");
    sample.unit = isTime ? QStringLiteral("s") : QStringLiteral("1/s");
    const double factor = isTime ? time->factor : 1 / time->factor;
    sample.y *= factor;
    for (std::optional<double>* const bound : {&sample.low, &sample.high}) {
        if (*bound)
            **bound *= factor;
    }
    return true;
}

bool JmhRecogniser::readRow(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const std::string_view name = takeWord(text);
    Sample sample;
    sample.lane = rankLane(line.rank);
    addToLane(sample.lane, labelText(name.substr(name.rfind('.') + 1)));
    SweepSizes sizes;
    for (const QString& parameter : m_parameters) {
        const std::string_view word = takeWord(text);
        if (const auto value = wholeNumber(word))
            sizes.set(&parameter, *value);
        else if (word != "N/A")
            addToLane(sample.lane, parameter + QLatin1Char(' ') + labelText(word));
    }
    const std::string_view mode = takeWord(text);
    if (!isOneOf(mode, {"thrpt", "avgt", "sample", "ss"}))
        return false;
    std::string_view rest = text;
    if (m_hasCount && !(wholeCount(takeWord(rest)) && wholeNumber(takeWord(rest))))
        rest = text; // of one iteration, whose number is left out
    else if (m_hasCount)
        takeWord(text);
    const auto score = wholeNumber(takeWord(text));
    skipSpaces(text);
    if (skip(text, "±") || skip(text, "?")) { // of a terminal that lacks the sign
        if (const auto error = wholeNumber(takeWord(text)); error && score) {
            sample.low = *score - *error;
            sample.high = *score + *error;
        }
    }
    sample.y = score.value_or(0);
    sample.line = line.number;
    sample.place = line.end - 1;
    if (score && name.find(':') == name.npos && setUnits(trimmed(text), sample))
        give(std::move(sample), sizes, sink);
    return true;
}

void JmhRecogniser::give(Sample&& sample, const SweepSizes& sizes, MetricSink& sink)
{
    constexpr size_t mostSweeps = 256;
    constexpr SizeSweep::Rules rules{.lines = 2, .ofOneSize = 16};
    const QString key = sample.series + QLatin1Char('\t') + sample.lane;
    if (sizes.count == 0 || (m_sweeps.size() >= mostSweeps && !m_sweeps.contains(key)))
        return;
    std::vector<Sample> made;
    made.push_back(std::move(sample));
    SizeSweep& sweep = m_sweeps.try_emplace(key, rules).first->second;
    if (sweep.add(sizes, made) != SizeSweep::Found::Placed)
        return;
    for (Sample& placed : made)
        sink.add(std::move(placed));
}

bool JmhRecogniser::read(const LogLine& line, MetricSink& sink)
{
    std::string_view text = trimmed(line.text);
    skip(text, "[INFO] ");
    if (line.progress || text.size() > longestRow)
        return false;
    if (begin(text))
        return true;
    m_isOpen = m_isOpen && readRow(text, line, sink);
    return m_isOpen;
}

} // namespace

std::unique_ptr<Recogniser> makeJmhRecogniser()
{
    return std::make_unique<JmhRecogniser>();
}

} // namespace slipway
