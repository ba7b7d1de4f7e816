// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/fields.h"
#include "plots/metrics/launchcommand.h"
#include "plots/metrics/lineprefix.h"
#include "plots/metrics/lineshapes.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/sentence.h"
#include "plots/metrics/sizesweep.h"
#include "plots/metrics/varianttitles.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace slipway {

namespace {

/// "0.5 s", "50.1 GFLOPS", "3.8x", "12.1 sec", "10 s elapsed", "1.5 ms on GPU", "(1.9x)", "N=512:",
/// "=== 4 threads ===", "9.5 ms per loop": how such a sentence ends.
constexpr std::string_view lastBytes = "0123456789sSxcdDBUp.)]:=-%";

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
        static const std::vector<std::string> words = m_names.wordsOfSizes();
        static const std::vector<std::string> titles = m_names.titlesOfVariants();
        LineSigns signs{.first = {},
            .last = lastBytes,
            .holds = {},
            .words = {" x ", "0x0", "×", "0 kb", "0kb", "0 mb", "0mb", "0 gb", "0gb", "0 kib",
                "0kib", "0 mib", "0mib", "0 gib", "0gib", "00)", // "(64, 64)"
                "n k ", "n,k", "n, k"}, // "M N K = 64 64 64"
            .names = {"n=", "n =", "n:", "n -"}}; // sizes that have no word
        signs.names.insert(signs.names.end(), words.begin(), words.end());
        signs.titles = {"+ srun ", "+ mpirun ", "+ mpiexec ", "+ ibrun ", "+ omp_num_threads",
            "+ export omp_num_threads"};
        signs.titles.insert(signs.titles.end(), titles.begin(), titles.end());
        return signs;
    }
    bool isOpen() const override { return m_linesLeft > 0; }
    bool read(const LogLine& line, MetricSink& sink) override;
    void finish(MetricSink& sink) override;

private:
    bool isSizeless(std::string_view prefix, std::string_view sentence);
    void noteSizeless(const LogLine& line, const LinePrefix& prefix, std::string_view sentence);
    bool readSentence(const LogLine& line);
    bool readBelowHeading(const LogLine& line);
    void keepHeading(bool isOpen);
    void findSizes();
    bool setFactors(const SentencePart& product);
    void passSettings();
    bool give(MetricSink& sink);
    const QString* nameBefore(size_t number);
    const QString* nameBehind(size_t number);
    bool isAssigned(size_t number) const;
    bool isMoved(size_t number) const;
    const QString* sizeNamedBy(std::string_view name);
    bool readResults(const LogLine& line);
    void addSample(const QString& series, double value, const LogLine& line);
    bool addOwn(size_t number, std::vector<std::string_view>& words, const LogLine& line);
    QString takeName(
        std::vector<std::string_view>& words, const MetricUnit*& unit, QString& plainUnit);
    QString takeOwnName(std::vector<std::string_view>& words, const MetricUnit* unit) const;
    bool addResult(
        const SentencePart& number, std::vector<std::string_view>& words, const LogLine& line);

    const MetricNames& m_names = MetricNames::builtIn();
    NameCache m_cache{m_names};
    ShapeMemory<bool> m_sizeless; ///< whether lines of a shape have no size, whatever their digits
    bool m_assumesOne = false; ///< each number may be 1, and each one of bytes whole
    std::string m_unlisted; ///< the sentence where it had lists; the parts point into it
    std::string m_command; ///< what a command says, as a heading
    std::vector<SentencePart> m_parts; ///< of the current line, and what was read of it
    std::vector<Sample> m_made;
    /// What the last result is of, without its statistic: "Latency" of "Latency avg".
    std::vector<std::string_view> m_measured;
    SweepSizes m_sizes; ///< of the current line
    SweepSizes m_headingSizes; ///< of lines above that have nothing but sizes
    QString m_heading; ///< what the last of these says otherwise
    int m_headingRank = -1; ///< ranks need not be at the same size
    bool m_hasResults = false; ///< directly below the heading
    bool m_hasFactors = false; ///< the factors of a product differ: each is a size
    bool m_isBelow = false; ///< the current line has no size of its own
    int m_linesLeft = 0; ///< that may be of that size
    int m_rank = -1; ///< of the current line
    VariantTitles m_titles{m_cache};
    qint64 m_line = 0; ///< the current one
    std::set<QString> m_proven; ///< what was measured by size: also of the next thing compared
    std::map<QString, SizeSweep> m_forms; ///< by the names of what is on the lines
};

