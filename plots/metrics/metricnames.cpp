// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/metricnames.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/metricnamesdata.h"
#include "plots/metrics/scan.h"
#include "remote/base/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <set>

namespace slipway {

namespace {

constexpr size_t longestName = 80;

/// "recall@20" as "recall@k": how many were looked at says nothing of what was measured.
std::string withAnyCount(std::string_view words)
{
    std::string any;
    for (size_t at = 0; at < words.size();) {
        any += words[at++];
        const size_t count = at;
        while (any.back() == '@' && at < words.size() && isDigit(words[at]))
            ++at;
        if (at > count)
            any += 'k';
    }
    return any;
}

/// Lower case, one underscore between words. With `humps`, "MemAllocated" is two words.
std::string plainWords(std::string_view name, bool humps)
{
    std::string out;
    for (size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const bool isUpper = c >= 'A' && c <= 'Z';
        if (c == '\'' && i + 1 < name.size() && name[i + 1] == 's') {
            ++i; // "training's auc"
            continue;
        }
        if (isLetter(c) || isDigit(c) || c == '@') {
            const bool hump = humps && isUpper && i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
            if (hump)
                out.push_back('_');
            out.push_back(toLowerCase(c));
        } else if (isGreek(name.substr(i))) {
            out.append(name, i++, 2);
        } else if (!out.empty() && out.back() != '_') {
            out.push_back('_');
        }
    }
    while (!out.empty() && out.back() == '_')
        out.pop_back();
    return out;
}

/// "words/sec/thread", "READ/s": how much of something in a second, whatever it is.
bool isRate(std::string_view name)
{
    for (size_t at = name.find("/s"); at != std::string_view::npos; at = name.find("/s", at + 1)) {
        std::string_view behind = name.substr(at + 2);
        if (!skip(behind, "econd"))
            skip(behind, "ec");
        if (at > 1 && isLetter(name[at - 1]) && (behind.empty() || behind[0] == '/'))
            return true;
    }
    return false;
}

/// Not "km/s", which is a speed.
bool isRateOfWord(std::string_view written)
{
    constexpr size_t shortestWord = 3;
    const size_t slash = written.find('/');
    return slash != std::string_view::npos && slash >= shortestWord && isRate(written)
        && std::all_of(written.begin(), written.begin() + std::ptrdiff_t(slash), isLetter);
}

Error wrong(const QString& what)
{
    return Error{ErrorKind::Invalid, tr("metric-names.json is not usable: %1.").arg(what)};
}

std::vector<std::string> texts(const QJsonValue& list)
{
    std::vector<std::string> out;
    for (const QJsonValue& text : list.toArray())
        out.push_back(text.toString().toStdString());
    return out;
}

NameMeaning::Use useOf(const QString& only)
{
    if (only == QLatin1String("alone"))
        return NameMeaning::Alone;
    if (only == QLatin1String("first"))
        return NameMeaning::First;
    return only == QLatin1String("column") ? NameMeaning::Column : NameMeaning::Anywhere;
}

bool isCount(std::string_view word)
{
    return wholeCount(word).has_value();
}

/// The same for a letter of either case.
size_t placeOfLetter(char first)
{
    return static_cast<unsigned char>(first) % 32;
}

/// "latency_min" is the least of many, "elapsed_min" is in minutes.
bool isLeast(std::string_view plain)
{
    static constexpr std::string_view wholes[] = {
        "elapsed", "duration", "wall", "runtime", "total"};
    return plain.ends_with("_min")
        && std::none_of(std::begin(wholes), std::end(wholes), [plain](std::string_view whole) {
               return plain.find(whole) != std::string_view::npos;
           });
}

} // namespace

Result<MetricNames> MetricNames::parse(const QByteArray& json)
{
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(json, &problem);
    if (!document.isObject())
        return wrong(problem.errorString());
    MetricNames names;
    if (auto error = names.read(document.object()))
        return *error;
    return Result<MetricNames>(std::move(names));
}

const MetricNames& MetricNames::builtIn()
{
    static const MetricNames names = [] {
        Result<MetricNames> read = parse(QByteArray(metricNamesJson));
        return read.ok() ? std::move(read).value() : MetricNames(); // a test reads the file
    }();
    return names;
}

std::optional<Error> MetricNames::read(const QJsonObject& file)
{
    for (const QJsonValue& entry : file.value(QLatin1String("counters")).toArray()) {
        m_counterNames.push_back(entry[QLatin1String("x")].toString());
        if (m_counterNames.back().isEmpty())
            return wrong(tr("a counter without “x”"));
        const NameMeaning::Use use = useOf(entry[QLatin1String("only")].toString());
        for (std::string& name : texts(entry[QLatin1String("names")]))
            m_counters.emplace(std::move(name), CounterWord{m_counterNames.size() - 1, use});
    }
    for (std::string& words : texts(file.value(QLatin1String("counts"))))
        m_counts.emplace(std::move(words), 0);
    for (std::string& word : texts(file.value(QLatin1String("variants"))))
        m_variants.emplace(std::move(word), 0);
    for (std::string& word : texts(file.value(QLatin1String("reports")))) {
        const bool isBeginning = word.ends_with('*');
        if (isBeginning)
            word.pop_back();
        if (!word.empty())
            m_reports[placeOfLetter(word[0])].push_back({word, isBeginning});
    }
    for (std::string& word : texts(file.value(QLatin1String("parameters"))))
        m_parameters.emplace(std::move(word), 0);
    for (std::string& word : texts(file.value(QLatin1String("implementations"))))
        m_implementations.emplace(std::move(word), 0);
    for (const QJsonValue& entry : file.value(QLatin1String("sets")).toArray()) {
        m_setNames.push_back(entry[QLatin1String("name")].toString());
        for (std::string& word : texts(entry[QLatin1String("words")]))
            m_sets.emplace(std::move(word), m_setNames.size() - 1);
    }
    for (std::string& word : texts(file.value(QLatin1String("means"))))
        m_means.emplace(std::move(word), 0);
    for (std::string& word : texts(file.value(QLatin1String("statistics")))) {
        m_means.emplace(word, 0);
        m_statistics.emplace(std::move(word), 0);
    }
    for (std::string& word : texts(file.value(QLatin1String("settings"))))
        m_settings.emplace(std::move(word), 0);
    for (std::string& word : texts(file.value(QLatin1String("results"))))
        m_results.emplace(std::move(word), 0);
    for (const QJsonValue& entry : file.value(QLatin1String("quantities")).toArray()) {
        MetricQuantity quantity{entry[QLatin1String("quantity")].toString(),
            entry[QLatin1String("kind")].toString(), entry[QLatin1String("unit")].toString(), {},
            entry[QLatin1String("weak")].toBool()};
        if (quantity.id.isEmpty())
            return wrong(tr("a quantity without a name"));
        if (const QString better = entry[QLatin1String("better")].toString(); !better.isEmpty())
            quantity.higherIsBetter = better == QLatin1String("higher");
        m_quantities.push_back(std::move(quantity));
        const size_t index = m_quantities.size() - 1;
        const auto add = [&](const char* key, Map<size_t>& into) {
            for (std::string& name : texts(entry[QLatin1String(key)]))
                into.emplace(std::move(name), index);
        };
        add("names", m_names);
        add("ends", m_ends);
        add("begins", m_begins);
    }
    return readUnits(file);
}

std::optional<Error> MetricNames::readUnits(const QJsonObject& file)
{
    for (const QJsonValue& entry : file.value(QLatin1String("units")).toArray()) {
        MetricUnit unit{entry[QLatin1String("unit")].toString(),
            entry[QLatin1String("factor")].toDouble(1), nullptr};
        if (!(unit.factor > 0))
            return wrong(tr("the factor of %1").arg(unit.unit));
        const QString id = entry[QLatin1String("quantity")].toString();
        for (const MetricQuantity& quantity : m_quantities) {
            if (!id.isEmpty() && quantity.id == id)
                unit.quantity = &quantity;
        }
        if (!id.isEmpty() && !unit.quantity)
            return wrong(tr("no quantity is called %1").arg(id));
        m_unitList.push_back(std::move(unit));
        for (std::string& word : texts(entry[QLatin1String("written")]))
            m_units.emplace(std::move(word), m_unitList.size() - 1);
    }
    return {};
}

const MetricUnit* MetricNames::unit(std::string_view written) const
{
    const size_t* const found = m_units.find(written);
    return found ? &m_unitList[*found] : nullptr;
}

const MetricUnit* MetricNames::rate(std::string_view written) const
{
    if (!isRateOfWord(written))
        return nullptr;
    const MetricUnit* const known = knownRate(written);
    return known ? known : unit("/s");
}

/// "Images/s" as "images/s".
const MetricUnit* MetricNames::knownRate(std::string_view written) const
{
    if (!isRateOfWord(written))
        return nullptr;
    std::string lower(written);
    std::transform(lower.begin(), lower.end(), lower.begin(), toLowerCase);
    return unit(lower);
}

bool MetricNames::isNumberOf(std::string_view printed) const
{
    static constexpr std::string_view begins[] = {"n_", "num_", "nb_", "number_of_", "no_of_"};
    const std::string plain = plainWords(printed, true);
    return std::any_of(std::begin(begins), std::end(begins), [&plain](std::string_view begin) {
        return plain.starts_with(begin) && plain.size() > begin.size() + 1;
    }) && meaning(printed).kind == NameMeaning::Unknown;
}

bool MetricNames::isImplementation(std::string_view word) const
{
    constexpr size_t longest = 16;
    return word.size() <= longest && m_implementations.contains(plainWords(word, false));
}

bool MetricNames::isVariant(std::string_view printed) const
{
    constexpr size_t longest = 24;
    if (printed.size() > longest)
        return false;
    std::string plain = plainWords(printed, false);
    if (plain.ends_with("_name")) // "Strategy_Name"
        plain.resize(plain.size() - 5);
    return m_variants.contains(plain);
}

bool MetricNames::isReport(std::string_view word) const
{
    if (word.empty())
        return false;
    const std::vector<Report>& reports = m_reports[placeOfLetter(word[0])];
    return std::any_of(reports.begin(), reports.end(), [word](const Report& report) {
        return report.isBeginning ? startsWithIgnoringCase(word, report.text)
                                  : equalsIgnoringCase(word, report.text);
    });
}

bool MetricNames::isParameter(std::string_view printed) const
{
    constexpr size_t longest = 24;
    if (printed.size() > longest)
        return false;
    const std::string plain = plainWords(printed, false);
    return m_parameters.contains(plain) || !m_settings.contains(plain); // "nMax", "max_iter"
}

std::vector<QString> MetricNames::sizeNames() const
{
    std::vector<QString> names;
    std::copy_if(m_counterNames.begin(), m_counterNames.end(), std::back_inserter(names),
        [this](const QString& name) { return meaning(name.toStdString()).isSize(); });
    return names;
}

std::vector<std::string> MetricNames::wordsOfSizes() const
{
    std::set<std::string> words;
    const auto add = [&words](std::string_view name) {
        name = name.substr(name.rfind('_') + 1); // "matrix_size" may be "Matrix Size"
        if (name.size() > 3 && name.ends_with("ies"))
            name.remove_suffix(3);
        else if (name.size() > 2 && name.ends_with('s'))
            name.remove_suffix(1); // "1 thread"
        if (name.size() > 1) // a letter is on every line
            words.emplace(name);
    };
    for (const auto& [name, counter] : m_counters) {
        if (counter.use == NameMeaning::Column || counter.use == NameMeaning::First)
            add(name);
    }
    return {words.begin(), words.end()};
}

std::vector<std::string> MetricNames::titlesOfVariants() const
{
    std::vector<std::string> titles;
    for (const auto& [name, unused] : m_variants)
        for (const char* const sign : {":", " :"})
            titles.push_back(name.substr(name.rfind('_') + 1) + sign); // "Data type: float"
    for (const auto& [name, unused] : m_implementations)
        titles.push_back(name);
    return titles;
}

/// Where a short word is, letter case apart; null: nowhere.
const size_t* MetricNames::findWord(const Map<size_t>& words, std::string_view word)
{
    char text[16];
    if (word.size() < 2 || word.size() > sizeof text)
        return nullptr;
    for (size_t i = 0; i < word.size(); ++i)
        text[i] = toLowerCase(word[i]);
    return words.find(std::string_view(text, word.size()));
}

const QString* MetricNames::set(std::string_view word) const
{
    const size_t* const found = findWord(m_sets, word);
    return found ? &m_setNames[*found] : nullptr;
}

bool MetricNames::isStatistic(std::string_view word) const
{
    return findWord(m_statistics, word) != nullptr;
}

const MetricQuantity* MetricNames::byEnd(std::string_view words) const
{
    size_t at = words.size();
    for (int count = 0; count < 5 && at != std::string_view::npos && at > 0; ++count) {
        at = words.rfind('_', at - 1);
        const std::string_view tail = at == std::string_view::npos ? words : words.substr(at + 1);
        if (const size_t* found = m_ends.find(tail))
            return &m_quantities[*found];
    }
    return nullptr;
}

const MetricQuantity* MetricNames::byBegin(std::string_view words) const
{
    size_t at = 0;
    for (int count = 0; count < 3 && at != std::string_view::npos; ++count) {
        at = words.find('_', at == 0 ? 0 : at + 1);
        if (const size_t* found = m_begins.find(words.substr(0, at)))
            return &m_quantities[*found];
    }
    return nullptr;
}

const MetricQuantity* MetricNames::quantityOf(std::string_view words) const
{
    std::string anyCount;
    if (words.find('@') != std::string_view::npos) {
        anyCount = withAnyCount(words);
        words = anyCount;
    }
    if (const size_t* found = m_names.find(words))
        return &m_quantities[*found];
    if (const MetricQuantity* quantity = byEnd(words))
        return quantity;
    return byBegin(words);
}

/// "train_epoch" → "epoch" of the set "train".
std::string_view MetricNames::withoutSets(std::string_view words, const QString** set) const
{
    const size_t first = words.find('_');
    if (first == std::string_view::npos)
        return words;
    if (const QString* named = this->set(words.substr(0, first))) {
        *set = named;
        return words.substr(first + 1);
    }
    const size_t last = words.rfind('_');
    if (const QString* named = this->set(words.substr(last + 1))) {
        *set = named;
        return words.substr(0, last);
    }
    return words;
}

/// "valid_1_auc" → "auc" of the set "valid"; "average_loss_epoch" → "loss".
std::string_view MetricNames::withoutQualifiers(std::string_view words, const QString** set) const
{
    for (bool found = true; found;) {
        found = false;
        const size_t first = words.find('_');
        if (first == std::string_view::npos)
            break;
        const std::string_view front = words.substr(0, first);
        const size_t last = words.rfind('_');
        const std::string_view back = words.substr(last + 1);
        const QString* named = this->set(front);
        if (named || m_means.contains(front) || (isCount(front) && *set)) {
            *set = named ? named : *set;
            words.remove_prefix(first + 1);
            found = true;
        } else if ((named = this->set(back)) || m_means.contains(back) || back == "step"
            || isCount(back)) {
            *set = named ? named : *set;
            words = words.substr(0, last);
            found = true;
        }
    }
    return words;
}

/// "total_number_of_threads", "nthreads", "thread_count": as "threads".
const MetricNames::CounterWord* MetricNames::counterOf(std::string_view words) const
{
    constexpr std::string_view count = "_count";
    constexpr size_t shortest = 4;
    if (const CounterWord* found = m_counters.find(words))
        return found;
    if (words.ends_with(count))
        return sizeOf(words.substr(0, words.size() - count.size()));
    if (words.size() > shortest && words[0] == 'n') {
        if (const CounterWord* found = sizeOf(words.substr(1)))
            return found;
    }
    size_t begin = 0; // of what is counted
    for (size_t at = words.find('_'); at != std::string_view::npos; at = words.find('_', at + 1)) {
        if (m_counts.contains(words.substr(begin, at - begin)))
            begin = at + 1;
    }
    return begin > 0 ? sizeOf(words.substr(begin)) : nullptr;
}

/// A size that is said to be counted: "threads", or one of them as in "num_thread".
const MetricNames::CounterWord* MetricNames::sizeOf(std::string_view words) const
{
    const CounterWord* found = m_counters.find(words);
    if (!found)
        found = m_counters.find(std::string(words) + 's');
    return found && found->use == NameMeaning::First ? found : nullptr;
}

NameMeaning MetricNames::meaningOf(std::string_view words) const
{
    NameMeaning meaning;
    const std::string_view counted = withoutSets(words, &meaning.set);
    if (const CounterWord* found = counterOf(counted)) {
        meaning.kind = NameMeaning::Counter;
        meaning.x = &m_counterNames[found->x];
        meaning.use = found->use;
        return meaning;
    }
    meaning.set = nullptr;
    if (m_settings.contains(words)) {
        meaning.kind = NameMeaning::Setting;
        return meaning;
    }
    if (const size_t* found = m_names.find(words)) {
        meaning.kind = NameMeaning::Metric;
        meaning.quantity = &m_quantities[*found];
        return meaning;
    }
    const std::string_view plain = withoutQualifiers(words, &meaning.set);
    meaning.quantity = quantityOf(plain);
    if (!meaning.quantity)
        meaning.quantity = quantityAt(plain);
    if (meaning.quantity)
        meaning.kind = NameMeaning::Metric;
    else if (plain.size() != words.size() && m_counters.contains(plain))
        meaning.kind = NameMeaning::Setting; // "total steps", "epoch_1"
    return meaning;
}

/// "ndcg@101": of as many first guesses as somebody likes, where another number of them is known.
const MetricQuantity* MetricNames::quantityAt(std::string_view plain) const
{
    const size_t at = plain.rfind('@');
    if (at == std::string_view::npos || !wholeCount(plain.substr(at + 1)))
        return nullptr;
    const std::string name(plain.substr(0, at));
    const MetricQuantity* found = quantityOf(name + "@10");
    if (!found)
        found = quantityOf(name);
    return found && found->kind == QLatin1String("accuracy") ? found : nullptr;
}

/// "samples_per_second": what is counted, each second.
const MetricUnit* MetricNames::rateOf(std::string_view plain) const
{
    const size_t per = plain.rfind("_per_");
    if (per == std::string_view::npos)
        return nullptr;
    const std::string_view of = plain.substr(per + 5);
    if (of != "sec" && of != "second" && of != "s")
        return nullptr;
    const size_t begin = plain.rfind('_', per - 1);
    const std::string_view what =
        plain.substr(begin == std::string_view::npos ? 0 : begin + 1, per - (begin + 1));
    return unit(std::string(what) + "/s");
}

/// "Best Rate MB/s" is a rate in MB/s, "step_time_ms" a time in ms.
void MetricNames::readUnitOf(
    std::string_view printed, std::string_view plain, NameMeaning& meaning) const
{
    if (printed.size() > 1 && plain != "min") // "M", "K" are sizes of matrices, "min" is the least
        meaning.unit = unit(printed); // "TFLOP/s"
    if (const size_t slash = printed.rfind('/'); !meaning.unit && slash != std::string_view::npos)
        meaning.unit = unit(printed.substr(0, slash)); // "Tokens/s/device", "ms/step"
    if (meaning.unit && !meaning.unit->quantity && meaning.unit->unit == QLatin1String("B")
        && printed.find('/') != std::string_view::npos)
        meaning.unit = nullptr; // "M/hr"
    if (!meaning.unit)
        meaning.unit = rateOf(plain);
    if (!meaning.unit)
        meaning.unit = knownRate(printed);
    if (meaning.unit)
        return;
    const size_t space = printed.rfind(' ');
    if (space != std::string_view::npos) {
        std::string_view name = printed.substr(0, space);
        if (!isLeast(plain))
            meaning.unit = unit(printed.substr(space + 1));
        if (meaning.unit) {
            if (name.ends_with(" in")) // "train_step_timing in s"
                name.remove_suffix(3);
            meaning.series = seriesName(name);
            return;
        }
    }
    if (meaning.quantity && meaning.isResult
        && space != std::string_view::npos) { // "… a GFLOP/s rating of"
        for (std::string_view rest = printed; !rest.empty() && !meaning.unit;)
            meaning.unit = unit(takeWord(rest));
        if (meaning.unit)
            meaning.series = meaning.quantity->id;
    }
    const size_t last = plain.rfind('_');
    if (last == std::string_view::npos)
        return;
    const MetricUnit* const tail = isLeast(plain) ? nullptr : unit(plain.substr(last + 1));
    const bool time = meaning.quantity && meaning.quantity->unit == QLatin1String("s");
    const bool memory = meaning.quantity && meaning.quantity->kind == QLatin1String("memory");
    if (!meaning.quantity) { // "elapsed_time_per_iteration_ms"
        if (tail && tail->unit == QLatin1String("s") && tail->factor < 1 && !tail->quantity)
            meaning.unit = tail;
        return;
    }
    if (tail
        && ((time && tail->unit == QLatin1String("s"))
            || (memory && tail->unit == QLatin1String("B"))))
        meaning.unit = tail;
}

NameMeaning MetricNames::meaning(std::string_view printed) const
{
    if (printed.empty() || printed.size() > longestName)
        return {};
    const std::string plain = plainWords(printed, false);
    NameMeaning meaning = meaningOf(plain);
    if (meaning.kind == NameMeaning::Unknown) {
        const std::string words = plainWords(printed, true);
        if (words != plain)
            meaning = meaningOf(words);
    }
    constexpr size_t shortest = 3;
    const size_t slash = printed.rfind('/');
    if (meaning.kind == NameMeaning::Unknown && slash != std::string_view::npos
        && printed.size() - slash > shortest) {
        const NameMeaning last = meaningOf(plainWords(printed.substr(slash + 1), false));
        if (last.kind == NameMeaning::Metric && !last.quantity->weak)
            meaning = last; // "G/loss_id"
    }
    if (meaning.kind == NameMeaning::Metric || meaning.kind == NameMeaning::Unknown)
        meaning.series = seriesName(printed);
    else if (meaning.kind == NameMeaning::Setting && (plain == "total" || plain.size() == 1))
        meaning.series = seriesName(printed); // a column of fractions: the sum of others, "T U P"
    if (meaning.kind == NameMeaning::Metric) {
        for (const auto& [name, unused] : m_results)
            meaning.isResult = meaning.isResult || plain.ends_with(name);
    }
    if (meaning.kind == NameMeaning::Metric || meaning.kind == NameMeaning::Unknown)
        readUnitOf(printed, plain, meaning);
    if (meaning.kind == NameMeaning::Unknown && !meaning.unit && isRate(printed)) {
        meaning.kind = NameMeaning::Metric;
        meaning.quantity = quantityOf("throughput");
    }
    return meaning;
}

bool isSizeName(const QString& name)
{
    static const std::vector<QString> sizes = MetricNames::builtIn().sizeNames();
    return std::any_of(
        sizes.begin(), sizes.end(), [&name](const QString& size) { return size == name; });
}

NameCache::NameCache(const MetricNames& names)
    : m_names(names)
{
}

const NameMeaning& NameCache::find(std::string_view printed)
{
    if (printed.empty() || printed.size() > longestName)
        return m_unknown;
    const size_t hash = std::hash<std::string_view>()(printed);
    if (m_entries.empty()) {
        m_entries.resize(mostEntries);
        m_hashes.resize(mostEntries);
    }
    const size_t first = (hash ^ (hash >> 32)) % (mostEntries / entriesOfHash) * entriesOfHash;
    size_t slot = first;
    for (; slot < first + entriesOfHash && m_entries[slot]; ++slot) {
        if (m_hashes[slot] == hash && m_entries[slot]->name == printed)
            return m_entries[slot]->meaning;
    }
    if (slot == first + entriesOfHash) {
        slot = first + m_oldest % entriesOfHash;
        m_replaced.resize(mostEntries);
        m_replaced[m_oldest++ % mostEntries] = std::move(m_entries[slot]);
    }
    m_hashes[slot] = hash;
    m_entries[slot] =
        std::make_unique<Entry>(Entry{std::string(printed), m_names.meaning(printed)});
    return m_entries[slot]->meaning;
}

} // namespace slipway
