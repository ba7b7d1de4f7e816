// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QColor>
#include <QPalette>

namespace slipway {

/// Colours is the whole set of one appearance, light or dark. A value; painted widgets ask for the
/// set that belongs to their palette, so a switch of the theme reaches them with no wiring.
struct Colours {
    QColor page, surface, line, text, secondText;
    QColor accent, onAccent; ///< the one thing to do next, and the text on it
    QColor done, running, warning, error;
    bool dark = false;

    /// A quiet ground for `tint`: a selected row, a pill, a notice.
    QColor soft(const QColor& tint) const;

    static const Colours& light();
    static const Colours& darkSet();
    static const Colours& of(const QPalette& palette);
    QPalette palette() const;
};

/// The contrast of two colours as WCAG 2 counts it: 1 (none) to 21 (black on white).
double contrastRatio(const QColor& one, const QColor& other);

} // namespace slipway
