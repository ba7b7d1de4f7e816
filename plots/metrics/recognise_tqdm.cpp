// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/fieldwords.h"
#include "plots/metrics/lineprefix.h"
#include "plots/metrics/readpairs.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/tqdmbar.h"

#include <algorithm>
#include <map>

namespace slipway {

namespace {

constexpr size_t longestLane = 40; ///< a longer description includes another line
constexpr size_t manyBars = 256;

/// The end of the lane name before an epoch: "Train Epoch 3/10" is the lane "Train".
struct EpochWords {
    std::optional<double> epoch;
    double epochs = 0;
    std::string_view lane;
};

EpochWords readEpoch(std::string_view description)
{
    EpochWords words{{}, 0, description};
    size_t at = description.rfind("poch ");
    if (at == std::string_view::npos || at == 0 || (description[at - 1] | 0x20) != 'e')
        return words;
    --at;
    std::string_view rest = description.substr(at + 6);
    skipSpaces(rest);
    const auto epoch = takeNumber(rest);
    if (!epoch || !(*epoch >= 0) || *epoch > 1e9)
        return words;
    if (skip(rest, "/")) {
        const auto epochs = takeNumber(rest);
        if (!epochs || !(*epochs >= *epoch) || *epochs > 1e9)
            return words;
        words.epochs = *epochs;
    }
    if (!trimmed(rest).empty())
        return words;
    words.epoch = epoch;
    words.lane = trimmed(description.substr(0, at));
    // "Some warning.Epoch 3": text directly before the epoch is not the name of a curve.
    if (words.lane.size() > longestLane || (at > 0 && description[at - 1] != ' '))
        words.lane = {};
    return words;
}

/// Reads the bars of tqdm, and so those of Lightning: "rate" (units per second, "it/s") and each
/// number after it. x is epoch · n of an epoch + n where the bar shows its epoch, else n counted
/// through all bars of that name. Of several frames with the same n the last one counts. The
/// numbers of an evaluation's bar stand where the training was, once it is complete. A bar of bytes
/// (a download) is only progress, and so is Lightning's sanity check. Text behind a bar is left for
/// the others.
class TqdmRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.holds = "%|"}; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.text.find("%|") == std::string_view::npos)
            return false;
        std::string_view rest = line.text;
        bool found = false;
        m_row = false;
        while (takeTqdmBar(rest, m_names, m_bar)) {
            found = true;
            take(line, sink);
        }
        if (!line.progress)
            flush(sink);
        if (!found || m_row)
            return false;
        rest = trimmed(rest);
        if (!rest.starts_with('{')) // the dictionary of a Trainer, which has been read
            sink.setRest(rest);
        return true;
    }

    void finish(MetricSink& sink) override { flush(sink); }

private:
    struct Place {
        double base = 0; ///< steps in the bars of this name before this one
        double done = 0;
        double total = 0;
        double elapsed = 0;
        qint64 line = 0;
        size_t described = 0; ///< hash of its description
        bool ended = false; ///< its line is not redrawn
        double drawn = -1; ///< x of the last sample
    };

    bool readDescription();
    void take(const LogLine& line, MetricSink& sink);
    double epochsBefore(const EpochWords& words);
    double placeOf(const EpochWords& words, Place& place, const LogLine& line) const;
    const QString* evaluatedSet(std::string_view lane) const;
    bool isCountOf(const LinePair& number);
    void draw(const QString& lane, double x, const LogLine& line);
    void flush(MetricSink& sink);

    const MetricNames& m_names = MetricNames::builtIn();
    NameCache m_cache{m_names};
    LinePairs m_pairs;
    TqdmBar m_bar;
    bool m_row = false; ///< the description is a row of a table, for another recogniser
    std::map<std::pair<QString, int>, Place> m_places; ///< by description and rank
    std::vector<Sample> m_pending; ///< of a frame that may be redrawn with the same n
    const QString* m_set = nullptr; ///< of the frame, when it is of an evaluation
    double m_before = 0; ///< whole epochs before that of the frame
    std::optional<double> m_firstEpoch; ///< programs count from 0 or 1
    std::optional<double> m_trained; ///< x of the last bar that is not of an evaluation
};

