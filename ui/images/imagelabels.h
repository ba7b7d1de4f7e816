// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

namespace slipway {

class TextLabel;

// Labels of the cards of the Images page. The caller's layout owns them.

TextLabel* wrappedLabel(const QString& text, const char* role = nullptr);
/// Empty at first; `name` is its object name.
TextLabel* namedLabel(const char* name, const char* role = nullptr);

} // namespace slipway
