// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace slipway::probe {

/// Writes a sample of the job's GPUs and of the node to stdout at the given interval, until its
/// input closes, its output is closed, or a signal ends it (SIGTERM, SIGHUP, SIGINT). Returns the
/// exit code.
int agent(double everySeconds);

} // namespace slipway::probe
