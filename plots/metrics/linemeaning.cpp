// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/linemeaning.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace slipway {

namespace {

/// The data set that one of the outer words names: "Test set", "Epoch(val)".
const QString* setOf(std::string_view words, const MetricNames& names)
{
    size_t begin = 0;
    while (begin < words.size() && !isLetter(words[begin]))
        ++begin;
    words.remove_prefix(begin);
    size_t end = 0;
    while (end < words.size() && isLetter(words[end]))
        ++end;
    const size_t last = words.find_last_of(" (");
    std::string_view back = last == std::string_view::npos ? words : words.substr(last + 1);
    if (back.ends_with(')'))
        back.remove_suffix(1);
    if (const QString* set = names.set(back)) // "Evaluating train"
        return set;
    return names.set(words.substr(0, end));
}

/// What is measured on a data set.
bool isOfModel(const MetricQuantity& quantity)
{
    static constexpr const char* kinds[] = {"loss", "accuracy", "perplexity", "error"};
    return std::any_of(std::begin(kinds), std::end(kinds),
        [&](const char* kind) { return quantity.kind == QLatin1String(kind); });
}

size_t mixed(size_t hash, std::string_view text)
{
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash * 31;
}

/// A word for precision, recall or F1, and the whole one.
struct PrecisionWord {
    std::string_view word, whole;
};
constexpr PrecisionWord precisionWords[] = {{"p", "precision"}, {"pre", "precision"},
    {"prec", "precision"}, {"r", "recall"}, {"rec", "recall"}, {"f", "f1"}, {"f1", "f1"}};

/// Reader of one line; see readMeaning().
class MeaningReader {
public:
    MeaningReader(
        const LinePairs& pairs, NameCache& cache, const MetricNames& names, LineMeaning& out)
        : m_pairs(pairs)
        , m_cache(cache)
        , m_names(names)
        , m_out(out)
    {
    }

    bool read()
    {
        if (isOfSettings())
            return false;
        m_out.set = dataSetOf(m_pairs, m_names);
        m_out.isStrict = m_pairs.strayWords == 0;
        m_out.form = mixed(1469598103934665603u, m_pairs.about);
        for (size_t i = 0; i < m_pairs.count; ++i) {
            if (isPrecision(i)) {
                addPrecision(i);
                i += 2;
            } else {
                readPair(m_pairs.pairs[i]);
            }
        }
        if (m_out.set)
            m_out.form ^= qHash(*m_out.set);
        leaveTrial();
        shareSet();
        shareSections();
        placePosition();
        findParameters();
        return m_out.count > 0 || m_out.counters.any() || m_out.isTime;
    }

private:
    /// "p" of "P", "pre-0" and "prec": precision, recall or F1; empty: none of them.
    static std::string_view precisionWord(std::string_view name)
    {
        const std::string_view word = name.substr(0, name.find('-'));
        if (word.size() < name.size() && !wholeCount(name.substr(word.size() + 1)))
            return {};
        const auto* const known = std::find_if(std::begin(precisionWords), std::end(precisionWords),
            [word](const PrecisionWord& other) { return equalsIgnoringCase(word, other.word); });
        return known == std::end(precisionWords) ? std::string_view() : known->whole;
    }

    /// "p 0.94 r 0.93 f 0.94", "P: 0.57 R: 0.56 F1: 0.56", "f=0.9, pre=0.9, rec=0.9": words that
    /// mean something else elsewhere.
    bool isPrecision(size_t i) const
    {
        if (i + 2 >= m_pairs.count)
            return false;
        std::array<std::string_view, 3> words;
        for (size_t own = 0; own < words.size(); ++own) {
            const LinePair& pair = m_pairs.pairs[i + own];
            words[own] = precisionWord(pair.name);
            if (words[own].empty() || pair.total > 0 || !(pair.isFraction || pair.unit)
                || !(pair.value >= 0))
                return false;
        }
        return words[0] != words[1] && words[1] != words[2] && words[0] != words[2];
    }

    void addPrecision(size_t i)
    {
        for (const size_t end = i + 3; i < end; ++i) {
            const LinePair& pair = m_pairs.pairs[i];
            const std::string_view word = precisionWord(pair.name);
            const size_t dash = std::min(pair.name.find('-'), pair.name.size());
            const NameMeaning& meaning =
                m_cache.find(std::string(word).append(pair.name.substr(dash)));
            addMetric({&pair, meaning.quantity, &meaning.series}, false);
        }
        m_out.isStrong = m_out.isOutput = true;
    }

    void readPair(const LinePair& pair)
    {
        if (pair.name.empty()) {
            if (const LinePair* const amount = amountBefore(pair))
                addMetric({&pair, pair.unit->quantity,
                              &m_cache.find(std::string(amount->name) + " rate").series},
                    false);
            else if (pair.unit && pair.unit->quantity && !hasUnnamed(*pair.unit->quantity))
                addMetric({&pair, pair.unit->quantity, &pair.unit->quantity->id}, false);
            else if (isTimed(pair) && (pair.unit->factor < 1 || isBehindCounter(pair)))
                m_bareTimes[m_bareTimeCount++ % m_bareTimes.size()] = &pair;
            return;
        }
        if (isOfNamd() && pair.unit && pair.unit->quantity)
            return addMetric({&pair, pair.unit->quantity, &pair.unit->quantity->id}, false);
        if (isOfNamd()) {
            if (&pair == m_pairs.pairs.data())
                addCounter(pair, m_cache.find("step"));
            return;
        }
        if (pair.hasOwnUnit && m_cache.find(pair.name).kind != NameMeaning::Unknown)
            return; // "Time: 3.1m" of minutes or metres
        // At most ten names are looked for, and the line keeps what was found.
        static_assert(LinePairs::most * 10 < NameCache::mostEntries);
        if (pair.name.ends_with(" iterations")
            && pair.name.find(" converged ") != std::string_view::npos) {
            // "Linear solve converged due to CONVERGED_RTOL iterations 23"
            const bool isOuter = startsWithIgnoringCase(pair.name, "nonlinear");
            const NameMeaning& solver =
                m_cache.find(isOuter ? "nonlinear_iterations" : "linear_iterations");
            if (solver.quantity)
                addMetric({&pair, solver.quantity, &solver.series}, true);
            return;
        }
        if (isTotalOfEnergies(pair)) {
            const NameMeaning& total = m_cache.find("total_energy");
            addMetric(metricOf(pair, total), false);
            return;
        }
        if (isTimeInFront(pair)) {
            addTime(pair);
            m_leadsWithTime = &pair == m_pairs.pairs.data();
            return;
        }
        if (pair.isTimed) {
            const NameMeaning& own = m_cache.find(pair.name);
            addMetric({&pair, m_cache.find("elapsed").quantity, &own.series}, false);
            m_out.isStrong = true;
            return;
        }
        if (const auto words = wordsBeforeDuration(pair)) {
            addDuration(pair, *words);
            return;
        }
        if (isOfShell(pair)) {
            addMetric(
                {&pair, m_cache.find("elapsed").quantity, &m_cache.find(pair.name).series}, false);
            m_out.isStrong = true;
            return;
        }
        if (!pair.assigned && isTimeUnit(pair.name)) {
            m_out.isStrict = false; // "0.00-1.00  sec  984 KBytes"
            return;
        }
        if (pair.isBehind && !isMeasurement(pair.name)) {
            m_out.isStrict = false; // "64 images, 3 warnings"
            return;
        }
        const NameMeaning* meaning =
            pair.group.empty() ? &m_cache.find(pair.name) : &meaningInGroup(pair);
        const bool unsure = meaning->kind == NameMeaning::Metric && !pair.assigned;
        const bool isExpression = pair.name.starts_with('('); // "(B r, r)": of all its parts
        const bool isOfGroup = !pair.group.empty() && m_names.isStatistic(pair.name);
        if ((meaning->kind == NameMeaning::Unknown && !isExpression && !isOfGroup)
            || (unsure && (counts(pair.name) || isSentence(pair.name))))
            meaning = &meaningOfPart(pair);
        if (meaning->kind == NameMeaning::Unknown && !m_pairs.subject.empty()) {
            if (&pair == m_pairs.pairs.data())
                meaning = &meaningOfSubject(*meaning);
            if ((pair.isQuoted || m_names.isStatistic(pair.name)) && addOfSubject(pair))
                return;
        }
        if (addOfWordsBefore(pair))
            return;
        if (isStepTime(pair, *meaning)) {
            addMetric({&pair, m_cache.find("elapsed").quantity, &stepTime()}, false);
            return;
        }
        switch (meaning->kind) {
        case NameMeaning::Counter:
            addCounter(pair, *meaning);
            break;
        case NameMeaning::Metric: {
            LineMetric metric = metricOf(pair, *meaning);
            if (isOfGromacs(pair))
                metric.unit = m_names.unit("ns/day");
            if (isOfWholeName(pair, *meaning))
                metric.series = &m_cache.find(pair.name).series;
            addMetric(metric, meaning->isResult);
            break;
        }
        case NameMeaning::Unknown:
            if (const MetricUnit* unit = unitOfName(pair))
                addMetric({&pair, unit->quantity, &unit->quantity->id, nullptr, unit}, false);
            else
                addUnknown(pair, *meaning);
            break;
        case NameMeaning::Setting:
            if (pair.name.size() == 1 && pair.isFraction && pair.assigned && !pair.unit) {
                addUnknown(pair, *meaning); // "P = 0.133" is a pressure, and no number of processes
                break;
            }
            if (pair.assigned && isTotalOfSteps(pair.name))
                m_totalSteps = &pair;
            if (pair.total > 0 && &pair == m_pairs.pairs.data()
                && isOneOf(pair.name, {"progress", "done"}))
                m_progress = &pair; // "Progress: 3/10 loss 0.21"
            if (pair.unit && pair.unit->quantity && pair.assigned) // "flops per GPU: 51.2TFLOPS"
                addMetric({&pair, pair.unit->quantity, &m_cache.find(pair.name).series}, false);
            else if (pair.unit && pair.unit->unit == QLatin1String("B")
                && isOneOf(pair.name, {"gpu", "cuda"})) // "GPU 296.2 MB"
                addMetric(metricOf(pair, m_cache.find("gpu_memory")), false);
            break;
        }
    }

