// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/cublas.h"

#include "remote/probe/bench/stats.h"

#include <algorithm>
#include <cmath>

namespace slipway::probe {
namespace {

// Numbers of cuBLAS's documented interface.
constexpr int realFloat = 0, realDouble = 1, realHalf = 2, realBfloat = 14;
constexpr int computeFloat = 68, computeTf32 = 77, plainOperation = 0, anyAlgorithm = -1;
constexpr int firstWithComputeTypes = 11000;

struct TypeNumbers {
    int data, result, compute;
};
TypeNumbers numbersOf(CublasType type)
{
    switch (type) {
    case CublasType::Fp64:
        return {realDouble, realDouble, 0};
    case CublasType::Tf32:
        return {realFloat, realFloat, computeTf32};
    case CublasType::Fp16:
        return {realHalf, realHalf, computeFloat};
    case CublasType::Bf16:
        return {realBfloat, realBfloat, computeFloat};
    case CublasType::Fp32:
        break;
    }
    return {realFloat, realFloat, computeFloat};
}

using Create = int (*)(void**);
using GetVersion = int (*)(void*, int*);
template <typename T>
using Gemm3 = int (*)(void*, int, int, int, int, int, const T*, CUdeviceptr, int, CUdeviceptr, int,
    const T*, CUdeviceptr, int);
using GemmEx = int (*)(void*, int, int, int, int, int, const void*, CUdeviceptr, int, int,
    CUdeviceptr, int, int, const void*, CUdeviceptr, int, int, int, int);

} // namespace

Cublas::Cublas()
    : m_library({"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so.10",
        "libcublas.so.9.2", "libcublas.so.9.0", "libcublas.so.8.0", "libcublas.so"})
{
    const auto create = reinterpret_cast<Create>(m_library.symbol("cublasCreate_v2"));
    if (!create) {
        m_error = m_library ? "libcublas has no cublasCreate_v2" : "no libcublas here";
        return;
    }
    void* handle = nullptr;
    if (const int code = create(&handle); code != 0) {
        m_error = "cublasCreate: error " + std::to_string(code);
        return;
    }
    m_handle = handle;
    if (const auto version = reinterpret_cast<GetVersion>(m_library.symbol("cublasGetVersion_v2")))
        version(m_handle, &m_version);
    m_name = "cuBLAS";
    if (m_version >= 100000) // 120401 and later: two digits each
        m_name +=
            " " + std::to_string(m_version / 10000) + "." + std::to_string(m_version / 100 % 100);
    else if (m_version > 0)
        m_name +=
            " " + std::to_string(m_version / 1000) + "." + std::to_string(m_version / 100 % 10);
}

bool Cublas::can(CublasType type) const
{
    if (!m_handle)
        return false;
    if (type == CublasType::Fp32 || type == CublasType::Fp64)
        return m_library.symbol(type == CublasType::Fp32 ? "cublasSgemm_v2" : "cublasDgemm_v2")
            != nullptr;
    return m_version >= firstWithComputeTypes && m_library.symbol("cublasGemmEx") != nullptr;
}

void Cublas::multiply(CublasType type, int n, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c) const
{
    // cuBLAS counts by columns: b·a there is a·b here.
    int code = 0;
    const float one = 1, zero = 0;
    const double oneTwice = 1, zeroTwice = 0;
    if (type == CublasType::Fp32) {
        code = reinterpret_cast<Gemm3<float>>(m_library.symbol("cublasSgemm_v2"))(
            m_handle, plainOperation, plainOperation, n, n, n, &one, b, n, a, n, &zero, c, n);
    } else if (type == CublasType::Fp64) {
        code = reinterpret_cast<Gemm3<double>>(m_library.symbol("cublasDgemm_v2"))(m_handle,
            plainOperation, plainOperation, n, n, n, &oneTwice, b, n, a, n, &zeroTwice, c, n);
    } else {
        const TypeNumbers numbers = numbersOf(type);
        code = reinterpret_cast<GemmEx>(m_library.symbol("cublasGemmEx"))(m_handle, plainOperation,
            plainOperation, n, n, n, &one, b, numbers.data, n, a, numbers.data, n, &zero, c,
            numbers.result, n, numbers.compute, anyAlgorithm);
    }
    if (code != 0)
        throw LaneError("cuBLAS: error " + std::to_string(code));
}

std::vector<double> cublasSeconds(const Cublas& cublas, const Gpu& gpu, CublasType type, int n,
    const DeviceMemory& a, const DeviceMemory& b, const DeviceMemory& c, int repeats)
{
    GpuTimer timer(gpu);
    const auto run = [&](int times) {
        timer.begin();
        for (int i = 0; i < times; ++i)
            cublas.multiply(type, n, a.address, b.address, c.address);
        const double seconds = timer.end();
        gpu.synchronise();
        return seconds / times;
    };
    for (int i = 0; i < 2; ++i)
        run(1);
    const int times = int(std::clamp(std::ceil(0.04 / std::max(1e-7, run(1))), 1.0, 10000.0));
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i)
        seconds.push_back(run(times));
    return seconds;
}

} // namespace slipway::probe
