// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/csv.h"
#include "plots/metrics/ema.h"
#include "plots/metrics/pipeline.h"
#include "plots/metrics/seriesstore.h"
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdlib>

using namespace slipway;

/// The first byte says how the rest is cut into chunks; both ways must read the same. In chunks
/// nothing is learnt from earlier lines, which must make no difference either.
SLIPWAY_FUZZ_TARGET(metrics)
{
    if (size < 2)
        return 0;
    // Twice, so that there is something to learn.
    const QByteArrayView once(data + 1, qsizetype(size - 1));
    const QByteArray log = once.toByteArray() + '\n' + once.toByteArray();
    // Half of the logs are read by a recipe's patterns as well.
    static const std::vector<PatternSpec> patterns = {
        {QStringLiteral("Step \\[(?<step>\\d+)/\\d+\\].*Loss: (?<loss>\\S+)"),
            QStringLiteral("step")},
        {QStringLiteral("\\[(?<lane>[^\\]]*)\\].*?(?<time>[0-9.e+-]+) *us"), {},
            {{QStringLiteral("time"), QStringLiteral("us")}}, QStringLiteral("lane")}};
    const auto asked = data[0] % 2 ? patterns : std::vector<PatternSpec>();
    MetricsPipeline whole({}, asked), pieces({}, asked);
    whole.feed(log);
    whole.finish();
    pieces.learnNothing();
    const qsizetype step = 1 + data[0];
    for (qsizetype at = 0; at < log.size(); at += step)
        pieces.feed(QByteArrayView(log).sliced(at, std::min(step, log.size() - at)));
    pieces.finish();
    const auto samples = whole.takeSamples(), again = pieces.takeSamples();
    const auto isSame = [](const Sample& a, const Sample& b) {
        return a.series == b.series && a.lane == b.lane && a.xName == b.xName && a.unit == b.unit
            && a.line == b.line && (a.x == b.x || a.x != a.x) && (a.y == b.y || a.y != a.y);
    };
    if (!std::equal(samples.begin(), samples.end(), again.begin(), again.end(), isSame)
        || whole.takeEvents() != pieces.takeEvents())
        std::abort();
    SeriesStore store;
    store.add(samples);
    for (const auto& series : store.all()) {
        SmoothedSeries smoothed(0.9);
        smoothed.update(*series);
    }
    toCsv(store);
    return 0;
}
