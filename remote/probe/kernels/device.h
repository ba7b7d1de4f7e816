// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What a kernel needs, for clang without a toolkit: nothing else is included.

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