constexpr size_t longestSentence = 160;

/// "threads", "Matrix size", "N"; null: it names no size.
const QString* ScalingRecogniser::sizeNamedBy(std::string_view name)
{
    const NameMeaning& meaning = m_cache.find(name);
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
    if (number == 0 || (m_parts[number - 1].value && !m_parts[number - 1].isUsed))
        return false; // behind a size: "Result for N=512: 186.5"
    const std::string_view word = m_parts[number - 1].text;
    const char* const begin = word.data() + word.size();
    const std::string_view between(begin, static_cast<size_t>(m_parts[number].text.data() - begin));
    return between.find_first_of("=:") != std::string_view::npos
        || between.find("≈") != std::string_view::npos;
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
        if (name.size() == 1)
            return nullptr; // "1 n": any letter
        const QString* size = sizeNamedBy(name);
        if (!size
            && (m_assumesOne || *m_parts[number].value == 1 || m_parts[number + words].isPlural))
            size = sizeNamedBy(name + 's'); // "1 GPU", "2 GPU(s)"
        for (size_t n = 1; size && n <= words; ++n)
            m_parts[number + n].isUsed = true;
        if (size)
            return size;
    }
    return nullptr;
}

/// "1 MB: 10.1 GB/s": whether what follows says how fast so many bytes were moved.
bool ScalingRecogniser::isMoved(size_t number) const
{
    const bool isFirst =
        std::none_of(m_parts.begin(), m_parts.begin() + static_cast<std::ptrdiff_t>(number),
            [](const SentencePart& part) { return part.value.has_value(); });
    return isFirst
        && std::any_of(m_parts.begin() + static_cast<std::ptrdiff_t>(number) + 1, m_parts.end(),
            [](const SentencePart& part) {
                return part.unit
                    && (part.unit->quantity || part.unit->unit == QLatin1String("B/s")
                        || part.unit->unit == QLatin1String("s"));
            });
}

/// "96 x 96 x 64", and "96 x 96 x 96" behind it: which of them changes is not known yet.
bool ScalingRecogniser::setFactors(const SentencePart& product)
{
    static const std::array<QString, 3> names = {
        QStringLiteral("size 1"), QStringLiteral("size 2"), QStringLiteral("size 3")};
    const auto& factors = product.factors;
    if (!product.isProduct || factors[0] == 0)
        return false;
    const bool isSquare = factors[0] == factors[1] && (factors[2] == 0 || factors[2] == factors[0]);
    if ((isSquare && !m_hasFactors) || m_sizes.has(names.data()))
        return false;
    m_hasFactors = true;
    for (size_t i = 0; i < factors.size() && factors[i] > 0; ++i)
        m_sizes.set(&names[i], factors[i]);
    return true;
}

