// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>

#include <chrono>
#include <compare>
#include <optional>

namespace slipway {

/// WallTime is a job's time limit or elapsed time, in whole seconds, or unlimited.
/// Reads every form that Slurm accepts and prints (sbatch(1), --time): "minutes",
/// "minutes:seconds", "hours:minutes:seconds", "days-hours", "days-hours:minutes",
/// "days-hours:minutes:seconds", "UNLIMITED".
class WallTime {
public:
    constexpr WallTime() = default;
    constexpr explicit WallTime(std::chrono::seconds seconds)
        : m_seconds(seconds)
    {
    }
    static constexpr WallTime unlimited() { return WallTime(std::chrono::seconds(-1)); }
    static Result<WallTime> parse(const QString& text);

    constexpr bool isUnlimited() const { return m_seconds.count() < 0; }
    constexpr std::chrono::seconds seconds() const { return m_seconds; }

    /// "00:30:00", "2-04:00:00" or "UNLIMITED": as in an #SBATCH line.
    QString slurmText() const;

    /// Unlimited is longer than any limit.
    std::strong_ordering operator<=>(const WallTime& other) const;
    bool operator==(const WallTime& other) const = default;

private:
    std::chrono::seconds m_seconds{0};
};

/// ByteCount is a number of bytes; it is displayed with binary prefixes ("1.5 GiB").
class ByteCount {
public:
    constexpr ByteCount() = default;
    constexpr explicit ByteCount(qint64 bytes)
        : m_bytes(bytes)
    {
    }
    constexpr qint64 bytes() const { return m_bytes; }
    QString text() const;
    auto operator<=>(const ByteCount&) const = default;

private:
    qint64 m_bytes = 0;
};

/// MemorySize is memory as Slurm counts it: whole MiB, with the suffixes K, M, G, T of sbatch(1)
/// --mem. Zero means "all memory of the node", as it does there.
class MemorySize {
public:
    constexpr MemorySize() = default;
    constexpr explicit MemorySize(qint64 mebibytes)
        : m_mebibytes(mebibytes)
    {
    }
    static Result<MemorySize> parse(const QString& text);

    constexpr qint64 mebibytes() const { return m_mebibytes; }
    /// "64G" when it is a whole number of GiB, else "1500M".
    QString slurmText() const;
    auto operator<=>(const MemorySize&) const = default;

private:
    qint64 m_mebibytes = 0;
};

/// "0:42", "3:05", "1:02:03", "2 d 04:00:00": a duration for display.
QString durationText(std::chrono::seconds duration);

} // namespace slipway
