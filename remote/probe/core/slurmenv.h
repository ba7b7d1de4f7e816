// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace slipway::probe {

/// A variable of the environment; none if it is not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// What Slurm's environment variables say about the job. A value.
struct SlurmEnv {
    bool inJob = false;
    bool asksGpu = false; ///< one of the variables names a GPU
    std::optional<int> gpusOnNode; ///< that belong to the job or step here
    std::vector<std::string>
        hostIndexes; ///< of its GPUs, as the node counts them: SLURM_STEP_GPUS, SLURM_JOB_GPUS
    std::optional<int> gpusPerTask;
    std::optional<int> cpusPerTask, cpusOnNode;
    std::optional<double> memory; ///< bytes on this node
    std::string nodeName;
    std::string mpiType;

    static SlurmEnv of(const Environment& environment);
};

/// "2", "gpu:2", "a100:2", "gpu:a100:2,shard:4": how many GPUs
std::optional<int> readGpuCount(const std::string& text);
/// "3(x2)", "8": the first number
std::optional<int> readFirstCount(const std::string& text);

/// A mask of GPUs: CUDA_VISIBLE_DEVICES and its like. A value.
struct GpuMask {
    bool set = false;
    std::string text;
    std::vector<std::string> entries;

    static GpuMask of(const std::optional<std::string>& value);
    bool hidesAll() const; ///< empty, "-1", "NoDevFiles"
    bool byUuid() const; ///< the first entry is a UUID or the beginning of one
    /// Which of `count` cards numbered from 0 it lets through: CUDA stops at the first entry that
    /// is none.
    std::vector<int> indexesOf(int count) const;
};

} // namespace slipway::probe
