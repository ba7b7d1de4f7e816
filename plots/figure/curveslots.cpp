// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/curveslots.h"

#include "plots/figure/theme.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <tuple>

namespace slipway {

namespace {

/// The same on every computer, unlike qHash().
int slotOfText(const QString& text)
{
    quint32 hash = 2166136261u;
    for (const QChar c : text)
        hash = (hash ^ c.unicode()) * 16777619u;
    return int(hash % quint32(ChartTheme::colours));
}

/// Of the names that everybody uses.
std::optional<int> knownSlot(const QString& series)
{
    static constexpr struct {
        const char* word;
        int slot;
    } known[] = {{"train", 0}, {"valid", 1}, {"val", 1}, {"eval", 1}, {"test", 2}, {"loss", 0},
        {"accuracy", 0}, {"flops", 0}, {"seconds", 0}, {"busy", 0}, {"memory", 1}};
    const auto isWord = [&series](const char* word) {
        const QLatin1String text(word);
        return series == text || (series.startsWith(text) && series.at(text.size()) == u'_')
            || (series.endsWith(text) && series.at(series.size() - text.size() - 1) == u'_');
    };
    for (const auto& [word, slot] : known) {
        if (isWord(word))
            return slot;
    }
    return {};
}

/// The number in "GPU 3" or "rank 3"; CPUs before GPUs.
std::optional<int> slotOfLane(const QString& lane)
{
    if (lane.isEmpty() || lane.startsWith(QLatin1String("cpu"), Qt::CaseInsensitive))
        return 0;
    qsizetype end = lane.size();
    while (end > 0 && lane.at(end - 1).isDigit())
        --end;
    const QStringView digits = QStringView(lane).mid(end);
    if (!digits.isEmpty())
        return digits.right(6).toInt() % ChartTheme::colours;
    const bool gpu = lane.startsWith(QLatin1String("gpu"), Qt::CaseInsensitive)
        || lane.startsWith(QLatin1String("cuda"), Qt::CaseInsensitive);
    return gpu ? std::optional(1) : std::nullopt;
}

/// The colour that a curve has if no other one has it.
struct WantedSlot {
    int colour = 0;
    bool isKnown = false; ///< from names that everybody uses: it goes first
};

WantedSlot wantedSlot(const CurveKey& curve)
{
    const std::optional<int> series = knownSlot(curve.series), lane = slotOfLane(curve.lane);
    const int sum =
        (series ? *series : slotOfText(curve.series)) + 2 * (lane ? *lane : slotOfText(curve.lane));
    return {sum % ChartTheme::colours, series && lane};
}

} // namespace

std::vector<int> curveSlots(const std::vector<CurveKey>& curves)
{
    std::vector<WantedSlot> wanted;
    for (const CurveKey& curve : curves)
        wanted.push_back(wantedSlot(curve));
    std::vector<size_t> order(curves.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return std::tie(wanted[b].isKnown, curves[a].series, curves[a].lane)
            < std::tie(wanted[a].isKnown, curves[b].series, curves[b].lane);
    });
    std::array<int, ChartTheme::colours> used{}; // curves of each colour
    std::vector<int> styles(curves.size());
    for (const size_t i : order) {
        const int least = *std::min_element(used.begin(), used.end());
        int colour = wanted[i].colour;
        while (used[size_t(colour)] != least)
            colour = (colour + 1) % ChartTheme::colours;
        styles[i] = colour + ChartTheme::colours * used[size_t(colour)]++;
    }
    return styles;
}

} // namespace slipway
