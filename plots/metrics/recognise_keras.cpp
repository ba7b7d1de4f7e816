// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/baseunit.h"
#include "plots/metrics/fields.h"
#include "plots/metrics/scan.h"

#include <array>
#include <map>

namespace slipway {

namespace {

constexpr size_t longestHeader = 40;
constexpr std::string_view savedTo = "saving model to ";
constexpr size_t longestBar = 4096;

/// One line of Keras: "118/118 [====] - 62s 500ms/step - loss: 0.21 - val_loss: 0.09".
struct KerasBar {
    double done = 0;
    double total = 0; ///< 0: "Unknown"
    bool finished = true; ///< no remaining time is shown
    bool drawn = false; ///< has a bar
    std::optional<double> stepTime;
    std::optional<double> epochTime;
    std::array<NamedNumber, 64> numbers;
    size_t count = 0;
};

/// In these lines a plain "loss" is that of the training set, because the other one is named.
QString kerasSeries(std::string_view name)
{
    const QString series = seriesName(name);
    const bool bare = series == QLatin1String("loss") || series == QLatin1String("accuracy");
    return bare ? QStringLiteral("train_") + series : series;
}

/// "[=====>....]", "━━━━━━━━"; false when there is no bar here.
bool skipBar(std::string_view& rest)
{
    if (rest.starts_with('[')) {
        const size_t close = rest.find_first_not_of("=>.", 1);
        if (close == std::string_view::npos || close < 2 || rest[close] != ']')
            return false;
        rest.remove_prefix(close + 1);
        return true;
    }
    bool any = false;
    while (skip(rest, "━"))
        any = true;
    return any;
}

/// "62s", "500ms/step", "431ms/epoch". An elapsed time precedes the time of a step.
bool readTime(std::string_view word, KerasBar& bar)
{
    const auto value = takeNumber(word);
    if (!value || !(*value >= 0))
        return false;
    const size_t slash = std::min(word.find('/'), word.size());
    const BaseUnit unit = baseUnit(word.substr(0, slash));
    const std::string_view of = word.substr(slash);
    if (unit.unit != QLatin1String("s"))
        return false;
    if (of == "/step")
        bar.stepTime = *value * unit.factor;
    else if (of.empty() || of == "/epoch")
        bar.epochTime = *value * unit.factor;
    else
        return false;
    return true;
}

/// The text between two dashes: times, or a name with its number.
bool readPart(std::string_view part, KerasBar& bar)
{
    part = trimmed(part);
    const size_t colon = part.find(": ");
    if (colon == std::string_view::npos) {
        while (!part.empty()) {
            const size_t end = std::min(part.find(' '), part.size());
            if (!readTime(part.substr(0, end), bar))
                return false;
            part = trimmed(part.substr(end));
        }
        return true;
    }
    if (part.starts_with("ETA:")) {
        bar.finished = false;
        return true;
    }
    const std::string_view name = part.substr(0, colon);
    const auto value = wholeNumber(part.substr(colon + 2));
    if (name.find(' ') != std::string_view::npos)
        return false;
    if (value && bar.count < bar.numbers.size())
        bar.numbers[bar.count++] = NamedNumber{name, *value, {}};
    return true;
}

bool readBar(std::string_view rest, KerasBar& bar)
{
    bar.count = 0;
    bar.total = 0;
    bar.finished = true;
    bar.stepTime.reset();
    bar.epochTime.reset();
    const auto done = takeNumber(rest);
    if (!done || !skip(rest, "/"))
        return false;
    bar.done = *done;
    if (!skip(rest, "Unknown")) {
        const auto total = takeNumber(rest);
        if (!total || !(*total >= 1) || !(*done <= *total))
            return false;
        bar.total = *total;
    }
    if (!skip(rest, " "))
        return false;
    skipSpaces(rest);
    bar.drawn = skipBar(rest);
    skipSpaces(rest);
    if (!skip(rest, "- ") && !bar.drawn && bar.total > 0)
        return false;
    while (!rest.empty()) {
        const size_t dash = rest.find(" - ");
        if (!readPart(rest.substr(0, dash), bar))
            return false;
        rest = dash == std::string_view::npos ? std::string_view() : rest.substr(dash + 3);
    }
    return bar.stepTime || bar.epochTime || !bar.finished;
}

/// Reads the training bars of Keras 2 and 3, and its lines of verbose=2. "Epoch 2/5" alone on a
/// line sets x; the last bar of an epoch gives its numbers, earlier ones are progress. A bar
/// without such a line before it (a download, an evaluation) is not plotted, unless the log begins
/// within an epoch. "step_time" and "epoch_time" are in seconds. A model that was saved is an
/// event.
class KerasRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "E0123456789", .words = {"epoch ", "/"}, .fits = mayBe};
    }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    struct Place {
        double epoch = 0;
        double epochs = 0;
        bool open = false; ///< the last bar of the epoch has not been read
    };

    static bool mayBe(std::string_view text);
    void noteHeader(std::string_view text, const LogLine& line, MetricSink& sink);
    static std::vector<Sample> samplesOf(const KerasBar& bar, double epoch, const LogLine& line);

    std::map<int, Place> m_places; ///< by rank
    /// By rank: the last bar of an epoch whose beginning is not in the log.
    std::map<int, std::vector<Sample>> m_before;
    KerasBar m_bar; ///< of the line that is being read
};

