// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <bit>
#include <cmath>

/// What the bits of the tensor cores' types are worth.
inline double fp16Number(unsigned bits)
{
    const int exponent = int(bits >> 10 & 31), fraction = int(bits & 1023);
    const double size = exponent == 0 ? std::ldexp(fraction, -24)
        : exponent == 31              ? (fraction ? NAN : INFINITY)
                                      : std::ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -size : size;
}
inline double bf16Number(unsigned bits)
{
    return double(std::bit_cast<float>(bits << 16));
}
/// The last 13 bits do not count.
inline double tf32Number(unsigned bits)
{
    return double(std::bit_cast<float>(bits & 0xFFFFE000u));
}
