// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/gpulane.h"
#include "remote/probe/bench/verify.h"
#include "tests/support/hostcard/hostcard.h"
#include "tests/support/testmain.h"
#include "tests/unit/probebench/nowhere.h"

#include <QtTest>

#include <optional>
#include <set>

using namespace slipway::probe;

/// What the probe asks of CUDA's driver, call by call and argument by argument, and what it says
/// when any one of the calls fails: the call and its error; nothing on the card is kept.
class TestDriverCalls : public QObject {
    Q_OBJECT

private slots:
    void opening_asksInOrder();
    void product_asksInOrder();
    void oldCards_getTheOldText();
    void tensorKernels_needTheirCards();
    void tensorModule_isLoadedOnce();
    void everyCall_failsOnce_data();
    void everyCall_failsOnce();
};

namespace {

QStringList texts(const std::vector<std::string>& calls, size_t from = 0)
{
    QStringList list;
    for (size_t i = from; i < calls.size(); ++i)
        list << QString::fromStdString(calls[i]);
    return list;
}

QStringList lines(const char* text)
{
    QStringList list;
    for (const QString& line : QString::fromUtf8(text).trimmed().split(u'\n'))
        list << line.trimmed();
    return list;
}

/// All that a child asks of the driver for one piece of work; for none, compute.verify.
void work(std::optional<Work> which)
{
    Gpu gpu(0, nowhere());
    if (!which) {
        gpu.tensorFunction("peak_fp16");
        verifyGpu(gpu);
        return;
    }
    GpuLane lane(gpu);
    lane.prepare(*which, 100);
    lane.run(2);
    lane.runWithTransfers();
    lane.prove();
    lane.peak(*which);
}

} // namespace