    /// "PERFORMANCE: 180  averaging 109.43 ns/day, 0.000789 sec/step": at that step.
    bool isOfNamd() const
    {
        return m_pairs.count > 1 && m_pairs.pairs[0].name == "PERFORMANCE"
            && m_pairs.pairs[1].name == "averaging";
    }

    /// "Performance:       18.012        1.332", below "(ns/day)    (hour/ns)".
    bool isOfGromacs(const LinePair& pair) const
    {
        if (m_pairs.count != 1 || pair.unit || pair.name != "Performance")
            return false;
        std::string_view rest = m_pairs.text;
        if (!skip(rest, "Performance:   "))
            return false;
        skipSpaces(rest);
        const bool isFirst = takeNumber(rest) && rest.starts_with("  ");
        skipSpaces(rest);
        return isFirst && takeNumber(rest) && trimmed(rest).empty();
    }

    /// "Bytes written:  343902 MByte (28.33 MByte/s)": of what a rate without a name is.
    const LinePair* amountBefore(const LinePair& pair) const
    {
        const LinePair* const before = &pair == m_pairs.pairs.data() ? nullptr : &pair - 1;
        const bool isAmount = before && before->assigned && !before->name.empty() && before->unit
            && before->unit->unit == QLatin1String("B") && pair.unit && pair.unit->quantity
            && pair.unit->unit == QLatin1String("B/s");
        return isAmount ? before : nullptr;
    }

    /// "Iteration 3: 0.1 s, …"; further on, a time in seconds is as often that of the whole.
    bool isBehindCounter(const LinePair& pair) const
    {
        return &pair == m_pairs.pairs.data() + 1 && m_out.stepPair == m_pairs.pairs.data()
            && m_pairs.count > 2;
    }

    /// "core electron kinetic : 179.6" below "electron kinetic : 241.7": what a simulation measures
    /// is named by all of its words.
    bool isOfWholeName(const LinePair& pair, const NameMeaning& part)
    {
        constexpr int mostWords = 4;
        if (!pair.assigned || !part.quantity || part.set
            || !(part.quantity->kind == QLatin1String("simulation")
                || (m_pairs.count == 1 && pair.group.empty()))
            || &pair != m_pairs.pairs.data() || m_pairs.strayWords > 0 || !m_pairs.subject.empty())
            return false;
        const NameMeaning& whole = m_cache.find(pair.name);
        return whole.kind == NameMeaning::Unknown && !whole.series.isEmpty()
            && std::count(pair.name.begin(), pair.name.end(), ' ') < mostWords
            && std::all_of(pair.name.begin(), pair.name.end(),
                [](char c) { return isLetter(c) || c == ' ' || c == '-'; });
    }

    /// "SCF Done:  E(RB3LYP) = -76.4": the words in front say what comes out.
    const NameMeaning& meaningOfSubject(const NameMeaning& own)
    {
        const NameMeaning& subject = m_cache.find(m_pairs.subject);
        return subject.kind == NameMeaning::Metric && subject.isResult ? subject : own;
    }

    /// "uAUC: {'like': 0.61, 'forward': 0.64}" → "uauc_like", "uauc_forward"; "TTFT: mean 12.5 ms,
    /// p99 20 ms" → "ttft_mean", "ttft_p99"
    bool addOfSubject(const LinePair& pair)
    {
        const NameMeaning& subject = m_cache.find(m_pairs.subject);
        const MetricQuantity* const quantity = subject.quantity;
        if (subject.kind != NameMeaning::Metric || quantity->weak || !(pair.isFraction || pair.unit)
            || pair.total > 0)
            return false;
        const std::string name = std::string(m_pairs.subject) + '_' + std::string(pair.name);
        addMetric({&pair, quantity, &m_cache.find(name).series}, false);
        return true;
    }

    /// "Episode 10 reward stats: mean=3.93, std=0.97" → "reward_mean", "reward_std": the words
    /// behind the number before them say of what they are.
    bool addOfWordsBefore(const LinePair& pair)
    {
        if (!pair.assigned || !(pair.isFraction || pair.unit) || pair.total > 0
            || &pair == m_pairs.pairs.data() || !m_names.isStatistic(pair.name))
            return false;
        if (!m_names.isStatistic((&pair - 1)->name))
            m_words = wordsBefore(pair);
        const NameMeaning& words = m_cache.find(m_words);
        if (m_words.empty() || words.kind != NameMeaning::Metric)
            return false;
        const std::string name = std::string(m_words) + '_' + std::string(pair.name);
        addMetric({&pair, words.quantity, &m_cache.find(name).series}, false);
        return true;
    }

    /// Those with a colon or a parenthesis behind them, back to a number.
    std::string_view wordsBefore(const LinePair& pair) const
    {
        std::string_view words =
            m_pairs.text.substr(0, size_t(pair.name.data() - m_pairs.text.data()));
        const size_t number = words.find_last_of("0123456789");
        words = trimmed(words.substr(number == words.npos ? words.size() : number + 1));
        if (!words.ends_with(':') && !words.ends_with('('))
            return {};
        words = trimmed(words.substr(0, words.size() - 1));
        while (!words.empty() && !isLetter(words[0]))
            words.remove_prefix(1);
        for (const std::string_view end : {" stats", " statistics", " summary"}) {
            if (words.ends_with(end))
                words.remove_suffix(end.size());
        }
        return words;
    }

