// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/patternspec.h"
#include "remote/base/result.h"

#include <QString>

namespace slipway {

/// A number that a person has marked in a log, and the pattern that finds it in all lines like that
/// one. A value.
struct TaughtNumber {
    QString series; ///< after the words before the number: “valid_loss”; a capture of the pattern
    QString unit; ///< as printed behind it, empty: none
    QString x; ///< the counter on the same line, a capture of the pattern; empty: none
    PatternSpec pattern;
};

/// The number of `line` that the characters from `begin` on touch; a marked part of a number stands
/// for all of it. The words of the line are kept, its other numbers may be any; what loggers and
/// launchers write before it does not count. Invalid: there is no number or more than one, or the
/// line is longer than a pattern reads.
Result<TaughtNumber> taughtNumber(const QString& line, qsizetype begin, qsizetype length);

} // namespace slipway
