// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/gemm.h"
#include "remote/probe/bench/problem.h"
#include "tests/support/testmain.h"

#include <QtTest>

#include <cmath>

using namespace slipway::probe;

/// The products of every instruction set that runs here, against one of higher precision, and what
/// goes with them. The portable kernels always run.
class TestGemm : public QObject {
    Q_OBJECT

private slots:
    void instructionSets_endWithThePortableOne();
    void product_data();
    void product();
    void strides_leaveTheRestAlone();
    void emptyDepth_isZero();
    void blocks_coverEverything();
    void team_isPinnedWhileItLives();
    void quota_data();
    void quota();
    void pulls_areThoseOfDoubles();
    void proof_findsAWrongNumber();
};

namespace {

/// Caches so small that a little product is cut in every direction.
const CacheSizes tiny{4 * 1024, 16 * 1024, 64 * 1024};

template <typename T>
double worstError(const Isa& isa, int threads, long m, long n, long k, const CacheSizes& caches)
{
    std::vector<T> a(size_t(m * k)), b(size_t(k * n)), c(size_t(m * n), T(1e6));
    fillMatrix(a.data(), m, k, k, 1);
    fillMatrix(b.data(), k, n, n, 2);
    Team team(threads);
    Gemm<T>(isa, team, caches).multiply(m, n, k, a.data(), k, b.data(), n, c.data(), n);
    using Better = std::conditional_t<sizeof(T) == 4, double, long double>;
    double worst = 0;
    for (long i = 0; i < m; ++i) {
        for (long j = 0; j < n; ++j) {
            Better exact = 0, sum = 0;
            for (long s = 0; s < k; ++s) {
                const Better product = Better(a[size_t(i * k + s)]) * Better(b[size_t(s * n + j)]);
                exact += product;
                sum += std::abs(product);
            }
            const double error = double(
                std::abs(Better(c[size_t(i * n + j)]) - exact) / std::max<Better>(sum, 1e-30L));
            if (!(error <= worst))
                worst = error;
        }
    }
    return worst;
}

} // namespace