    /// "Best params for classes 0 and 1: {'learning_rate': 0.1}"
    bool isOfSettings() const
    {
        const auto end = m_pairs.pairs.begin() + static_cast<std::ptrdiff_t>(m_pairs.count);
        const auto quoted = std::find_if(
            m_pairs.pairs.begin(), end, [](const LinePair& pair) { return pair.isQuoted; });
        if (quoted == end)
            return false;
        std::string_view words = m_pairs.text;
        words = words.substr(0, static_cast<size_t>(quoted->name.data() - words.data()));
        while (!words.empty()) {
            std::string_view word = takeWord(words);
            if (word.ends_with(':'))
                word.remove_suffix(1);
            if (isOneOf(word,
                    {"args", "arguments", "config", "configuration", "hyperparameters", "options",
                        "parameters", "params", "settings"}))
                return true;
        }
        return false;
    }

    /// "ms/batch 12.31": the name is the unit of what it measures.
    const MetricUnit* unitOfName(const LinePair& pair) const
    {
        if (pair.unit || pair.total > 0 || pair.name.size() > 16
            || pair.name.find('/') == std::string_view::npos)
            return nullptr;
        const MetricUnit* unit = m_names.unit(pair.name);
        return unit && unit->quantity ? unit : nullptr;
    }

    /// "This step = 0.097 s": how long it took, and not which it is.
    static bool isStepTime(const LinePair& pair, const NameMeaning& meaning)
    {
        return pair.assigned && pair.unit && !pair.unit->quantity
            && pair.unit->unit == QLatin1String("s")
            && (pair.name.ends_with(" step") || pair.name.ends_with(" iteration"))
            && (meaning.kind == NameMeaning::Counter || meaning.kind == NameMeaning::Setting);
    }

    /// "Query OK, 3 rows affected (1.38 sec)": nothing stands behind it.
    bool standsInParentheses(const LinePair& pair) const
    {
        const std::string_view text = m_pairs.text;
        const char* const behindName = pair.name.data() + pair.name.size();
        const bool isPrinted = !std::less<>()(pair.name.data(), text.data())
            && !std::less<>()(text.data() + text.size(), behindName);
        if (!isPrinted || &pair != &m_pairs.pairs[m_pairs.count - 1])
            return false;
        const std::string_view behind = text.substr(static_cast<size_t>(behindName - text.data()));
        return behind.starts_with(" (") && behind.find(')') == behind.find_last_not_of(" .");
    }

    /// "Output generated in 15.34 seconds", "took 12.5 s": what took so long; none: the number is
    /// no such time.
    std::optional<std::string_view> wordsBeforeDuration(const LinePair& pair) const
    {
        constexpr int mostWords = 4;
        if (pair.assigned || pair.isBehind || !isTimed(pair))
            return {};
        if (startsWithIgnoringCase(pair.name, "est ") || startsWithIgnoringCase(pair.name, "eta "))
            return {}; // "est completion in 9 minutes"
        if (standsInParentheses(pair))
            return pair.name;
        for (const std::string_view word : {"in", "took", "time taken", "time used"}) {
            if (equalsIgnoringCase(pair.name, word))
                return std::string_view();
            if (!pair.name.ends_with(word) || pair.name[pair.name.size() - word.size() - 1] != ' ')
                continue;
            const std::string_view words = pair.name.substr(0, pair.name.size() - word.size() - 1);
            if (std::count(words.begin(), words.end(), ' ') < mostWords)
                return words;
        }
        return {};
    }

    /// "real    0m48.997s", as the shell's "time" prints it.
    bool isOfShell(const LinePair& pair) const
    {
        return !pair.assigned && isTimed(pair) && m_pairs.count == 1 && m_pairs.strayWords == 0
            && (pair.name == "real" || pair.name == "user" || pair.name == "sys");
    }

    void addDuration(const LinePair& pair, std::string_view words)
    {
        static constexpr std::string_view verbs[] = {
            "complete", "completed", "done", "ended", "executed", "finished", "is", "ran", "was"};
        const size_t last = words.rfind(' ') + 1; // 0 where there is none
        const bool isVerb = isOneOf(words.substr(last), verbs);
        words = isVerb ? trimmed(words.substr(0, last)) : words;
        for (const std::string_view article : {"this ", "the "}) {
            if (startsWithIgnoringCase(words, article))
                words.remove_prefix(article.size());
        }
        std::string name = words.empty() && m_out.counters.epoch ? "epoch"
            : words.empty() && m_out.counters.step               ? "step"
                                                                 : std::string(words);
        static const QString time = QStringLiteral("time");
        const QString& own = name.empty() ? time : m_cache.find(name + " time").series;
        addMetric({&pair, m_cache.find("elapsed").quantity, &own}, false);
        m_out.isStrong = true;
        m_out.isStrict = false;
    }

    static const QString& stepTime()
    {
        static const QString name = QStringLiteral("step_time");
        return name;
    }

    bool isTimeUnit(std::string_view name) const
    {
        const MetricUnit* unit = name.size() < 8 ? m_names.unit(name) : nullptr;
        return unit && !unit->quantity && unit->unit == QLatin1String("s");
    }

    /// "LearningRateScheduler setting learning rate to"
    static bool isSentence(std::string_view name)
    {
        return std::count(name.begin(), name.end(), ' ') >= 4;
    }

    /// Everyday words behind a number are none: "211.5 sec elapsed".
    bool isMeasurement(std::string_view name)
    {
        const NameMeaning* meaning = &m_cache.find(name);
        if (const size_t space = name.rfind(' ');
            meaning->kind != NameMeaning::Metric && space != std::string_view::npos)
            meaning = &m_cache.find(name.substr(space + 1));
        return meaning->kind == NameMeaning::Metric && !meaning->quantity->weak;
    }

    /// "9.40/s (1.70s, 9.12/s)": the mean stands behind the number.
    bool hasUnnamed(const MetricQuantity& quantity) const
    {
        return std::any_of(m_out.metrics.begin(), m_out.metrics.begin() + m_out.count,
            [&](const LineMetric& metric) {
                return metric.pair->name.empty() && metric.quantity == &quantity;
            });
    }

    /// "validation loss at iteration"
    bool counts(std::string_view name)
    {
        const size_t space = name.rfind(' ');
        return space != std::string_view::npos
            && m_cache.find(name.substr(space + 1)).kind == NameMeaning::Counter;
    }

    /// "tot_loss[loss=0.3, ctc_loss=0.2]" → "tot_loss", "tot_ctc_loss"; "loss[ctc_loss=0.2]" →
    /// "ctc_loss".
    const NameMeaning& meaningInGroup(const LinePair& pair)
    {
        const NameMeaning& own = m_cache.find(pair.name);
        if (own.kind == NameMeaning::Unknown && equalsIgnoringCase(pair.group, "losses"))
            return m_cache.find(std::string(pair.name) + "_loss"); // "Losses {'ner': 172.9}"
        if (own.kind == NameMeaning::Unknown && m_names.isStatistic(pair.name)) // "[INSERT: Avg=4"
            return m_cache.find(std::string(pair.group) + ' ' + std::string(pair.name));
        if (own.kind != NameMeaning::Metric || pair.group == pair.name)
            return own;
        std::string_view before = pair.group;
        if (const size_t end = before.rfind('_'); end != std::string_view::npos)
            before = before.substr(0, end);
        else if (m_cache.find(before).kind == NameMeaning::Metric)
            return own;
        return m_cache.find(std::string(before) + '_' + std::string(pair.name));
    }

    /// "finished with loss" → "loss", "validation loss at iteration" → "iteration", and "max" after
    /// "Courant Number mean" → "Courant Number max".
    const NameMeaning& meaningOfPart(const LinePair& pair)
    {
        const size_t space = pair.name.rfind(' ');
        if (startsWithIgnoringCase(pair.name, "number of "))
            return m_cache.find("number"); // of iterations: a result, no counter
        if (const std::string_view head = headOf(pair); !head.empty()) {
            const NameMeaning& measured = m_cache.find(head);
            if (measured.kind == NameMeaning::Metric)
                return partial(pair, measured);
        }
        if (space == std::string_view::npos) {
            const std::string_view measured = measuredBefore(pair);
            return measured.empty()
                ? m_cache.find(pair.name)
                : m_cache.find(std::string(measured) + ' ' + std::string(pair.name));
        }
        const size_t second = space > 0 ? pair.name.rfind(' ', space - 1) : std::string_view::npos;
        if (second != std::string_view::npos) {
            const NameMeaning& two = m_cache.find(pair.name.substr(second + 1));
            if (two.kind == NameMeaning::Counter && (isLimit(pair.name) || isMeasuredThere(pair)))
                return m_cache.find(pair.name);
            if (two.kind != NameMeaning::Unknown)
                return partial(pair, two);
        }
        const NameMeaning& one = m_cache.find(pair.name.substr(space + 1));
        if (one.kind == NameMeaning::Counter
            && (isCountOfOthers(pair) || isLimit(pair.name) || isMeasuredThere(pair)))
            return m_cache.find(pair.name);
        if (one.kind != NameMeaning::Unknown)
            return partial(pair, one);
        if (!pair.assigned && isSentence(pair.name))
            return one;
        return m_cache.find(pair.name); // its place may have been taken meanwhile
    }

