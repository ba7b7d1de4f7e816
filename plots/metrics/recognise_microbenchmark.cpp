// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/fields.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/sizesweep.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace slipway {

namespace {

/// What the name of a measurement says: "BM_Copy/1024/threads:4", "test_matmul[512-float32]".
struct BenchmarkName {
    QString text; ///< without the sizes
    SweepSizes sizes;
    bool isSpread = false; ///< a deviation, and not a time
};

/// Reads the results of programs that are written with a benchmark library, by the sizes in the
/// name of each measurement: the table of Google Benchmark ("BM_Copy/1024   145 ns   145 ns
/// 4827586"), the lines of Rust's Criterion ("matmul/64   time:   [1.1 ms 1.2 ms 1.3 ms]", of which
/// the middle is the estimate) and the table of pytest-benchmark ("Name (time in ms)  Min  Max
/// Mean"). Several sizes, or one of its own name, are a sweep; a measurement without sizes is no
/// curve.
class MicrobenchmarkRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "BN",
            .words = {"benchmark", "name (time in "},
            .titles = {"time:   [", "thrpt:  ["}};
    }
    bool isOpen() const override { return m_form != None; }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    enum Form { None, Google, Criterion, Pytest };

    bool begin(std::string_view text);
    void keepColumns(std::string_view text);
    bool readGoogle(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readCriterion(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readPytest(std::string_view text, const LogLine& line, MetricSink& sink);
    BenchmarkName nameOf(std::string_view printed) const;
    bool addPart(std::string_view part, BenchmarkName& name) const;
    void addTime(double value, const MetricUnit* unit, const QString& series);
    bool addCounter(std::string_view counted, std::string_view value);
    void give(const BenchmarkName& name, const LogLine& line, MetricSink& sink);

    const MetricNames& m_names = MetricNames::builtIn();
    Form m_form = None;
    int m_misfits = 0; ///< lines since the last that was read
    std::string m_name; ///< Criterion's, on the line above
    std::vector<std::string> m_columns; ///< pytest-benchmark's, behind the name; of Google
                                        ///< Benchmark, the counters behind the iterations
    const MetricUnit* m_unit = nullptr; ///< of its times
    std::vector<Sample> m_made; ///< of the current line
    std::map<QString, SizeSweep> m_sweeps; ///< by name and series
};

constexpr size_t longestBenchmark = 120;
constexpr int mostOthers = 12;

/// "size", "size 2": of numbers in a name of which nothing says what they are.
const QString& unnamedSize(size_t index)
{
    static const std::array<QString, SweepSizes::most> names = {QStringLiteral("size"),
        QStringLiteral("size 2"), QStringLiteral("size 3"), QStringLiteral("size 4")};
    return names[std::min(index, names.size() - 1)];
}

/// Adds "1024", "threads:4" or "N=64" to the sizes; false: it is a word.
bool MicrobenchmarkRecogniser::addPart(std::string_view part, BenchmarkName& name) const
{
    std::string_view rest = part;
    if (const auto size = takeWholeCount(rest); size && rest.empty())
        return name.sizes.set(&unnamedSize(name.sizes.count), *size);
    const size_t colon = part.find_first_of(":=");
    if (colon == std::string_view::npos)
        return false;
    rest = part.substr(colon + 1);
    const auto size = takeWholeCount(rest);
    const NameMeaning meaning = m_names.meaning(part.substr(0, colon));
    if (!size || !rest.empty())
        return false;
    return name.sizes.set(meaning.isSize() ? meaning.x : &unnamedSize(name.sizes.count), *size);
}

BenchmarkName MicrobenchmarkRecogniser::nameOf(std::string_view printed) const
{
    static constexpr std::string_view ends[] = {"_mean", "_median", "_stddev", "_cv"};
    static constexpr std::string_view ways[] = {"real_time", "process_time", "manual_time"};
    BenchmarkName name;
    std::string_view statistic;
    for (const std::string_view end : ends) {
        if (printed.ends_with(end)) {
            statistic = end.substr(1);
            printed.remove_suffix(end.size());
        }
    }
    name.isSpread = statistic == "stddev" || statistic == "cv";
    const size_t open = printed.ends_with(']') ? printed.find('[') : std::string_view::npos;
    const std::string_view apart = open != std::string_view::npos ? "-]" : "/";
    std::string text(printed.substr(0, std::min(open, printed.find(apart[0]))));
    std::string_view rest = printed.substr(text.size());
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const std::string_view part = rest.substr(0, rest.find_first_of(apart));
        rest.remove_prefix(part.size());
        const bool isSetting = part.starts_with("min_time:") || part.starts_with("min_warmup_time:")
            || part.starts_with("iterations:") || part.starts_with("repeats:")
            || std::find(std::begin(ways), std::end(ways), part) != std::end(ways);
        if (!part.empty() && !isSetting && !addPart(part, name))
            text.append(1, ' ').append(part);
    }
    if (!statistic.empty())
        text.append(1, ' ').append(statistic);
    name.text = labelText(text, longestBenchmark);
    return name;
}

