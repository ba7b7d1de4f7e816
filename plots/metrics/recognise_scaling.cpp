// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/lineprefix.h"
#include "plots/metrics/linevalue.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"
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
    bool isUsed = false; ///< it belongs to the size
};

/// "0.5 s", "50.1 GFLOPS", "3.8x", "12.1 sec", "10 s elapsed", "1.5 ms on GPU", "(1.9x)", "N=512:",
/// "=== 4 threads ===": how such a sentence ends.
constexpr std::string_view lastBytes = "0123456789sSxcdU.)]:=-";

/// Reads the sentences in which a small program reports how long something took, or how fast it
/// was, at one size or with so many threads: "4 threads: 0.52 s", "Matrix size 1024 took 0.5
/// seconds", "N=512: CPU 1.50 s, GPU 0.02 s"; or, below a line that has only the size, "Elapsed:
/// 0.52 s". x is that size; what else the sentence says is the lane. Every number of a line must be
/// the size or a result, and a second line must say the same of another size: one alone is a
/// remark.
class ScalingRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = {},
            .last = lastBytes,
            .holds = {},
            .words = {"thread", "core", "gpu", "cpu", "rank", "proc", "node", "size", "dimension",
                "matri", "element", "length", "particle", "bodies", "byte", "mesh", "grid", "np",
                "task", "qubit", "stream", "worker", "concurren", "batch", "bs", "seq", "ctx",
                "context", "token", "device", "atom", "point", "cell", "unknown", "freedom", "dof",
                "n=", "n =", "n:", " x ", "0x0"}};
    }
    bool isOpen() const override { return m_linesLeft > 0; }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    struct Form {
        std::vector<Sample> held; ///< until it is proven
        double x = 0;
        int ofOneSize = 0; ///< so often was it printed at the first size
        bool isProven = false;
    };

    bool split(std::string_view text);
    bool readSentence(const LogLine& line);
    int findSizes();
    bool give(MetricSink& sink);
    const QString* nameBefore(size_t number);
    const QString* sizeNamedBy(std::string_view name) const;
    bool readResults(const LogLine& line);
    QString takeName(
        std::vector<std::string_view>& words, const MetricUnit*& unit, QString& plainUnit) const;
    bool addResult(
        const SentencePart& number, std::vector<std::string_view>& words, const LogLine& line);

    const MetricNames& m_names = MetricNames::builtIn();
    std::vector<SentencePart> m_parts; ///< of the current line, and what was read of it
    std::vector<Sample> m_made;
    QString m_xName;
    double m_x = 0;
    QString m_heading; ///< what the line with the size says otherwise
    int m_headingRank = -1; ///< ranks need not be at the same size
    int m_linesLeft = 0; ///< that may be of that size
    int m_rank = -1; ///< of the current line
    std::map<QString, Form> m_forms;
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
    constexpr std::string_view between = " \t:=,.()[]|>-#";
    m_parts.clear();
    while (!text.empty()) {
        SentencePart part;
        if (isLetter(text[0]) || text[0] == '_') {
            size_t end = 1;
            while (end < text.size() && (isWordCharacter(text[end]) || text[end] == '-'))
                ++end;
            part.text = text.substr(0, end);
            text.remove_prefix(end);
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
    const bool isSize = meaning.kind == NameMeaning::Counter
        && (meaning.use == NameMeaning::First || meaning.use == NameMeaning::Column);
    return isSize ? meaning.x : nullptr;
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

/// The counts that a size is named before or behind; the last one is the size.
int ScalingRecogniser::findSizes()
{
    int sizes = 0;
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
        if (!name && i + 1 < m_parts.size() && !m_parts[i + 1].value) {
            const std::string word(m_parts[i + 1].text);
            name = sizeNamedBy(word);
            if (!name && *number.value == 1) // "1 GPU"
                name = sizeNamedBy(word + 's');
            m_parts[i + 1].isUsed = name != nullptr;
        }
        if (!name)
            continue;
        ++sizes;
        m_xName = *name;
        m_x = *number.value * (isOfBytes ? number.unit->factor : 1);
        number.isUsed = true;
    }
    return sizes;
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
        const bool isTime = equalsIgnoringCase(name, "time"); // a counter, for others
        if (isDevice || (!isTime && (meaning.kind != NameMeaning::Metric || !meaning.quantity))
            || (!isTime && unit && !fits(*unit, *meaning.quantity)))
            continue;
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
    sample.x = m_x;
    sample.xName = m_xName;
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

/// Puts the results of the line into m_made; false: it has none that belong to one size.
bool ScalingRecogniser::readSentence(const LogLine& line)
{
    constexpr int linesOfHeading = 12;
    const int sizes = findSizes(); // m_x stays that of the heading where there is none
    const auto isNumber = [](const SentencePart& part) { return part.value.has_value(); };
    const auto numbers = std::count_if(m_parts.begin(), m_parts.end(), isNumber);
    if (sizes == 0 && m_linesLeft > 0) {
        if (m_rank != m_headingRank || !readResults(line))
            return false;
        for (Sample& sample : m_made) {
            QString lane = m_heading;
            addToLane(lane, sample.lane);
            sample.lane = lane;
        }
        return true;
    }
    m_linesLeft = 0;
    if (sizes != 1)
        return false;
    if (numbers > 1)
        return readResults(line);
    std::vector<std::string_view> words;
    for (const SentencePart& part : m_parts) {
        if (!part.isUsed && !isFiller(part.text) && !m_names.set(part.text)) // "Testing with"
            words.push_back(part.text);
    }
    m_heading = labelText(joined(words, 0));
    m_headingRank = m_rank;
    m_linesLeft = linesOfHeading;
    return false;
}

bool ScalingRecogniser::give(MetricSink& sink)
{
    constexpr size_t mostForms = 64;
    constexpr int mostOfOneSize = 8; // more is a program that counts something else
    QString key = m_xName;
    std::set<std::pair<QString, QString>> lanes;
    for (const Sample& sample : m_made) {
        key += QLatin1Char('\n') + sample.series + QLatin1Char('\t') + sample.lane;
        if (!lanes.emplace(sample.series, sample.lane).second)
            return false; // two numbers of one name
    }
    if (m_forms.size() >= mostForms && !m_forms.contains(key))
        return false;
    Form& form = m_forms[key];
    if (!form.isProven) {
        const bool isOther = form.ofOneSize > 0 && form.x != m_x;
        if (form.ofOneSize >= mostOfOneSize)
            return false;
        form.isProven = isOther;
        form.x = m_x;
        ++form.ofOneSize;
        form.held.insert(form.held.end(), m_made.begin(), m_made.end());
        if (!form.isProven)
            return false;
        m_made = std::exchange(form.held, {});
    }
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
