// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/gpufacts.h"
#include "remote/probe/core/imagefacts.h"
#include "remote/probe/core/procfiles.h"
#include "remote/probe/core/row.h"
#include "remote/probe/core/slurmenv.h"

#include <optional>
#include <string>
#include <vector>

namespace slipway::probe {

enum class Place { Host, Container };

/// The CPUs and the memory, and the share that the process may use.
struct NodeFacts {
    CpuInfo cpu;
    int online = 0; ///< CPUs that the node has
    std::vector<int> allowed; ///< that this process may run on
    std::optional<double> quota; ///< CPU quota of its control group, in CPUs
    std::optional<double> memoryTotal, memoryAvailable; ///< of the node
    std::optional<double> memoryLimit, memoryUsed; ///< of its control group
    std::optional<std::string> ompThreads;
    std::optional<double> lockable; ///< bytes, ulimit -l; nothing: no limit
    std::optional<double> openFiles; ///< ulimit -n
    std::optional<double> shm; ///< bytes that /dev/shm has
    bool infiniband = false; ///< the node has such a card
    std::vector<std::vector<int>> numa; ///< CPUs of each domain
    double load = 0;
};

/// A folder for files. `label` is its common name: "home", "tmp", "scratch", "here".
struct DiskFacts {
    std::string label, path, type;
    std::optional<double> free, total, inodesFree; ///< bytes, bytes, files
    std::optional<double> writeRate; ///< bytes/s, synced
    bool noexec = false;
    std::string error; ///< why it could not be written to
    std::string trouble; ///< how the child ended, if it failed
    bool begun = true; ///< the child was started in time
};

/// A program and its reported version.
struct ProgramFacts {
    std::string name, version;
    bool late = false;
};

/// The facts of the node: gathered once, by children where a call may hang (gather.h). A value.
struct Facts {
    Place place = Place::Host;
    std::string nodeName;
    double deadline = 10;
    SlurmEnv slurm;
    GpuMask cudaMask; ///< CUDA_VISIBLE_DEVICES
    std::string runtime; ///< of the container that this runs in; empty: none detected
    ImageCuda image;
    DeviceFacts devices;
    CudaFacts cuda;
    NvmlFacts nvml;
    NodeFacts node;
    std::vector<DiskFacts> disks;
    std::vector<ProgramFacts> runtimes; ///< that were found
    std::vector<std::string> mpiKinds; ///< of srun --mpi=list
    std::vector<std::string> mpiVersions; ///< "pmix_v4"
    bool pyxis = false;
    ProgramFacts mpirun;
    ProgramFacts srun;

    /// There is no sign of an NVIDIA GPU here, and no job that requests one.
    bool withoutGpu() const;
    /// Cases without a fault: a job without a GPU, a login node.
    std::string whyWithoutGpu() const;
    std::string driverVersion() const; ///< of the kernel, else of NVML; empty: unknown
};

// Verdicts: pure functions of the facts, one row each.
Row driverVersionRow(const Facts& facts);
Row libcudaRow(const Facts& facts);
Row driverCudaRow(const Facts& facts);
Row deviceNodesRow(const Facts& facts);
Row gpuListRow(const Facts& facts);
Row nvmlRow(const Facts& facts);
Row slurmCountRow(const Facts& facts);
Row imageCudaRow(const Facts& facts);
Row gpuArchRow(const Facts& facts);
Row migRow(const Facts& facts);
Row eccRow(const Facts& facts);
Row xidRow(const Facts& facts);
Row stateRow(const Facts& facts);
Row pcieRow(const Facts& facts, bool underLoad);
Row nvlinkRow(const Facts& facts);
Row cpuRow(const Facts& facts);
Row threadsRow(const Facts& facts);
Row memoryRow(const Facts& facts);
Row limitsRow(const Facts& facts);
Row shmRow(const Facts& facts);
Row numaRow(const Facts& facts);
Row diskRow(const Facts& facts, const DiskFacts& disk);
Row runtimeRow(const Facts& facts);
Row mpiRow(const Facts& facts);

} // namespace slipway::probe