void MicrobenchmarkRecogniser::addTime(double value, const MetricUnit* unit, const QString& series)
{
    Sample sample;
    sample.series = series;
    sample.y = value * unit->factor;
    sample.unit = unit->unit;
    m_made.push_back(std::move(sample));
}

/// Gives m_made once the size has changed.
void MicrobenchmarkRecogniser::give(
    const BenchmarkName& name, const LogLine& line, MetricSink& sink)
{
    constexpr size_t mostSweeps = 256;
    constexpr SizeSweep::Rules rules{.lines = 2, .ofOneSize = 16};
    QString key = name.text;
    for (size_t i = 0; i < name.sizes.count; ++i)
        key += QLatin1Char('\n') + *name.sizes.all[i].name;
    for (Sample& sample : m_made) {
        key += QLatin1Char('\t') + sample.series;
        sample.lane = rankLane(line.rank);
        addToLane(sample.lane, name.text);
        sample.line = line.number;
        sample.place = line.end - 1;
    }
    if (name.isSpread || name.sizes.count == 0
        || (m_sweeps.size() >= mostSweeps && !m_sweeps.contains(key)))
        return;
    SizeSweep& sweep = m_sweeps.try_emplace(key, rules).first->second;
    if (sweep.add(name.sizes, m_made) != SizeSweep::Found::Placed)
        return;
    for (Sample& sample : m_made)
        sink.add(std::move(sample));
}

/// "9.41G", "58.85G/s" of a counter; false: it is something else.
bool MicrobenchmarkRecogniser::addCounter(std::string_view counted, std::string_view value)
{
    const auto number = takeNumber(value);
    if (!number)
        return false;
    static constexpr std::string_view prefixes = "kMGT";
    const size_t prefix = value.empty() ? prefixes.npos : prefixes.find(value[0]);
    double factor = 1;
    for (size_t i = 0; prefix != prefixes.npos && i <= prefix; ++i)
        factor *= 1000;
    const bool isBandwidth = counted == "bytes_per_second";
    const MetricUnit* unit = isBandwidth ? nullptr
        : value.ends_with("/s")          ? m_names.unit("/s")
                                         : m_names.unit(counted);
    const bool isNamed = unit && unit->quantity && m_names.unit(counted) == unit;
    Sample sample;
    sample.series = isBandwidth ? QStringLiteral("bandwidth")
        : isNamed               ? unit->quantity->id
                                : seriesName(counted);
    sample.y = *number * factor * (unit ? unit->factor : 1);
    sample.unit = isBandwidth ? QStringLiteral("B/s") : unit ? unit->unit : QString();
    m_made.push_back(std::move(sample));
    return true;
}

/// "BM_Copy/1024   145 ns   144 ns   4827586 bytes_per_second=9.41G/s"
bool MicrobenchmarkRecogniser::readGoogle(
    std::string_view text, const LogLine& line, MetricSink& sink)
{
    // "BM_Sum<Layout::AoS, Scalar>/16" has a space in it, and two behind it.
    const std::string_view name = text.substr(0, text.find("  "));
    text.remove_prefix(name.size());
    std::array<double, 2> times{};
    std::array<const MetricUnit*, 2> units{};
    for (size_t i = 0; i < times.size(); ++i) {
        skipSpaces(text);
        const auto time = takeNumber(text);
        skipSpaces(text);
        units[i] = m_names.unit(takeWord(text));
        if (!time || !units[i] || units[i]->unit != QLatin1String("s"))
            return false;
        times[i] = *time;
    }
    skipSpaces(text);
    if (name.size() > longestBenchmark || !takeWholeCount(text))
        return false;
    m_made.clear();
    addTime(times[0], units[0], QStringLiteral("time"));
    addTime(times[1], units[1], QStringLiteral("cpu_time"));
    size_t column = 0;
    for (std::string_view counter = takeWord(text); !counter.empty(); counter = takeWord(text)) {
        const size_t equals = counter.find('=');
        const bool isInColumn = equals == std::string_view::npos && column < m_columns.size();
        if (equals == std::string_view::npos && !isInColumn)
            break;
        const std::string_view counted =
            isInColumn ? std::string_view(m_columns[column++]) : counter.substr(0, equals);
        if (!addCounter(counted, isInColumn ? counter : counter.substr(equals + 1)))
            break;
    }
    give(nameOf(name), line, sink);
    return true;
}

