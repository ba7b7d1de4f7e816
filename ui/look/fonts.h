// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFont>

namespace slipway {

/// The purpose of a text, which determines its size and weight.
enum class TextRole { Body, Strong, Second, Caption, Heading, Title, Figure, Code };

/// The font of the application: that of the desktop, at 10 points times `scale`.
QFont applicationFont(double scale);

/// The font of a role, derived from the current font of the application.
QFont fontFor(TextRole role);

/// The size of a role in points, at 100 %.
double pointsOf(TextRole role);

/// The font families for code and logs, best first; none of them draws ligatures, so that "==>"
/// stays three characters.
QStringList codeFamilies();

} // namespace slipway
