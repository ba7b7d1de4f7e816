// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/sitesession.h"

namespace slipway {

/// What the terminal says when the connection changes from `before`; empty: nothing. A connection
/// that has ended is said by whoever ends. `consequence`: as in ConnectionWatch. Pure.
QString connectionNote(
    ConnectionState::Phase before, const ConnectionState& now, const QString& consequence);

} // namespace slipway
