// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/error.h"

#include <chrono>
#include <optional>

namespace slipway {

/// Reconnecting decides when a lost connection is tried again: after 1, 2, 4 … 60 s, each 20 % more
/// or less, for as long as it takes; never where the last login needed a person, and not after an
/// error that another attempt would only repeat. Times are those of the caller's clock, in ms since
/// any moment. A value; SiteSession owns one.
class Reconnecting {
public:
    using Milliseconds = std::chrono::milliseconds;

    /// A login has succeeded. `askedAPerson`: for an answer that cannot be given again, such as a
    /// password or a code.
    void loggedIn(bool askedAPerson);
    /// The connection was lost at `now`; when the next attempt is due, or none: a person is needed.
    /// `jitter` is in [-1, 1].
    std::optional<Milliseconds> lost(Milliseconds now, double jitter);
    /// The attempt that began at `began` failed at `now`.
    std::optional<Milliseconds> failed(
        const Error& error, Milliseconds began, Milliseconds now, double jitter);
    /// The computer was asleep, or its network has changed: the next attempt may be earlier, but
    /// five seconds lie between two.
    std::optional<Milliseconds> woken(Milliseconds now, double jitter);

    int attempts() const { return m_attempts; } ///< since the connection was lost

    /// Whether another attempt may succeed where this error ended one.
    static bool mayPass(const Error& error);

private:
    std::optional<Milliseconds> later(Milliseconds now, double jitter);

    bool m_needsPerson = true;
    int m_attempts = 0;
    std::optional<Milliseconds> m_lastBegan;
    std::optional<Milliseconds> m_due;
};

} // namespace slipway
