// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/facts.h"
#include "show.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace slipway::probe;

/// The health of the cards: what NVML and the kernel's log tell.
class TestVerdictsHealth : public QObject {
    Q_OBJECT

private slots:
    void withoutNvml_nothingIsClaimed();
    void healthy_saysWhatItSaw();
    void ecc_uncorrectedFails();
    void ecc_whatWaitsForAReset();
    void ecc_cardsWithoutIt();
    void xid_hardwareAndPrograms();
    void state_modes();
    void state_heldBack();
    void state_othersOnTheCard();
    void pcie_idleIsNoFault();
    void pcie_widthIs();
    void nvlink_linksThatAreDown();
    void theWorstCardSpeaks();
};

namespace {

Facts healthy(int cards)
{
    Facts facts;
    facts.nodeName = "c1";
    facts.cuda.path = "libcuda.so.1";
    facts.nvml.init = 0;
    facts.nvml.count = cards;
    for (int i = 0; i < cards; ++i) {
        NvmlGpu gpu;
        gpu.index = i;
        gpu.uuid = "GPU-" + std::to_string(i);
        gpu.name = "NVIDIA H100";
        gpu.memoryTotal = 80.0 * (1ll << 30);
        gpu.memoryUsed = 5.0 * (1 << 20);
        gpu.temperature = 41;
        gpu.temperatureSlowdown = 90;
        gpu.power = 70;
        gpu.powerLimit = gpu.powerDefault = 700;
        gpu.throttle = 1;
        gpu.computeMode = 0;
        gpu.ecc = 1;
        gpu.correctedNow = gpu.uncorrectedNow = 0;
        gpu.pcieGeneration = gpu.pcieMaxGeneration = 5;
        gpu.pcieWidth = gpu.pcieMaxWidth = 16;
        facts.nvml.gpus.push_back(gpu);
    }
    return facts;
}

} // namespace

void TestVerdictsHealth::withoutNvml_nothingIsClaimed()
{
    Facts login;
    Facts noNvml = healthy(0);
    noNvml.nvml = {};
    for (const auto verdict : {migRow, eccRow, stateRow, nvlinkRow}) {
        JUDGED(verdict(login), Skip, "login node", "");
        JUDGED(verdict(noNvml), Skip, "Only NVML tells this", "");
    }
    JUDGED(pcieRow(noNvml, false), Skip, "Only NVML", "");
}

void TestVerdictsHealth::healthy_saysWhatItSaw()
{
    const Facts facts = healthy(2);
    QCOMPARE(stateRow(facts).value, std::string("41 °C, 70 W, 5 MiB in use"));
    QCOMPARE(eccRow(facts).value, std::string("on, no errors"));
    QCOMPARE(pcieRow(facts, false).value, std::string("generation 5 of 5, ×16 of ×16"));
    JUDGED(nvlinkRow(facts), Skip, "no NVLink", "");
    for (const Row& row : {stateRow(facts), eccRow(facts), pcieRow(facts, true), migRow(facts)}) {
        QCOMPARE(row.state, State::Ok);
        QCOMPARE(row.data["gpus"].items().size(), size_t(2));
    }
}

void TestVerdictsHealth::ecc_uncorrectedFails()
{
    Facts facts = healthy(2);
    facts.nvml.gpus[1].uncorrectedNow = 2;
    JUDGED(eccRow(facts), Fail, "GPU 1: its memory had 2 errors", "--exclude=c1");
    facts = healthy(1);
    facts.nvml.gpus[0].remapFailed = 1;
    JUDGED(eccRow(facts), Fail, "worn", "c1");
}

void TestVerdictsHealth::ecc_whatWaitsForAReset()
{
    Facts facts = healthy(1);
    facts.nvml.gpus[0].remapPending = 1;
    JUDGED(eccRow(facts), Warn, "next reset", "Report it to the site");
    facts = healthy(1);
    facts.nvml.gpus[0].correctedNow = 17;
    JUDGED(eccRow(facts), Ok, "", "");
    facts.nvml.gpus[0].correctedNow = 5000;
    JUDGED(eccRow(facts), Warn, "were corrected", "results are correct");
}

void TestVerdictsHealth::ecc_cardsWithoutIt()
{
    Facts facts = healthy(1);
    facts.nvml.gpus[0].ecc.reset();
    QCOMPARE(eccRow(facts).value, std::string("not on this kind of card"));
    facts.nvml.gpus[0].ecc = 0;
    QCOMPARE(eccRow(facts).value, std::string("off"));
}

