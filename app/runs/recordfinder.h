// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/shell.h"

#include <QCoroTask>

#include <QStringList>

#include <memory>

namespace slipway {

/// The script that lists what metrics loggers may have written below a run's folder, newest first:
/// bounded in depth, time and output, so that a folder with a million files costs a login node
/// little.
QByteArray recordFinderScript(const QString& folder);

/// The names that the script printed, without those that are unsafe, too large, Slipway's own or
/// secret. Pure.
QStringList foundRecords(const QByteArray& output);

/// Asks once, without a channel of its own. Empty: there are none, or there was no answer.
QCoro::Task<QStringList> findRecords(std::shared_ptr<Shell> shell, QString folder);

} // namespace slipway
