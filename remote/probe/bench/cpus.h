// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <vector>

namespace slipway::probe {

/// The CPUs that this process may use. A value.
struct AllowedCpus {
    std::vector<int> numbers; ///< by sched_getaffinity
    double quota = 0; ///< CPUs by the cgroup's time limit; 0: none
    /// The useful number of threads: one per CPU, within the quota.
    int threads() const;
    /// Where to pin so many threads; empty where there are more CPUs than threads, among which the
    /// kernel chooses.
    std::vector<int> places(int threads) const;
};
AllowedCpus allowedCpus();

/// "max 100000" or "150000 100000" of cpu.max; 0: no limit. Pure.
double quotaOf(const std::string& cpuMax);

/// Bytes; a typical size where it is unknown.
struct CacheSizes {
    long first = 32 * 1024, second = 512 * 1024, third = 8 * 1024 * 1024;
};
CacheSizes cacheSizes(const std::string& folder = "/sys/devices/system/cpu/cpu0/cache");

/// Bytes that this process may still use: of the node, and of its cgroup.
double availableMemory();

/// "Intel(R) Xeon(R) Platinum 8358 CPU @ 2.60GHz"; empty: unknown.
std::string processorName();

} // namespace slipway::probe