/// The counts that a size is named before or behind.
void ScalingRecogniser::findSizes()
{
    m_sizes.count = 0;
    for (size_t i = 0; i < m_parts.size(); ++i) {
        SentencePart& number = m_parts[i];
        const bool isOfBytes = number.unit && number.unit->unit == QLatin1String("B");
        if (!number.value || (number.unit && !isOfBytes) || number.isFactor)
            continue;
        const double bytes = isOfBytes ? *number.value * number.unit->factor : 0.5;
        const bool mayBeWhole = m_assumesOne && isOfBytes;
        if (!number.isCount && bytes != std::floor(bytes) && !mayBeWhole) // "0.5KiB blocks"
            continue;
        const QString* name = nameBefore(i);
        if (setFactors(number)) {
            number.isUsed = true;
            continue;
        }
        if (!name && (number.isProduct || (isOfBytes && (number.unit->factor <= 1 || isMoved(i)))))
            name = sizeNamedBy("size"); // "MPI_Allreduce, 512 bytes, 28.4 us"
        static constexpr std::string_view nouns[] = {
            "bytes", "b", "elements", "items", "particles", "points", "samples", "values"};
        const bool isCounted =
            i + 1 < m_parts.size() && !m_parts[i + 1].value && isOneOf(m_parts[i + 1].text, nouns);
        if (name && isCounted)
            m_parts[i + 1].isUsed = true; // "Message size 8 bytes"
        if (!name)
            name = nameBehind(i);
        if (!name || m_sizes.has(name)
            || !m_sizes.set(
                name, *number.value * number.multiple * (isOfBytes ? number.unit->factor : 1)))
            continue;
        number.isUsed = true;
    }
}

std::string joined(const std::vector<std::string_view>& words, size_t from)
{
    std::string text;
    for (size_t i = from; i < words.size(); ++i)
        text.append(text.empty() ? "" : " ").append(words[i]);
    return text;
}

/// "at 100 iterations": how often, which is no size and no result.
bool isRepetition(std::string_view word)
{
    static constexpr std::string_view words[] = {"iterations", "iters", "repetitions", "repeats",
        "reps", "runs", "trials", "times", "steps", "timesteps", "loops"};
    return isOneOf(word, words);
}

/// "Running phase 1 on a 2048x2048 image": which part of the work, in a heading.
bool isPartOfWork(std::string_view word)
{
    return isOneOf(word,
        {"phase", "test", "experiment", "case", "stage", "part", "kernel", "version", "method",
            "algorithm", "problem", "scenario", "config"});
}

/// "Trial 3: 4.02 s": which of several, and no size.
bool isTrial(std::string_view word)
{
    static constexpr std::string_view words[] = {
        "trial", "run", "repetition", "rep", "repeat", "attempt", "iteration", "iter", "sample"};
    return isOneOf(word, words);
}

/// "N_l = 10000" beside a size: whole numbers under a letter or two are of the problem as well.
void ScalingRecogniser::passSettings()
{
    constexpr size_t longest = 3;
    for (size_t i = 1; i < m_parts.size(); ++i) {
        SentencePart& number = m_parts[i];
        SentencePart& name = m_parts[i - 1];
        if (number.isUsed || !number.value || number.unit || number.isFactor || name.value
            || name.isUsed || !number.isCount
            || (name.text.size() > longest && !isRepetition(name.text))) // "times=512"
            continue;
        name.isUsed = number.isUsed = isAssigned(i);
    }
    for (size_t i = 1; i < m_parts.size(); ++i) {
        SentencePart& number = m_parts[i];
        SentencePart& name = m_parts[i - 1];
        if (number.isUsed || !number.value || number.unit || number.isFactor || !number.isCount
            || number.isProduct || name.value || name.isUsed || !isPartOfWork(name.text)
            || isAssigned(i))
            continue;
        const char* const end = number.text.data() + number.text.size();
        name.isUsed = i + 1 < m_parts.size() && *end == ':'; // "Test 3: N = 8" only numbers them
        name.text = {name.text.data(), static_cast<size_t>(end - name.text.data())};
        number.isUsed = true; // within the name
    }
    if (m_parts.size() > 2 && m_parts[0].isFactor && m_parts[0].isCount && !m_parts[1].value
        && !isOneOf(m_parts[1].text, {"faster", "slower", "speedup", "speed", "quicker", "as"}))
        m_parts[0].isUsed = true; // "1x mutex with 4 threads took 0.5 s": how often it was done
    if (m_parts.size() > 2 && !m_parts[0].value && isTrial(m_parts[0].text) && m_parts[1].isCount
        && !m_parts[1].unit)
        m_parts[0].isUsed = m_parts[1].isUsed = true;
    for (size_t i = 0; i + 1 < m_parts.size(); ++i) {
        SentencePart& number = m_parts[i];
        SentencePart& behind = m_parts[i + 1];
        const bool isSetting = number.value && !number.isUsed && !number.unit && !number.isFactor
            && !behind.value && number.isCount && isRepetition(behind.text);
        if (isSetting)
            number.isUsed = behind.isUsed = true;
    }
}

