// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "tests/support/hostcard/hostthread.h"

// The names of remote/probe/kernels/device.h for a kernel that runs on the processor (hostblock.h).
// Compiled by clang with the instrumentation of the thread sanitizer, whose calls hostblock.cpp
// takes.

#define KERNEL static void
#define SHARED static __attribute__((section("slipway_shared")))
#define BLOCK_OF(threads)
#define BLOCKS_OF(threads, blocks)
#define DEVICE static inline
typedef float Float4 __attribute__((ext_vector_type(4)));
typedef double Double2 __attribute__((ext_vector_type(2)));

DEVICE int thread()
{
    return hostThread.thread;
}
DEVICE int blockX()
{
    return hostThread.blockX;
}
DEVICE int blockY()
{
    return hostThread.blockY;
}
DEVICE int blockSize()
{
    return hostThread.blockSize;
}
DEVICE long everyThread()
{
    return long(hostThread.blockX) * hostThread.blockSize + hostThread.thread;
}
DEVICE long threads()
{
    return long(hostThread.blocks) * hostThread.blockSize;
}
DEVICE void __syncthreads()
{
    hostBarrier();
}
DEVICE float __nvvm_rsqrt_approx_f(float value)
{
    return hostReciprocalRoot(value);
}
DEVICE void addTo(unsigned* sum, unsigned value)
{
    hostAddTo(sum, value);
}
#define TENSOR_PRODUCT(instruction, sum, a, b) hostTensorProduct(instruction, sum, a, b)
