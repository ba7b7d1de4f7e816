// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

class QWidget;

namespace slipway {

/// Tells assistive technology what changed, through the accessible name of `where` and an alert on
/// it. Says nothing when the text is the one said last.
void announce(QWidget* where, const QString& text);

} // namespace slipway
