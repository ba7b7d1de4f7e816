// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "remote/base/quantities.h"

#include <chrono>
#include <optional>

namespace slipway {

/// News of a run for a person who is looking elsewhere, in two short sentences. A value.
struct RunNews {
    enum class Kind { Started, Ended, Failed, TimeShort };
    Kind kind = Kind::Ended;
    QString title; ///< "Matmul scaling failed on Kestrel"
    QString text; ///< the cause, or the state in a sentence

    bool operator==(const RunNews&) const = default;
};

/// What is to be told when a run that was in the phase `before` is now as given; none: nothing. A
/// start that is only learned of much later is no news.
std::optional<RunNews> newsOf(
    RunPhase before, const Run& run, const QString& siteName, const QDateTime& now);

/// How long before the time limit there is a warning.
constexpr std::chrono::minutes timeWarning{5};

/// What is to be told of a running run whose time limit is near; none: nothing, or not yet.
std::optional<RunNews> timeNews(
    const Run& run, const WallTime& limit, const QString& siteName, const QDateTime& now);

} // namespace slipway
