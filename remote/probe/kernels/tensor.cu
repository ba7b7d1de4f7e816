// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "device.h"

// What the tensor cores do with mma.sync alone, in registers: 8 chains a warp. From compute
// capability 8.0.
#define TENSOR_PEAK(name, instruction)                                                             \
    KERNEL BLOCK_OF(256) name(float* out, int loops)                                               \
    {                                                                                              \
        const unsigned id = unsigned(thread());                                                    \
        const unsigned a[4] = {id, id + 1, id + 2, id + 3}, b[2] = {id, id ^ 5};                   \
        float sum[8][4] = {};                                                                      \
        for (int loop = 0; loop < loops; ++loop) {                                                 \
            _Pragma("unroll") for (int i = 0; i < 8; ++i)                                          \
                TENSOR_PRODUCT(instruction, sum[i], a, b);                                         \
        }                                                                                          \
        float all = 0;                                                                             \
        _Pragma("unroll") for (int i = 0; i < 8; ++i) all +=                                       \
            sum[i][0] + sum[i][1] + sum[i][2] + sum[i][3];                                         \
        out[everyThread()] = all;                                                                  \
    }
TENSOR_PEAK(peak_fp16, "m16n8k16.row.col.f32.f16.f16.f32")
TENSOR_PEAK(peak_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
TENSOR_PEAK(peak_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
