// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/fd.h"

#include <libssh/libssh.h>

#include <memory>

namespace slipway {

/// The C handles of libssh, each wrapped once. A session owns its channels and its socket: freeing
/// it frees them, so a ChannelHandle must be destroyed before. ssh_disconnect() is never called: it
/// would leave a socket that was passed in open, and ssh_free() closes it exactly once.
struct SshFree {
    void operator()(ssh_session session) const { ssh_free(session); }
    void operator()(ssh_channel channel) const { ssh_channel_free(channel); }
    void operator()(ssh_key key) const { ssh_key_free(key); }
    void operator()(ssh_event event) const { ssh_event_free(event); }
};
using SessionHandle = std::unique_ptr<ssh_session_struct, SshFree>;
using ChannelHandle = std::unique_ptr<ssh_channel_struct, SshFree>;
using KeyHandle = std::unique_ptr<ssh_key_struct, SshFree>;
using EventHandle = std::unique_ptr<ssh_event_struct, SshFree>;

} // namespace slipway
