// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/lineprefix.h"
#include "plots/metrics/linevalue.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/sizesweep.h"
#include "plots/metrics/tablecells.h"

#include <algorithm>
#include <map>
#include <set>

namespace slipway {

namespace {

/// A word, or a number with the unit behind it, of a sentence.
struct SentencePart {
    std::string_view text; ///< of a number: up to its unit
    std::optional<double> value; ///< none: a word
    const MetricUnit* unit = nullptr;
    bool isProduct = false; ///< "1024 x 1024"
    bool isFactor = false; ///< "3.8x"
    bool isPlural = false; ///< "thread(s)"
    bool isUsed = false; ///< it belongs to the size
};

/// "0.5 s", "50.1 GFLOPS", "3.8x", "12.1 sec", "10 s elapsed", "1.5 ms on GPU", "(1.9x)", "N=512:",
/// "=== 4 threads ===": how such a sentence ends.
constexpr std::string_view lastBytes = "0123456789sSxcdU.)]:=-";

/// Reads the sentences in which a small program reports how long something took, or how fast it
/// was, at one size or with so many threads: "4 threads: 0.52 s", "Matrix size 1024 took 0.5
/// seconds", "N=512: CPU 1.50 s, GPU 0.02 s"; or, below a line that has only the size, "Elapsed:
/// 0.52 s". x is that size, of several the one that changes first; what else the sentence says is
/// the lane. Every number of a line must be a size or a result, and a second line must say the same
/// of another size: one alone is a remark.
class ScalingRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = {},
            .last = lastBytes,
            .holds = {},
            .words = {"thread", "core", "gpu", "cpu", "rank", "proc", "node", "size", "dim",
                "matri", "element", "length", "particle", "bodies", "byte", "mesh", "grid", "np",
                "task", "qubit", "stream", "worker", "concurren", "batch", "bs", "block", "tile",
                "seq", "ctx", "context", "token", "device", "atom", "point", "cell", "unknown",
                "freedom", "dof", "n=", "n =", "n:", " x ", "0x0"}};
    }
    bool isOpen() const override { return m_linesLeft > 0; }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    bool split(std::string_view text);
    bool readSentence(const LogLine& line);
    bool readBelowHeading(const LogLine& line);
    void keepHeading(bool isOpen);
    void findSizes();
    void passSettings();
    bool give(MetricSink& sink);
    const QString* nameBefore(size_t number);
    const QString* nameBehind(size_t number);
    bool isAssigned(size_t number) const;
    const QString* sizeNamedBy(std::string_view name) const;
    bool readResults(const LogLine& line);
    QString takeName(
        std::vector<std::string_view>& words, const MetricUnit*& unit, QString& plainUnit) const;
    bool addResult(
        const SentencePart& number, std::vector<std::string_view>& words, const LogLine& line);

    const MetricNames& m_names = MetricNames::builtIn();
    std::vector<SentencePart> m_parts; ///< of the current line, and what was read of it
    std::vector<Sample> m_made;
    SweepSizes m_sizes; ///< of the current line
    SweepSizes m_headingSizes; ///< of lines above that have nothing but sizes
    QString m_heading; ///< what the last of these says otherwise
    int m_headingRank = -1; ///< ranks need not be at the same size
    bool m_hasResults = false; ///< directly below the heading
    int m_linesLeft = 0; ///< that may be of that size
    int m_rank = -1; ///< of the current line
    std::map<QString, SizeSweep> m_forms; ///< by the names of what is on the lines
};

constexpr size_t longestSentence = 160;
constexpr size_t mostParts = 18;

/// Takes a number with its unit; false: it is something else that begins with a digit.
bool takeNumberPart(std::string_view& text, const MetricNames& names, SentencePart& part)
{
    const std::string_view from = text;
    part.value = table::takeSizeOfAll(text);
    part.isProduct = part.value.has_value();
    if (!part.value)
        part.value = takeNumber(text);
    part.text = from.substr(0, from.size() - text.size());
    if (!part.value)
        return false;
    if (part.isProduct)
        return true;
    part.isFactor = skip(text, "x");
    if (part.isFactor)
        return text.empty() || !isWordCharacter(text[0]);
    std::string_view behind = text;
    skipSpaces(behind);
    const MetricUnit* unit = takeMetricUnit(behind, names);
    if (const size_t colon = std::min(behind.find(':'), behind.size()); !unit && colon > 0) {
        unit = names.unit(behind.substr(0, colon)); // "size 2048 KB: …"
        if (unit && unit->unit != QLatin1String("B"))
            unit = nullptr;
        behind.remove_prefix(unit ? colon : 0);
    }
    std::string_view next = behind;
    skipSpaces(next);
    if (!unit || (!next.empty() && isDigit(next[0]))) // "size 100 seconds 0.5": a name
        return true;
    part.unit = unit;
    text = behind;
    return true;
}

