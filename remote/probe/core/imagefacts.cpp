// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/imagefacts.h"

#include <algorithm>

namespace slipway::probe {

namespace {

/// A plausible CUDA version: 5.0 and newer.
Version plausible(std::string_view text)
{
    const Version version = Version::of(text);
    return version.major() >= 5 && version.major() < 100 ? version : Version();
}

} // namespace

ImageCuda cudaOfEnvironment(const Environment& environment)
{
    for (const char* name : {"CUDA_VERSION", "NV_CUDA_CUDART_VERSION", "NV_CUDA_LIB_VERSION"}) {
        if (const Version version = plausible(environment(name).value_or("")))
            return {version, name};
    }
    return {};
}

Version cudaOfVersionFile(std::string_view content)
{
    if (const std::optional<Json> json = Json::read(content)) {
        for (const char* name : {"cuda_cudart", "cuda"}) {
            if (const Version version = plausible((*json)[name]["version"].text()))
                return version;
        }
        return {};
    }
    return plausible(valueOf(content, "CUDA Version"));
}

Version cudaOfLibraryName(std::string_view name)
{
    if (!name.starts_with("libcudart"))
        return {};
    const size_t at = name.find(".so.");
    return at == name.npos ? Version() : plausible(name.substr(at + 4));
}

Version cudaOfPackageName(std::string_view name)
{
    const auto behind = [&](std::string_view prefix) {
        return name.starts_with(prefix) ? plausible(name.substr(prefix.size())) : Version();
    };
    if (name.starts_with("nvidia_cuda_runtime") && name.ends_with(".dist-info")) {
        const size_t dash = name.find('-');
        return dash == name.npos ? Version() : plausible(name.substr(dash + 1));
    }
    if (!name.ends_with(".json"))
        return {};
    for (const char* prefix : {"cudatoolkit-", "cuda-cudart-", "cuda-version-"}) {
        if (const Version version = behind(prefix))
            return version;
    }
    return {};
}

Version cudaOfTorch(std::string_view content)
{
    for (const std::string& line : split(content, '\n')) {
        if (!line.starts_with("cuda"))
            continue;
        const size_t quote = line.find_first_of("'\"");
        if (quote != line.npos)
            return plausible(std::string_view(line).substr(quote + 1));
    }
    return {};
}

std::string containerRuntime(const Environment& environment, const std::vector<std::string>& marks)
{
    const auto marked = [&](std::string_view path) {
        return std::ranges::find(marks, path) != marks.end();
    };
    if (environment("APPTAINER_CONTAINER") || environment("APPTAINER_NAME"))
        return "apptainer";
    if (environment("SINGULARITY_CONTAINER") || environment("SINGULARITY_NAME")
        || marked("/.singularity.d"))
        return "singularity";
    if (marked("/run/.containerenv"))
        return "podman";
    if (marked("/.dockerenv"))
        return "docker";
    if (environment("ENROOT_ROOTFS") || marked("/etc/enroot") || marked("/.enroot"))
        return "enroot";
    return {};
}

std::string gpuSwitch(std::string_view runtime)
{
    if (runtime == "apptainer" || runtime == "singularity")
        return "Start it with --nv: " + std::string(runtime) + " exec --nv IMAGE COMMAND.";
    if (runtime == "docker" || runtime == "podman")
        return "Start it with --gpus all (" + std::string(runtime)
            + " needs NVIDIA's container toolkit on the node).";
    if (runtime == "enroot" || runtime == "pyxis")
        return "Set NVIDIA_VISIBLE_DEVICES=all for the image; enroot's hook 98-nvidia.sh then "
               "brings the driver in.";
    return "Start it with the driver: --nv for Apptainer and Singularity, --gpus all for Docker "
           "and Podman, NVIDIA_VISIBLE_DEVICES=all for enroot and pyxis.";
}

} // namespace slipway::probe