    /// What a statistic alone is of: "Latency" in "Latency avg=16.4s p50=15.8s" and in "Latency:
    /// 16.4 ms (p50 15.8 ms)"; empty: nothing.
    std::string_view measuredBefore(const LinePair& pair) const
    {
        if (!m_names.isStatistic(pair.name))
            return {};
        if (isInParentheses(pair))
            return nameInFront(pair);
        if (!m_before)
            return {};
        const std::string_view name = m_before->name;
        const size_t end = name.rfind(' ');
        if (end != std::string_view::npos && m_names.isStatistic(name.substr(end + 1)))
            return name.substr(0, end);
        const bool isAlike = pair.unit && m_before->unit && m_before->unit->unit == pair.unit->unit;
        return isAlike ? name : std::string_view();
    }

    bool isInParentheses(const LinePair& pair) const
    {
        return &pair > m_pairs.pairs.data() && pair.name.data() > m_pairs.text.data()
            && pair.name.data()[-1] == '(';
    }

    /// Of the last pair before it that is no statistic: "loss: 0.5 (avg: 0.6) (max: 0.7)".
    std::string_view nameInFront(const LinePair& pair) const
    {
        const LinePair* before = &pair - 1;
        while (before > m_pairs.pairs.data() && m_names.isStatistic(before->name))
            --before;
        return m_names.isStatistic(before->name) ? std::string_view() : before->name;
    }

    /// "Max. scc iterations: 1000": how many there may be, and not where the program is.
    static bool isLimit(std::string_view name)
    {
        std::string_view first = takeWord(name);
        if (first.ends_with('.'))
            first.remove_suffix(1);
        return isOneOf(first, {"max", "maximum", "maximal", "min", "minimum", "minimal"})
            && std::any_of(name.begin(), name.end(), isLetter);
    }

    /// "Best individual in current generation: 0.97": what was measured there, and not where.
    static bool isMeasuredThere(const LinePair& pair)
    {
        constexpr int fewWords = 3;
        return pair.assigned && pair.isFraction
            && std::count(pair.name.begin(), pair.name.end(), ' ') >= fewWords;
    }

    /// "CG iterations  11": how many a solver needed, and not where the program is.
    static bool isCountOfOthers(const LinePair& pair)
    {
        constexpr size_t longestAcronym = 8;
        const size_t space = pair.name.find(' ');
        const std::string_view first = pair.name.substr(0, space);
        return pair.name.find(' ', space + 1) == std::string_view::npos && first.size() > 1
            && first.size() <= longestAcronym && pair.name.ends_with("iterations")
            && std::all_of(first.begin(), first.end(),
                [](char c) { return (c >= 'A' && c <= 'Z') || isDigit(c) || c == '-'; });
    }

    /// "Train set accuracy for a single minibatch" → "accuracy"
    static std::string_view headOf(const LinePair& pair)
    {
        for (const std::string_view word : {" for ", " on ", " over ", " of "}) {
            const size_t at = pair.assigned ? pair.name.find(word) : std::string_view::npos;
            if (at == std::string_view::npos || at == 0)
                continue;
            const std::string_view before = pair.name.substr(0, at);
            return before.substr(before.rfind(' ') + 1);
        }
        return {};
    }

    /// "I Validation of Epoch" → "valid"
    const QString* setWithin(std::string_view words) const
    {
        while (!words.empty()) {
            const std::string_view word = takeWord(words);
            if (const QString* set = word.size() > 3 ? m_names.set(word) : nullptr)
                return set;
        }
        return nullptr;
    }

    const NameMeaning& partial(const LinePair& pair, const NameMeaning& part)
    {
        if (part.kind == NameMeaning::Counter && *part.x == QLatin1String("iteration")
            && startsWithIgnoringCase(pair.name, "at ") && pair.name.rfind(' ') == 2)
            return part; // "At iterate 5"
        if (!m_out.set)
            m_out.set = setOf(pair.name, m_names);
        if (!m_out.set)
            m_out.set = setWithin(pair.name);
        m_out.isStrict = m_out.isStrict && m_out.set;
        m_out.isPartial = true;
        return part;
    }

    void addCounter(const LinePair& pair, const NameMeaning& meaning)
    {
        if (meaning.use == NameMeaning::Alone) {
            // "Time = 0.005s" is where a simulation is, "Time: 3.9 s" how long something took.
            // "Time: 0.5 hours" is where a simulation is, too: no program takes that long for a
            // line.
            constexpr double minute = 60, instant = 1e-8;
            const bool isOfModel =
                pair.unit && (pair.unit->factor > minute || pair.unit->factor < instant);
            const bool isDuration = pair.unit && pair.assigned && !pair.isBehind && !isOfModel
                && pair.name.data()[pair.name.size()] == ':'; // the number stands behind it
            m_out.isTime = m_pairs.count == 1 && m_pairs.strayWords == 0 && pair.assigned
                && m_pairs.subject.empty() && std::isfinite(pair.value) && pair.name == "Time"
                && !isDuration;
            m_out.time = pair.value * (isOfModel ? pair.unit->factor : 1);
            m_out.isLearnable =
                m_out.isLearnable && !m_out.isTime; // the time is not kept as a pair
            if (!m_out.isTime) {
                addTime(pair);
                m_leadsWithTime =
                    m_leadsWithTime || (&pair == m_pairs.pairs.data() && pair.assigned);
            }
            return;
        }
        if (meaning.isSize())
            noteSize(pair, meaning);
        const bool isEffort =
            pair.isBehind && m_out.sizes.count > 0; // "N: 500, 0.2 s, 10 iterations"
        if (meaning.isSize() || pair.unit || isEffort || isRepetitions(pair))
            return;
        m_out.counting |= uint64_t(1) << (&pair - m_pairs.pairs.data());
        if (!mayCount(pair.value))
            return;
        const bool isEpoch = *meaning.x == QLatin1String("epoch");
        if (!isEpoch && pair.value != std::floor(pair.value)) {
            addLengthOfStep(pair);
            return; // "Batch (t): 0.558" is a time
        }
        if (!isEpoch && pair.isFraction && pair.name.size() <= 2)
            return; // "up = 5.00000, down = 5.00000"
        if (meaning.set && !m_out.set)
            m_out.set = meaning.set;
        auto& slot = isEpoch ? m_out.counters.epoch : m_out.counters.step;
        // "epoch=0/micro_step=10/global_step=10"
        const bool isEpisode = *meaning.x == QLatin1String("episode");
        if (!isEpoch && isLengthOfEpisode(pair)) {
            addLength(pair);
            return;
        }
        if (!slot || startsWithIgnoringCase(pair.name, "global") || pair.name == "num_updates"
            || slot->name == "trial"
            || (slot->name == "episode" && !isEpisode)) { // "Episodes = 2 | Steps = 1528"
            slot = Counter{isEpoch ? std::string_view("epoch") : counterName(*meaning.x),
                pair.value, pair.total};
            (isEpoch ? m_out.epochPair : m_out.stepPair) = &pair;
        }
        m_out.form = mixed(m_out.form, "#");
    }

