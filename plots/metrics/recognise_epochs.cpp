// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/fieldsamples.h"
#include "plots/metrics/learntfields.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/wordcache.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace slipway {

namespace {

/// In these lines a plain "loss" is that of the training set, because other losses are named.
QString trainName(std::string_view name)
{
    thread_local WordCache<QString> known;
    return known.find(name, [](std::string_view word) {
        const QString series = seriesName(word);
        const bool isPlain = series == QLatin1String("loss") || series == QLatin1String("accuracy");
        return isPlain ? QStringLiteral("train_") + series : series;
    });
}

/// Reads the lines that tutorials print once per epoch or every few steps:
/// "Epoch 1, Loss: 0.134, Accuracy: 95.98, Test Loss: 0.063, Test Accuracy: 98.03" and
/// "Epoch [1/5], Step [16/160], Train Loss: 0.7057, Valid Loss: 0.6338", and the lines between
/// them: the stages of the run ("phase"), files written and read, a model saved because it is the
/// best so far ("best"), the total time of all epochs. x is the step when the line has one, else
/// the epoch.
class EpochsRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "eABCEFSM",
            .holds = "v",
            .words = {"epoch", " saved ", "building ", "creating ", "training", "evaluating the ",
                "loaded from "}};
    }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        std::string_view text = line.text;
        skipSpaces(text);
        if (!startsWithIgnoringCase(text, "epoch"))
            return !line.progress && !text.empty() && readWords(text, line, sink);
        QString (*naming)(std::string_view) = seriesName; // of forms that are not known
        if (!m_learnt.read(line, m_fields)) {
            if (!readFields(text, m_fields) || !m_fields.epoch)
                return false;
            if ((!m_fields.step && countsBeside(text)) || fractionsIn(text) > m_fields.pairCount
                || hasOtherRate(text) || isNamedTwice() || isOfOneSet())
                return false;
            naming = hasLoss() ? trainName : seriesName;
            m_learnt.learn(line, m_fields, naming);
        }
        if (m_steps != Steps::Count && holdsFirst(line, naming, sink))
            return true;
        const bool isOfEpoch = m_steps == Steps::AlwaysZero && !m_fields.step;
        if (m_steps == Steps::AlwaysZero && m_fields.step && m_fields.step->done == 0)
            m_fields.step.reset();
        StepClock::Reading reading = m_clock.readShared(m_fields, line.rank);
        reading.isOfEpoch = reading.isOfEpoch || isOfEpoch;
        giveFields(m_fields, reading, line, naming, sink);
        remember(reading, line.rank);
        return true;
    }

    void finish(MetricSink& sink) override { giveFirst(sink); }

