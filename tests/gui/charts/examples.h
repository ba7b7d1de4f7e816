// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/chartspec.h"
#include "plots/metrics/seriesstore.h"
#include "tests/support/paths.h"

#include <QDir>

#include <cmath>
#include <random>

namespace slipway::test {

inline Sample sample(const char* series, const char* lane, const char* xName, double x, double y,
    const char* unit = "")
{
    Sample s;
    s.series = QLatin1String(series);
    s.lane = QLatin1String(lane);
    s.x = x;
    s.xName = QLatin1String(xName);
    s.y = y;
    s.unit = QLatin1String(unit);
    return s;
}

/// The numbers are invented, but for those of the tutorial.
inline void fillMatmul(SeriesStore& store)
{
    const double gpu[] = {36e12, 46e12, 52e12, 53e12}, cpu[] = {1.3e12, 1.55e12, 1.65e12, 1.66e12};
    for (int i = 0; i < 4; ++i) {
        Sample g = sample("flops", "cuda", "n", 2048 << i, gpu[i], "FLOP/s");
        g.low = gpu[i] * 0.9;
        g.high = gpu[i] * 1.05;
        Sample c = sample("flops", "cpu, 16 threads", "n", 2048 << i, cpu[i], "FLOP/s");
        c.low = cpu[i] * 0.75;
        c.high = cpu[i] * 1.15;
        store.add({g, c});
    }
}

inline ChartSpec matmulSpec()
{
    ChartSpec spec;
    spec.id = QStringLiteral("flops");
    spec.title = QStringLiteral("GPU against CPU: matmul scaling");
    spec.series = QStringLiteral("flops");
    spec.x = {QStringLiteral("n"), {}, true};
    spec.y = {{}, QStringLiteral("FLOP/s"), true};
    spec.higherIsBetter = true;
    const QString source = QStringLiteral("TACC tutorial");
    spec.references = {
        {QStringLiteral("Frontera RTX 5000"), QStringLiteral("flops"), source,
            {{2048, 4.67e12}, {4096, 4.78e12}, {8192, 4.88e12}}},
        {QStringLiteral("Frontera CPU"), QStringLiteral("flops"), source,
            {{2048, 86.13e9}, {4096, 88.13e9}, {8192, 88.4e9}}},
        {QStringLiteral("FP32 peak"), QStringLiteral("flops"), QStringLiteral("data sheet"),
            {{0, 61.2e12}}},
    };
    return spec;
}

inline void fillLoss(SeriesStore& store, int steps)
{
    std::mt19937 random(3);
    std::normal_distribution<double> noise;
    for (int i = 0; i <= steps; ++i) {
        store.add(sample("train_loss", "", "step", i,
            0.08 + 0.7 * std::exp(-i / (steps * 0.3)) + 0.03 * noise(random)));
        if (i % std::max(steps / 14, 1) == 0)
            store.add(
                sample("valid_loss", "", "step", i, 0.3 + 0.5 * std::exp(-i / (steps * 0.25))));
    }
}

inline ChartSpec lossSpec()
{
    ChartSpec spec;
    spec.title = QStringLiteral("Loss");
    spec.series = QStringLiteral("*_loss");
    spec.x.name = QStringLiteral("step");
    spec.y.name = QStringLiteral("loss");
    spec.higherIsBetter = false;
    return spec;
}

/// Where the pictures of the tests go.
inline QString screenshot(const char* name)
{
    const QString folder = slipway::buildPath(QStringLiteral("/screenshots"));
    QDir().mkpath(folder);
    return folder + u'/' + QLatin1String(name);
}

} // namespace slipway::test