/// False: the line has something that no sentence has, or too much.
bool ScalingRecogniser::split(std::string_view text)
{
    constexpr std::string_view between = " \t:=,;.()[]|>-#";
    m_parts.clear();
    while (!text.empty()) {
        SentencePart part;
        if (isLetter(text[0]) || text[0] == '_') {
            size_t end = 1;
            while (end < text.size() && (isWordCharacter(text[end]) || text[end] == '-'))
                ++end;
            part.text = text.substr(0, end);
            text.remove_prefix(end);
            part.isPlural = skip(text, "(s)");
        } else if (isDigit(text[0])) {
            if (!takeNumberPart(text, m_names, part))
                return false;
        } else if (between.find(text[0]) == std::string_view::npos
            || (text[0] == '-' && text.size() > 1 && isDigit(text[1]))) {
            return false;
        } else {
            text.remove_prefix(1);
            continue;
        }
        if (m_parts.size() == mostParts)
            return false;
        m_parts.push_back(part);
    }
    return true;
}

/// "threads", "Matrix size", "N"; null: it names no size.
const QString* ScalingRecogniser::sizeNamedBy(std::string_view name) const
{
    const NameMeaning meaning = m_names.meaning(name);
    return meaning.isSize() ? meaning.x : nullptr;
}

/// "Number of threads: 4": by the longest name that ends at this number.
const QString* ScalingRecogniser::nameBefore(size_t number)
{
    constexpr size_t mostWords = 5;
    size_t words = 0;
    while (words < std::min(mostWords, number) && !m_parts[number - words - 1].value)
        ++words;
    const char* const end = m_parts[number].text.data();
    for (; words > 0; --words) {
        const char* const begin = m_parts[number - words].text.data();
        const std::string_view text(begin, static_cast<size_t>(end - begin));
        const size_t last = text.find_last_not_of(" \t:=,.()[]|>-");
        const std::string_view name = text.substr(0, last + 1);
        if (name.size() == 1 && text.find_first_of("=:") == std::string_view::npos)
            return nullptr; // "N 100": any letter
        const QString* const size = sizeNamedBy(name);
        for (size_t n = 1; size && n <= words; ++n)
            m_parts[number - n].isUsed = true;
        if (size)
            return size;
    }
    return nullptr;
}

/// Whether a sign stands between this number and the word before it.
bool ScalingRecogniser::isAssigned(size_t number) const
{
    const std::string_view word = m_parts[number - 1].text;
    const char* const begin = word.data() + word.size();
    const std::string_view between(begin, static_cast<size_t>(m_parts[number].text.data() - begin));
    return between.find_first_of("=:") != std::string_view::npos;
}

/// "4 MPI ranks took": by the longest name that begins behind this number.
const QString* ScalingRecogniser::nameBehind(size_t number)
{
    constexpr size_t mostWords = 3;
    size_t words = 0;
    while (words < mostWords && number + words + 1 < m_parts.size()
        && !m_parts[number + words + 1].value)
        ++words;
    const size_t next = number + words + 1;
    if (words > 0 && m_parts[next - 1].text.size() == 1 && next < m_parts.size()
        && isAssigned(next))
        --words; // "M=1024 N=1024": the name of the next number
    for (; words > 0; --words) {
        const std::string_view last = m_parts[number + words].text;
        const char* const begin = m_parts[number + 1].text.data();
        const std::string name(begin, last.data() + last.size());
        const QString* size = sizeNamedBy(name);
        if (!size && (*m_parts[number].value == 1 || m_parts[number + words].isPlural))
            size = sizeNamedBy(name + 's'); // "1 GPU", "2 GPU(s)"
        for (size_t n = 1; size && n <= words; ++n)
            m_parts[number + n].isUsed = true;
        if (size)
            return size;
    }
    return nullptr;
}

/// The counts that a size is named before or behind.
void ScalingRecogniser::findSizes()
{
    m_sizes.count = 0;
    for (size_t i = 0; i < m_parts.size(); ++i) {
        SentencePart& number = m_parts[i];
        const bool isOfBytes = number.unit && number.unit->unit == QLatin1String("B");
        if (!number.value || (number.unit && !isOfBytes) || number.isFactor
            || !(number.isProduct || wholeCount(number.text)))
            continue;
        const QString* name = nameBefore(i);
        if (!name && (number.isProduct || (isOfBytes && number.unit->factor <= 1)))
            name = sizeNamedBy("size"); // "MPI_Allreduce, 512 bytes, 28.4 us"
        const bool isBytesBehind = i + 1 < m_parts.size() && !m_parts[i + 1].value
            && (equalsIgnoringCase(m_parts[i + 1].text, "bytes") || m_parts[i + 1].text == "B");
        if (name && isBytesBehind)
            m_parts[i + 1].isUsed = true; // "Message size 8 bytes"
        if (!name)
            name = nameBehind(i);
        if (!name || m_sizes.has(name)
            || !m_sizes.set(name, *number.value * (isOfBytes ? number.unit->factor : 1)))
            continue;
        number.isUsed = true;
    }
}

