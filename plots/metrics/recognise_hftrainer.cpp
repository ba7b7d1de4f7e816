// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/scan.h"

#include <array>
#include <cmath>
#include <map>

namespace slipway {

namespace {

constexpr size_t longestPrint = 65536;
constexpr size_t longestDictionary = 4096;

/// A printed dictionary of numbers. The views point into the line.
struct Dictionary {
    std::array<NamedNumber, 64> numbers;
    size_t count = 0;
    std::optional<double> epoch;
    bool known = false; ///< has a name that only the Trainer prints together with an epoch
};

/// "'loss': 2.65" or "'loss': '2.65'"; words and None are skipped, nested values are not.
bool takeEntry(std::string_view& rest, Dictionary& out)
{
    if (!skip(rest, "'"))
        return false;
    const size_t close = rest.find('\'');
    if (close == 0 || close > 64)
        return false;
    const std::string_view name = rest.substr(0, close);
    rest.remove_prefix(close + 1);
    if (!skip(rest, ":"))
        return false;
    skipSpaces(rest);
    std::string_view value;
    if (skip(rest, "'")) {
        const size_t end = rest.find('\'');
        if (end == std::string_view::npos)
            return false;
        value = rest.substr(0, end);
        rest.remove_prefix(end + 1);
    } else {
        const size_t end = rest.find_first_of(",}");
        value = trimmed(rest.substr(0, end));
        if (end == std::string_view::npos || value.find_first_of("{[('") != std::string_view::npos)
            return false;
        rest.remove_prefix(end);
    }
    const auto number = wholeNumber(value);
    if (!number)
        return true;
    if (name == "epoch") {
        out.epoch = number;
        return std::isfinite(*number);
    }
    out.known = out.known || name == "loss" || name == "train_runtime" || name.starts_with("eval_");
    if (out.count < out.numbers.size())
        out.numbers[out.count++] = NamedNumber{name, *number, {}};
    return true;
}

bool readDictionary(std::string_view& rest, Dictionary& out)
{
    if (!skip(rest, "{"))
        return false;
    while (takeEntry(rest, out)) {
        skipSpaces(rest);
        if (skip(rest, "}"))
            return out.epoch && out.known;
        if (!skip(rest, ","))
            return false;
        skipSpaces(rest);
    }
    return false;
}

QString trainerUnit(const QString& series, const NamedNumber& number)
{
    if (series.endsWith(QLatin1String("_runtime")))
        return QStringLiteral("s");
    if (series.endsWith(QLatin1String("samples_per_second")))
        return QStringLiteral("samples/s");
    if (series.endsWith(QLatin1String("steps_per_second")))
        return QStringLiteral("steps/s");
    if (series.endsWith(QLatin1String("tokens_per_second")))
        return QStringLiteral("tokens/s");
    return seriesUnit(series, number);
}

/// Reads the dictionaries that the Trainer of Hugging Face prints, even if one directly follows a
/// bar in the same line: {'loss': 2.6495, 'grad_norm': 1.14, 'epoch': 0.04}, the evaluation
/// ('eval_loss') and the summary of the training ('train_runtime'). x is the epoch; names are kept.
class HFTrainerRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.holds = "{"}; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.text.size() > longestPrint || line.text.find('{') == std::string_view::npos)
            return false;
        std::string_view rest = line.text;
        bool found = false;
        for (size_t at = rest.find("{'"); at != std::string_view::npos; at = rest.find("{'")) {
            rest.remove_prefix(at);
            std::string_view dictionary = rest.substr(0, longestDictionary);
            const size_t before = dictionary.size();
            Dictionary read;
            if (!readDictionary(dictionary, read)) {
                rest.remove_prefix(1);
                continue;
            }
            found = true;
            rest.remove_prefix(before - dictionary.size());
            if (!line.progress)
                give(read, line, sink);
        }
        // A bar in the same line has its own numbers.
        return found && line.text.find("%|") == std::string_view::npos;
    }

    void finish(MetricSink& sink) override
    {
        for (auto& [rank, group] : m_groups)
            spread(group, group.spacing, sink);
    }

private:
    /// The Trainer rounds its epoch to two digits. Numbers of one rounded epoch wait for the next
    /// one, and then stand between both: points must not lie above each other.
    struct Group {
        double epoch = -1;
        QString first; ///< the series that every print of the group begins with
        int prints = 0;
        double spacing = 0; ///< between two prints, as far as known
        std::vector<std::pair<int, Sample>> held;
    };
    static constexpr size_t mostHeld = 4096;

    static void spread(Group& group, double spacing, MetricSink& sink)
    {
        for (auto& [print, sample] : group.held) {
            sample.x += print * spacing;
            sink.add(std::move(sample));
        }
        group.held.clear();
    }

    Group& groupOf(const Dictionary& read, int rank, MetricSink& sink)
    {
        Group& group = m_groups[m_groups.size() < manyRanks || m_groups.contains(rank) ? rank : -1];
        const QString series = read.count > 0 ? seriesName(read.numbers[0].name) : QString();
        if (*read.epoch == group.epoch && group.held.size() < mostHeld) {
            group.prints += series == group.first ? 1 : 0;
            return group;
        }
        const double step = (*read.epoch - group.epoch) / (group.prints + 1);
        if (group.epoch >= 0 && step > 0)
            group.spacing = step;
        spread(group, step > 0 ? step : 0, sink);
        group.epoch = *read.epoch;
        group.first = series;
        group.prints = 0;
        return group;
    }

    void give(const Dictionary& read, const LogLine& line, MetricSink& sink)
    {
        Group& group = groupOf(read, line.rank, sink);
        for (size_t i = 0; i < read.count; ++i) {
            const QString series = seriesName(read.numbers[i].name);
            if (series.isEmpty())
                continue;
            Sample sample{series, rankLane(line.rank), *read.epoch, QStringLiteral("epoch"),
                read.numbers[i].value, trainerUnit(series, read.numbers[i]), {}, {}, line.number};
            sample.place = line.end - 1;
            if (group.prints == 0)
                sink.add(std::move(sample));
            else
                group.held.emplace_back(group.prints, std::move(sample));
        }
    }

    std::map<int, Group> m_groups; ///< by rank
};

} // namespace

std::unique_ptr<Recogniser> makeHFTrainerRecogniser()
{
    return std::make_unique<HFTrainerRecogniser>();
}

} // namespace slipway
