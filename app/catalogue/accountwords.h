// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/clusterinfo.h"

#include <QString>

namespace slipway {

// What an account still has, in words: the same in the form and in the terminal. Pure.

/// "1,240 of 5,000 GPU hours left", one for each limit.
QStringList hoursLeft(const AccountShare& share);
/// "fair-share 0.43; 1,240 of 5,000 GPU hours left in this account"; empty: nothing is known.
QString shareSentence(const AccountShare& share);

/// The share that a job of this account in this partition uses. Without an account it is that of
/// the only one; null: unknown.
const AccountShare* shareOf(
    const ClusterInfo& cluster, const QString& account, const QString& partition);

} // namespace slipway
