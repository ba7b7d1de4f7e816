// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <chrono>
#include <optional>

namespace slipway {

/// How far the pull of an image is. A value.
struct PullState {
    QString step; ///< "image", "image-2"
    QString phase; ///< "download", "extract", "pack"
    qint64 bytes = 0; ///< of this phase
    std::optional<qint64> of; ///< what it has at its end; none: not known
    std::optional<double> rate; ///< bytes per second, over the last ten seconds
    std::optional<std::chrono::seconds> left; ///< of this phase

    bool operator==(const PullState&) const = default;
};

/// "Downloading layers", "Extracting", "Packing the image file".
QString pullPhaseTitle(const QString& phase);
/// "Downloading layers: 1.2 GiB of 9.1 GiB, 85 MiB/s, about 2 min left".
QString pullText(const PullState& state);

} // namespace slipway
