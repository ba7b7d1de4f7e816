// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <string_view>

namespace slipway {

/// Whether the bytes are valid UTF-8 without the C1 controls (U+0080 to U+009F), which a terminal
/// would execute.
bool isCleanUtf8(std::string_view bytes);

/// The same text with U+FFFD in place of each invalid byte sequence.
void repairUtf8(std::string_view bytes, std::string& out);

} // namespace slipway