/// A header, a checkpoint or a bar: "Epoch 3/10", "Epoch 3: … saving model to …", "32/938 [".
bool KerasRecogniser::mayBe(std::string_view text)
{
    if (std::string_view rest = text; skip(rest, "Epoch "))
        return (rest.size() <= longestHeader && rest.find('/') != std::string_view::npos)
            || rest.find(savedTo) != std::string_view::npos;
    const size_t end = text.find_first_not_of("0123456789.+-eEdD");
    return end != 0 && end != std::string_view::npos && text[end] == '/';
}

/// "Epoch 3/10": other programs print it too, so it is left for the other recognisers.
void KerasRecogniser::noteHeader(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (!skip(text, "Epoch ") || text.size() > longestHeader)
        return;
    const auto epoch = takeNumber(text);
    if (!epoch || !(*epoch >= 1) || !skip(text, "/"))
        return;
    const auto epochs = wholeNumber(text);
    if (!epochs || !(*epochs >= *epoch) || *epochs > 1e9)
        return;
    if (m_places.size() >= manyRanks && !m_places.contains(line.rank))
        return;
    m_places[line.rank] = Place{*epoch, *epochs, true};
    const auto before = m_before.find(line.rank);
    if (before == m_before.end())
        return;
    for (Sample& sample : before->second) {
        sample.x = *epoch - 1;
        if (*epoch >= 2)
            sink.add(std::move(sample));
    }
    m_before.erase(before);
}

/// "Epoch 3: val_loss improved from 0.31 to 0.30, saving model to best.keras"
bool readCheckpoint(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const size_t at = text.substr(0, 300).find(savedTo);
    if (at == std::string_view::npos)
        return false;
    const std::string_view path = text.substr(at + savedTo.size());
    if (path.empty() || path.size() > 1024)
        return false;
    sink.add(MetricEvent{QStringLiteral("artifact"), labelText(text, 1000),
        {{QStringLiteral("path"), labelText(path, 1024)}}, line.number});
    return true;
}

std::vector<Sample> KerasRecogniser::samplesOf(
    const KerasBar& bar, double epoch, const LogLine& line)
{
    std::vector<Sample> samples;
    const auto add = [&](const QString& series, double y, const QString& unit) {
        Sample sample{series, rankLane(line.rank), epoch, QStringLiteral("epoch"), y, unit};
        sample.line = line.number;
        sample.place = line.end - 1;
        samples.push_back(std::move(sample));
    };
    for (size_t i = 0; i < bar.count; ++i) {
        const QString series = kerasSeries(bar.numbers[i].name);
        if (!series.isEmpty())
            add(series, bar.numbers[i].value, seriesUnit(series, bar.numbers[i]));
    }
    if (bar.stepTime)
        add(QStringLiteral("step_time"), *bar.stepTime, QStringLiteral("s"));
    if (bar.epochTime)
        add(QStringLiteral("epoch_time"), *bar.epochTime, QStringLiteral("s"));
    return samples;
}

bool KerasRecogniser::read(const LogLine& line, MetricSink& sink)
{
    const std::string_view text = trimmed(line.text);
    if (text.empty() || text.size() > longestBar)
        return false;
    if (text[0] == 'E' && !line.progress) {
        noteHeader(text, line, sink);
        return text.starts_with("Epoch ") && readCheckpoint(text, line, sink);
    }
    if (!isDigit(text[0]) || text.substr(0, 17).find('/') == std::string_view::npos)
        return false;
    KerasBar& bar = m_bar;
    if (!readBar(text, bar))
        return false;
    const auto place = m_places.find(line.rank);
    const bool last = !line.progress && bar.finished && (bar.total == 0 || bar.done == bar.total);
    if (place == m_places.end()) {
        const bool hasRoom = m_before.size() < manyRanks || m_before.contains(line.rank);
        if (last && bar.drawn && bar.count > 0 && hasRoom)
            m_before[line.rank] = samplesOf(bar, 0, line);
        return true;
    }
    if (!place->second.open)
        return true;
    Place& here = place->second;
    if (bar.total > 0)
        sink.setProgress(QStringLiteral("step"), (here.epoch - 1) * bar.total + bar.done,
            here.epochs * bar.total);
    if (last) {
        here.open = false;
        for (Sample& sample : samplesOf(bar, here.epoch, line))
            sink.add(std::move(sample));
    }
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeKerasRecogniser()
{
    return std::make_unique<KerasRecogniser>();
}

} // namespace slipway
