// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::probe {

/// The kernel's part of the NVIDIA driver: /proc/driver/nvidia/version.
struct KernelDriver {
    std::string version;
    bool open = false; ///< the open kernel module
};
std::optional<KernelDriver> readDriverVersion(std::string_view text);

/// One card as the kernel's driver lists it: /proc/driver/nvidia/gpus/…/information.
struct KernelGpu {
    std::string name, uuid, busId;
    std::optional<int> minor; ///< of /dev/nvidia…
};
KernelGpu readKernelGpu(std::string_view text);

/// A message of the driver in the kernel's log.
struct Xid {
    std::string busId;
    int code = 0;
    std::string text;
};
std::vector<Xid> readXids(std::string_view kernelLog);

struct CpuInfo {
    std::string model;
    std::vector<std::string> features; ///< the kernel's words for them
    bool has(std::string_view feature) const;
    std::string instructions() const; ///< the widest that counts: "AVX-512", "AVX2", "NEON"
};
CpuInfo readCpuInfo(std::string_view text);

/// A line of /proc/meminfo, in bytes.
std::optional<std::uint64_t> readMemInfo(std::string_view text, std::string_view name);

/// The times of each CPU since the node started, in ticks: /proc/stat.
struct CpuTimes {
    int cpu = 0;
    std::uint64_t busy = 0, total = 0;
};
std::vector<CpuTimes> readCpuTimes(std::string_view text);
/// Per cent of the time between the two that these CPUs worked; nothing where none is in both.
std::optional<double> cpuPercent(const std::vector<CpuTimes>& before,
    const std::vector<CpuTimes>& after, const std::vector<int>& cpus);

/// "0-3,8" and back. What is no list is left out; at most 65536 CPUs.
std::vector<int> readCpuList(std::string_view text);
std::string cpuListText(const std::vector<int>& cpus);

struct Mount {
    std::string point, type, source;
    std::vector<std::string> options;
    bool has(std::string_view option) const;
};
std::vector<Mount> readMounts(std::string_view mountinfo);
/// The mount that the absolute path lies on; null: none.
const Mount* mountOf(const std::vector<Mount>& mounts, std::string_view path);

/// The limits that the control groups of a process set: /proc/self/cgroup.
struct CgroupPaths {
    std::string unified; ///< of version 2; empty: none
    std::string memory, cpu; ///< of version 1
};
CgroupPaths readCgroups(std::string_view text);
/// The folder and each above it: "/a/b" is "/a/b", "/a", "".
std::vector<std::string> withParents(std::string_view path);
/// "200000 100000" is 2 CPUs; "max …": no limit.
std::optional<double> readCpuMax(std::string_view text);
/// Bytes; nothing for "max" and for what version 1 writes where there is no limit.
std::optional<std::uint64_t> readMemoryLimit(std::string_view text);

} // namespace slipway::probe
