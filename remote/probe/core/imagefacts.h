// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/json.h"
#include "remote/probe/core/slurmenv.h"
#include "remote/probe/core/text.h"

#include <string>
#include <string_view>
#include <vector>

namespace slipway::probe {

/// The CUDA version of an image and its source. A value.
struct ImageCuda {
    Version version; ///< empty: none was found
    std::string source; ///< "CUDA_VERSION", "/usr/local/cuda/version.json"
};

/// CUDA_VERSION, NV_CUDA_CUDART_VERSION and their like, as NVIDIA's images set them.
ImageCuda cudaOfEnvironment(const Environment& environment);
/// version.json of a toolkit, or version.txt of an old one.
Version cudaOfVersionFile(std::string_view content);
/// "libcudart.so.12.4.127", "libcudart-d0da41ae.so.11.0"
Version cudaOfLibraryName(std::string_view name);
/// "nvidia_cuda_runtime_cu12-12.4.127.dist-info", "cudatoolkit-11.3.1-h2bc3f7f_2.json",
/// "cuda-cudart-12.4.127-0.json"
Version cudaOfPackageName(std::string_view name);
/// torch/version.py: "cuda: Optional[str] = '12.4'"
Version cudaOfTorch(std::string_view content);

/// "apptainer", "docker", …, from the environment and from files that runtimes leave; empty: no
/// known container.
std::string containerRuntime(const Environment& environment, const std::vector<std::string>& marks);

/// How to pass the GPU in with the runtime's own option: a sentence.
std::string gpuSwitch(std::string_view runtime);

} // namespace slipway::probe
