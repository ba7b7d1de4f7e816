// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QtGlobal>

#include <optional>

namespace slipway {

/// Milliseconds since the kernel started this process, dynamic linking included; nullopt where the
/// system does not tell.
std::optional<qint64> millisecondsSinceStart();

} // namespace slipway
