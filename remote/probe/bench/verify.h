// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/gpu.h"

namespace slipway::probe {

/// What kernel `verify` must give for thread i (kernels/kernels.cu says the same).
unsigned verifyValue(unsigned i, unsigned seed);

/// What a card answered to the exact kernel and to a product of 512 × 512. A value.
struct VerifyResult {
    unsigned results = 0, wrong = 0;
    bool sumRight = false;
    Proof product;
    bool right() const { return wrong == 0 && sumRight && product.holds(); }
};
VerifyResult verifyGpu(Gpu& gpu);

} // namespace slipway::probe