/// What joins the words of a sentence, and says nothing of what was measured.
bool isFiller(std::string_view word)
{
    static constexpr std::string_view words[] = {"with", "using", "for", "of", "on", "at", "took",
        "takes", "taken", "elapsed", "done", "run", "running", "ran", "benchmark", "benchmarking",
        "we", "reach", "reached", "gives", "got", "needs", "in", "and", "the", "a", "is", "was",
        "to", "used", "setting", "up"};
    return isOneOf(word, words);
}

/// "Running 4 threads took 0.5 s": a count of running requests has no seconds.
bool fits(const MetricUnit& unit, const MetricQuantity& quantity)
{
    if (unit.quantity && quantity.id == QLatin1String("performance"))
        return false; // the unit says more
    return quantity.unit == unit.unit
        || (quantity.unit.isEmpty()
            && (unit.unit != QLatin1String("s") || quantity.kind == QLatin1String("latency")));
}

/// Takes the words at the end that name what was measured; without them its unit tells.
QString ScalingRecogniser::takeName(
    std::vector<std::string_view>& words, const MetricUnit*& unit, QString& plainUnit)
{
    constexpr size_t mostWords = 3;
    if (!unit && !words.empty()) { // "seconds 0.5"
        unit = m_names.unit(words.back());
        if (unit)
            words.pop_back();
    }
    if (unit && words.size() == 1
        && (words[0] == "real" || words[0] == "user" || words[0] == "sys"))
        return labelText(std::exchange(words, {})[0]); // of the shell's "time"
    for (size_t n = std::min(mostWords, words.size()); n > 0; --n) {
        const std::string name = joined(words, words.size() - n);
        const bool isDevice = equalsIgnoringCase(name, "cpu") || equalsIgnoringCase(name, "gpu");
        const NameMeaning& meaning = m_cache.find(name);
        const bool isTime = equalsIgnoringCase(name, "time") // a counter, for others
            || (!unit && equalsIgnoringCase(name, "elapsed"))
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
        if (meaning.quantity->unit != QLatin1String("ns/day")) // of a simulation alone
            plainUnit = meaning.quantity->unit;
        return meaning.series;
    }
    if (unit && unit->quantity && !words.empty()
        && (equalsIgnoringCase(words.back(), "performance")
            || equalsIgnoringCase(words.back(), "speed"))) {
        words.pop_back(); // the unit says more
        if (!words.empty() && isOneOf(words.back(), {"avg", "average", "mean"}))
            words.pop_back();
    }
    if (unit && unit->unit == QLatin1String("s"))
        return QStringLiteral("time");
    return unit && unit->quantity ? unit->quantity->id : QString();
}

/// "Memory usage during execution with 4 threads: 1711.45 MB": a share or an amount of what nobody
/// knows.
QString ScalingRecogniser::takeOwnName(
    std::vector<std::string_view>& words, const MetricUnit* unit) const
{
    const bool isAmount = unit && !unit->quantity
        && (unit->unit == QLatin1String("%") || unit->unit == QLatin1String("B"));
    constexpr size_t mostWords = 5;
    const auto end = std::find_if(words.begin(), words.end(), [](std::string_view word) {
        return isOneOf(word, {"during", "while", "when"});
    });
    words.erase(end, words.end());
    if (!isAmount || words.empty() || words.size() > mostWords)
        return {};
    return seriesName(joined(std::exchange(words, {}), 0));
}

