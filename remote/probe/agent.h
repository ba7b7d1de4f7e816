// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace slipway::probe {

/// Writes a sample of the job's cards and of the node every so many seconds on stdout, until its
/// input closes, nobody reads its output, or it is told to end (SIGTERM, SIGHUP, SIGINT). Returns
/// the exit code.
int agent(double everySeconds);

} // namespace slipway::probe
