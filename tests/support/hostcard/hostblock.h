// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <string>

// Kernels on the processor: the blocks of a launch one after the other, the threads of a block as
// fibers that run from barrier to barrier. Every access to memory is held against the memory that
// there is, and against what other threads did to the same word since the last barrier.

/// Memory that kernels may use, from now until it is taken back.
void giveToKernels(void* memory, size_t bytes);
void takeFromKernels(void* memory);

/// True where the sources have a kernel of this name.
bool isHostKernel(const char* name);
/// Runs all threads. Empty, or the first fault in words: "sgemm: thread 3 of block 0 reads 4 bytes
/// that …".
std::string launchOnHost(
    const char* name, unsigned blocksX, unsigned blocksY, unsigned threads, void** arguments);
