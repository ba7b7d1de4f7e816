// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/check.h"
#include "remote/probe/child.h"
#include "remote/probe/core/facts.h"
#include "remote/probe/cuda.h"
#include "remote/probe/nvml.h"

#include <atomic>
#include <string>
#include <vector>

namespace slipway::probe {

/// Runs all queries that may hang in parallel, each in its own child, and waits for the slowest.
Facts gatherFacts(const Settings& settings);

// The work of the children; each sends lines that are parsed into facts.
void collectCuda(const ChildPipe& pipe);
void collectCudaVersion(
    const ChildPipe& pipe, const std::string& path); ///< of the libcuda at that path
void collectNvml(const ChildPipe& pipe);
void collectDevices(const ChildPipe& pipe);
void collectImage(const ChildPipe& pipe);

/// Which disks are being written to, in memory that the children share: two folders of one disk are
/// not timed at once. Created by DiskClaims::shared(), and never freed.
class DiskClaims {
public:
    static DiskClaims& shared();
    bool claim(unsigned long device); ///< true for the first caller

private:
    std::atomic<unsigned long> _devices[16]{};
};
void collectDisk(const ChildPipe& pipe, const std::string& path, DiskClaims& claims);

/// NVML's values of one GPU; the agent queries only what changes.
NvmlGpu readNvmlGpu(const Nvml& nvml, NvmlDevice device, int index, bool all);

NodeFacts readNode();
/// The memory of the process's control group, and its limit; none without one.
void readCgroupMemory(NodeFacts& node);
/// The driver's own libcuda, if a compatibility library of the image hides it; empty: not found.
std::string ownLibcuda();
/// Label and path of the usual folders for files; each folder once.
std::vector<std::pair<std::string, std::string>> diskPlaces();
Environment processEnvironment();
std::string containerRuntimeHere(); ///< empty: no container detected

} // namespace slipway::probe
