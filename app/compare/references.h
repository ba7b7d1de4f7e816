// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/comparison.h"
#include "remote/base/result.h"

#include <memory>

namespace slipway {

/// The peak performance of a card according to its data sheet.
struct GpuPeak {
    QString name;
    QStringList words, without; ///< words of the name that the driver reports
    std::optional<double> fp32, fp64, bandwidth; ///< FLOP/s, B/s
    QString source;
};

/// A published result.
struct PublishedResult {
    QString label;
    QString device; ///< "gpu", "cpu"
    QStringList words; ///< of the card; empty: shown, never compared
    QString work;
    ReferenceSeries curve; ///< label, series, source and points, ready for a chart
    std::optional<double> least, most; ///< the expected range, as fractions of it
    QString context;
};

/// Numbers to compare a race with, from resources/gpu-references.json. A value, shared.
struct RaceReferences {
    std::vector<GpuPeak> peaks;
    std::vector<PublishedResult> results;

    const GpuPeak* peakOf(const QString& cardName) const; ///< null: no source
};

/// The text of gpu-references.json; strict.
Result<RaceReferences> parseRaceReferences(const QByteArray& json, const QString& file);
/// The file of the resources folder; without it there are no references. A broken file is an error
/// in `errors`.
RaceReferences loadRaceReferences(const QString& resourcesFolder, std::vector<Error>* errors);

/// Adds the published curves of the same work, and a note for each lane that is far from the
/// expected value of its card.
void addReferences(Comparison& comparison, const RaceReferences& references);

} // namespace slipway
