// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFont>

namespace slipway {

/// What a piece of text is for; its size and weight follow from that.
enum class TextRole { Body, Strong, Second, Caption, Heading, Title, Figure, Code };

/// The application's own font: the desktop's, at 10 points times `scale`.
QFont applicationFont(double scale);

/// The font of a role, derived from the application's font as it is now.
QFont fontFor(TextRole role);

/// Points of a role at 100 %.
double pointsOf(TextRole role);

/// The families of code and logs, best first; none of them draws ligatures, so that "==>" stays
/// three characters.
QStringList codeFamilies();

} // namespace slipway
