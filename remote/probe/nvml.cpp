// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/nvml.h"

namespace slipway::probe {

Nvml::Nvml()
    : library({"libnvidia-ml.so.1"})
{
    errorString = reinterpret_cast<const char* (*)(int)>(library.symbol("nvmlErrorString"));
#define SLIPWAY_NVML_LOAD(name, symbolName, arguments)                                             \
    name = reinterpret_cast<int(*) arguments>(library.symbol(symbolName));
    SLIPWAY_NVML_FUNCTIONS(SLIPWAY_NVML_LOAD)
#undef SLIPWAY_NVML_LOAD
}

std::string Nvml::errorText(int error) const
{
    const char* text = errorString ? errorString(error) : nullptr;
    return (text ? std::string(text) : std::string("NVML error")) + " (" + std::to_string(error)
        + ")";
}

} // namespace slipway::probe