private:
    /// Whether the steps of the lines count. "Epoch 1 Batch 0", "Epoch 2 Batch 0", …: a program
    /// that prints a line at the beginning of each epoch alone has none that do.
    enum class Steps { Unknown, Held, Count, AlwaysZero };

    bool holdsFirst(const LogLine& line, QString (*naming)(std::string_view), MetricSink& sink);
    void giveFirst(MetricSink& sink);

    /// The lowest validation loss, and whether it was in the last line: a model that is saved then
    /// is the best one.
    struct Best {
        double loss = 0;
        StepClock::Reading at;
        int rank = -1;
        bool known = false;
        bool fresh = false;
    };

    /// Without a loss, an accuracy may be that of an evaluation: "epoch 0: {'accuracy': 0.68}".
    bool hasLoss() const
    {
        const auto* const end = m_fields.pairs.begin() + m_fields.pairCount;
        return std::any_of(m_fields.pairs.begin(), end, [](const NamedNumber& number) {
            return seriesName(number.name).endsWith(QLatin1String("loss"));
        });
    }

    /// "Epoch 0: Train cost 1.723, Train acc 0.388", "Epoch 001 loss 4042.38 | train 5.7s": where
    /// it has more numbers than these forms read, the general grammar reads them. Means in
    /// parentheses and shares are none: "Loss 0.71 (0.69), 99.80 %".
    static size_t fractionsIn(std::string_view text)
    {
        size_t count = 0;
        for (size_t point = 1; point + 1 < text.size(); ++point) {
            if (text[point] != '.' || !isDigit(text[point - 1]) || !isDigit(text[point + 1]))
                continue;
            size_t before = point;
            while (before > 0 && isDigit(text[before - 1]))
                --before;
            while (before > 0 && text[before - 1] == ' ')
                --before;
            size_t end = point + 1;
            while (end < text.size() && (isDigit(text[end]) || text[end] == ' '))
                ++end;
            const bool isShare = end < text.size() && text[end] == '%';
            count += isShare || (before > 0 && text[before - 1] == '(') ? 0 : 1;
        }
        return count;
    }

    /// "Epoch 1, acc: 55.10, 5988 tok/s": a rate without a name.
    bool hasOtherRate(std::string_view text) const
    {
        const auto isRate = [](const NamedNumber& number) {
            return number.unit.find("/s") != std::string_view::npos
                || number.name.find("/s") != std::string_view::npos;
        };
        const auto* const end = m_fields.pairs.begin() + m_fields.pairCount;
        const auto read = std::count_if(m_fields.pairs.begin(), end, isRate);
        std::ptrdiff_t rates = 0;
        for (size_t at = text.find("/s"); at != std::string_view::npos;
             at = text.find("/s", at + 1))
            rates += at + 2 == text.size() || !isLetter(text[at + 2])
                || text.substr(at + 2).starts_with("ec");
        return rates > read;
    }

    /// "Train Loss: 0.5 | Acc: 0.7 | Val Loss: 0.6 | Acc: 0.65": the general grammar tells them
    /// apart.
    bool isNamedTwice() const
    {
        const auto* const begin = m_fields.pairs.begin();
        const auto* const end = begin + m_fields.pairCount;
        return std::any_of(begin, end, [&](const NamedNumber& number) {
            return std::any_of(
                begin, &number, [&](const auto& before) { return before.name == number.name; });
        });
    }

    /// "Epoch 1 Test acc: 0.4, loss: 0.16": all of it is of that data set, which the general
    /// grammar knows.
    bool isOfOneSet() const
    {
        if (m_fields.pairCount < 2)
            return false;
        const MetricNames& names = MetricNames::builtIn();
        const std::string_view first = m_fields.pairs[0].name;
        const QString* const set = names.set(first.substr(0, first.find(' ')));
        if (!set || *set == QLatin1String("train") || first.find(' ') == std::string_view::npos)
            return false;
        const auto isOfAny = [&](const NamedNumber& number) {
            return names.set(number.name.substr(0, number.name.find_first_of(" _-"))) != nullptr;
        };
        return std::none_of(
            m_fields.pairs.begin() + 1, m_fields.pairs.begin() + m_fields.pairCount, isOfAny);
    }

    /// "Epoch  1, 12900/37527; acc: 4.46": the general grammar reads such a counter.
    static bool countsBeside(std::string_view text)
    {
        const size_t comma = text.find(", ");
        if (comma == std::string_view::npos || comma > 24)
            return false;
        std::string_view rest = text.substr(comma + 2);
        skipSpaces(rest);
        size_t end = 0;
        while (end < rest.size() && isDigit(rest[end]))
            ++end;
        return end > 0 && end + 1 < rest.size() && rest[end] == '/' && isDigit(rest[end + 1]);
    }

    void remember(const StepClock::Reading& reading, int rank);
    bool readWords(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readSaved(const LogLine& line, MetricSink& sink);
    static bool readTotal(std::string_view text, const LogLine& line, MetricSink& sink);

    LineFields m_fields;
    LearntFields m_learnt;
    StepClock m_clock;
    Best m_best;
    Steps m_steps = Steps::Unknown;
    double m_firstEpoch = 0;
    std::vector<Sample> m_first; ///< of the first line, of step 0, until the next one is known
};

/// True when this line is the first, and waits for the one that shows whether its step counts.
bool EpochsRecogniser::holdsFirst(
    const LogLine& line, QString (*naming)(std::string_view), MetricSink& sink)
{
    const auto& step = m_fields.step;
    const bool isZero = step && step->done == 0 && step->total == 0;
    const double epoch = m_fields.epoch->done;
    if (m_steps == Steps::Unknown) {
        m_steps = isZero ? Steps::Held : step ? Steps::Count : Steps::Unknown;
        if (m_steps != Steps::Held)
            return false;
        MetricSink held;
        const StepClock::Reading reading = m_clock.readShared(m_fields, line.rank);
        giveFields(m_fields, reading, line, naming, held);
        sink.setPlace(reading.x, reading.name); // of the lines below it
        m_first = std::move(held.samples);
        m_firstEpoch = epoch;
        return true;
    }
    if (m_steps == Steps::Held) {
        const bool isNext = isZero && epoch > m_firstEpoch;
        m_steps = isNext || (!step && epoch == m_firstEpoch) ? Steps::AlwaysZero : Steps::Count;
        if (m_steps == Steps::AlwaysZero) {
            m_clock = {};
            for (Sample& sample : m_first) {
                sample.x = m_firstEpoch;
                sample.xName = QStringLiteral("epoch");
            }
        }
        giveFirst(sink);
    }
    return false;
}

