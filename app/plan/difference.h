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
    QString text; ///< without its sign; of a place: "@@ -3,7 +3,7 @@"

    bool operator==(const DifferenceLine&) const = default;
};

/// What became of one text in another, with a few lines around each change; empty when they are the
/// same. Pure. Two texts that have hardly a line in common and are very long are told as replaced.
std::vector<DifferenceLine> scriptDifference(
    const QByteArray& before, const QByteArray& after, int around = 3);

/// "-#SBATCH --mem=4G": the line with its sign.
QString differenceText(const DifferenceLine& line);

} // namespace slipway
