// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QMap>
#include <QMetaType>
#include <QString>

namespace slipway {

/// PatternSpec is a recogniser that a recipe brings along: a regular expression that one line of
/// its program's output answers to. Each named capture is a series of that name, but for two: the
/// one that `x` names is x, the one that `lane` names says which competitor the line belongs to.
/// A value; crosses threads.
struct PatternSpec {
    QString match; ///< searched for anywhere in a line; ^ and $ are the ends of the line
    QString x = {}; ///< a capture of `match`; empty: x is the number of the line
    QMap<QString, QString> units = {}; ///< capture → unit ("img/s"); absent: none
    QString lane = {}; ///< a capture of `match`; empty: the rank, as everywhere

    bool operator==(const PatternSpec&) const = default;
};

/// "" when the pattern can be used, else what is wrong with it, naming the pattern.
QString patternProblem(const PatternSpec& spec);

} // namespace slipway

Q_DECLARE_METATYPE(slipway::PatternSpec)
