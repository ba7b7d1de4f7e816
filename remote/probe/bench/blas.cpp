// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/blas.h"

#include "remote/probe/bench/gemm.h"
#include "remote/probe/bench/stats.h"
#include "remote/probe/child.h"
#include "remote/probe/library.h"

#include <algorithm>
#include <cstdlib>

namespace slipway::probe {
namespace {

struct Known {
    const char* name;
    const char* file;
    const char* version; ///< function that gives a text
    const char* core; ///< function that names the processor it was tuned for
    const char* threads; ///< function that takes their number
};
constexpr Known known[] = {
    {"MKL", "libmkl_rt.so.2", nullptr, nullptr, "MKL_Set_Num_Threads"},
    {"MKL", "libmkl_rt.so.1", nullptr, nullptr, "MKL_Set_Num_Threads"},
    {"OpenBLAS", "libopenblas.so.0", "openblas_get_config", "openblas_get_corename",
        "openblas_set_num_threads"},
    {"BLIS", "libblis.so.4", "bli_info_get_version_str", nullptr, "bli_thread_set_num_threads"},
    {"NVPL", "libnvpl_blas_lp64_gomp.so.0", nullptr, nullptr, "nvpl_blas_set_num_threads"},
};

std::string called(const Library& library, const char* function)
{
    const auto text =
        reinterpret_cast<const char* (*)()>(function ? library.symbol(function) : nullptr);
    const char* const result = text ? text() : nullptr;
    return result ? result : "";
}

/// "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …" and "SkylakeX" → "OpenBLAS 0.3.21, SkylakeX".
std::string nameOf(const Library& library, const Known& one)
{
    std::string version = called(library, one.version);
    if (version.rfind(one.name, 0) == 0)
        version.erase(0, std::string(one.name).size() + 1);
    version = version.substr(0, version.find(' '));
    std::string name = one.name;
    if (const auto mkl =
            reinterpret_cast<void (*)(char*, int)>(library.symbol("MKL_Get_Version_String"))) {
        char text[200] = "";
        mkl(text, sizeof text - 1);
        version = text;
    }
    name += version.empty() ? "" : " " + version;
    const std::string core = called(library, one.core);
    return core.empty() ? name : name + ", " + core;
}

/// Row by row in memory: 101, 111.
template <typename T>
using Cblas = void (*)(int order, int transposeA, int transposeB, int m, int n, int k, T alpha,
    const T* a, int strideA, const T* b, int strideB, T beta, T* c, int strideC);

template <typename T>
void measure(const Library& library, const char* function, long size, int repeats,
    const std::string& name, const ChildPipe& pipe)
{
    const auto gemm = reinterpret_cast<Cblas<T>>(library.symbol(function));
    if (!gemm)
        return;
    const size_t count = size_t(size) * size_t(size);
    Buffer<T> a(count), b(count), c(count);
    fillMatrix(a.data(), size, size, size, 1);
    fillMatrix(b.data(), size, size, size, 2);
    const int n = int(size);
    const auto run = [&](int times) {
        const double begin = steadySeconds();
        for (int i = 0; i < times; ++i)
            gemm(101, 111, 111, n, n, n, T(1), a.data(), n, b.data(), n, T(0), c.data(), n);
        return (steadySeconds() - begin) / times;
    };
    run(1);
    const int times = int(std::clamp(0.02 / std::max(1e-7, run(1)), 1.0, 10000.0));
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i)
        seconds.push_back(run(times));
    const Proof proof = proveGemm(a.data(), b.data(), c.data(), size, size);
    Json line;
    line.set("library", name)
        .set("seconds", Json::list(seconds))
        .set("error", proof.error)
        .set("bound", proof.bound);
    pipe.send(line);
}

void measureIn(
    const Known& one, Work work, long size, int threads, int repeats, const ChildPipe& pipe)
{
    const std::string count = std::to_string(threads);
    for (const char* variable : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
             "BLIS_NUM_THREADS", "NVPL_BLAS_NUM_THREADS"})
        setenv(variable, count.c_str(), 1);
    pipe.stage(one.file);
    const Library library({one.file});
    if (!library)
        return;
    if (const auto set = reinterpret_cast<void (*)(int)>(library.symbol(one.threads)))
        set(threads);
    if (work == Work::GemmFp64)
        measure<double>(library, "cblas_dgemm", size, repeats, nameOf(library, one), pipe);
    else
        measure<float>(library, "cblas_sgemm", size, repeats, nameOf(library, one), pipe);
}

} // namespace

std::optional<BlasTimes> fastestBlas(
    Work work, long size, int threads, int repeats, double deadlineSeconds, std::string* trouble)
{
    std::optional<BlasTimes> best;
    for (const Known& one : known) {
        const ChildResult result = runInChild(
            [&](const ChildPipe& pipe) { measureIn(one, work, size, threads, repeats, pipe); },
            deadlineSeconds);
        if (!result.done() && trouble)
            *trouble +=
                (trouble->empty() ? "" : "; ") + std::string(one.name) + " " + result.trouble();
        for (const Json& line : result.lines) {
            BlasTimes times{
                line["library"].text(), {}, {line["error"].number(1), line["bound"].number()}};
            for (const Json& value : line["seconds"].items())
                times.seconds.push_back(value.number());
            if (!times.proof.holds()) {
                if (trouble)
                    *trouble +=
                        (trouble->empty() ? "" : "; ") + times.library + " computes wrongly";
            } else if (!best || spreadOf(times.seconds).median < spreadOf(best->seconds).median) {
                best = times;
            }
        }
    }
    return best;
}

} // namespace slipway::probe
