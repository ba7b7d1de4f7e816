// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <string_view>

namespace slipway {

/// Removes the ticks around numbers, as logs in Markdown have them: "epoch `3`, loss `0.5`".
/// False: there are none, and `out` is of no use.
bool withoutTicks(std::string_view text, std::string& out);

} // namespace slipway