/// "N_l = 10000" beside a size: whole numbers under a letter or two are of the problem as well.
void ScalingRecogniser::passSettings()
{
    constexpr size_t longest = 3;
    for (size_t i = 1; i < m_parts.size(); ++i) {
        SentencePart& number = m_parts[i];
        SentencePart& name = m_parts[i - 1];
        if (number.isUsed || !number.value || number.unit || number.isFactor || name.value
            || name.isUsed || name.text.size() > longest || !wholeCount(number.text))
            continue;
        name.isUsed = number.isUsed = isAssigned(i);
    }
}

/// What joins the words of a sentence, and says nothing of what was measured.
bool isFiller(std::string_view word)
{
    static constexpr std::string_view words[] = {"with", "using", "for", "of", "on", "at", "took",
        "takes", "taken", "elapsed", "done", "run", "running", "ran", "benchmark", "benchmarking",
        "we", "reach", "reached", "gives", "got", "needs", "in", "and", "the", "a", "is", "was",
        "to"};
    return std::any_of(std::begin(words), std::end(words),
        [word](std::string_view filler) { return equalsIgnoringCase(word, filler); });
}

std::string joined(const std::vector<std::string_view>& words, size_t from)
{
    std::string text;
    for (size_t i = from; i < words.size(); ++i)
        text.append(text.empty() ? "" : " ").append(words[i]);
    return text;
}

/// "Running 4 threads took 0.5 s": a count of running requests has no seconds.
bool fits(const MetricUnit& unit, const MetricQuantity& quantity)
{
    return quantity.unit == unit.unit
        || (quantity.unit.isEmpty()
            && (unit.unit != QLatin1String("s") || quantity.kind == QLatin1String("latency")));
}

/// Takes the words at the end that name what was measured; without them its unit tells.
QString ScalingRecogniser::takeName(
    std::vector<std::string_view>& words, const MetricUnit*& unit, QString& plainUnit) const
{
    constexpr size_t mostWords = 3;
    if (!unit && !words.empty()) { // "seconds 0.5"
        unit = m_names.unit(words.back());
        if (unit)
            words.pop_back();
    }
    for (size_t n = std::min(mostWords, words.size()); n > 0; --n) {
        const std::string name = joined(words, words.size() - n);
        const bool isDevice = equalsIgnoringCase(name, "cpu") || equalsIgnoringCase(name, "gpu");
        const NameMeaning meaning = m_names.meaning(name);
        const bool isTime = equalsIgnoringCase(name, "time") // a counter, for others
            || (unit && unit->unit == QLatin1String("s") && equalsIgnoringCase(name, "t"));
        if (isDevice || (!isTime && (meaning.kind != NameMeaning::Metric || !meaning.quantity))
            || (!isTime && unit && !fits(*unit, *meaning.quantity)))
            continue;
        if (!isTime && meaning.quantity->kind == QLatin1String("learning_rate"))
            return {}; // of a list of settings
        words.resize(words.size() - n);
        if (isTime)
            return QStringLiteral("time");
        unit = unit ? unit : meaning.unit;
        plainUnit = meaning.quantity->unit;
        return meaning.series;
    }
    if (unit && unit->unit == QLatin1String("s"))
        return QStringLiteral("time");
    return unit && unit->quantity ? unit->quantity->id : QString();
}

/// `words`: those before the number; what is left of them is its lane.
bool ScalingRecogniser::addResult(
    const SentencePart& number, std::vector<std::string_view>& words, const LogLine& line)
{
    Sample sample;
    const MetricUnit* unit = number.unit;
    sample.series = takeName(words, unit, sample.unit);
    if (sample.series.isEmpty() && number.isFactor)
        sample.series = QStringLiteral("speedup");
    if (sample.series.isEmpty())
        return false;
    sample.y = *number.value;
    if (unit) {
        sample.unit = unit->unit;
        sample.y *= unit->factor > 0 ? unit->factor : 1;
    }
    sample.lane = rankLane(m_rank);
    addToLane(sample.lane, labelText(joined(words, 0)));
    sample.line = line.number;
    sample.place = line.end - 1;
    words.clear();
    m_made.push_back(std::move(sample));
    return true;
}

