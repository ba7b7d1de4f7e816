// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/gpunode.h"

#include <vector>

namespace slipway {

/// CudaRequirement is what an image requires of a node in NVIDIA_REQUIRE_CUDA: alternatives
/// separated by spaces, of which one must hold, each of conditions separated by commas, which must
/// all hold: "cuda>=12.4 brand=tesla,driver>=470,driver<471" (NVIDIA container toolkit). A value.
struct CudaRequirement {
    enum class Sign { Equal, NotEqual, Less, AtMost, Greater, AtLeast };
    /// Whether it holds on a node; Unknown where the node's facts do not decide it.
    enum class Held { Yes, No, Unknown };

    struct Condition {
        QString subject; ///< "cuda", "driver", "arch", "brand"; empty: it could not be read
        Sign sign = Sign::Equal;
        QString value;
    };
    std::vector<std::vector<Condition>> alternatives; ///< empty: it requires nothing

    static CudaRequirement parse(const QString& text);

    /// The oldest CUDA that one of the alternatives asks for, "12.4"; empty: none names CUDA.
    QString leastCuda() const;
    Held heldBy(const GpuNode& node) const;
};

} // namespace slipway