    /// "b= 1 s= 64 | 5079 tok/s | 113.0 W | iters 318": behind what was tried out and measured
    /// stands how often that was done.
    bool isRepetitions(const LinePair& pair) const
    {
        constexpr size_t fewMetrics = 1;
        const LinePair& first = m_pairs.pairs[0];
        return &pair == &m_pairs.pairs[m_pairs.count - 1] && m_out.count >= fewMetrics
            && isOneOf(pair.name, {"iters", "iterations", "reps", "repetitions", "runs"})
            && first.assigned && !first.isFraction && !first.unit && first.total == 0
            && m_cache.find(first.name).kind != NameMeaning::Counter && !m_out.counters.any();
    }

    /// "Episode 2, Steps: 152": as many as this one had.
    bool isLengthOfEpisode(const LinePair& pair) const
    {
        if (m_out.epochPair && equalsIgnoringCase(m_out.epochPair->name, "ep")
            && equalsIgnoringCase(pair.name, "steps"))
            return pair.assigned && pair.total == 0;
        return m_out.counters.step && m_out.counters.step->name == "episode" && m_out.stepPair
            && isOneOf(m_out.stepPair->name, {"episode", "ep"})
            && equalsIgnoringCase(pair.name, "steps");
    }

    void addLength(const LinePair& pair)
    {
        static const QString steps = QStringLiteral("steps");
        if (!pair.assigned || pair.total > 0)
            return;
        m_out.metrics[m_out.count++] = {&pair, &looseQuantity(), &steps};
        mixName(pair.name);
    }

    /// "Step 12 time 0.0316 timestep 3.82E-03": that of the simulation.
    void addLengthOfStep(const LinePair& pair)
    {
        static const QString length = QStringLiteral("timestep");
        if (!m_out.counters.step
            || !isOneOf(pair.name, {"timestep", "time_step", "time step", "time-step"}))
            return;
        m_out.metrics[m_out.count++] = {&pair, &looseQuantity(), &length};
        mixName(pair.name);
    }

    /// "Trial: 0 Epoch: 80, train_loss: 6857.1": the trials are around the epochs.
    void leaveTrial()
    {
        if (!m_out.counters.epoch || !m_out.counters.step || m_out.counters.step->name != "trial")
            return;
        m_out.counters.step.reset();
        m_out.stepPair = nullptr;
    }

    /// "Kinetic= 4.3e+04  Potential= 2.9e+06  Total= 3.0e+06"
    bool isTotalOfEnergies(const LinePair& pair) const
    {
        constexpr int parts = 2;
        if (!pair.assigned || !pair.isFraction || !equalsIgnoringCase(pair.name, "total"))
            return false;
        const auto end = m_out.metrics.begin() + static_cast<std::ptrdiff_t>(m_out.count);
        return std::count_if(m_out.metrics.begin(), end, [](const LineMetric& metric) {
            return metric.quantity && metric.quantity->id == QLatin1String("energy");
        }) >= parts;
    }

    /// "t = 0.100 dt = 0.001 E = -1.009", "cycle 10: t = 0.10, max|u| = 0.9, mass = 1.0": "t" may
    /// be anything elsewhere, a temperature for one.
    bool isTimeInFront(const LinePair& pair) const
    {
        constexpr size_t least = 3;
        return &pair <= m_pairs.pairs.data() + 1 && pair.name == "t" && pair.assigned
            && pair.isFraction && pair.total == 0 && !pair.unit && m_pairs.count >= least;
    }

    void addTime(const LinePair& pair)
    {
        static const QString time = QStringLiteral("time");
        const NameMeaning& elapsed = m_cache.find("elapsed");
        LineMetric metric = metricOf(pair, elapsed);
        metric.series = &time;
        addMetric(metric, elapsed.isResult);
    }

    /// "Matrix size: 1024, CPU time: 1234.5 ms", "N = 1000 pi = 3.144": of what size the rest is.
    /// Behind a first one there may be others: "N: 1000, threads: 4, time: 0.5 s".
    void noteSize(const LinePair& pair, const NameMeaning& meaning)
    {
        const bool isOfBytes = pair.unit && pair.unit->unit == QLatin1String("B");
        const auto isNumbered = [this](const LinePair& each) { // "Test 1: N = 2"
            return !each.assigned && !each.isFraction && each.total == 0 && !each.unit
                && !each.name.empty() && m_cache.find(each.name).kind == NameMeaning::Unknown;
        };
        const bool isFirst = &pair == m_pairs.pairs.data()
            || (&pair == m_pairs.pairs.data() + 1 && isNumbered(m_pairs.pairs[0]));
        if ((!isFirst && m_out.sizes.count == 0) || !pair.assigned || (pair.unit && !isOfBytes)
            || pair.total > 0 || pair.isFraction || !(pair.value >= 0) || !m_pairs.subject.empty()
            || m_pairs.strayWords > 0 || m_pairs.position.done >= 0)
            return;
        m_out.sizes.set(
            meaning.x, pair.value * (isOfBytes && pair.unit->factor > 0 ? pair.unit->factor : 1));
        m_out.isLearnable = false;
    }

    static std::string_view counterName(const QString& x)
    {
        if (x == QLatin1String("iteration"))
            return "iteration";
        if (x == QLatin1String("batch"))
            return "batch";
        if (x == QLatin1String("episode"))
            return "episode";
        if (x == QLatin1String("trial"))
            return "trial";
        return x == QLatin1String("update") ? "update" : "step";
    }

    LineMetric metricOf(const LinePair& pair, const NameMeaning& meaning) const
    {
        LineMetric metric{&pair, meaning.quantity, &meaning.series, meaning.set, meaning.unit};
        if (!pair.section.empty())
            metric.section = setOf(pair.section, m_names);
        return metric;
    }

    void addMetric(const LineMetric& metric, bool isResult)
    {
        const LinePair& pair = *metric.pair;
        if (pair.total > 0 && metric.quantity->kind != QLatin1String("accuracy"))
            return;
        if (metric.quantity->weak && !pair.assigned && !pair.unit && m_pairs.strayWords > 2)
            return; // "return 0" in code
        if (!m_names.isStatistic(pair.name))
            m_before = &pair;
        m_out.metrics[m_out.count++] = metric;
        // "r = 0" and "loss record 17" are code and prose.
        const bool says = pair.unit || (pair.isBehind && pair.isFraction)
            || (pair.assigned && pair.name.size() > 2)
            || (pair.assigned && metric.quantity->kind == QLatin1String("learning_rate"))
            || (metric.set && pair.name.find('_') != std::string_view::npos);
        const bool timed =
            pair.unit && (pair.name.ends_with("time") || pair.name.ends_with("Time"));
        const bool rated = pair.unit && pair.assigned
            && (pair.unit->quantity
                || (pair.unit->unit == QLatin1String("B")
                    && !startsWithIgnoringCase(pair.name, "estimated ")
                    && metric.quantity->kind == QLatin1String("memory")));
        const bool isClear = !metric.quantity->weak || (pair.isListed && pair.isFraction);
        m_out.isStrong = m_out.isStrong || (says && isClear) || timed || rated;
        m_out.isOutput = (!pair.isQuoted || !pair.group.empty())
            && (m_out.isOutput || pair.unit || m_out.count > 1);
        m_out.isResult = m_out.isResult || isResult;
        m_out.ownSet = m_out.ownSet || (metric.set && *metric.set != QLatin1String("train"));
        mixName(pair.name);
    }

    /// A line of many names may get one more in a later epoch: "| best_loss 7.9".
    void mixName(std::string_view name)
    {
        if (m_mixed++ < namesOfForm)
            m_out.form = mixed(m_out.form, name);
    }

    /// "train Loss: 0.5 Acc: 0.7": the second number is of the same set, if no other is named.
    void shareSet()
    {
        if (m_out.set || m_out.count < 2 || !m_out.metrics[0].set)
            return;
        const std::string_view name = m_out.metrics[0].pair->name;
        if (name.find(' ') == std::string_view::npos)
            return;
        for (size_t i = 1; i < m_out.count; ++i) {
            // "Val Loss: 0.13, Loss: 0.2": the second is of another one.
            if (m_out.metrics[i].set || *m_out.metrics[i].series == *m_out.metrics[0].series)
                return;
        }
        for (size_t i = 1; i < m_out.count; ++i) {
            const MetricQuantity* const quantity = m_out.metrics[i].quantity;
            if (!quantity || isOfModel(*quantity))
                m_out.metrics[i].section = m_out.metrics[0].set;
        }
    }

