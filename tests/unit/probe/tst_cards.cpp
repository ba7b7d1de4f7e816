// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/facts.h"
#include "show.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace slipway::probe;

/// Healthy cards of different kinds: no row finds fault with them, and each says what the card has.
class TestCards : public QObject {
    Q_OBJECT

private slots:
    void healthyCards_haveNoFault_data();
    void healthyCards_haveNoFault();
};

namespace {

/// A kind of card as its driver's libraries describe it. Memory in MiB; what NVML answers with “not
/// supported” is 0 or -1 here.
struct Kind {
    const char* name;
    int major = 0, minor = 0;
    double cudaMemory = 0, nvmlMemory = 0;
    double powerLimit = 0;
    int ecc = -1; ///< 1: on
    int pcie = 0; ///< generation
    int nvlinks = -1;
    int cards = 1;
    int parts = -1; ///< it is divided into, and the job has one of them; 0: it could be divided
    double used = 1; ///< MiB, before the job starts anything
    bool hasProcess = false; ///< that uses them
};

NvmlGpu nvmlOf(const Kind& kind, int index)
{
    NvmlGpu gpu;
    gpu.index = index;
    gpu.uuid = "GPU-" + std::to_string(index);
    gpu.name = kind.name;
    const auto given = [](double value, double least = 1) {
        return value < least ? std::optional<double>() : value;
    };
    constexpr double mebibyte = 1 << 20;
    gpu.memoryTotal = given(kind.nvmlMemory * mebibyte);
    if (gpu.memoryTotal)
        gpu.memoryUsed = kind.used * mebibyte;
    gpu.temperature = 41;
    gpu.throttle = 1; // it rests
    gpu.computeMode = 0;
    gpu.persistence = kind.ecc >= 0 ? 1 : 0;
    gpu.powerLimit = gpu.powerDefault = given(kind.powerLimit);
    gpu.ecc = given(kind.ecc, 0);
    if (kind.ecc == 1)
        gpu.correctedNow = gpu.uncorrectedNow = 0;
    if (kind.pcie > 0) {
        gpu.pcieMaxGeneration = kind.pcie;
        gpu.pcieGeneration = 1; // it rests
        gpu.pcieWidth = gpu.pcieMaxWidth = 16;
    }
    gpu.nvlinkActive = given(kind.nvlinks, 0);
    if (kind.nvlinks >= 0)
        gpu.nvlinkInactive = 0;
    if (kind.hasProcess)
        gpu.processes.push_back({4711, kind.used * mebibyte});
    if (kind.parts >= 0) {
        gpu.mig = gpu.migPending = kind.parts > 0 ? 1 : 0;
        for (int i = 0; i < kind.parts; ++i)
            gpu.migUuids.push_back("MIG-" + std::to_string(i));
    }
    return gpu;
}

CudaGpu cudaOf(const Kind& kind, int index)
{
    CudaGpu gpu;
    gpu.ordinal = index;
    gpu.card = "GPU-" + std::to_string(index);
    gpu.uuid = kind.parts > 0 ? "MIG-0" : gpu.card;
    gpu.name = kind.name;
    gpu.memory = kind.cudaMemory * (1 << 20);
    gpu.major = kind.major;
    gpu.minor = kind.minor;
    gpu.multiprocessors = 16;
    return gpu;
}

Facts jobOn(const Kind& kind)
{
    Facts facts;
    facts.nodeName = "c1";
    facts.slurm.inJob = facts.slurm.asksGpu = true;
    facts.slurm.gpusOnNode = kind.cards;
    facts.devices.onBus = kind.pcie > 0 ? kind.cards : 0;
    facts.cuda.path = "/usr/lib/libcuda.so.1";
    facts.cuda.version = 13000;
    facts.cuda.init = 0;
    facts.nvml.path = "/usr/lib/libnvidia-ml.so.1";
    facts.nvml.init = 0;
    facts.nvml.count = facts.cuda.count = kind.cards;
    facts.nvml.driver = "580.65.06";
    for (int i = 0; i < kind.cards; ++i) {
        facts.cuda.gpus.push_back(cudaOf(kind, i));
        facts.nvml.gpus.push_back(nvmlOf(kind, i));
        facts.devices.nodes.push_back({"/dev/nvidia" + std::to_string(i), 0});
    }
    return facts;
}

} // namespace

Q_DECLARE_METATYPE(Kind)

