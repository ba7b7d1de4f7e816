// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace slipway {

/// Whether the local address of a TCP socket belongs to no interface of this computer any more:
/// the network has changed, and nothing will arrive. False for other sockets. Any thread.
bool localAddressIsGone(int fd);

} // namespace slipway
