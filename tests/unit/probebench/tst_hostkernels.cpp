// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/gpulane.h"
#include "remote/probe/bench/verify.h"
#include "tests/support/hostcard/hostblock.h"
#include "tests/support/hostcard/hostcard.h"
#include "tests/support/hostcard/numbers.h"
#include "tests/support/testmain.h"
#include "tests/unit/probebench/nowhere.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace slipway::probe;

/// The sources of the probe's kernels on the processor, through the lane that races them: every
/// number against a plain reference, no access outside of what was allocated, no two threads at one
/// word without a barrier.
class TestHostKernels : public QObject {
    Q_OBJECT

private slots:
    void lane_provesEverySize_data();
    void lane_provesEverySize();
    void product_isRightInEveryElement_data();
    void product_isRightInEveryElement();
    void triad_leavesTheTail_data();
    void triad_leavesTheTail();
    void nbody_isRightForEveryBody();
    void verify_isRight();
    void fillCheckCompare_countExactly();
    void registerPeaks_areTheirSeries_data();
    void registerPeaks_areTheirSeries();
    void tensorPeaks_areTheirProducts_data();
    void tensorPeaks_areTheirProducts();
    void fault_isFound_data();
    void fault_isFound();
};

namespace {

/// A child's pipe that goes nowhere.
/// Memory for one kernel, of exactly this size.
template <typename T> class OnCard {
public:
    OnCard(HostCard& card, size_t count)
        : data(static_cast<T*>(card.make("memory", count * sizeof(T))))
        , m_argument(data)
    {
    }
    T* const data;
    void* argument() { return &m_argument; }

private:
    T* m_argument;
};

template <typename... Arguments>
QByteArray launched(const char* kernel, int x, int y, Arguments... arguments)
{
    void* all[] = {arguments...};
    return QByteArray::fromStdString(launchOnHost(kernel, unsigned(x), unsigned(y), 256, all));
}

std::mt19937& randomNumbers()
{
    static std::mt19937 numbers(20261125);
    return numbers;
}
double someNumber()
{
    return std::uniform_real_distribution<double>(-1, 1)(randomNumbers());
}

} // namespace

