// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/compare/comparemodel.h"

namespace slipway {

// Races for pictures and tests. Every number is made up by a formula, and every name says "test".

/// A lane of a matrix product whose rate rises to `most` FLOP/s.
struct SampleLane {
    QString lane, label, device, name;
    double most = 1e12;
    double half = 500; ///< the size at which half of it is reached
    int threads = 16, cpus = 16;
    int repeats = 7;
};

SampleLane sampleGpu();
SampleLane sampleCpu(int threads = 16);

/// Sizes from 512 on, each twice the one before.
std::vector<Measurement> samplePoints(const SampleLane& lane, int sizes, const QString& runId);
/// A run with these lanes.
ComparedRun sampleRace(const QString& runId, const std::vector<SampleLane>& lanes, int sizes = 6);
AbsentLane sampleAbsentGpu();
/// The rows that a probe would have written for them.
QByteArray raceRows(const RaceFile& file);

} // namespace slipway
