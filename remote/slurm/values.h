// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <chrono>
#include <optional>

namespace slipway {

// Single values as Slurm prints them, shared by the parsers of squeue, sinfo and sacct.

/// Epoch seconds (SLURM_TIME_FORMAT=%s); "N/A", "Unknown", "None" and zero are none.
std::optional<QDateTime> slurmTime(const QByteArray& text);
/// "0:42", "1-02:03:04"; "INVALID", "UNLIMITED", "NOT_SET" are none.
std::optional<std::chrono::seconds> slurmDuration(const QByteArray& text);
/// The leading number of "64+" or "12"; 0 when there is none. Never negative.
int slurmCount(const QByteArray& text);
/// "24.11.5", "slurm 24.11.5" → 2411, a number for comparing releases; 0: unknown.
int slurmRelease(const QString& version);
/// The first release in which a step with --overlap takes nothing from the job's other steps.
/// Before it such a step shares its CPUs only with others that overlap, and its GPUs and memory
/// with none.
constexpr int firstSharingRelease = 2205;
/// A plain job ID.
bool isJobNumber(const QByteArray& text);
/// A job ID in Slurm's other notations: the parts of a heterogeneous job ("200+0",
/// whose first part has the number that sbatch printed, "200+1"), a job of a federation's other
/// cluster ("123@west"). Empty: not a job ID at all.
QString shownJobNumber(const QByteArray& text);

} // namespace slipway
