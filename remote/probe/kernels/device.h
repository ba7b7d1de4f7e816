// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What a kernel needs, for clang without a toolkit: nothing else is included. Compiled as ordinary
// C++ the kernels get these names from tests/support/hostcard/kernelhost.h, and run on the
// processor.

#ifdef __CUDA__

#define KERNEL extern "C" __attribute__((global)) void
#define SHARED __attribute__((shared))
#define BLOCK_OF(threads) __attribute__((launch_bounds(threads)))
/// At least so many blocks on a multiprocessor: bounds the registers.
#define BLOCKS_OF(threads, blocks) __attribute__((launch_bounds(threads, blocks)))
#define DEVICE __attribute__((device)) static inline

/// As an array of shared memory this stays one load of 16 bytes; a struct or a cast would become
/// four.
typedef float Float4 __attribute__((ext_vector_type(4)));
typedef double Double2 __attribute__((ext_vector_type(2)));

DEVICE int thread()
{
    return __nvvm_read_ptx_sreg_tid_x();
}
DEVICE int blockX()
{
    return __nvvm_read_ptx_sreg_ctaid_x();
}
DEVICE int blockY()
{
    return __nvvm_read_ptx_sreg_ctaid_y();
}
DEVICE int blockSize()
{
    return __nvvm_read_ptx_sreg_ntid_x();
}
DEVICE int blocks()
{
    return __nvvm_read_ptx_sreg_nctaid_x();
}
/// Of all threads of a launch in one dimension, which this is and how many there are.
DEVICE long everyThread()
{
    return long(blockX()) * blockSize() + thread();
}
DEVICE long threads()
{
    return long(blocks()) * blockSize();
}

/// Adds to a sum of all threads.
DEVICE void addTo(unsigned* sum, unsigned value)
{
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(sum), "r"(value) : "memory");
}
/// A warp's product of two small matrices on the tensor cores, added to `sum`.
#define TENSOR_PRODUCT(instruction, sum, a, b)                                                     \
    asm volatile("mma.sync.aligned." instruction                                                   \
                 " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                          \
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])                          \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

#endif