    /// "Train Loss: 0.5 | Acc: 0.7 | Val Loss: 0.6 | Acc: 0.65": a name that comes again is of the
    /// data set that was named last.
    void shareSections()
    {
        const auto isRepeated = [this](const LineMetric& metric) {
            return std::any_of(m_out.metrics.begin(), m_out.metrics.begin() + m_out.count,
                [&](const LineMetric& other) {
                    return &other != &metric && !other.set && *other.series == *metric.series;
                });
        };
        const QString* set = nullptr;
        for (size_t i = 0; i < m_out.count; ++i) {
            LineMetric& metric = m_out.metrics[i];
            if (metric.set)
                set = metric.set;
            else if (set && !metric.section && isRepeated(metric))
                metric.section = set;
        }
    }

    /// "Train: 0 [ 10/1251 (1%)]", "Test: [ 1/196]"; other words are kept for a strict line.
    /// "H2D 24.1 GB/s D2H 25.1 GB/s": an abbreviation in front of a rate.
    static bool isRateOfCode(const LinePair& pair)
    {
        constexpr size_t longest = 8;
        return !pair.assigned && pair.unit && pair.unit->quantity && pair.total == 0
            && pair.name.size() > 1 && pair.name.size() <= longest
            && std::all_of(pair.name.begin(), pair.name.end(),
                [](char c) { return (c >= 'A' && c <= 'Z') || isDigit(c); });
    }

    void addUnknown(const LinePair& pair, const NameMeaning& meaning)
    {
        if (pair.total > 0 && pair.assigned && pair.value >= 0 && pair.value <= pair.total
            && m_out.counters.epoch && !m_out.counters.step && m_pairs.position.done < 0
            && pair.group.empty() && !setOf(pair.name, m_names)) { // "epoch=0 i=3/530 loss=2.6"
            m_out.counters.step = Counter{"step", pair.value, pair.total};
            m_out.stepPair = &pair;
            return;
        }
        if (const QString* set = pair.name.size() < 12 ? setOf(pair.name, m_names) : nullptr;
            set && pair.name.find_first_of(" _-") == std::string_view::npos) {
            if (isTimed(pair)) { // "train 5.7s | infer 18.7s"
                const MetricQuantity* const time = m_cache.find("elapsed").quantity;
                addMetric({&pair, time, &timeOf(*set), set}, false);
                return;
            }
            addLoose(pair, set);
            m_out.set = set;
            const LinePosition& inside = m_pairs.position;
            if (pair.total > 0 && inside.total > 0 && !inside.isBare && !m_out.isEvaluation()
                && !m_out.counters.epoch && pair.value >= 0) // "Train: 1/3 (33%) [ 50/323 (15%)]"
                setEpoch(pair);
            else if (pair.total > 0 && !m_out.isEvaluation() && !m_out.counters.step
                && pair.value >= 0) {
                m_out.counters.step = Counter{"step", pair.value, pair.total};
                m_out.stepPair = &pair;
            } else if (pair.total > 0) {
                m_out.position = {pair.value, pair.total};
                m_out.positionPair = &pair;
            } else if (m_pairs.position.total > 0 && !m_out.counters.epoch && pair.value >= 0) {
                setEpoch(pair);
            }
            return;
        }
        if (pair.total > 0 && &pair == m_pairs.pairs.data())
            m_progress = &pair;
        if (isRateOfCode(pair)) {
            addMetric({&pair, pair.unit->quantity, &meaning.series}, false);
            return;
        }
        if (!pair.assigned || pair.total > 0) {
            m_out.isStrict = m_out.isStrict && pair.total > 0;
            if (mayBeListed(pair) && m_listedCount < m_listed.size())
                m_listed[m_listedCount++] = metricOf(pair, meaning);
            return;
        }
        LineMetric metric = metricOf(pair, meaning);
        const MetricUnit* const unit = pair.unit ? pair.unit : meaning.unit;
        if (unit && unit->quantity) { // "speed of a device: 51.2TFLOPS", "tok_per_s=8785.9"
            metric.quantity = unit->quantity;
            addMetric(metric, false);
            return;
        }
        m_out.metrics[m_out.count++] = metric;
        mixName(pair.name);
    }

    /// "train" → "train_time". One for each of the few data sets that have words.
    static const QString& timeOf(const QString& set)
    {
        thread_local std::map<QString, QString> names;
        QString& name = names[set];
        if (name.isEmpty())
            name = set + QStringLiteral("_time");
        return name;
    }

    /// What a program has done so far, beside what it measured there; alone it is a setting.
    static bool isTotalOfSteps(std::string_view name)
    {
        return equalsIgnoringCase(name, "total steps") || equalsIgnoringCase(name, "total_steps");
    }

    static bool isTimed(const LinePair& pair)
    {
        return pair.total == 0 && pair.unit && !pair.unit->quantity
            && pair.unit->unit == QLatin1String("s");
    }

    static bool mayBeListed(const LinePair& pair)
    {
        return !pair.assigned && pair.isFraction && !pair.isBehind && pair.total == 0 && !pair.unit
            && pair.name.size() <= 16 && pair.name.find(' ') == std::string_view::npos;
    }

    /// "iter 259 act 2.666e-02 pre 2.665e-02 delta 1.443e-03": fractions behind their names, one
    /// after the other, on a line that counts.
    void placeListed()
    {
        constexpr size_t fewListed = 3;
        constexpr int fewWords = 2;
        // "Epoch 0 Update 100 Cost 129.7 PD 0.92 UD 2.79": beside what is known
        const size_t known = m_pairs.strayWords == 0 ? m_out.count : 0;
        if (m_listedCount == 0 || m_listedCount + known < fewListed || !m_out.counters.any()
            || m_pairs.strayWords > fewWords || m_pairs.count > 2 * (m_listedCount + known))
            return;
        m_out.isStrict = false;
        for (size_t i = 0; i < m_listedCount && m_out.count < m_out.metrics.size(); ++i) {
            m_out.metrics[m_out.count++] = m_listed[i];
            mixName(m_listed[i].pair->name);
        }
    }

    void setEpoch(const LinePair& pair)
    {
        m_out.counters.epoch = Counter{"epoch", pair.value, pair.total};
        m_out.epochPair = &pair;
    }

    /// "learn: 0.47  test: 0.48": numbers that only their data sets name.
    void addLoose(const LinePair& pair, const QString* set)
    {
        if (pair.total > 0)
            return;
        // Whether two of them are fractions depends on their digits.
        m_out.isLearnable = m_out.isLearnable && m_looseCount == 0;
        if (m_looseCount == m_loose.size())
            return;
        const NameMeaning& value = m_cache.find(set->toStdString() + "_value");
        m_loose[m_looseCount++] = {&pair, &looseQuantity(), &value.series, set};
    }

    static const MetricQuantity& looseQuantity()
    {
        static const MetricQuantity value{
            QStringLiteral("value"), QStringLiteral("value"), {}, {}, true};
        return value;
    }

    /// Two sets side by side, with numbers that do not count.
    bool areSetsCompared() const
    {
        bool differs = false, fractional = false;
        for (size_t i = 0; i < m_looseCount; ++i) {
            const double value = m_loose[i].pair->value;
            differs = differs || m_loose[i].series != m_loose[0].series;
            fractional = fractional || value != std::floor(value);
        }
        return differs && fractional;
    }

    void placeLoose()
    {
        if (!m_out.counters.any())
            return;
        for (size_t i = 0; i < m_looseCount && m_out.count < m_out.metrics.size(); ++i)
            addMetric(m_loose[i], false);
    }