/// `words`: those before the number; what is left of them is its lane.
bool ScalingRecogniser::addResult(
    const SentencePart& number, std::vector<std::string_view>& words, const LogLine& line)
{
    Sample sample;
    const MetricUnit* unit = number.unit;
    static constexpr std::string_view multiples[] = {"scale", "scaling", "factor", "resolution"};
    if (number.isFactor && !words.empty() && isOneOf(words.back(), multiples))
        return false; // "Running scale 4x": of the problem, and no speedup
    if (!words.empty() && words.back() == "to")
        words.pop_back(); // "speeds up to 5 GFLOPS"
    const bool isStatistic = words.size() == 1 && m_names.isStatistic(words[0]);
    if (isStatistic && unit && !m_made.empty() && m_made.back().unit == unit->unit)
        words.insert(words.begin(), m_measured.begin(), m_measured.end());
    const std::vector<std::string_view> named = words;
    sample.series = takeName(words, unit, sample.unit);
    m_measured.assign(named.begin() + static_cast<std::ptrdiff_t>(words.size()), named.end());
    if (!m_measured.empty() && m_names.isStatistic(m_measured.back()))
        m_measured.pop_back();
    if (sample.series.isEmpty() && number.isFactor)
        sample.series = QStringLiteral("speedup");
    if (sample.series.isEmpty() && isAssigned(static_cast<size_t>(&number - m_parts.data())))
        sample.series = takeOwnName(words, unit);
    if (sample.series.isEmpty())
        return false;
    sample.y = *number.value;
    if (number.multiple != 1)
        return false;
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

/// "pi = 3.14159": a name that nobody else knows. What counts is no result, and whole numbers are
/// settings.
bool ScalingRecogniser::addOwn(
    size_t number, std::vector<std::string_view>& words, const LogLine& line)
{
    const SentencePart& part = m_parts[number];
    const std::string name = joined(words, 0);
    const NameMeaning& meaning = m_cache.find(name);
    const bool isRepeated = !words.empty() && part.isCount && isRepetition(words.back());
    const bool isBare = words.empty() && number + 1 == m_parts.size() && number > 0
        && m_parts[number - 1].isUsed && m_parts[number - 1].value;
    if (isBare && !part.unit && !part.isFactor && isAssigned(number)) {
        static const QString value = QStringLiteral("value");
        addSample(value, *part.value, line);
        return true; // "n = 1000: 250484"
    }
    if (words.empty() || part.unit || part.isFactor || part.isProduct || !isAssigned(number)
        || (meaning.kind == NameMeaning::Counter && !isRepeated)
        || meaning.kind == NameMeaning::Metric)
        return false;
    words.clear();
    if (part.isCount || meaning.kind != NameMeaning::Unknown)
        return true;
    addSample(meaning.series, *part.value, line);
    return true;
}

/// Of an own name.
void ScalingRecogniser::addSample(const QString& series, double value, const LogLine& line)
{
    Sample sample;
    sample.series = series;
    sample.isOwnName = true;
    sample.y = value;
    sample.lane = rankLane(m_rank);
    sample.line = line.number;
    sample.place = line.end - 1;
    m_made.push_back(std::move(sample));
}

/// "result(aligned): memcpy": whether a colon parts these words.
bool arePartedByColon(const SentencePart& part, const SentencePart& next)
{
    const char* const end = part.text.data() + part.text.size();
    const std::string_view between(end, static_cast<size_t>(next.text.data() - end));
    return between == ": " || between == "): ";
}

bool ScalingRecogniser::readResults(const LogLine& line)
{
    m_made.clear();
    m_measured.clear();
    std::vector<std::string_view> words;
    QString common; // "tiled kernel, N=256: 0.3 ms, 108 GFLOP/s": what stands before the size
    bool isBeforeSize = true, isShared = false, isCommon = false;
    const QString ofRank = rankLane(m_rank);
    for (const SentencePart& part : m_parts) {
        if (part.isUsed) {
            isBeforeSize = isBeforeSize && !part.value;
            continue;
        }
        if (!part.value) {
            const bool isWithin = part.text == "to" && !words.empty(); // "Host to Device"
            const SentencePart* const next = &part == &m_parts.back() ? nullptr : &part + 1;
            const bool isName = next && next->value && !next->isUsed && !next->unit
                && equalsIgnoringCase(part.text, "elapsed"); // "elapsed: 0.52"
            if (isWithin || isName || !isFiller(part.text)) {
                words.push_back(part.text);
                isShared = m_made.empty() && isBeforeSize;
            }
            if (m_isBelow && m_made.empty() && next && !next->value
                && arePartedByColon(part, *next)) {
                common = labelText(joined(std::exchange(words, {}), 0));
                isCommon = true; // "result(aligned): memcpy_fast=119ms memcpy=171 ms"
            }
            continue;
        }
        const size_t number = static_cast<size_t>(&part - m_parts.data());
        if (!addResult(part, words, line) && !addOwn(number, words, line))
            return false;
        if (m_made.empty() || m_made.back().isOwnName)
            continue;
        Sample& made = m_made.back();
        if (isCommon) {
            QString lane = common;
            addToLane(lane, made.lane);
            made.lane = lane;
        } else if (m_made.size() == 1 && isShared)
            common = made.lane;
        else if (made.lane == ofRank && !common.isEmpty())
            made.lane = common;
    }
    const bool isKnown = std::any_of(
        m_made.begin(), m_made.end(), [](const Sample& sample) { return !sample.isOwnName; });
    // "Performance result for N=512: 186.549", "16 particles, variance: 9.83"
    const bool isOwn = !m_isBelow && m_made.size() == 1 && words.empty()
        && std::count_if(m_parts.begin(), m_parts.end(),
               [](const SentencePart& part) { return part.value && !part.isUsed; })
            == 1;
    if (words.empty() || !isKnown)
        return isKnown || isOwn;
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
        if (m_names.isImplementation(part.text))
            m_titles.endTitle(); // "omp summation with 2 threads" below "Serial approach"
    }
    m_heading = labelText(joined(words, 0));
    m_headingRank = m_rank;
    m_titles.beginSize();
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
    if (m_sizes.count == 0 && m_linesLeft == 0)
        return false;
    m_titles.goOn(m_line);
    passSettings();
    m_isBelow = m_sizes.count == 0;
    if (m_isBelow)
        return readBelowHeading(line);
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

/// A time, or how fast something was: what nobody prints of a training beside a size alone.
bool isOfBenchmark(const Sample& sample)
{
    static const QString units[] = {
        QStringLiteral("s"), QStringLiteral("B/s"), QStringLiteral("FLOP/s")};
    static const QString series[] = {
        QStringLiteral("speedup"), QStringLiteral("time"), QStringLiteral("performance")};
    return std::find(std::begin(series), std::end(series), sample.series) != std::end(series)
        || std::find(std::begin(units), std::end(units), sample.unit) != std::end(units);
}

bool ScalingRecogniser::give(MetricSink& sink)
{
    constexpr size_t mostForms = 64;
    const bool isOwn = std::all_of(
        m_made.begin(), m_made.end(), [](const Sample& sample) { return sample.isOwnName; });
    SizeSweep::Rules rules{
        .lines = 2, .ofOneSize = 32}; // more is a program that counts something else
    if (isOwn)
        rules = {.lines = 3, .ofOneSize = 1, .isStrict = true};
    QString key = m_isBelow ? QStringLiteral("\n") : QString();
    for (size_t i = 0; i < m_sizes.count; ++i)
        key += *m_sizes.all[i].name + QLatin1Char('\t');
    std::set<std::pair<QString, QString>> lanes;
    for (Sample& sample : m_made) {
        QString lane = m_titles.lane(m_line);
        addToLane(lane, sample.lane);
        sample.lane = lane;
        key += QLatin1Char('\n') + sample.series + QLatin1Char('\t') + sample.lane;
        if (!lanes.emplace(sample.series, sample.lane).second)
            return false; // two numbers of one name
    }
    if (m_forms.size() >= mostForms && !m_forms.contains(key))
        return false;
    const size_t given = m_made.size();
    const bool isResult = std::all_of(m_made.begin(), m_made.end(), isOfBenchmark);
    for (Sample& sample : m_made) {
        sample.x = static_cast<double>(sample.line);
        sample.xName = QStringLiteral("line");
    }
    const bool isProven = std::all_of(m_made.begin(), m_made.end(),
        [this](const Sample& sample) { return m_proven.contains(sample.series); });
    SizeSweep& sweep = m_forms.try_emplace(key, rules).first->second;
    const SizeSweep::Found found = sweep.add(m_sizes, m_made);
    // What is no sweep after all was claimed by nobody else, up to here.
    const bool isGivenUp = found == SizeSweep::Found::None && isResult && m_made.size() > given;
    if (found == SizeSweep::Found::Placed || isGivenUp) {
        for (Sample& sample : m_made) {
            if (m_proven.size() < mostForms)
                m_proven.insert(sample.series);
            sink.add(std::move(sample));
        }
        return true;
    }
    return found == SizeSweep::Found::Held && (isResult || isProven);
}

/// "✓ Done in 4s" → "Done in 4s"
std::string_view withoutMark(std::string_view text)
{
    const size_t end = std::min(text.find(' '), text.size());
    const bool isMark = end > 0 && end < text.size()
        && std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end),
            [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; });
    return isMark ? trimmed(text.substr(end)) : text;
}

