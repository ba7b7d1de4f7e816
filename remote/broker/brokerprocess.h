// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/connector.h"

namespace slipway {

/// The life of a broker: takes the socket, serves programs, and returns the exit code of the
/// process once the connection has ended. 0 as well where another broker serves that socket. Called
/// by main() with an application object and no event loop yet.
int serveConnection(Connector* connector, const QString& socket);

/// SLIPWAY_KEEP_CONNECTION, in seconds, else ten minutes.
std::chrono::milliseconds keepTime();

} // namespace slipway
