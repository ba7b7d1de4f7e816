// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/registry/imagedescription.h"

namespace slipway {

/// What an image says of its CUDA, from its environment and labels; nothing is taken from its name.
struct ImageCuda {
    QString version; ///< CUDA_VERSION, "12.4.1"; empty: it does not say
    QString require; ///< NVIDIA_REQUIRE_CUDA, as written
    bool hasForwardCompatibility = false; ///< it contains the cuda-compat libraries, as it says
    bool requireIsOff = false; ///< NVIDIA_DISABLE_REQUIRE: nothing shall check `require`
};
ImageCuda cudaOf(const ImageDescription& image);

/// Frameworks and their versions that it names, for a person: "PyTorch 2.9.0a0", "Python 3.12".
QStringList frameworksOf(const ImageDescription& image);

} // namespace slipway
