// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>

class QWidget;

namespace slipway {

/// What of a page a person could not read or reach: controls and texts with less room than they
/// need, cut by a parent that does not scroll, or below another one. Each is a line that names the
/// page, the widget and the measures. Empty: everything has its room. What ends in "…" and has its
/// whole text in a tool tip has its room.
QStringList crushedParts(const QWidget& page, const QString& name);

} // namespace slipway