    void placePosition()
    {
        const bool compared = areSetsCompared();
        if (compared)
            m_out.set = nullptr; // the line is about all of them
        const LinePosition& position = m_pairs.position;
        // "0/40" without brackets is as often epoch and step.
        const bool unclear = position.isBare && position.done == 0;
        if (position.done >= 0 && m_out.position.done < 0 && !unclear) {
            if (m_out.isEvaluation()) {
                m_out.position = position;
                m_out.isOwnPosition = true;
            } else if (!m_out.counters.step) {
                m_out.counters.step =
                    Counter{position.leads && position.total == 0 ? "iteration" : "step",
                        position.done, position.total};
                m_out.counters.isShare = position.isShare;
                m_out.isStepPosition = true;
            }
        }
        if (m_out.isEvaluation() && m_out.counters.epoch && m_out.counters.step
            && m_out.position.done < 0 && m_out.counters.step->total > 0) {
            m_out.position = {m_out.counters.step->done, m_out.counters.step->total};
            m_out.positionPair = m_out.stepPair;
            m_out.isOwnPosition = m_out.isStepPosition;
            m_out.isStepPosition = false;
            m_out.stepPair = nullptr;
            m_out.counters.step.reset();
        }
        // "Process 100/3161 average objf: -0.69": how much of whatever is done
        if (m_progress && m_out.count > 0 && !m_out.counters.step && m_out.position.done < 0
            && m_progress->value <= m_progress->total) {
            m_out.counters.step = Counter{"step", m_progress->value, m_progress->total};
            m_out.stepPair = m_progress;
        }
        constexpr size_t fewMeasured = 2;
        if (m_totalSteps && !m_out.counters.any() && m_out.count >= fewMeasured
            && mayCount(m_totalSteps->value)) {
            m_out.counters.step = Counter{"step", m_totalSteps->value, 0};
            m_out.stepPair = m_totalSteps;
        }
        if (compared)
            placeLoose();
        dropUnknown();
        placeListed();
        placeBareTime();
    }

    /// "| loss 4.06 | lr 9e-04 | 7367.57ms": how long a step took, where nothing else says that.
    void placeBareTime()
    {
        const bool isTold = std::any_of(m_out.metrics.begin(), m_out.metrics.begin() + m_out.count,
            [](const LineMetric& metric) { return isTimed(*metric.pair); });
        if (m_bareTimeCount == 1 && !isTold && m_out.count > 0 && m_out.counters.step)
            addMetric({m_bareTimes[0], m_cache.find("elapsed").quantity, &stepTime()}, false);
    }

    /// What has no meaning is drawn only beside what has one, on a line of nothing else.
    void dropUnknown()
    {
        size_t known = 0;
        // "train-rmspe:0.3 eval-rmspe:0.8": a data set in a name says that it is a measurement.
        for (size_t i = 0; i < m_out.count; ++i)
            known += m_out.metrics[i].quantity || m_out.metrics[i].set ? 1 : 0;
        // "At iteration 2600, Mean rms=4.1%, delta=43.6%, skip ratio=4.5%, wrote checkpoint."
        constexpr size_t manyNamed = 3;
        constexpr int fewWords = 3, manyWords = 8;
        const auto measured = size_t(std::count_if(m_out.metrics.begin(),
            m_out.metrics.begin() + m_out.count,
            [](const LineMetric& metric) { return metric.pair->assigned && metric.pair->unit; }));
        const bool isList = m_out.count >= manyNamed
            && (m_pairs.strayWords <= fewWords
                || (measured >= manyNamed && m_pairs.strayWords <= manyWords))
            && m_pairs.count <= 2 * m_out.count;
        // "Time: 0.401, dt: 0.0018, kinetic energy: 0.1249, dissipation: 0.0004742"
        const bool counted =
            known > 0 && (m_out.counters.any() || m_leadsWithTime || m_out.sizes.count > 0);
        if (counted && m_out.isStrict) {
            // "t = 0.100 dt = 0.001 E = -1.009424": short names behind the time
            m_out.isStrong = m_out.isStrong || (m_leadsWithTime && m_out.count >= manyNamed);
            m_out.isOutput = m_out.isOutput || m_out.isStrong;
            return;
        }
        // "Cd: R2=0.965  MAPE=33.4%  mid=38.9%  high=8.7%"
        const bool isAmongKnown = known >= 2 && m_out.metrics[0].quantity
            && m_out.count <= 2 * known && m_pairs.strayWords <= 1 && m_pairs.count == m_out.count;
        const auto isKept = [&](const LineMetric& metric) {
            const LinePair& pair = *metric.pair;
            return metric.quantity
                || (isAmongKnown && pair.assigned && pair.isFraction && pair.total == 0)
                || (counted && (isList || pair.isListed) && (pair.isFraction || pair.unit));
        };
        size_t kept = 0;
        for (size_t i = 0; i < m_out.count; ++i) {
            if (!isKept(m_out.metrics[i]))
                m_out.others[m_out.otherCount++] = m_out.metrics[i];
            else if (kept++ != i)
                m_out.metrics[kept - 1] = m_out.metrics[i];
        }
        m_out.count = kept;
    }

    /// "12.5 s", "3 MB", "80 %": a result, and nothing that is tried out.
    static bool isOfResult(const MetricUnit& unit)
    {
        return unit.quantity || unit.unit == QLatin1String("s") || unit.unit == QLatin1String("B")
            || unit.unit == QLatin1String("%");
    }

    /// Whether a program may try out one value of this after the other.
    bool isParameter(const LinePair& pair)
    {
        constexpr size_t longest = 24;
        constexpr int mostSpaces = 2;
        const bool leads = &pair == m_pairs.pairs.data() && m_pairs.strayWords == 0
            && m_pairs.subject.empty(); // "Fold 3: accuracy 0.91"
        if (!(pair.assigned || leads) || pair.isQuoted || !pair.group.empty() || pair.hasMean
            || (pair.unit && isOfResult(*pair.unit)) || pair.name.empty()
            || pair.name.size() > longest || !isLetter(pair.name[0])
            || std::count(pair.name.begin(), pair.name.end(), ' ') > mostSpaces)
            return false;
        const NameMeaning& meaning = m_cache.find(pair.name);
        const bool isNamed = meaning.kind == NameMeaning::Unknown
            ? !meaning.unit && !setOf(pair.name, m_names)
            : meaning.kind == NameMeaning::Setting && m_names.isParameter(pair.name);
        return isNamed && mayBeTriedOut(pair, leads);
    }

    /// The same by its number, of which the line keeps how it was.
    bool mayBeTriedOut(const LinePair& pair, bool leads)
    {
        constexpr double largest = 1e12; // "target 39627872045893843" is the name of something
        if (!(std::abs(pair.value) <= largest)) {
            m_out.isLearnable = false;
            return false;
        }
        if (leads)
            m_out.counting |= uint64_t(1);
        leads = leads && pair.value >= 0 && pair.value == std::floor(pair.value);
        const bool isPart = leads && pair.value <= pair.total; // "Fold 3/10"
        return (pair.assigned || leads) && (pair.total == 0 || isPart);
    }

    /// "0.10 <m> = 0.99", "10000 time 62.3"
    void findFirstNumber()
    {
        constexpr size_t fewNames = 4;
        const auto begin = m_pairs.pairs.begin();
        const auto end = begin + static_cast<std::ptrdiff_t>(m_pairs.count);
        const bool isAlone = m_pairs.strayWords == 1 && m_pairs.count > 0
            && m_pairs.count <= fewNames && m_pairs.placeCount > m_pairs.count
            && m_pairs.places[0].isFirst && m_pairs.places[0].pair < 0;
        const auto isNamed = [this](const LinePair& pair) {
            if (pair.total > 0 || pair.isBehind || pair.name.empty() || !pair.group.empty())
                return false;
            const NameMeaning& meaning = m_cache.find(pair.name);
            const bool isTime = meaning.kind == NameMeaning::Counter
                && meaning.use == NameMeaning::Alone && pair.isFraction;
            const bool isMeasured = meaning.kind == NameMeaning::Metric
                || (meaning.kind != NameMeaning::Counter && pair.assigned && pair.isFraction);
            return isTime || (isMeasured && (pair.isFraction || pair.unit));
        };
        std::string_view text = m_pairs.places[0].text;
        if (!isAlone || !std::all_of(begin, end, isNamed))
            return;
        m_out.firstNumber = takeNumber(text);
        m_out.isLearnable = false;
    }

