// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace slipway {

/// Keeps Qt's own warnings, for example about a missing XDG_RUNTIME_DIR, out of the terminal:
/// critical and fatal messages still go to standard error, and all messages do if QT_LOGGING_RULES
/// is set. To be called in main() before the application object is created.
void silenceQtMessages();

} // namespace slipway
