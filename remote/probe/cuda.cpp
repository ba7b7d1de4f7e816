// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/cuda.h"

#include <cstdio>

namespace slipway::probe {

// The bare libcuda.so may be the toolkit's stub, which has no driver behind it.
Cuda::Cuda()
    : library({"libcuda.so.1"})
{
#define SLIPWAY_CUDA_LOAD(name, symbolName, arguments)                                             \
    name = reinterpret_cast<int(*) arguments>(library.symbol(symbolName));
    SLIPWAY_CUDA_FUNCTIONS(SLIPWAY_CUDA_LOAD)
#undef SLIPWAY_CUDA_LOAD
}

std::string Cuda::errorText(int error) const
{
    const char *name = nullptr, *text = nullptr;
    if (getErrorName)
        getErrorName(error, &name);
    if (getErrorString)
        getErrorString(error, &text);
    std::string result = name ? std::string(name) + " (" + std::to_string(error) + ")"
                              : "CUDA error " + std::to_string(error);
    return text ? result + ": " + text : result;
}

int Cuda::attribute(CudaAttribute which, CUdevice device) const
{
    int value = -1;
    return deviceGetAttribute && deviceGetAttribute(&value, int(which), device) == cudaSuccess
        ? value
        : -1;
}

std::string uuidText(const CUuuid& uuid)
{
    std::string text = "GPU";
    for (int i = 0; i < 16; ++i) {
        char byte[4];
        std::snprintf(byte, sizeof byte, "%02x", uuid.bytes[i]);
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text += byte;
    }
    return text;
}

} // namespace slipway::probe
