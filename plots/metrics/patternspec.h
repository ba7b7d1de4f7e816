// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QMap>
#include <QMetaType>
#include <QString>

namespace slipway {

/// PatternSpec is a recogniser defined in a recipe: a regular expression for single lines of its
/// program's output. Each named capture is a series of that name, with two exceptions: the capture
/// named by `x` is x, and the one named by `lane` is the lane of the line. A value; crosses
/// threads.
struct PatternSpec {
    QString match; ///< searched for anywhere in a line; ^ and $ are the ends of the line
    QString x = {}; ///< a capture of `match`; empty: x is the number of the line
    QMap<QString, QString> units = {}; ///< capture → unit ("img/s"); absent: none
    QString lane = {}; ///< a capture of `match`; empty: the rank, as usual

    bool operator==(const PatternSpec&) const = default;
};

/// "" when the pattern can be used, else its problem, including the pattern.
QString patternProblem(const PatternSpec& spec);

} // namespace slipway

Q_DECLARE_METATYPE(slipway::PatternSpec)
