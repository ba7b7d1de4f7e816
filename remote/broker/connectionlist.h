// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QCoroTask>

#include <QDateTime>
#include <QStringList>

#include <chrono>
#include <optional>
#include <vector>

namespace slipway {

/// A connection that a broker of this person holds.
struct SharedConnection {
    QString name; ///< "demo@login.example:22"; empty: it is logging in
    QDateTime since = {};
    QStringList programs = {}; ///< that use it: "slipway-cli (4711)"
    std::optional<std::chrono::milliseconds> endsIn = {}; ///< if nobody uses it
    QString socket = {};
};

/// All of them. A broker that does not answer, or is of another version, is left out.
QCoro::Task<Result<std::vector<SharedConnection>>> sharedConnections();

/// Ends one for all its programs; returns once its broker takes no more of them.
QCoro::Task<Result<void>> endConnection(SharedConnection connection);

} // namespace slipway
