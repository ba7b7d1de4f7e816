// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <cstdint>

/// Begins the function that is given each input, as its bytes `data` and their number `size`. In a
/// program of libFuzzer it has the name that this library wants; fuzz_bounded holds all of them,
/// each with its own name.
#ifdef SLIPWAY_LIBFUZZER
#define SLIPWAY_FUZZ_TARGET(name)                                                                  \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#else
#define SLIPWAY_FUZZ_TARGET(name)                                                                  \
    extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);                        \
    extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size)
#endif