/// "matmul/64   time:   [1.1 ms 1.2 ms 1.3 ms]", or the name on the line above.
bool MicrobenchmarkRecogniser::readCriterion(
    std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (skip(text, "Benchmarking ")) {
        m_name = text.substr(0, std::min(text.find(": "), longestBenchmark));
        return m_form == Criterion
            || text.find(": ") != std::string_view::npos; // others say so too
    }
    size_t open = text.find("time:   [");
    const bool isTime = open != std::string_view::npos;
    if (!isTime)
        open = text.find("thrpt:  [");
    if (open == std::string_view::npos || !text.ends_with(']')) {
        const bool isName = m_form == Criterion && text.find('/') != std::string_view::npos
            && text.find(": ") == std::string_view::npos && text.size() <= longestBenchmark;
        if (isName)
            m_name = text;
        return isName;
    }
    if (const std::string_view name = trimmed(text.substr(0, open)); !name.empty())
        m_name = name.substr(0, longestBenchmark);
    m_form = Criterion;
    std::string_view rest = text.substr(text.find('[', open) + 1);
    rest.remove_suffix(1);
    std::optional<double> value;
    const MetricUnit* unit = nullptr;
    for (int i = 0; i < 2; ++i) { // the lower bound, and the estimate
        skipSpaces(rest);
        value = takeNumber(rest);
        skipSpaces(rest);
        unit = m_names.unit(takeWord(rest));
    }
    if (!value || !unit || m_name.empty())
        return isTime;
    m_made.clear();
    addTime(*value, unit,
        isTime               ? QStringLiteral("time")
            : unit->quantity ? unit->quantity->id
                             : QStringLiteral("throughput"));
    give(nameOf(m_name), line, sink);
    return true;
}

/// "test_matmul[128]   0.0921 (1.0)   0.2210 (1.0)   312;401   9,881.42 (1.0)   6021   1"
bool MicrobenchmarkRecogniser::readPytest(
    std::string_view text, const LogLine& line, MetricSink& sink)
{
    BenchmarkName name = nameOf(takeWord(text));
    skipSpaces(text);
    if (text.starts_with('(')) // of another run, beside which this one stands
        name.text += QLatin1Char(' ') + labelText(takeWord(text));
    m_made.clear();
    for (const std::string& column : m_columns) {
        std::string cell(takeWord(text));
        std::erase(cell, ',');
        std::string_view rest = cell;
        const auto value = takeNumber(rest);
        if (!value)
            return false;
        skipSpaces(text);
        if (text.starts_with('('))
            takeWord(text);
        if (column == "Mean")
            addTime(*value, m_unit, QStringLiteral("time"));
        else if (column == "Min")
            addTime(*value, m_unit, QStringLiteral("min_time"));
    }
    if (m_made.empty())
        return false;
    give(name, line, sink);
    return true;
}

/// The heading of a table.
/// "Min     Max     Mean", "Nodes  Read Rate": two spaces part the names.
void MicrobenchmarkRecogniser::keepColumns(std::string_view text)
{
    constexpr size_t mostColumns = 16;
    m_columns.clear();
    for (text = trimmed(text); !text.empty() && m_columns.size() < mostColumns;
         text = trimmed(text)) {
        const size_t end = std::min(text.find("  "), text.size());
        m_columns.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

bool MicrobenchmarkRecogniser::begin(std::string_view text)
{
    std::string_view rest = text;
    if (takeWord(rest) == "Benchmark" && takeWord(rest) == "Time" && takeWord(rest) == "CPU"
        && takeWord(rest) == "Iterations") {
        m_form = Google;
        keepColumns(rest);
        std::erase_if(m_columns, [](const std::string& name) { return name.ends_with("..."); });
        return true;
    }
    rest = text;
    if (!skip(rest, "Name (time in "))
        return false;
    const size_t close = rest.find(')');
    m_unit = m_names.unit(rest.substr(0, close));
    if (close == std::string_view::npos || !m_unit || m_unit->unit != QLatin1String("s"))
        return false;
    rest.remove_prefix(close + 1);
    keepColumns(rest);
    m_form = Pytest;
    return true;
}

bool MicrobenchmarkRecogniser::read(const LogLine& line, MetricSink& sink)
{
    constexpr size_t longestLine = 600;
    const std::string_view text = trimmed(line.text);
    if (text.size() > longestLine || line.progress)
        return false;
    if (begin(text)) {
        m_misfits = 0;
        return true;
    }
    const bool isRead = (m_form == Google && readGoogle(text, line, sink))
        || (m_form == Pytest && readPytest(text, line, sink)) || readCriterion(text, line, sink);
    m_misfits = isRead ? 0 : m_misfits + 1;
    if (m_misfits > mostOthers)
        m_form = None;
    return isRead;
}

} // namespace

std::unique_ptr<Recogniser> makeMicrobenchmarkRecogniser()
{
    return std::make_unique<MicrobenchmarkRecogniser>();
}

} // namespace slipway
