// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/gemm.h"
#include "remote/probe/bench/problem.h"
#include "remote/probe/bench/stats.h"
#include "tests/support/testmain.h"

#include <QtTest>

#include <dlfcn.h>

#include <chrono>
#include <ctime>
#include <thread>

using namespace slipway::probe;

/// Holds our matrix products to OpenBLAS, told which processor this is (by itself it often takes it
/// for a lesser one), and to what registers alone reach. Everything is measured in turns, as the
/// machine may be shared: a number counts beside its neighbours, and the best of several groups of
/// rounds is taken. A group on shared processors cannot fail the test by itself: others' work
/// passes, so it is measured again for a while.
class BenchGemm : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void reaches_data();
    void reaches();

private:
    void* m_library = nullptr;
};

namespace {

constexpr long n = 1152;
constexpr int rounds = 7, groups = 8;
constexpr double longest = 60; // seconds to wait for others' work to pass; CTest allows 4 such rows
constexpr std::chrono::milliseconds pause(500); // between two groups on shared processors
constexpr double leastOfOpenBlas = 0.95, leastOfPeak = 0.85;

/// Time that the whole process computed: what other programs take of the processors is not in it.
double processorSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

template <typename Work> double secondsOf(int threads, const Work& work)
{
    // Threads that wait for each other compute too; alone the time on the processor is the better
    // one.
    const double wall = steadySeconds(), begin = processorSeconds();
    work();
    return threads == 1 ? processorSeconds() - begin : steadySeconds() - wall;
}

struct Group {
    double ofBlas = 0, ofPeak = 0, blasOfPeak = 0, rate = 0, blasRate = 0, peak = 0;
    /// Where not even OpenBLAS comes near the peak the processors are shared, and the peak says
    /// nothing.
    bool shared() const { return blasOfPeak < leastOfPeak / leastOfOpenBlas; }
    bool good() const { return ofBlas >= leastOfOpenBlas && (ofPeak >= leastOfPeak || shared()); }
};

template <typename T>
using Cblas = void (*)(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);

template <typename T> class Contest {
public:
    Contest(void* library, int threads)
        : m_threads(threads)
        , m_team(threads, allowedCpus().places(threads))
        , m_gemm(*isas().isas[0], m_team)
        , m_a(n * n)
        , m_b(n * n)
        , m_c(n * n)
        , m_blas(reinterpret_cast<Cblas<T>>(
              dlsym(library, sizeof(T) == 4 ? "cblas_sgemm" : "cblas_dgemm")))
    {
        reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"))(threads);
        fillMatrix(m_a.data(), n, n, n, 1);
        fillMatrix(m_b.data(), n, n, n, 2);
        own();
        blas();
    }

    double own()
    {
        return operations() / secondsOf(m_threads, [this] {
            m_gemm.multiply(n, n, n, m_a.data(), n, m_b.data(), n, m_c.data(), n);
        });
    }
    double blas()
    {
        return operations() / secondsOf(m_threads, [this] {
            m_blas(101, 111, 111, n, n, n, 1, m_a.data(), n, m_b.data(), n, 0, m_c.data(), n);
        });
    }
    double peak()
    {
        std::vector<double> done(static_cast<size_t>(m_threads));
        const double seconds = secondsOf(m_threads, [&] {
            m_team.run(
                [&](int thread) { done[size_t(thread)] = isas().isas[0]->peak<T>(150'000); });
        });
        double all = 0;
        for (const double one : done)
            all += one;
        return all / seconds;
    }

    Group group()
    {
        std::vector<double> ofBlas, ofPeak, blasOfPeak, rates, blasRates, peaks;
        for (int round = 0; round < rounds; ++round) {
            const double first = peak(), ours = own(), second = peak(), theirs = blas(),
                         third = peak();
            ofBlas.push_back(ours / theirs);
            ofPeak.push_back(2 * ours / (first + second));
            blasOfPeak.push_back(2 * theirs / (second + third));
            rates.push_back(ours);
            blasRates.push_back(theirs);
            peaks.push_back(second);
        }
        const auto middle = [](const std::vector<double>& values) {
            return spreadOf(values).median;
        };
        return {middle(ofBlas), middle(ofPeak), middle(blasOfPeak), middle(rates),
            middle(blasRates), middle(peaks)};
    }

private:
    static double operations() { return operationsOf(Work::GemmFp32, n); }
    const int m_threads;
    Team m_team;
    Gemm<T> m_gemm;
    Buffer<T> m_a, m_b, m_c;
    const Cblas<T> m_blas;
};

template <typename T> bool contest(void* library, int threads)
{
    Contest<T> contest(library, threads);
    const double begin = steadySeconds();
    for (int alone = 0; alone < groups && steadySeconds() - begin < longest;) {
        const Group group = contest.group();
        qInfo("%s, %s, %d thread%s: %.1f GFLOP/s; OpenBLAS %.1f, ratio %.3f; registers %.1f, of "
              "that %.3f, OpenBLAS %.3f%s",
            isas().isas[0]->name, sizeof(T) == 4 ? "float" : "double", threads,
            threads == 1 ? "" : "s", group.rate / 1e9, group.blasRate / 1e9, group.ofBlas,
            group.peak / 1e9, group.ofPeak, group.blasOfPeak,
            group.shared() ? " (shared processors)" : "");
        if (group.good())
            return true;
        if (group.shared())
            std::this_thread::sleep_for(pause);
        else
            ++alone;
    }
    return false;
}

} // namespace

void BenchGemm::initTestCase()
{
#if defined(__x86_64__)
    qputenv("OPENBLAS_CORETYPE",
        qstrcmp(isas().isas[0]->name, "AVX-512") == 0 ? "SkylakeX" : "Haswell");
#endif
    // Its threads would look for more work beside ours for a while.
    qputenv("OPENBLAS_THREAD_TIMEOUT", "8");
    m_library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    QVERIFY2(
        m_library, "OpenBLAS is needed to compare with: Debian has it in libopenblas0-pthread");
    qInfo("%s, %s", reinterpret_cast<const char* (*)()>(dlsym(m_library, "openblas_get_config"))(),
        reinterpret_cast<const char* (*)()>(dlsym(m_library, "openblas_get_corename"))());
}

void BenchGemm::reaches_data()
{
    QTest::addColumn<bool>("twice");
    QTest::addColumn<int>("threads");
    QTest::newRow("float, one thread") << false << 1;
    QTest::newRow("double, one thread") << true << 1;
    if (const int threads = allowedCpus().threads(); threads > 1) {
        QTest::addRow("float, %d threads", threads) << false << threads;
        QTest::addRow("double, %d threads", threads) << true << threads;
    }
}

void BenchGemm::reaches()
{
    QFETCH(bool, twice);
    QFETCH(int, threads);
    QVERIFY(twice ? contest<double>(m_library, threads) : contest<float>(m_library, threads));
}

SLIPWAY_TEST(BenchGemm, bench_gemm)
#include "bench_gemm.moc"
