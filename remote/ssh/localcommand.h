// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/ssh/linkgate.h"

#include <QByteArray>
#include <QStringList>

#include <chrono>

namespace slipway {

/// What a program of this computer printed, and its exit code.
struct LocalOutput {
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};

/// Runs a program of this computer to its end and keeps the first MiB of what it prints. Called on
/// the worker; ends it when the gate is stopped or the time is over.
Result<LocalOutput> runLocally(const QString& program, const QStringList& arguments,
    const QByteArray& input, LinkGate& gate, std::chrono::milliseconds limit);

} // namespace slipway
