// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

class QWidget;

namespace slipway {

/// Tells assistive technology what has changed, through the accessible name of `where` and an alert
/// on it. Does nothing if the text is the same as the last time.
void announce(QWidget* where, const QString& text);

} // namespace slipway