void TestHostKernels::lane_provesEverySize_data()
{
    QTest::addColumn<int>("work");
    QTest::addColumn<int>("size");
    const auto rows = [](Work work, std::initializer_list<int> sizes) {
        for (const int size : sizes)
            QTest::addRow("%s %d", workName(work), size) << int(work) << size;
    };
    // One element, beside a tile's edge, odd, and several tiles: what is missing is filled with
    // zeros.
    rows(Work::GemmFp32, {1, 127, 128, 129, 250});
    rows(Work::GemmFp64, {1, 63, 64, 65, 130});
    rows(Work::Triad, {1, 3, 4, 5, 1023, 1024, 1025, 99'999});
    rows(Work::Nbody, {1, 255, 256, 257, 700});
}

void TestHostKernels::lane_provesEverySize()
{
    QFETCH(int, work);
    QFETCH(int, size);
    HostCard card;
    {
        Gpu gpu(0, nowhere());
        GpuLane lane(gpu);
        lane.prepare(Work(work), size);
        try {
            lane.run(2);
            QVERIFY(lane.runWithTransfers().has_value());
        } catch (const LaneError& error) {
            QFAIL(qPrintable(QString::fromStdString(error.what() + (": " + card.fault))));
        }
        const Proof proof = lane.prove();
        QVERIFY2(proof.holds(), qPrintable(QString::number(proof.error)));
    }
    QCOMPARE(card.fault, std::string());
}

void TestHostKernels::product_isRightInEveryElement_data()
{
    QTest::addColumn<int>("n");
    QTest::addColumn<bool>("doubles");
    for (const int n : {128, 256})
        QTest::addRow("sgemm %d", n) << n << false;
    for (const int n : {64, 192})
        QTest::addRow("dgemm %d", n) << n << true;
}

namespace {

template <typename T> void compareProduct(const char* kernel, int tile, int n, double bound)
{
    HostCard card;
    const size_t count = size_t(n) * size_t(n);
    OnCard<T> a(card, count), b(card, count), c(card, count);
    for (size_t i = 0; i < count; ++i) {
        a.data[i] = T(someNumber());
        b.data[i] = T(someNumber());
        c.data[i] = T(NAN); // what is not written shows
    }
    QCOMPARE(launched(kernel, n / tile, n / tile, a.argument(), b.argument(), c.argument(), &n),
        QByteArray());
    for (int row = 0; row < n; ++row) {
        for (int column = 0; column < n; ++column) {
            double exact = 0;
            for (int k = 0; k < n; ++k)
                exact += double(a.data[row * n + k]) * double(b.data[k * n + column]);
            const double error = std::fabs(exact - double(c.data[row * n + column]));
            if (!(error <= bound))
                QFAIL(qPrintable(QStringLiteral("%1, %2: %3").arg(row).arg(column).arg(error)));
        }
    }
}

} // namespace

void TestHostKernels::product_isRightInEveryElement()
{
    QFETCH(int, n);
    QFETCH(bool, doubles);
    if (doubles)
        compareProduct<double>("dgemm", 64, n, 1e-12);
    else
        compareProduct<float>("sgemm", 128, n, 1e-4);
}

void TestHostKernels::triad_leavesTheTail_data()
{
    QTest::addColumn<int>("groups");
    QTest::addColumn<int>("blocks");
    for (const int groups : {1, 255, 256, 257, 1000, 4099}) {
        for (const int blocks : {1, 3, 17})
            QTest::addRow("%d in %d blocks", groups, blocks) << groups << blocks;
    }
}

void TestHostKernels::triad_leavesTheTail()
{
    QFETCH(int, groups);
    QFETCH(int, blocks);
    HostCard card;
    const int count = groups * 4;
    OnCard<float> a(card, size_t(count)), b(card, size_t(count)), c(card, size_t(count) + 4);
    for (int i = 0; i < count; ++i) {
        a.data[i] = float(someNumber());
        b.data[i] = float(someNumber());
    }
    std::fill_n(c.data, count + 4, -7.0f);
    const float factor = 1.25f;
    const long all = groups;
    QCOMPARE(launched("triad", blocks, 1, a.argument(), b.argument(), c.argument(),
                 const_cast<float*>(&factor), const_cast<long*>(&all)),
        QByteArray());
    for (int i = 0; i < count; ++i)
        QVERIFY(std::fabs(c.data[i] - (a.data[i] + factor * b.data[i])) <= 1e-6f);
    for (int i = count; i < count + 4; ++i)
        QCOMPARE(c.data[i], -7.0f);
}

void TestHostKernels::nbody_isRightForEveryBody()
{
    HostCard card;
    int count = 512;
    OnCard<Body> bodies(card, size_t(count)), pulls(card, size_t(count));
    for (int i = 0; i < count; ++i)
        bodies.data[i] = {
            float(someNumber()), float(someNumber()), float(someNumber()), float(someNumber() + 1)};
    float softening = 0.01f;
    QCOMPARE(
        launched("nbody", count / 256, 1, bodies.argument(), pulls.argument(), &count, &softening),
        QByteArray());
    for (int i = 0; i < count; ++i) {
        double pull[3] = {}, size = 0;
        for (int j = 0; j < count; ++j) {
            const Body &me = bodies.data[i], &other = bodies.data[j];
            const double d[3] = {double(other.x) - double(me.x), double(other.y) - double(me.y),
                double(other.z) - double(me.z)};
            const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + double(softening);
            const double factor = double(other.mass) / (square * std::sqrt(square));
            for (int k = 0; k < 3; ++k)
                pull[k] += factor * d[k];
            size += factor * std::sqrt(square);
        }
        const Body& found = pulls.data[i];
        QVERIFY(std::fabs(double(found.x) - pull[0]) + std::fabs(double(found.y) - pull[1])
                + std::fabs(double(found.z) - pull[2])
            < 1e-5 * size);
        QCOMPARE(found.mass, 0.0f);
    }
}

/// All of compute.verify, as it runs on a card.
void TestHostKernels::verify_isRight()
{
    HostCard card;
    Gpu gpu(0, nowhere());
    const VerifyResult result = verifyGpu(gpu);
    QCOMPARE(card.fault, std::string());
    QCOMPARE(result.results, 65536u);
    QCOMPARE(result.wrong, 0u);
    QVERIFY(result.sumRight);
    QVERIFY2(result.right(), qPrintable(QString::number(result.product.error)));
}

void TestHostKernels::fillCheckCompare_countExactly()
{
    HostCard card;
    const long counts[] = {1, 255, 257, 10'001};
    for (long count : counts) {
        OnCard<unsigned> one(card, size_t(count)), other(card, size_t(count)), wrong(card, 1);
        unsigned seed = 7;
        *wrong.data = 0;
        QCOMPARE(launched("fill", 5, 1, one.argument(), &seed, &count), QByteArray());
        QCOMPARE(launched("fill", 2, 1, other.argument(), &seed, &count), QByteArray());
        for (long i = 0; i < count; ++i)
            QCOMPARE(one.data[i], unsigned(i) * 2654435761u ^ seed);
        QCOMPARE(
            launched("check", 5, 1, one.argument(), &seed, &count, wrong.argument()), QByteArray());
        QCOMPARE(
            launched("compare", 3, 1, one.argument(), other.argument(), &count, wrong.argument()),
            QByteArray());
        QCOMPARE(*wrong.data, 0u);
        one.data[count - 1] ^= 1u << 31; // the last one is looked at as well
        QCOMPARE(
            launched("check", 5, 1, one.argument(), &seed, &count, wrong.argument()), QByteArray());
        QCOMPARE(
            launched("compare", 3, 1, one.argument(), other.argument(), &count, wrong.argument()),
            QByteArray());
        QCOMPARE(*wrong.data, 2u);
    }
}

void TestHostKernels::registerPeaks_areTheirSeries_data()
{
    QTest::addColumn<bool>("doubles");
    QTest::newRow("fp32") << false;
    QTest::newRow("fp64") << true;
}

namespace {

template <typename T> void comparePeak(const char* kernel, double bound)
{
    HostCard card;
    OnCard<T> out(card, 512);
    std::fill_n(out.data, 512, T(NAN));
    int loops = 3;
    QCOMPARE(launched(kernel, 2, 1, out.argument(), &loops), QByteArray());
    for (int i = 0; i < 512; ++i) {
        const double factor = 0.999 + (i % 256) * 1e-7;
        double sum = 0;
        for (int chain = 0; chain < 8; ++chain) {
            double value = chain;
            for (int step = 0; step < loops * 16; ++step)
                value = value * factor + 0.001;
            sum += value;
        }
        QVERIFY(std::fabs(double(out.data[i]) - sum) <= bound * sum);
    }
}

} // namespace

void TestHostKernels::registerPeaks_areTheirSeries()
{
    QFETCH(bool, doubles);
    if (doubles)
        comparePeak<double>("peak_fp64", 1e-12);
    else
        comparePeak<float>("peak_fp32", 1e-5);
}

void TestHostKernels::tensorPeaks_areTheirProducts_data()
{
    QTest::addColumn<QByteArray>("kernel");
    for (const char* kernel : {"peak_fp16", "peak_bf16", "peak_tf32"})
        QTest::newRow(kernel) << QByteArray(kernel);
}

/// Eight chains of `loops` products, each thread with the four elements that are its own: held
/// against the whole matrices, put together from the registers of a warp.
void TestHostKernels::tensorPeaks_areTheirProducts()
{
    QFETCH(QByteArray, kernel);
    HostCard card;
    OnCard<float> out(card, 256);
    int loops = 3;
    QCOMPARE(launched(kernel.constData(), 1, 1, out.argument(), &loops), QByteArray());
    // What a thread's number is as bits of bf16 or tf32 is so small that its products are zero.
    constexpr double smallest = std::numeric_limits<float>::min();
    const bool wide = kernel.endsWith("tf32");
    const int depth = wide ? 8 : 16;
    for (int warp = 0; warp < 8; ++warp) {
        double a[16][16] = {}, b[16][8] = {};
        for (int lane = 0; lane < 32; ++lane) {
            const unsigned id = unsigned(warp * 32 + lane), right[2] = {id, id ^ 5};
            const auto number = [&](unsigned word, int half) {
                return wide                   ? tf32Number(word)
                    : kernel.endsWith("bf16") ? bf16Number(word >> half * 16 & 0xFFFF)
                                              : fp16Number(word >> half * 16 & 0xFFFF);
            };
            for (int i = 0; i < 4; ++i) {
                for (int half = 0; half < (wide ? 1 : 2); ++half) {
                    const int k = wide ? lane % 4 + i / 2 * 4 : lane % 4 * 2 + half + i / 2 * 8;
                    a[lane / 4 + i % 2 * 8][k] = number(id + unsigned(i), half);
                    if (i % 2 == 0)
                        b[k][lane / 4] = number(right[i / 2], half);
                }
            }
        }
        for (int lane = 0; lane < 32; ++lane) {
            double sum = 0;
            for (int i = 0; i < 4; ++i) {
                for (int k = 0; k < depth; ++k)
                    sum += a[lane / 4 + i / 2 * 8][k] * b[k][lane % 4 * 2 + i % 2];
            }
            const double exact = sum * 8 * loops;
            QVERIFY(std::fabs(double(out.data[warp * 32 + lane]) - exact)
                <= 1e-5 * std::fabs(exact) + smallest);
        }
    }
}

void TestHostKernels::fault_isFound_data()
{
    QTest::addColumn<QByteArray>("kernel");
    QTest::addColumn<QByteArray>("fault");
    QTest::newRow("no barrier between write and read") << QByteArray(
        "wrong_race") << QByteArray("reads shared memory that no thread of its block wrote");
    QTest::newRow("no barrier between read and write") << QByteArray(
        "wrong_reuse") << QByteArray("writes what another thread reads at the same time");
    QTest::newRow("a sum that is not atomic") << QByteArray(
        "wrong_sum") << QByteArray("writes what another thread writes at the same time");
    QTest::newRow("two blocks at one place") << QByteArray(
        "wrong_blocks") << QByteArray("writes what another thread writes at the same time");
    QTest::newRow("one beyond the end") << QByteArray(
        "wrong_end") << QByteArray("writes 4 bytes outside of the memory that it was given");
    QTest::newRow("never written") << QByteArray(
        "wrong_begin") << QByteArray("reads shared memory that no thread of its block wrote");
    QTest::newRow("a barrier that not all reach") << QByteArray(
        "wrong_barrier") << QByteArray("ended while others of its block wait at a barrier");
}

/// The checks see what they are there for.
void TestHostKernels::fault_isFound()
{
    QFETCH(QByteArray, kernel);
    QFETCH(QByteArray, fault);
    HostCard card;
    OnCard<unsigned> out(card, 512);
    std::fill_n(out.data, 512, 0u);
    const QByteArray found = launched(kernel.constData(), 2, 1, out.argument());
    QVERIFY2(found.startsWith(QByteArray(kernel + ": thread ")) && found.contains(fault),
        found.constData());
}

SLIPWAY_TEST(TestHostKernels, probe_hostkernels)
#include "tst_hostkernels.moc"
