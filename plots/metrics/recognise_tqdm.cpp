// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/fieldwords.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/tqdmbar.h"

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
/// through all bars of that name. Of several frames with the same n the last one counts. A bar of
/// bytes (a download) is only progress, and so is Lightning's sanity check.
class TqdmRecogniser : public Recogniser {
public:
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.text.find("%|") == std::string_view::npos)
            return false;
        std::string_view rest = line.text;
        bool found = false;
        while (takeTqdmBar(rest, m_bar)) {
            found = true;
            take(line, sink);
        }
        if (!line.progress)
            flush(sink);
        return found;
    }

    void finish(MetricSink& sink) override { flush(sink); }

private:
    struct Place {
        double base = 0; ///< steps in the bars of this name before this one
        double done = 0;
        double total = 0;
        double drawn = -1; ///< x of the last sample
    };

    void take(const LogLine& line, MetricSink& sink);
    double placeOf(const EpochWords& words, Place& place) const;
    void flush(MetricSink& sink);

    TqdmBar m_bar;
    std::map<std::pair<QString, int>, Place> m_places; ///< by description and rank
    std::vector<Sample> m_pending; ///< of a frame that may be redrawn with the same n
};

double TqdmRecogniser::placeOf(const EpochWords& words, Place& place) const
{
    if (words.epoch) {
        const double before =
            words.epochs > 0 && *words.epoch >= 1 ? *words.epoch - 1 : *words.epoch;
        return before * m_bar.total + m_bar.done;
    }
    if (m_bar.done < place.done)
        place.base += place.total;
    place.done = m_bar.done;
    place.total = m_bar.total;
    return place.base + m_bar.done;
}

void TqdmRecogniser::take(const LogLine& line, MetricSink& sink)
{
    static const QString step = QStringLiteral("step");
    const EpochWords words = readEpoch(m_bar.description);
    const bool sure = words.epoch || m_bar.description.size() <= longestLane;
    if (words.epochs > 0 && *words.epoch >= 1)
        sink.setProgress(
            step, (*words.epoch - 1) * m_bar.total + m_bar.done, words.epochs * m_bar.total);
    else
        sink.setProgress(m_bar.bytes ? QStringLiteral("download") : step, m_bar.done, m_bar.total);
    if (!sure || m_bar.bytes || words.lane.starts_with("Sanity Checking"))
        return;
    QString lane = labelText(words.lane);
    const std::pair key(lane, line.rank);
    if (m_places.size() >= manyBars && !m_places.contains(key))
        return;
    Place& place = m_places[key];
    const double x = placeOf(words, place);
    if (const QString rank = rankLane(line.rank); !rank.isEmpty())
        lane = lane.isEmpty() ? rank : rank + QStringLiteral(", ") + lane;
    if (!m_pending.empty() && (m_pending.front().x != x || m_pending.front().lane != lane))
        flush(sink);
    if (m_bar.done <= 0 || (m_pending.empty() && x == place.drawn))
        return;
    m_pending.clear();
    place.drawn = x;
    const auto add = [&](const QString& series, double y, const QString& unit) {
        m_pending.push_back(Sample{series, lane, x, step, y, unit, {}, {}, line.number});
    };
    if (m_bar.rate)
        add(QStringLiteral("rate"), *m_bar.rate, labelText(m_bar.unit) + QStringLiteral("/s"));
    for (size_t i = 0; i < m_bar.count; ++i) {
        const NamedNumber& number = m_bar.numbers[i];
        const QString series = isBookkeeping(number.name) ? QString() : seriesName(number.name);
        if (!series.isEmpty())
            add(series, number.value, seriesUnit(series, number));
    }
}

void TqdmRecogniser::flush(MetricSink& sink)
{
    for (Sample& sample : m_pending)
        sink.add(std::move(sample));
    m_pending.clear();
}

} // namespace

std::unique_ptr<Recogniser> makeTqdmRecogniser()
{
    return std::make_unique<TqdmRecogniser>();
}

} // namespace slipway
