// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>

#include <vector>

namespace slipway {

/// One line of a unified difference. A value.
struct DifferenceLine {
    enum class Kind { Place, Same, Removed, Added };
    Kind kind = Kind::Same;
    QString text; ///< without its sign; of a hunk header: "@@ -3,7 +3,7 @@"

    bool operator==(const DifferenceLine&) const = default;
};

/// The difference between two texts, with a few lines around each change; empty when they are
/// equal. Pure. Two very long texts with hardly a common line are shown as replaced.
std::vector<DifferenceLine> scriptDifference(
    const QByteArray& before, const QByteArray& after, int around = 3);

/// "-#SBATCH --mem=4G": the line with its sign.
QString differenceText(const DifferenceLine& line);

} // namespace slipway
