// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QColor>
#include <QPalette>

namespace slipway {

/// Colours is the whole set of one appearance, light or dark. A value; painted widgets ask for
/// now() whenever they paint, so a switch of the theme reaches them with no wiring.
struct Colours {
    QColor page, surface, line, text, secondText;
    QColor accent, onAccent; ///< the one thing to do next, and the text on it
    QColor done, running, warning, error;
    bool dark = false;

    /// A quiet ground for `tint`: a selected row, a pill, a notice.
    QColor soft(const QColor& tint) const;

    /// `tint` for text and marks: as it is where it reads, else as much stronger as a contrast
    /// of 4.5 on page, surface and its own soft ground asks for.
    QColor ink(const QColor& tint) const;

    static const Colours& light();
    static const Colours& darkSet();
    /// The set that the application's palette was made of.
    static const Colours& now();
    QPalette palette() const;
};

/// The contrast of two colours as WCAG 2 counts it: 1 (none) to 21 (black on white).
double contrastRatio(const QColor& one, const QColor& other);

} // namespace slipway