/// "Epoch 1/10" and a first "Epoch 1" count from 1; an epoch further on alone says nothing.
double TqdmRecogniser::epochsBefore(const EpochWords& words)
{
    if (!m_firstEpoch || *words.epoch < *m_firstEpoch)
        m_firstEpoch = *words.epoch;
    const bool fromOne = *m_firstEpoch == 1 || (*m_firstEpoch > 1 && words.epochs > 0);
    return fromOne ? *words.epoch - 1 : *words.epoch;
}

double TqdmRecogniser::placeOf(const EpochWords& words, Place& place, const LogLine& line) const
{
    if (words.epoch)
        return m_before * m_bar.total + m_bar.done;
    // A complete bar is redrawn at once with the same time, or is the next one of its name.
    const size_t described = std::hash<std::string_view>()(m_bar.description);
    const bool another = m_bar.done == place.done && m_bar.done == m_bar.total
        && (line.number > place.line + 1 || m_bar.elapsed < place.elapsed
            || m_bar.elapsed > place.elapsed + 1
            || (place.ended && described != place.described)); // "Loss: 0.98: 100%|███| 8/8"
    if (m_bar.done < place.done || another)
        place.base += place.total;
    place.done = m_bar.done;
    place.total = m_bar.total;
    place.elapsed = m_bar.elapsed;
    place.line = line.number;
    place.described = described;
    place.ended = !line.progress;
    return place.base + m_bar.done;
}

/// "valid", "Validation DataLoader 0", "eval_pred"; null for the bars of a training.
const QString* TqdmRecogniser::evaluatedSet(std::string_view lane) const
{
    const auto end = std::find_if_not(lane.begin(), lane.end(), isLetter);
    const QString* set = m_names.set(lane.substr(0, size_t(end - lane.begin())));
    return set && *set != QLatin1String("train") ? set : nullptr;
}

/// "1|25|Loss: 1.58": numbers in a description belong to the bar. True when there are some.
bool TqdmRecogniser::readDescription()
{
    readPairs(m_bar.description, m_names, m_pairs);
    bool found = false;
    for (size_t i = 0; i < m_pairs.count; ++i) {
        const LinePair& pair = m_pairs.pairs[i];
        if (pair.name.empty() || m_cache.find(pair.name).kind != NameMeaning::Metric
            || pair.total > 0)
            continue;
        found = true;
        if (m_bar.count < m_bar.numbers.size())
            m_bar.numbers[m_bar.count++] = pair;
    }
    return found;
}

/// Rows of a table that end in a bar, as "1/3  6.7G  1.12  2.34": numbers without names.
bool isTableRow(std::string_view description)
{
    constexpr int fewNumbers = 4;
    int numbers = 0;
    for (std::string_view word = takeWord(description); !word.empty();
         word = takeWord(description)) {
        if (word.ends_with('=') || (word.ends_with(':') && !isDigit(word[0])))
            return false;
        numbers += isDigit(word[0]) ? 1 : 0;
    }
    return numbers >= fewNumbers;
}

/// "Batch 12 of 40" → "Batch": what counts in a description makes no new curve.
std::string_view withoutCount(std::string_view lane)
{
    static constexpr std::string_view kept[] = {"gpu", "rank", "fold", "worker", "node", "device"};
    if (lane.find("DataLoader ") != std::string_view::npos)
        return lane;
    for (const std::string_view word : kept) {
        if (startsWithIgnoringCase(lane, word))
            return lane;
    }
    const size_t digit = lane.find_first_of("0123456789");
    if (digit == std::string_view::npos || digit == 0 || lane[digit - 1] != ' ')
        return lane;
    return trimmed(lane.substr(0, digit));
}

/// "tokens=12M": a thousand or a million of them, and not bytes or kelvins.
bool TqdmRecogniser::isCountOf(const LinePair& number)
{
    const QString& unit = number.unit->unit;
    if (unit != QLatin1String("B") && unit != QLatin1String("K"))
        return false;
    return m_cache.find(number.name).kind != NameMeaning::Metric;
}