void TestDriverCalls::opening_asksInOrder()
{
    HostCard card;
    card.computes = false;
    const Gpu gpu(0, nowhere());
    QCOMPARE(texts(card.calls), lines(R"(
        cuInit(0)
        cuDeviceGetCount()
        cuDeviceGet(0)
        cuDeviceGetName(127, 0)
        cuDeviceGetPCIBusId(127, 0)
        cuDeviceGetUuid_v2(0)
        cuDeviceGetAttribute(75, 0)
        cuDeviceGetAttribute(76, 0)
        cuDeviceGetAttribute(16, 0)
        cuDeviceGetAttribute(13, 0)
        cuCtxCreate_v2(0, 0)
        cuModuleLoadDataEx(.version 4.0, .target sm_50, 2, 5, 6, 2048)
    )"));
    QCOMPARE(gpu.uuid, std::string("GPU-11111111-1111-1111-1111-111111111111"));
    QCOMPARE(gpu.capability, 90);
    QCOMPARE(gpu.clockLimit, 1.5e9);
}

void TestDriverCalls::product_asksInOrder()
{
    HostCard card;
    card.computes = false;
    {
        Gpu gpu(0, nowhere());
        const size_t opened = card.calls.size();
        {
            GpuLane lane(gpu);
            lane.prepare(Work::GemmFp32, 200); // filled up to 256
            lane.run(1);
            lane.runWithTransfers();
        }
        QCOMPARE(texts(card.calls, opened), lines(R"(
            cuEventCreate(0)
            cuEventCreate(0)
            cuMemGetInfo_v2()
            cuMemAlloc_v2(262144)
            cuMemAllocHost_v2(262144)
            cuMemAlloc_v2(262144)
            cuMemAllocHost_v2(262144)
            cuMemAlloc_v2(262144)
            cuMemAllocHost_v2(262144)
            cuMemcpyHtoDAsync_v2(memory 1, pinned 1, 262144, null)
            cuMemcpyHtoDAsync_v2(memory 2, pinned 2, 262144, null)
            cuCtxSynchronize()
            cuEventRecord(event 1, null)
            cuModuleGetFunction(module 1, sgemm)
            cuLaunchKernel(sgemm, 2x2x1, 256x1x1, 0, null, memory 1, memory 2, memory 3, 256, null)
            cuEventRecord(event 2, null)
            cuEventSynchronize(event 2)
            cuEventElapsedTime(event 1, event 2)
            cuCtxSynchronize()
            cuCtxSynchronize()
            cuMemcpyHtoDAsync_v2(memory 1, pinned 1, 262144, null)
            cuMemcpyHtoDAsync_v2(memory 2, pinned 2, 262144, null)
            cuModuleGetFunction(module 1, sgemm)
            cuLaunchKernel(sgemm, 2x2x1, 256x1x1, 0, null, memory 1, memory 2, memory 3, 256, null)
            cuMemcpyDtoHAsync_v2(pinned 3, memory 3, 262144, null)
            cuCtxSynchronize()
            cuMemFreeHost(pinned 3)
            cuMemFreeHost(pinned 2)
            cuMemFreeHost(pinned 1)
            cuMemFree_v2(memory 3)
            cuMemFree_v2(memory 2)
            cuMemFree_v2(memory 1)
            cuEventDestroy_v2(event 1)
            cuEventDestroy_v2(event 2)
        )"));
    }
}

void TestDriverCalls::oldCards_getTheOldText()
{
    HostCard card;
    card.computes = false;
    card.capability = 37; // K80
    const Gpu gpu(0, nowhere());
    QCOMPARE(card.calls.back(),
        std::string("cuModuleLoadDataEx(.version 3.2, .target sm_35, 2, 5, 6, 2048)"));
}

void TestDriverCalls::tensorKernels_needTheirCards()
{
    HostCard card;
    card.computes = false;
    const auto why = [&card](int capability) {
        card.capability = capability;
        return Gpu(0, nowhere()).whyNoTensorKernels();
    };
    for (const int capability : {80, 86, 87, 89, 90, 100, 120, 121})
        QCOMPARE(why(capability), std::string());
    // A card of the 7.5 family may have tensor cores (T4) or none (GTX 1660): nothing is said of
    // that.
    QCOMPARE(why(75), std::string("This needs compute capability 8.0, and the card has 7.5."));
    QCOMPARE(why(70), std::string("This needs compute capability 8.0, and the card has 7.0."));
    QCOMPARE(why(61), std::string("A card of compute capability 6.1 has no tensor cores."));
    QCOMPARE(why(37), std::string("A card of compute capability 3.7 has no tensor cores."));
}

void TestDriverCalls::tensorModule_isLoadedOnce()
{
    HostCard card;
    card.computes = false;
    Gpu gpu(0, nowhere());
    const size_t opened = card.calls.size();
    gpu.tensorFunction("peak_fp16");
    gpu.tensorFunction("peak_tf32");
    QCOMPARE(texts(card.calls, opened), lines(R"(
        cuModuleLoadDataEx(.version 7.0, .target sm_80, 2, 5, 6, 2048)
        cuModuleGetFunction(module 2, peak_fp16)
        cuModuleGetFunction(module 2, peak_tf32)
    )"));
}

void TestDriverCalls::everyCall_failsOnce_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<int>("failing");
    QTest::addColumn<QByteArray>("call");
    for (const int which : {-1, int(Work::GemmFp64), int(Work::Triad), int(Work::Nbody)}) {
        HostCard card;
        card.computes = false;
        work(which < 0 ? std::nullopt : std::optional(Work(which)));
        for (int i = 0; i < int(card.calls.size()); ++i) {
            const QByteArray call = QByteArray::fromStdString(card.calls[size_t(i)]);
            QTest::addRow(
                "%s %d %s", which < 0 ? "verify" : workName(Work(which)), i + 1, call.constData())
                << which << i << call;
        }
    }
}

/// A call that only describes the card, or gives something back, does not end the work; every other
/// is named with its error.
void TestDriverCalls::everyCall_failsOnce()
{
    QFETCH(int, which);
    QFETCH(int, failing);
    QFETCH(QByteArray, call);
    static const std::set<QByteArray> mayFail{"cuDeviceGetName(127, 0)",
        "cuDeviceGetPCIBusId(127, 0)", "cuDeviceGetUuid_v2(0)", "cuDeviceGetAttribute(13, 0)"};
    HostCard card;
    card.computes = false;
    card.failingCall = failing;
    QByteArray said;
    try {
        work(which < 0 ? std::nullopt : std::optional(Work(which)));
    } catch (const LaneError& error) {
        said = error.what();
    }
    const bool givesBack = call.contains("Free") || call.contains("Destroy");
    if (mayFail.count(call) || givesBack) {
        QCOMPARE(said, QByteArray());
    } else {
        const QByteArray function = call.left(call.indexOf('(')).replace("_v2", "");
        QVERIFY2(said.contains(function) && said.contains("CUDA_ERROR_OF_A_TEST_999 (999)"), said);
    }
    QStringList kept =
        texts(card.kept()).filter(QRegularExpression(QStringLiteral("^(?!context|module)")));
    // What the card does not take back stays there; nothing else does.
    QCOMPARE(kept.size(), givesBack ? 1 : 0);
}

SLIPWAY_TEST(TestDriverCalls, probe_drivercalls)
#include "tst_drivercalls.moc"