/// "0.5 s, Verification: OK" → "0.5 s"
std::string_view withoutVerdict(std::string_view text)
{
    static constexpr std::string_view verdicts[] = {
        "OK", "PASS", "PASSED", "passed", "correct", "CORRECT", "true", "yes"};
    const size_t comma = text.empty() || isDigit(text.back()) ? text.npos : text.rfind(", ");
    if (comma == text.npos
        || std::none_of(std::begin(verdicts), std::end(verdicts),
            [text](std::string_view verdict) { return text.ends_with(verdict); }))
        return text;
    return text.substr(0, comma);
}

/// "srun -n 4 ./a.out" → "4 processes": a command that the shell prints before it runs it (set -x)
/// is a heading of what it prints.
std::string headingOfCommand(std::string_view command)
{
    const auto launch = launchCount(command);
    return launch ? std::string(launch->count).append(" ").append(launch->of) : std::string();
}

bool ScalingRecogniser::read(const LogLine& line, MetricSink& sink)
{
    const std::string_view text = withoutVerdict(withoutMark(trimmed(line.text)));
    if (line.progress || text.empty())
        return false;
    m_linesLeft -= m_linesLeft > 0 ? 1 : 0;
    m_line = line.number;
    if (text.size() > longestSentence)
        return false;
    if (const bool* const sizeless = m_sizeless.find(line.shape);
        m_linesLeft == 0 && sizeless && *sizeless)
        return false;
    if (text.starts_with("+ ")) {
        m_command = headingOfCommand(text.substr(2));
        m_rank = line.rank;
        return !m_command.empty() && splitSentence(m_command, m_names, m_parts)
            && readSentence(line) && give(sink);
    }
    constexpr size_t longestTitle = 32;
    const bool mayBeSentence = lastBytes.find(text.back()) != std::string_view::npos;
    if (!mayBeSentence && text.substr(0, longestTitle).find(':') == std::string_view::npos
        && std::any_of(text.begin(), text.end(), isDigit))
        return false;
    const LinePrefix prefix = peelPrefix(text);
    // "[numba_serial]" is a prefix as well.
    const VariantTitles::Taken taken =
        m_titles.take(prefix.text.empty() ? text : prefix.text, m_linesLeft > 0, m_line);
    if (taken == VariantTitles::Taken::Title)
        m_linesLeft = 0;
    if (taken != VariantTitles::Taken::None)
        return false;
    if (!mayBeSentence) {
        if (m_linesLeft == 0 && std::none_of(line.text.begin(), line.text.end(), isDigit))
            m_sizeless.learn(line.shape, [] { return std::make_unique<bool>(true); });
        return false;
    }
    m_rank = prefix.rank >= 0 ? prefix.rank : line.rank;
    const std::string_view sentence = withoutLists(trimmed(prefix.text), m_unlisted);
    const bool isSentence = splitSentence(sentence, m_names, m_parts);
    if (isSentence && readSentence(line))
        return give(sink);
    if (m_linesLeft == 0 && (!isSentence || m_sizes.count == 0))
        noteSizeless(line, prefix, sentence);
    return false;
}

