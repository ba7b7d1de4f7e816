// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/run.h"
#include "remote/shell/connector.h"

#include <QStringList>

namespace slipway {

/// What a person would type to do by hand what Slipway did for this run: log in, submit or allocate,
/// look at the queue, follow the log, cancel. One command an entry; pure. `steps` are the step files
/// of an interactive run, `options` those of its salloc.
QStringList runCommands(const Run& run, const ConnectTarget& target, const QStringList& steps,
    const QStringList& options);

} // namespace slipway
