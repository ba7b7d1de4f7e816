// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/gpulane.h"

namespace slipway::probe {

/// The types that cuBLAS multiplies: plain types, and those of the tensor cores with sums in float.
enum class CublasType { Fp32, Fp64, Tf32, Fp16, Bf16 };

/// Cublas is the cuBLAS of the image or the node, opened at run time in the current context. It
/// runs in a child, because any call may crash. Used by one thread.
class Cublas {
public:
    Cublas();
    explicit operator bool() const { return m_handle != nullptr; }
    const std::string& name() const { return m_name; } ///< "cuBLAS 12.4"
    const std::string& error() const { return m_error; } ///< why it cannot be used
    bool can(CublasType type) const;
    /// c = a·b, n × n, in row order; throws LaneError.
    void multiply(CublasType type, int n, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c) const;

private:
    Library m_library;
    void* m_handle = nullptr;
    std::string m_name, m_error;
    int m_version = 0;
};

/// Seconds of each of `repeats`, and the operations per second of the median.
std::vector<double> cublasSeconds(const Cublas& cublas, const Gpu& gpu, CublasType type, int n,
    const DeviceMemory& a, const DeviceMemory& b, const DeviceMemory& c, int repeats);

} // namespace slipway::probe