/// "2^10", "2**10", "1:30", "4e6" and "0x64" are counts or none by what their digits are.
bool joinsNumbers(std::string_view sentence)
{
    for (size_t i = 1; i + 1 < sentence.size(); ++i) {
        if (std::string_view("^*:xXeE").find(sentence[i]) == std::string_view::npos)
            continue;
        const bool mayBeApart = sentence[i] != '*' && sentence[i] != ':'; // "2^ 4", "64 x 64"
        const std::string_view before = sentence.substr(0, i), behind = sentence.substr(i + 1);
        const char left = mayBeApart ? trimmed(before).back() : before.back();
        const char right = mayBeApart ? trimmed(behind).front() : behind.front();
        if (isDigit(left) && (isDigit(right) || right == '*'))
            return true;
    }
    return sentence.find("×") != std::string_view::npos;
}

/// Whether no digit of the line could make a size of its numbers. Those of its prefix are times.
bool ScalingRecogniser::isSizeless(std::string_view prefix, std::string_view sentence)
{
    bool isOfTimes = true;
    forPrefixWords(prefix, [&isOfTimes](std::string_view word) {
        isOfTimes =
            isOfTimes && (std::none_of(word.begin(), word.end(), isDigit) || isTimeStamp(word));
    });
    if (!isOfTimes)
        return false;
    if (joinsNumbers(sentence))
        return false;
    if (sentence.find("(") != std::string_view::npos
        && sentence.find(", ") != std::string_view::npos)
        return false; // "(64, 64)" is a size, and "(64, 32)" is none
    if (!splitSentence(sentence, m_names, m_parts))
        return true;
    m_assumesOne = true;
    findSizes();
    m_assumesOne = false;
    return m_sizes.count == 0;
}