    bool mayBeOwnSweep() const
    {
        constexpr size_t fewNames = 3, fewMeasured = 2;
        const auto begin = m_pairs.pairs.begin();
        const auto end = begin + static_cast<std::ptrdiff_t>(m_pairs.count);
        return m_pairs.count >= fewNames && m_pairs.strayWords <= 1 && m_pairs.subject.empty()
            && std::all_of(begin, end,
                [](const LinePair& pair) {
                    return pair.assigned && pair.total == 0 && pair.group.empty() && !pair.isQuoted
                        && !pair.name.empty();
                })
            && size_t(std::count_if(begin + 1, end,
                   [](const LinePair& pair) { return pair.isFraction || pair.unit; }))
            >= fewMeasured;
    }

    /// "k = 5, took 0.3 s", "depth 3: 0.52 s", "k=5 avg 0.3 ms", "blocks=64 kernel: 0.5 us": how
    /// long that took, and nothing else.
    void addLoneTime(const LinePair& pair)
    {
        static const QString time = QStringLiteral("time");
        if (m_out.count > 0 || !isTimed(pair) || pair.total > 0)
            return;
        const bool isTime = pair.name.empty() || isOneOf(pair.name, {"took", "takes", "in"})
            || m_names.isStatistic(pair.name);
        const QString& series = isTime ? time : m_cache.find(pair.name).series;
        if (series.isEmpty() || (!isTime && !pair.assigned))
            return;
        addMetric({&pair, m_cache.find("elapsed").quantity, &series}, false);
        m_out.isStrong = true;
    }

    void findParameters()
    {
        constexpr int fewWords = 2;
        m_out.isOfSettings = m_out.sizes.count > 0 && m_out.count == 0 && !m_out.counters.any();
        constexpr size_t fewResults = 2; // "k=64, performance: 12.5 GFLOPS"
        if (m_out.counters.any() || m_out.sizes.count > 0 || m_out.isTime
            || (m_out.isResult && m_pairs.count > fewResults) || m_leadsWithTime
            || m_pairs.position.done >= 0 || m_pairs.strayWords > fewWords)
            return;
        findFirstNumber();
        const auto begin = m_pairs.pairs.begin();
        const auto last = begin + static_cast<std::ptrdiff_t>(m_pairs.count);
        const auto* const other =
            std::find_if(begin, last, [this](const LinePair& pair) { return !isParameter(pair); });
        const auto all = static_cast<size_t>(other - begin);
        const size_t count = std::min(all, m_out.parameters.size());
        for (size_t i = 0; i < count; ++i)
            m_out.parameters[i] = &m_pairs.pairs[i];
        if (all > 0 && all + 1 == m_pairs.count)
            addLoneTime(m_pairs.pairs[all]);
        m_out.isOwnSweep = all > 0 && m_out.count == 0 && mayBeOwnSweep();
        const LinePair* const end = m_pairs.pairs.data() + all;
        m_out.isOfSettings = all > 0
            && (all == m_pairs.count
                || (m_out.count == 0 && std::all_of(other, last, [](const LinePair& pair) {
                       return pair.assigned && !pair.unit;
                   })));
        const bool isMeasured = count > 0
            && std::any_of(m_out.metrics.begin(), m_out.metrics.begin() + m_out.count,
                [end](const LineMetric& metric) {
                    return metric.pair >= end && metric.quantity
                        && (metric.pair->isFraction || metric.pair->unit);
                });
        // "Prog= 2.00%  N_left= 99680  Time= 0.68  GF= 19722": how far it is
        const auto isTime = [this](const LinePair& pair) {
            const NameMeaning& meaning = m_cache.find(pair.name);
            return meaning.kind == NameMeaning::Counter && meaning.use == NameMeaning::Alone
                && !pair.unit;
        };
        m_out.isLearnable = m_out.isLearnable && !m_out.isOwnSweep;
        constexpr size_t fewPairs = 2; // "L = 16, time = 0.52"
        if (!m_out.isOfSettings && (!isMeasured || (isTime(*end) && m_pairs.count > fewPairs)))
            return;
        m_out.parameterCount = count;
        m_out.isLearnable = false;
    }

    const LinePairs& m_pairs;
    NameCache& m_cache;
    const MetricNames& m_names;
    LineMeaning& m_out;
    const LinePair* m_before = nullptr; ///< the measurement before, apart from its statistics
    std::array<LineMetric, 4> m_loose;
    size_t m_looseCount = 0;
    std::array<LineMetric, 16> m_listed;
    size_t m_listedCount = 0;
    std::array<const LinePair*, 2> m_bareTimes{};
    size_t m_bareTimeCount = 0;
    std::string_view m_words; ///< of what the statistics on the line are
    const LinePair* m_progress = nullptr;
    const LinePair* m_totalSteps = nullptr;
    bool m_leadsWithTime = false;
    static constexpr int namesOfForm = 3;
    int m_mixed = 0;
};

bool takesSet(const LineMetric& metric, const QString* set)
{
    if (!set || metric.set)
        return false;
    if (metric.quantity && metric.quantity->kind == QLatin1String("learning_rate"))
        return false; // below an evaluation it is that of the training
    if (metric.section || *set != QLatin1String("train"))
        return true;
    return metric.quantity && isOfModel(*metric.quantity);
}

} // namespace

bool isOfModel(const LineMeaning& line)
{
    const auto end = line.metrics.begin() + static_cast<std::ptrdiff_t>(line.count);
    return line.count > 0 && std::all_of(line.metrics.begin(), end, [](const LineMetric& metric) {
        return metric.quantity && isOfModel(*metric.quantity);
    });
}

bool mayCount(double value)
{
    return value >= 0 && value <= 1e15;
}

const QString* dataSetOf(const LinePairs& pairs, const MetricNames& names)
{
    const QString* const set = setOf(pairs.subject, names);
    return set || pairs.count == 0 ? set : setOf(pairs.pairs[0].section, names);
}

bool readMeaning(
    const LinePairs& pairs, NameCache& cache, const MetricNames& names, LineMeaning& out)
{
    static_cast<LineFacts&>(out) = {};
    out.count = out.otherCount = out.parameterCount = 0;
    out.isOfSettings = false;
    out.firstNumber.reset();
    out.isOwnSweep = false;
    out.epochPair = out.stepPair = out.positionPair = nullptr;
    return MeaningReader(pairs, cache, names, out).read();
}

Sample sampleOf(const LineMetric& metric, const LineMeaning& line)
{
    const LinePair& pair = *metric.pair;
    Sample sample;
    sample.series = *metric.series;
    if (pair.part > 0)
        sample.series += u'_' + QString::number(pair.part);
    sample.isOwnName = !metric.quantity && !metric.set; // a data set says that it is measured
    const QString* const set = metric.section ? metric.section : line.set;
    if (takesSet(metric, set)) {
        static const QString average = QStringLiteral("average_");
        if (sample.series.startsWith(average))
            sample.series.remove(0, average.size());
        if (!sample.series.startsWith(*set))
            sample.series = *set + u'_' + sample.series;
    }
    const bool wholeSet = line.position.done >= 0 && pair.hasMean;
    sample.y = wholeSet ? pair.mean : pair.value;
    const MetricUnit* unit = pair.unit ? pair.unit : metric.unit;
    if (pair.total > 0) {
        sample.y = 100 * pair.value / pair.total;
        sample.unit = QStringLiteral("%");
    } else if (unit) {
        sample.y *= unit->factor;
        sample.unit = unit->unit;
    } else if (metric.quantity && !metric.quantity->unit.isEmpty()) {
        sample.unit = metric.quantity->unit;
    } else {
        sample.unit = seriesUnit(sample.series, NamedNumber{pair.name, sample.y, {}});
    }
    return sample;
}

} // namespace slipway
