// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The probe's kernels, from the sources that the cards run, and kernels with faults that the checks
// must find.
#include "tests/support/hostcard/kernelhost.h"

#include "remote/probe/kernels/kernels.cu"
#include "remote/probe/kernels/tensor.cu"

namespace {

KERNEL wrong_race(unsigned* out)
{
    SHARED unsigned exchange[256];
    exchange[thread()] = unsigned(thread());
    out[thread()] = exchange[255 - thread()]; // without a barrier
}
KERNEL wrong_reuse(unsigned* out)
{
    SHARED unsigned exchange[256];
    exchange[thread()] = unsigned(thread());
    __syncthreads();
    const unsigned value = exchange[thread() < 128 ? 255 - thread() : thread()];
    exchange[thread()] = 0; // another may not have read it yet
    out[thread()] = value;
}
KERNEL wrong_sum(unsigned* out)
{
    out[0] += 1; // of all threads, not atomic
}
KERNEL wrong_blocks(unsigned* out)
{
    __syncthreads();
    out[thread()] = unsigned(blockX()); // every block writes the same place
}
KERNEL wrong_end(unsigned* out)
{
    out[everyThread() + 1] = 1;
}
KERNEL wrong_begin(unsigned* out)
{
    SHARED unsigned exchange[256];
    __syncthreads();
    out[thread()] = exchange[thread()]; // never written
}
KERNEL wrong_barrier(unsigned* out)
{
    if (thread() < 100)
        __syncthreads();
    out[thread()] = 1;
}

/// Calls a kernel with what cuLaunchKernel takes: a pointer to each argument.
template <typename... Arguments>
__attribute__((no_sanitize("thread"))) void call(void (*kernel)(Arguments...), void** arguments)
{
    int i = 0;
    // Between braces the arguments are read in their order.
    struct Call {
        __attribute__((no_sanitize("thread")))
        Call(void (*which)(Arguments...), Arguments... values)
        {
            which(values...);
        }
    } now{kernel, *static_cast<Arguments*>(arguments[i++])...};
    (void)now;
}

} // namespace

// clang-format off
#define HOST_KERNELS(X) \
    X(verify) X(sgemm) X(dgemm) X(triad) X(nbody) X(peak_fp32) X(peak_fp64) X(fill) X(check) \
    X(compare) X(peak_fp16) X(peak_bf16) X(peak_tf32) X(wrong_race) X(wrong_reuse) X(wrong_sum) \
    X(wrong_blocks) X(wrong_end) X(wrong_begin) X(wrong_barrier)
// clang-format on

/// Runs the thread that hostThread names; false: there is no kernel of this name.
__attribute__((no_sanitize("thread"))) bool hostKernel(const char* name, void** arguments)
{
#define HOST_KERNEL(kernel)                                                                        \
    if (__builtin_strcmp(name, #kernel) == 0) {                                                    \
        if (arguments)                                                                             \
            call(kernel, arguments);                                                               \
        return true;                                                                               \
    }
    HOST_KERNELS(HOST_KERNEL)
#undef HOST_KERNEL
    return false;
}