void TestVerdictsHealth::xid_hardwareAndPrograms()
{
    Facts facts = healthy(1);
    JUDGED(xidRow(facts), Skip, "may not be read", "");
    facts.devices.kernelLogRead = true;
    JUDGED(xidRow(facts), Ok, "", "");
    facts.devices.xids = {{"0000:3b:00", 31, "MMU fault of a program"}};
    JUDGED(xidRow(facts), Ok, "", "");
    facts.devices.xids.push_back({"0000:3b:00", 79, "fallen off"});
    JUDGED(xidRow(facts), Warn, "Xid 79", "c1");
}

void TestVerdictsHealth::state_modes()
{
    Facts facts = healthy(1);
    facts.nvml.gpus[0].computeMode = 2;
    JUDGED(stateRow(facts), Fail, "PROHIBITED", "c1");
    facts.nvml.gpus[0].computeMode = 3;
    JUDGED(stateRow(facts), Warn, "EXCLUSIVE_PROCESS", "MPS");
    facts.nvml.gpus[0].processes = {{4711, 1e9}};
    JUDGED(stateRow(facts), Fail, "process 4711 has it", "End that process");
}

void TestVerdictsHealth::state_heldBack()
{
    Facts facts = healthy(1);
    facts.nvml.gpus[0].throttle = 0x48;
    JUDGED(stateRow(facts), Warn, "too hot", "c1");
    facts.nvml.gpus[0].throttle = 0x80;
    JUDGED(stateRow(facts), Warn, "power supply", "c1");
    facts.nvml.gpus[0].throttle = 0x4; // what every card does under full load
    JUDGED(stateRow(facts), Ok, "", "");
    facts.nvml.gpus[0].powerLimit = 400;
    JUDGED(stateRow(facts), Warn, "400 W of 700 W", "timings");
    facts = healthy(1);
    facts.nvml.gpus[0].temperature = 88;
    JUDGED(stateRow(facts), Warn, "88 °C", "c1");
}

void TestVerdictsHealth::state_othersOnTheCard()
{
    Facts facts = healthy(1);
    facts.nvml.gpus[0].memoryUsed = 40.0 * (1ll << 30);
    facts.nvml.gpus[0].processes = {{4711, 40.0 * (1ll << 30)}};
    JUDGED(stateRow(facts), Warn, "40 GiB of its 80 GiB is in use, by process 4711", "yours");
}

void TestVerdictsHealth::pcie_idleIsNoFault()
{
    Facts facts = healthy(1);
    facts.nvml.gpus[0].pcieGeneration = 1;
    JUDGED(pcieRow(facts, false), Ok, "At rest", "");
    JUDGED(
        pcieRow(facts, true), Warn, "generation 1 of 5 while it copies", "Report it to the site");
}

void TestVerdictsHealth::pcie_widthIs()
{
    Facts facts = healthy(2);
    facts.nvml.gpus[1].pcieWidth = 8;
    JUDGED(pcieRow(facts, false), Warn, "GPU 1: its link to the processor is ×8 of ×16",
        "Report it to the site");
}

void TestVerdictsHealth::nvlink_linksThatAreDown()
{
    Facts facts = healthy(2);
    for (NvmlGpu& gpu : facts.nvml.gpus) {
        gpu.nvlinkActive = 18;
        gpu.nvlinkInactive = 0;
    }
    JUDGED(nvlinkRow(facts), Ok, "", "");
    facts.nvml.gpus[0].nvlinkActive = 17;
    facts.nvml.gpus[0].nvlinkInactive = 1;
    JUDGED(nvlinkRow(facts), Warn, "1 of its 18 NVLinks", "c1");
    facts.nvml.gpus[0].nvlinkActive = 0; // a board with no bridge
    facts.nvml.gpus[0].nvlinkInactive = 4;
    JUDGED(nvlinkRow(facts), Ok, "", "");
}

void TestVerdictsHealth::theWorstCardSpeaks()
{
    Facts facts = healthy(3);
    facts.nvml.gpus[0].remapPending = 1;
    facts.nvml.gpus[2].uncorrectedNow = 1;
    JUDGED(eccRow(facts), Fail, "GPU 2:", "c1");
}

SLIPWAY_TEST(TestVerdictsHealth, probe_verdicts_health)
#include "tst_verdicts_health.moc"
