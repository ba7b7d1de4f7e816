// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QColor>
#include <QPalette>

namespace slipway {

/// Colours is the set of colours of one appearance, light or dark. A value; painted widgets call
/// now() whenever they paint, so a change of theme needs no connections.
struct Colours {
    QColor page, surface, line, text, secondText;
    QColor accent, onAccent; ///< for the main action, and the text on it
    QColor done, running, warning, error;
    bool dark = false;

    /// A soft background for `tint`: a selected row, a pill, a notice.
    QColor soft(const QColor& tint) const;

    /// `tint` for text and signs: unchanged if it is readable, else strengthened until its contrast
    /// on page, surface and its own soft background is 4.5.
    QColor ink(const QColor& tint) const;

    static const Colours& light();
    static const Colours& darkSet();
    /// The set that the palette of the application was made from.
    static const Colours& now();
    QPalette palette() const;
};

/// The contrast of two colours as WCAG 2 defines it: 1 (none) to 21 (black on white).
double contrastRatio(const QColor& one, const QColor& other);

/// A mixture of two colours; `share` of the first, from 0 to 1.
QColor between(const QColor& a, const QColor& b, double share);

} // namespace slipway
