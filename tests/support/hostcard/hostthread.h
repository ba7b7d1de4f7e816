// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What the kernels' side (kernelhost.h) and the one that runs them (hostblock.cpp) share.

/// Where the thread that runs now stands.
struct HostThread {
    int thread, blockX, blockY, blockSize, blocks;
};
extern HostThread hostThread;
void hostBarrier();
void hostAddTo(unsigned* sum, unsigned value);
void hostTensorProduct(const char* instruction, float* sum, const unsigned* a, const unsigned* b);
float hostReciprocalRoot(float value);
