// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "app/runs/runflow.h"

#include <QCoroTask>

#include <optional>
#include <utility>
#include <vector>

namespace slipway {

/// Random text for a file with secrets: the upload passes the checksum of a file on a command line,
/// which others on the login node can see, and without it short values could be guessed from that.
QByteArray freshSalt();

/// A variable and its secret value.
using SecretValue = std::pair<QString, QByteArray>;

/// secrets.env: a line for each variable, quoted for the shell, mode 0600. `salt`: as
/// freshSalt(). Refuses values that are not one line. Pure.
Result<LaunchFile> secretsFile(const std::vector<SecretValue>& secrets, const QByteArray& salt);

/// Reads each secret that the plan names: from the keychain, else from the environment of this
/// program. None: the plan names none. An error names the secret and says what to do, and never
/// contains a value.
QCoro::Task<Result<std::optional<LaunchFile>>> readSecrets(RunFlow flow, Plan plan);

/// Removes files with secrets from the folder of a run that gets no job. If that fails, only their
/// owner can read them.
QCoro::Task<void> removeSecrets(RunFlow flow);

} // namespace slipway
