// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QtGlobal>

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace slipway {

/// One long-lived process of a shared connection: a stream, or the persistent shell of a program.
struct SharedStream {
    quint64 program = 0;
    bool isKept = false;
    bool waits = false; ///< for a free session
    std::chrono::milliseconds since{0}; ///< when it began to wait, or to run
};

/// How long a stream waits before another one makes room for it.
inline constexpr std::chrono::milliseconds streamPatience{5'000};

/// Which stream has to make room where a server allows few sessions, so that no program waits for
/// ever while others stream: first a persistent shell, which its program can do without, then, of
/// the program that has most of them, the one that has run longest, once it has had its time. An
/// index; none: nothing waits too long, or what waits has as much as the others. Pure.
std::optional<size_t> streamToEnd(
    const std::vector<SharedStream>& streams, std::chrono::milliseconds now);

} // namespace slipway
