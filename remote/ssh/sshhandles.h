// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <libssh/libssh.h>

#include <memory>
#include <unistd.h>
#include <utility>

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

/// A file descriptor that closes itself. Move-only.
class Fd {
public:
    Fd() = default;
    explicit Fd(int fd)
        : m_fd(fd)
    {
    }
    Fd(Fd&& other) noexcept
        : m_fd(other.release())
    {
    }
    Fd& operator=(Fd&& other) noexcept
    {
        reset(other.release());
        return *this;
    }
    ~Fd() { reset(); }

    int get() const { return m_fd; }
    bool valid() const { return m_fd >= 0; }
    int release() { return std::exchange(m_fd, -1); }
    void reset(int fd = -1)
    {
        if (m_fd >= 0)
            ::close(m_fd);
        m_fd = fd;
    }

private:
    int m_fd = -1;
};

} // namespace slipway