void TestCards::healthyCards_haveNoFault_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QByteArray>("words"); ///< of the rows list, arch, mig, ecc and nvlink
    const auto row = [](const char* title, const Kind& kind, const char* words) {
        QTest::newRow(title) << kind << QByteArray(words);
    };
    row("K80", {"Tesla K80", 3, 7, 11441, 11441, 149, 1, 3},
        "Tesla K80|3.7 (Kepler)|not on this kind of card|on, no errors|");
    row("P100", {"Tesla P100-PCIE-16GB", 6, 0, 16281, 16280, 250, 1, 3},
        "Tesla P100-PCIE-16GB|6.0 (Pascal)|not on this kind of card|on, no errors|");
    row("V100", {"Tesla V100-SXM2-32GB", 7, 0, 32510, 32510, 300, 1, 3, 6, 4},
        "4 × Tesla V100-SXM2-32GB|7.0 (Volta)|not on this kind of card|on, no errors|6 links up");
    row("T4", {"Tesla T4", 7, 5, 14931, 15360, 70, 1, 3},
        "Tesla T4|7.5 (Turing)|not on this kind of card|on, no errors|");
    row("GTX 1660 Ti, a display on it",
        {"NVIDIA GeForce GTX 1660 Ti", 7, 5, 5943, 6144, 120, -1, 3, -1, 1, -1, 290, true},
        "NVIDIA GeForce GTX 1660 Ti|7.5 (Turing)|not on this kind of card|not on this kind of "
        "card|");
    row("RTX 4090", {"NVIDIA GeForce RTX 4090", 8, 9, 24082, 24564, 450, 0, 4, -1, 2},
        "2 × NVIDIA GeForce RTX 4090|8.9 (Ada)|not on this kind of card|off|");
    row("A100 of four", {"NVIDIA A100-SXM4-80GB", 8, 0, 81050, 81920, 400, 1, 4, 12, 4, 0},
        "4 × NVIDIA A100-SXM4-80GB|8.0 (Ampere)|off|on, no errors|12 links up");
    row("A100, one part",
        {"NVIDIA A100-SXM4-40GB MIG 1g.5gb", 8, 0, 4864, 40960, 400, 1, 4, -1, 1, 7},
        "NVIDIA A100-SXM4-40GB MIG 1g.5gb|8.0 (Ampere)|7 parts of divided cards|on, no errors|");
    row("H100, one part of two",
        {"NVIDIA H100 80GB HBM3 MIG 3g.40gb", 9, 0, 40320, 81559, 700, 1, 5, -1, 1, 2, 30000, true},
        "NVIDIA H100 80GB HBM3 MIG 3g.40gb|9.0 (Hopper)|2 parts of divided cards|on, no errors|");
    row("GH200, memory reached over NVLink-C2C", {"NVIDIA GH200 480GB", 9, 0, 96768, 97871, 900, 1},
        "NVIDIA GH200 480GB|9.0 (Hopper)|not on this kind of card|on, no errors|");
    row("GB10, memory shared with the processors", {"NVIDIA GB10", 12, 1, 122572, 0, 0},
        "NVIDIA GB10|12.1 (Blackwell)|not on this kind of card|not on this kind of card|");
}

void TestCards::healthyCards_haveNoFault()
{
    QFETCH(Kind, kind);
    QFETCH(QByteArray, words);
    const Facts facts = jobOn(kind);
    for (const Row& row : {driverVersionRow(facts), libcudaRow(facts), driverCudaRow(facts),
             gpuListRow(facts), nvmlRow(facts), slurmCountRow(facts), gpuArchRow(facts),
             migRow(facts), eccRow(facts), xidRow(facts), stateRow(facts), pcieRow(facts, false),
             nvlinkRow(facts), numaRow(facts)})
        QVERIFY2(row.state == State::Ok || row.state == State::Skip, row.toJson().write().c_str());
    std::string said;
    for (const Row& row :
        {gpuListRow(facts), gpuArchRow(facts), migRow(facts), eccRow(facts), nvlinkRow(facts)})
        said += (said.empty() ? "" : "|") + row.value;
    QCOMPARE(said, words.toStdString());
    // It is a row without a value only where nothing is to be said of such a card.
    QVERIFY(!stateRow(facts).value.empty());
    QVERIFY(!pcieRow(facts, true).value.empty());
}

SLIPWAY_TEST(TestCards, probe_cards)
#include "tst_cards.moc"
