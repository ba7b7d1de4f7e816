// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/comparison.h"

namespace slipway::racers {

/// Seven repeats around a time, some two per cent apart.
inline std::vector<double> around(double seconds)
{
    std::vector<double> times;
    for (const double part : {1.0, 0.99, 1.01, 0.995, 1.02, 1.005, 0.985})
        times.push_back(seconds * part);
    return times;
}

inline Measurement point(const QString& device, double n, double seconds)
{
    Measurement point;
    point.runId = QStringLiteral("k3f9");
    point.work = QStringLiteral("gemm-fp32");
    point.lane = device;
    point.label =
        device == QLatin1String("gpu") ? QStringLiteral("GPU") : QStringLiteral("CPU, all threads");
    point.device = device;
    point.name = device == QLatin1String("gpu") ? QStringLiteral("NVIDIA L40S")
                                                : QStringLiteral("AMD EPYC 9354");
    point.node = QStringLiteral("c1");
    point.x = n;
    point.xName = QStringLiteral("n");
    point.seconds = around(seconds);
    point.operations = 2 * n * n * n;
    point.warmups = 2;
    point.verified = true;
    point.error = 3e-7;
    point.bound = 1e-5;
    point.library = QStringLiteral("own");
    if (device == QLatin1String("gpu")) {
        point.synchronised = true;
        point.throttle = QStringList();
        point.secondsWithTransfers = around(seconds * 1.5);
        point.energy = 10;
    } else {
        point.threads = 16;
        point.cpus = 16;
        point.energy = 50;
    }
    return point;
}

/// A GPU lane that is slower for the smallest matrices (transfers) and 32 times as fast for the
/// largest.
inline CompareLane gpu()
{
    return {QStringLiteral("k3f9:gpu:gemm-fp32"), QStringLiteral("GPU"), QStringLiteral("gpu"),
        QStringLiteral("gemm-fp32"), QStringLiteral("k3f9"),
        {point(QStringLiteral("gpu"), 256, 1e-3), point(QStringLiteral("gpu"), 1024, 2e-3),
            point(QStringLiteral("gpu"), 4096, 4e-3)},
        {}};
}

inline CompareLane cpu()
{
    return {QStringLiteral("k3f9:cpu:gemm-fp32"), QStringLiteral("CPU, all threads"),
        QStringLiteral("cpu"), QStringLiteral("gemm-fp32"), QStringLiteral("k3f9"),
        {point(QStringLiteral("cpu"), 256, 0.5e-3), point(QStringLiteral("cpu"), 1024, 12e-3),
            point(QStringLiteral("cpu"), 4096, 128e-3)},
        {}};
}

inline const FairnessRule* rule(const Comparison& comparison, const QString& id)
{
    for (const FairnessRule& rule : comparison.rules)
        if (rule.id == id)
            return &rule;
    return nullptr;
}

} // namespace slipway::racers
