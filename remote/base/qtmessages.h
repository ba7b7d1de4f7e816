// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace slipway {

/// Keeps Qt's own remarks, as on a missing XDG_RUNTIME_DIR, from the person's terminal: critical
/// and fatal messages still go to standard error, and all do where QT_LOGGING_RULES is set. For
/// main(), before the application object is made.
void silenceQtMessages();

} // namespace slipway
