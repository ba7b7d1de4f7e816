// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/base/sleepclock.h"

#include <ctime>

namespace slipway {

std::chrono::milliseconds timeAsleep()
{
    timespec awake{};
    timespec all{};
    ::clock_gettime(CLOCK_MONOTONIC, &awake);
    ::clock_gettime(CLOCK_BOOTTIME, &all);
    return std::chrono::seconds(all.tv_sec - awake.tv_sec)
        + std::chrono::milliseconds((all.tv_nsec - awake.tv_nsec) / 1'000'000);
}

} // namespace slipway