void TqdmRecogniser::take(const LogLine& line, MetricSink& sink)
{
    static const QString step = QStringLiteral("step");
    m_bar.description = peelPrefix(m_bar.description).text; // "[08:03:35] [STDERR] steps"
    m_row = m_row || isTableRow(m_bar.description);
    if (m_row)
        return;
    EpochWords words = readEpoch(m_bar.description);
    const bool measured = !words.epoch && readDescription();
    words.lane = measured ? std::string_view() : withoutCount(words.lane);
    m_before = words.epoch ? epochsBefore(words) : 0;
    const bool sure = words.epoch || measured || m_bar.description.size() <= longestLane;
    if (words.epochs > m_before && words.epoch)
        sink.setProgress(step, m_before * m_bar.total + m_bar.done, words.epochs * m_bar.total);
    else
        sink.setProgress(m_bar.bytes ? QStringLiteral("download") : step, m_bar.done, m_bar.total);
    m_row = !sure; // "Class  Images  Box(P  R  mAP50): 100%|…": a heading
    if (!sure || m_bar.bytes || words.lane.starts_with("Sanity Checking"))
        return;
    QString lane = labelText(words.lane);
    const std::pair key(lane, line.rank);
    if (m_places.size() >= manyBars && !m_places.contains(key))
        return;
    Place& place = m_places[key];
    const double x = placeOf(words, place, line);
    const QString* const set = evaluatedSet(words.lane);
    if (!set)
        m_trained = x;
    if (const QString rank = rankLane(line.rank); !rank.isEmpty())
        lane = lane.isEmpty() ? rank : rank + QStringLiteral(", ") + lane;
    if (!m_pending.empty() && (m_pending.front().x != x || m_pending.front().lane != lane))
        flush(sink);
    if (m_bar.done <= 0 || (m_pending.empty() && x == place.drawn))
        return;
    m_pending.clear();
    m_set = set;
    place.drawn = x;
    draw(lane, x, line);
}

/// Keeps what the frame shows until it is certain that no other with the same n follows.
void TqdmRecogniser::draw(const QString& lane, double x, const LogLine& line)
{
    static const QString step = QStringLiteral("step");
    if (m_bar.rate)
        m_pending.push_back(Sample{QStringLiteral("rate"), lane, x, step, *m_bar.rate,
            labelText(m_bar.unit) + QStringLiteral("/s"), {}, {}, line.number});
    const bool placed = m_set && m_trained;
    if (placed && m_bar.done < m_bar.total)
        return; // a running mean of an evaluation
    for (size_t i = 0; i < m_bar.count; ++i) {
        const LinePair& number = m_bar.numbers[i];
        const NameMeaning::Kind kind = m_cache.find(number.name).kind;
        const bool counts = kind == NameMeaning::Counter || kind == NameMeaning::Setting;
        QString series = counts || isBookkeeping(number.name) ? QString() : seriesName(number.name);
        if (series.isEmpty() || (number.unit && isCountOf(number)))
            continue;
        if (placed && !series.startsWith(*m_set))
            series = *m_set + u'_' + series;
        const double y = number.unit ? number.value * number.unit->factor : number.value;
        const QString unit = number.unit
            ? number.unit->unit
            : seriesUnit(series, NamedNumber{number.name, number.value, {}});
        m_pending.push_back(Sample{series, placed ? rankLane(line.rank) : lane,
            placed ? *m_trained : x, step, y, unit, {}, {}, line.number});
    }
}

/// An evaluation does not move the place of the program.
void TqdmRecogniser::flush(MetricSink& sink)
{
    const double x = sink.placeX();
    const QString name = sink.placeName();
    for (Sample& sample : m_pending)
        sink.add(std::move(sample));
    m_pending.clear();
    if (m_set && !name.isEmpty())
        sink.setPlace(x, name);
}

} // namespace

std::unique_ptr<Recogniser> makeTqdmRecogniser()
{
    return std::make_unique<TqdmRecogniser>();
}

} // namespace slipway
