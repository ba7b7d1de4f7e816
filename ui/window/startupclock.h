// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QtGlobal>

#include <optional>

namespace slipway {

/// Milliseconds since the kernel started this process, including dynamic linking; nullopt on a
/// system that does not report it.
std::optional<qint64> millisecondsSinceStart();

} // namespace slipway