/// Many programs print a word that may name a size in each of their lines.
void ScalingRecogniser::noteSizeless(
    const LogLine& line, const LinePrefix& prefix, std::string_view sentence)
{
    const std::string_view before =
        line.text.substr(0, static_cast<size_t>(prefix.text.data() - line.text.data()));
    m_sizeless.learn(
        line.shape, [&] { return std::make_unique<bool>(isSizeless(before, sentence)); });
}

/// A few lines of one size alone are drawn in their order; one or two are a remark.
void ScalingRecogniser::finish(MetricSink& sink)
{
    constexpr size_t leastLines = 3;
    size_t below = 0; // each under a heading of its own
    for (const auto& [key, sweep] : m_forms)
        below += key.startsWith(u'\n') ? sweep.heldLines() : 0;
    for (auto& [key, sweep] : m_forms) {
        const size_t lines = key.startsWith(u'\n') ? below : sweep.heldLines();
        if (lines < leastLines)
            continue;
        std::vector<Sample> samples = sweep.takeHeld();
        const bool isOfTraining = key.startsWith(u'\n') && !sink.placeName().isEmpty();
        if (isOfTraining || !std::all_of(samples.begin(), samples.end(), isOfBenchmark))
            continue;
        for (Sample& sample : samples)
            sink.add(std::move(sample));
    }
    m_forms.clear();
}

} // namespace

std::unique_ptr<Recogniser> makeScalingRecogniser()
{
    return std::make_unique<ScalingRecogniser>();
}

} // namespace slipway
