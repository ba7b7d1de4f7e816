// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

namespace slipway {

/// A limit on the time that an account may use of one resource, and how much of it is used. Slurm
/// counts both in minutes of one CPU, GPU or node.
struct UsageLimit {
    QString tres; ///< as Slurm names it: "cpu", "node", "billing", "gres/gpu", "gres/gpu:h200"
    std::chrono::minutes limit{0};
    std::chrono::minutes used{0};

    /// Never negative.
    std::chrono::minutes left() const { return std::max(limit - used, std::chrono::minutes(0)); }
};

/// AccountShare is what one account of a person still has: its fair-share and its limits on time.
/// A value; what the scheduler did not say is absent.
struct AccountShare {
    QString account;
    QString partition; ///< the association is for this partition only; empty: for all
    std::optional<double> fairShare; ///< 0 to 1, which counts in a job's priority; none: unknown
    /// GPUs first. Of the limits of the person, the account and those above it, the one with the
    /// least time left.
    std::vector<UsageLimit> limits;
};

/// Asks for the calling user's associations and for all accounts, which have limits as well.
QByteArray sshareCommand();
/// The associations of `user`. Rows that cannot be read are left out; at most 500 associations.
std::vector<AccountShare> parseSshare(const QByteArray& output, const QString& user);

} // namespace slipway