void EpochsRecogniser::giveFirst(MetricSink& sink)
{
    for (Sample& sample : m_first)
        sink.add(std::move(sample));
    m_first.clear();
}

void EpochsRecogniser::remember(const StepClock::Reading& reading, int rank)
{
    static const QString validLoss = QStringLiteral("valid_loss");
    if (m_best.known && m_best.rank != rank)
        return; // the others compute the same model; one of them saves it
    m_best.fresh = false;
    for (size_t i = 0; i < m_fields.pairCount; ++i) {
        const double value = m_fields.pairs[i].value;
        const std::string_view name = m_fields.pairs[i].name;
        if (std::isfinite(value) && (!m_best.known || value < m_best.loss)
            && name.find_first_of("vV") != std::string_view::npos && seriesName(name) == validLoss)
            m_best = Best{value, reading, rank, true, true};
    }
}

bool EpochsRecogniser::readWords(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const auto startsWith = [&](std::string_view words) { return text.starts_with(words); };
    static constexpr std::string_view stages[] = {"Building tokenizer", "Creating tabular datasets",
        "Building iterators", "Creating BERT model", "Start Training", "Finished Training",
        "Evaluating the model"};
    switch (text[0]) {
    case 'A':
        return readTotal(text, line, sink) || readSaved(line, sink);
    case 'B':
    case 'C':
    case 'E':
    case 'F':
    case 'S':
        if (std::any_of(std::begin(stages), std::end(stages), startsWith)) {
            sink.add(MetricEvent{QStringLiteral("phase"), labelText(text), {}, line.number});
            return true;
        }
        return readSaved(line, sink);
    case 'M':
        if (skip(text, "Model loaded from <== ")) {
            const QString path = labelText(trimmed(text), 1024);
            sink.add(MetricEvent{QStringLiteral("loaded"), labelText(trimmed(line.text)),
                {{QStringLiteral("path"), path}}, line.number});
            return true;
        }
        return readSaved(line, sink);
    default:
        return readSaved(line, sink);
    }
}

bool EpochsRecogniser::readSaved(const LogLine& line, MetricSink& sink)
{
    const auto artifact = readArtifact(line);
    if (!artifact)
        return false;
    sink.add(*artifact);
    if (m_best.fresh && m_best.rank == line.rank && trimmed(line.text).starts_with("Model saved")) {
        m_best.fresh = false;
        const QString loss = QString::number(m_best.loss, 'g', 6);
        const QString x = QString::number(m_best.at.x, 'g', 12);
        sink.add(MetricEvent{QStringLiteral("best"),
            tr("Best valid_loss so far: %1 at %2 %3").arg(loss, m_best.at.name, x),
            {{QStringLiteral("series"), QStringLiteral("valid_loss")},
                {QStringLiteral("value"), loss}, {QStringLiteral("x"), x},
                {QStringLiteral("x_name"), m_best.at.name},
                {QStringLiteral("path"), artifact->values.value(QStringLiteral("path"))}},
            line.number});
    }
    return true;
}

/// "A total of 10 epochs took 26.1 seconds"
bool EpochsRecogniser::readTotal(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (!skip(text, "A total of "))
        return false;
    const auto epochs = wholeCount(takeWord(text));
    if (!epochs || !skip(text, " epochs took "))
        return false;
    const auto seconds = takeNumber(text);
    if (!seconds || !std::isfinite(*seconds) || trimmed(text) != "seconds")
        return false;
    sink.add(Sample{.series = QStringLiteral("total_seconds"),
        .lane = rankLane(line.rank),
        .x = *epochs,
        .xName = QStringLiteral("epoch"),
        .y = *seconds,
        .unit = QStringLiteral("s"),
        .line = line.number});
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeEpochsRecogniser()
{
    return std::make_unique<EpochsRecogniser>();
}

} // namespace slipway
