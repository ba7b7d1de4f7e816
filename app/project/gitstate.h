// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/snapshot.h"

#include <QString>

namespace slipway {

/// Asks the `git` program for the state of a folder's repository, within 5 s. Nothing that the
/// repository's configuration names is run: no hook, monitor, filter, difference program, pager or
/// transport. Empty where there is no repository, no git, or no answer. Blocks; for a worker
/// thread.
GitState readGitState(const QString& folder);

} // namespace slipway
