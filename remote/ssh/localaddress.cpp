// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/localaddress.h"

#include <arpa/inet.h>
#include <cstring>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace slipway {

namespace {

bool isSameAddress(const sockaddr* a, const sockaddr* b)
{
    if (a->sa_family != b->sa_family)
        return false;
    if (a->sa_family == AF_INET)
        return reinterpret_cast<const sockaddr_in*>(a)->sin_addr.s_addr
            == reinterpret_cast<const sockaddr_in*>(b)->sin_addr.s_addr;
    return std::memcmp(&reinterpret_cast<const sockaddr_in6*>(a)->sin6_addr,
               &reinterpret_cast<const sockaddr_in6*>(b)->sin6_addr, sizeof(in6_addr))
        == 0;
}

/// All of 127.0.0.0/8 is this computer, and ::ffff:a.b.c.d is no address of an interface.
bool isAlwaysHere(const sockaddr* address)
{
    if (address->sa_family == AF_INET)
        return (ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 24) == 127;
    if (address->sa_family != AF_INET6)
        return true;
    const auto* v6 = &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(v6) || IN6_IS_ADDR_V4MAPPED(v6);
}

} // namespace

bool localAddressIsGone(int fd)
{
    sockaddr_storage storage{};
    socklen_t length = sizeof(storage);
    auto* own = reinterpret_cast<sockaddr*>(&storage);
    if (::getsockname(fd, own, &length) != 0 || isAlwaysHere(own))
        return false;
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0)
        return false;
    bool found = false;
    for (const ifaddrs* one = list; one && !found; one = one->ifa_next)
        found = one->ifa_addr && isSameAddress(one->ifa_addr, own);
    ::freeifaddrs(list);
    return !found;
}

} // namespace slipway