void TestGemm::instructionSets_endWithThePortableOne()
{
    QVERIFY(isas().count >= 1);
    QCOMPARE(isas().isas[isas().count - 1]->name, "plain");
#if defined(__x86_64__)
    QStringList names;
    for (const Isa* isa : isas())
        names << QLatin1String(isa->name);
    QCOMPARE(names.contains(QStringLiteral("AVX2")),
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
    QCOMPARE(names.contains(QStringLiteral("AVX-512")),
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma"));
#endif
}

void TestGemm::product_data()
{
    QTest::addColumn<int>("isa");
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("k");
    const int sizes[][3] = {{1, 1, 1}, {8, 48, 4}, {7, 5, 3}, {9, 49, 5}, {1, 200, 17},
        {200, 1, 18}, {64, 64, 64}, {100, 101, 103}, {47, 95, 385}, {129, 97, 771}, {33, 250, 1}};
    for (int isa = 0; isa < isas().count; ++isa) {
        for (const auto& size : sizes) {
            QTest::addRow("%s, %d × %d × %d", isas().isas[isa]->name, size[0], size[1], size[2])
                << isa << size[0] << size[1] << size[2];
        }
    }
}

void TestGemm::product()
{
    QFETCH(int, isa);
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    for (const int threads : {1, 3}) {
        for (const CacheSizes& caches : {tiny, CacheSizes()}) {
            const double single = worstError<float>(*isas().isas[isa], threads, m, n, k, caches);
            const double twice = worstError<double>(*isas().isas[isa], threads, m, n, k, caches);
            QVERIFY2(single < 1e-6, qPrintable(QString::number(single)));
            QVERIFY2(twice < 2e-15, qPrintable(QString::number(twice)));
        }
    }
}

void TestGemm::strides_leaveTheRestAlone()
{
    const long n = 20, stride = 37;
    std::vector<float> a(n * stride, 1), b(n * stride, 2), c(n * stride, -7);
    Team team(2);
    for (const Isa* isa : isas()) {
        Gemm<float>(*isa, team)
            .multiply(n, n, n, a.data(), stride, b.data(), stride, c.data(), stride);
        for (long i = 0; i < n; ++i) {
            for (long j = 0; j < stride; ++j)
                QCOMPARE(c[size_t(i * stride + j)], j < n ? 40.f : -7.f);
        }
    }
}

void TestGemm::emptyDepth_isZero()
{
    float nothing = 0, c[4] = {1, 2, 3, 4};
    Team team(1);
    Gemm<float>(*isas().isas[0], team).multiply(2, 2, 0, &nothing, 1, &nothing, 2, c, 2);
    for (const float number : c)
        QCOMPARE(number, 0.f);
}

void TestGemm::blocks_coverEverything()
{
    for (const Isa* isa : isas()) {
        const TileKernel<float>& tile = isa->tile<float>();
        for (const int threads : {1, 2, 64}) {
            for (const long n : {1L, 48L, 1000L, 5000L}) {
                const GemmBlocks blocks = gemmBlocks(tile, CacheSizes(), threads, n, n, n);
                QVERIFY(blocks.rows > 0 && blocks.rows % tile.rows == 0);
                QVERIFY(blocks.columns > 0 && blocks.columns % tile.columns == 0);
                QVERIFY(blocks.depth > 0 && blocks.depth % depthStep == 0);
                QVERIFY(blocks.together > 0);
                // Work for every thread, as far as there are tiles for it.
                const long parts = (n + blocks.columns - 1) / blocks.columns * blocks.groups,
                           tiles = (n + tile.rows - 1) / tile.rows;
                QVERIFY2(parts >= std::min<long>(threads, tiles),
                    qPrintable(QStringLiteral("%1 parts for %2 threads at %3")
                                   .arg(parts)
                                   .arg(threads)
                                   .arg(n)));
            }
        }
    }
}

void TestGemm::team_isPinnedWhileItLives()
{
    AllowedCpus cpus = allowedCpus();
    const int count = int(cpus.numbers.size());
    QVERIFY2(count > 1, "this needs two CPUs");
    QCOMPARE(cpus.places(count), cpus.numbers);
    QVERIFY(
        cpus.places(count - 1).empty() && cpus.places(1).empty()); // there the kernel has a choice
    {
        Team team(count, cpus.places(count));
        std::vector<int> seen(size_t(count), -1);
        team.run([&](int index) { seen[size_t(index)] = sched_getcpu(); });
        QCOMPARE(seen, cpus.numbers);
        QCOMPARE(allowedCpus().numbers.size(), size_t(1));
    }
    QCOMPARE(allowedCpus().numbers, cpus.numbers);
}

void TestGemm::quota_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("cpus");
    QTest::newRow("none") << "max 100000" << 0.;
    QTest::newRow("one and a half") << "150000 100000" << 1.5;
    QTest::newRow("none in version 1") << "-1 100000" << 0.;
    QTest::newRow("empty") << "" << 0.;
}

void TestGemm::quota()
{
    QFETCH(QString, text);
    QFETCH(double, cpus);
    QCOMPARE(quotaOf(text.toStdString()), cpus);
    AllowedCpus allowed;
    allowed.numbers = {0, 1, 2, 3};
    allowed.quota = cpus;
    QCOMPARE(allowed.threads(), cpus > 0 ? 2 : 4);
}

void TestGemm::pulls_areThoseOfDoubles()
{
    const long count = 300, filled = 320; // a multiple of bodyStep
    std::vector<float> memory(size_t(filled) * 7);
    float* const at = memory.data();
    for (long i = 0; i < filled; ++i) {
        const Body body = i < count ? bodyAt(i) : Body{0, 0, 0, 0};
        at[i] = body.x;
        at[filled + i] = body.y;
        at[2 * filled + i] = body.z;
        at[3 * filled + i] = body.mass;
    }
    const BodyArrays bodies{at, at + filled, at + 2 * filled, at + 3 * filled, at + 4 * filled,
        at + 5 * filled, at + 6 * filled, filled};
    for (const Isa* isa : isas()) {
        isa->pulls(bodies, 0, filled, nbodySoftening);
        const Proof proof = proveNbody(count, [&](long i) {
            return Body{bodies.pullX[i], bodies.pullY[i], bodies.pullZ[i], 0};
        });
        QVERIFY2(proof.holds(),
            qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(isa->name)).arg(proof.error)));
    }
}

void TestGemm::proof_findsAWrongNumber()
{
    const long n = 64;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    fillMatrix(a.data(), n, n, n, 1);
    fillMatrix(b.data(), n, n, n, 2);
    Team team(1);
    Gemm<float>(*isas().isas[0], team).multiply(n, n, n, a.data(), n, b.data(), n, c.data(), n);
    QVERIFY(proveGemm(a.data(), b.data(), c.data(), n, n).holds());
    c.back() += 0.01f;
    QVERIFY(!proveGemm(a.data(), b.data(), c.data(), n, n).holds());
    c.back() = NAN;
    QVERIFY(!proveGemm(a.data(), b.data(), c.data(), n, n).holds());
}

SLIPWAY_TEST(TestGemm, probe_gemm)
#include "tst_gemm.moc"
