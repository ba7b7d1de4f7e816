// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>

namespace slipway::probe {

std::string nodeName(); ///< its short host name
const char* architecture(); ///< that the probe was built for: "x86_64"
double wallClock(); ///< the wall clock, seconds since 1970
/// A file's content, at most `most` bytes of it; empty where it cannot be read.
std::string readFile(const std::string& path, size_t most = 1 << 20);
std::string environment(const char* name); ///< empty: not set

} // namespace slipway::probe