bool ScalingRecogniser::readResults(const LogLine& line)
{
    m_made.clear();
    std::vector<std::string_view> words;
    for (const SentencePart& part : m_parts) {
        if (part.isUsed)
            continue;
        if (!part.value) {
            if (!isFiller(part.text))
                words.push_back(part.text);
        } else if (!addResult(part, words, line)) {
            return false;
        }
    }
    if (words.empty() || m_made.empty())
        return !m_made.empty();
    if (m_made.size() > 1) // "1.5 s on CPU, 0.1 s on GPU": what belongs to which is not certain
        return false;
    addToLane(m_made[0].lane, labelText(joined(words, 0)));
    return true;
}

/// "Elapsed: 0.52 s" below a line that has only the size.
bool ScalingRecogniser::readBelowHeading(const LogLine& line)
{
    if (m_rank != m_headingRank || !readResults(line))
        return false;
    m_sizes = m_headingSizes;
    m_hasResults = true;
    for (Sample& sample : m_made) {
        QString lane = m_heading;
        addToLane(lane, sample.lane);
        sample.lane = lane;
    }
    return true;
}

/// `isOpen`: it may be within another heading, as the inner loop of a program is in the outer one,
/// or go on with one of its sizes.
void ScalingRecogniser::keepHeading(bool isOpen)
{
    std::vector<std::string_view> words;
    for (const SentencePart& part : m_parts) {
        if (!part.isUsed && !isFiller(part.text) && !m_names.set(part.text)) // "Testing with"
            words.push_back(part.text);
    }
    m_heading = labelText(joined(words, 0));
    m_headingRank = m_rank;
    size_t kept = isOpen && !m_hasResults ? m_headingSizes.count : 0;
    for (size_t i = 0; isOpen && i < m_headingSizes.count; ++i) {
        if (m_sizes.has(m_headingSizes.all[i].name)) {
            kept = i;
            break;
        }
    }
    m_headingSizes.count = kept;
    m_headingSizes.set(m_sizes);
    m_hasResults = false;
}

/// Puts the results of the line into m_made, and their sizes into m_sizes; false: it has none.
bool ScalingRecogniser::readSentence(const LogLine& line)
{
    constexpr int linesOfHeading = 12;
    findSizes();
    if (m_sizes.count == 0)
        return m_linesLeft > 0 && readBelowHeading(line);
    passSettings();
    const bool isOpen = m_linesLeft > 0 && m_rank == m_headingRank;
    const bool isHeading = std::none_of(m_parts.begin(), m_parts.end(),
        [](const SentencePart& part) { return part.value && !part.isUsed; });
    const bool isWithin = isOpen && !isHeading && !m_hasResults;
    m_linesLeft = isHeading || isWithin ? linesOfHeading : 0;
    if (isHeading) {
        keepHeading(isOpen);
        return false;
    }
    if (!readResults(line))
        return false;
    if (isWithin) {
        SweepSizes sizes = m_headingSizes;
        sizes.set(m_sizes);
        m_sizes = sizes;
    }
    return true;
}

bool ScalingRecogniser::give(MetricSink& sink)
{
    constexpr size_t mostForms = 64;
    constexpr SizeSweep::Rules rules{
        .lines = 2, .ofOneSize = 8}; // more is a program that counts something else
    QString key;
    for (size_t i = 0; i < m_sizes.count; ++i)
        key += *m_sizes.all[i].name + QLatin1Char('\t');
    std::set<std::pair<QString, QString>> lanes;
    for (const Sample& sample : m_made) {
        key += QLatin1Char('\n') + sample.series + QLatin1Char('\t') + sample.lane;
        if (!lanes.emplace(sample.series, sample.lane).second)
            return false; // two numbers of one name
    }
    if (m_forms.size() >= mostForms && !m_forms.contains(key))
        return false;
    SizeSweep& sweep = m_forms.try_emplace(key, rules).first->second;
    if (sweep.add(m_sizes, m_made) != SizeSweep::Found::Placed)
        return false;
    for (Sample& sample : m_made)
        sink.add(std::move(sample));
    return true;
}

bool ScalingRecogniser::read(const LogLine& line, MetricSink& sink)
{
    const std::string_view text = trimmed(line.text);
    if (line.progress || text.empty())
        return false;
    m_linesLeft -= m_linesLeft > 0 ? 1 : 0;
    if (text.size() > longestSentence || lastBytes.find(text.back()) == std::string_view::npos)
        return false;
    const LinePrefix prefix = peelPrefix(text);
    m_rank = prefix.rank >= 0 ? prefix.rank : line.rank;
    return split(trimmed(prefix.text)) && readSentence(line) && give(sink);
}

} // namespace

std::unique_ptr<Recogniser> makeScalingRecogniser()
{
    return std::make_unique<ScalingRecogniser>();
}

} // namespace slipway
