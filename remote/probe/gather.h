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

/// Asks all that may hang at the same time, each in a child of its own, and waits for the slowest.
Facts gatherFacts(const Settings& settings);

// What the children do; each sends lines that the facts are read from.
void collectCuda(const ChildPipe& pipe);
void collectCudaVersion(
    const ChildPipe& pipe, const std::string& path); ///< of the libcuda at that path
void collectNvml(const ChildPipe& pipe);
void collectDevices(const ChildPipe& pipe);
void collectImage(const ChildPipe& pipe);

/// Which disks are being written to, in memory that the children share: two folders of one disk are
/// not timed at once. Made by DiskClaims::shared(), and never taken away.
class DiskClaims {
public:
    static DiskClaims& shared();
    bool claim(unsigned long device); ///< true for the first that asks

private:
    std::atomic<unsigned long> _devices[16]{};
};
void collectDisk(const ChildPipe& pipe, const std::string& path, DiskClaims& claims);

/// What NVML says of one card; the agent asks for what changes only.
NvmlGpu readNvmlGpu(const Nvml& nvml, NvmlDevice device, int index, bool all);

NodeFacts readNode();
/// The memory of the process's control group, and its limit; both nothing without one.
void readCgroupMemory(NodeFacts& node);
/// The driver's own libcuda, where a compatibility library of the image hides it; empty: not found.
std::string ownLibcuda();
/// Label and folder of the places that people keep files at; each folder once.
std::vector<std::pair<std::string, std::string>> diskPlaces();
Environment processEnvironment();
std::string containerRuntimeHere(); ///< empty: no container, as far as one can tell

} // namespace slipway::probe
