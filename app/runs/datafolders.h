// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/container/runtime.h"
#include "remote/shell/shell.h"

#include <QCoroTask>

#include <memory>
#include <vector>

namespace slipway {

// The folders that a launch only reads: whether they are there, asked before anything is submitted.

/// What the login node says of one folder. Unset: the path begins with a variable that has no value
/// there.
enum class DataState { There, Missing, Closed, Unset, Unknown };

/// A script that looks at each folder, with the variables of a login shell, as a job has them. It
/// prints a number and a word for each and no text of the cluster. Pure.
QByteArray dataScript(const std::vector<Bind>& folders);

/// One state for each folder; what the answer does not hold is unknown. Pure.
std::vector<DataState> readDataStates(const QByteArray& answer, std::size_t folders);

/// What keeps a launch from being submitted, with the name of each folder. Nothing: they are all
/// there, or each node has its own. Pure.
Result<void> dataVerdict(const std::vector<Bind>& folders, const std::vector<DataState>& states);

/// Asks and judges, in one script; asks nothing if there is nothing to ask.
QCoro::Task<Result<void>> checkDataFolders(std::shared_ptr<Shell> shell, std::vector<Bind> folders);

} // namespace slipway
