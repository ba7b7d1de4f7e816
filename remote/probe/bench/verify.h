// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/gpu.h"

namespace slipway::probe {

/// The expected result of the kernel `verify` for thread i (as in kernels/kernels.cu).
unsigned verifyValue(unsigned i, unsigned seed);

/// The results of a GPU for the exact kernel and for a product of 512 × 512. A value.
struct VerifyResult {
    unsigned results = 0, wrong = 0;
    bool sumRight = false;
    Proof product;
    bool right() const { return wrong == 0 && sumRight && product.holds(); }
};
VerifyResult verifyGpu(Gpu& gpu);

} // namespace slipway::probe
