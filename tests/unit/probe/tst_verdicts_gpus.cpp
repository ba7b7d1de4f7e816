// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/facts.h"
#include "show.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace slipway::probe;

/// The job's GPUs against what CUDA and NVML show: by UUID, never by number.
class TestVerdictsGpus : public QObject {
    Q_OBJECT

private slots:
    void count_isRight();
    void count_renumberedIsNoFault();
    void count_maskOfTheWholeNode();
    void count_maskHidesSome();
    void count_withoutDeviceRules();
    void count_daemonOutsideOfTheJob();
    void count_oneForEachTask();
    void count_unaskedCards();
    void count_otherCards();
    void count_partsOfCards();
    void list_names();
    void list_lies();
    void arch_againstTheImage();
    void image_onlyInAContainer();
};

namespace {

std::string uuid(int card)
{
    return "GPU-" + std::string(8, char('0' + card));
}

/// A job with so many cards of which CUDA and NVML show these.
Facts jobWithCards(int asked, const std::vector<int>& cuda, const std::vector<int>& nvml)
{
    Facts facts;
    facts.nodeName = "c1";
    facts.slurm.inJob = true;
    facts.slurm.gpusOnNode = asked;
    facts.slurm.asksGpu = asked > 0;
    facts.cuda.path = "/usr/lib/libcuda.so.1";
    facts.cuda.version = 12040;
    facts.cuda.init = cuda.empty() ? 100 : 0;
    for (const int card : cuda) {
        CudaGpu gpu;
        gpu.ordinal = int(facts.cuda.gpus.size());
        gpu.uuid = gpu.card = uuid(card);
        gpu.name = "NVIDIA A100-SXM4-40GB";
        gpu.memory = 40.0 * (1ll << 30);
        gpu.major = 8;
        facts.cuda.gpus.push_back(gpu);
    }
    facts.nvml.path = "/usr/lib/libnvidia-ml.so.1";
    facts.nvml.init = 0;
    facts.nvml.count = int(nvml.size());
    for (const int card : nvml) {
        NvmlGpu gpu;
        gpu.index = int(facts.nvml.gpus.size());
        gpu.uuid = uuid(card);
        gpu.memoryTotal = 40.0 * (1ll << 30);
        facts.nvml.gpus.push_back(gpu);
        facts.devices.nodes.push_back({"/dev/nvidia" + std::to_string(card), 0});
    }
    return facts;
}

} // namespace

void TestVerdictsGpus::count_isRight()
{
    JUDGED(slurmCountRow(jobWithCards(2, {0, 1}, {0, 1})), Ok, "", "");
    Facts login = jobWithCards(0, {}, {});
    login.slurm = {};
    JUDGED(slurmCountRow(login), Skip, "not inside a Slurm job", "");
    Facts without = jobWithCards(2, {0, 1}, {});
    without.nvml = {};
    JUDGED(slurmCountRow(without), Ok, "", "");
}

void TestVerdictsGpus::count_renumberedIsNoFault()
{
    Facts facts = jobWithCards(2, {2, 3}, {2, 3});
    facts.slurm.hostIndexes = {"2", "3"};
    facts.cudaMask = GpuMask::of("0,1");
    JUDGED(slurmCountRow(facts), Ok, "", "");
}

void TestVerdictsGpus::count_maskOfTheWholeNode()
{
    Facts facts = jobWithCards(4, {}, {4, 5, 6, 7});
    facts.slurm.hostIndexes = {"4", "5", "6", "7"};
    facts.cudaMask = GpuMask::of("4,5,6,7");
    JUDGED(slurmCountRow(facts), Fail, "numbered from 0", "Unset CUDA_VISIBLE_DEVICES");
    facts = jobWithCards(2, {1}, {0, 1});
    facts.cudaMask = GpuMask::of("1,2");
    JUDGED(slurmCountRow(facts), Fail, "numbered from 0", "UUIDs");
}

void TestVerdictsGpus::count_maskHidesSome()
{
    Facts facts = jobWithCards(2, {0}, {0, 1});
    facts.cudaMask = GpuMask::of("0");
    JUDGED(slurmCountRow(facts), Warn, "hides 1", "Unset");
    facts = jobWithCards(2, {0}, {0});
    JUDGED(slurmCountRow(facts), Fail, "CUDA shows 1", "--exclude=c1");
    facts.place = Place::Container;
    JUDGED(slurmCountRow(facts), Fail, "CUDA shows 1", "NVIDIA_VISIBLE_DEVICES");
}

void TestVerdictsGpus::count_withoutDeviceRules()
{
    Facts facts = jobWithCards(1, {0, 1, 2, 3}, {0, 1, 2, 3});
    facts.slurm.hostIndexes = {"2"};
    JUDGED(slurmCountRow(facts), Warn, "ConstrainDevices", "CUDA_VISIBLE_DEVICES=2");
    facts = jobWithCards(1, {2}, {0, 1, 2, 3});
    facts.cudaMask = GpuMask::of("2");
    JUDGED(slurmCountRow(facts), Warn, "mask alone", "Leave CUDA_VISIBLE_DEVICES");
}

void TestVerdictsGpus::count_daemonOutsideOfTheJob()
{
    Facts facts = jobWithCards(1, {0, 1}, {0, 1});
    facts.place = Place::Container;
    facts.runtime = "docker";
    JUDGED(slurmCountRow(facts), Warn, "outside of the job's limits", "device=GPU-");
}

void TestVerdictsGpus::count_oneForEachTask()
{
    Facts facts = jobWithCards(4, {1}, {1});
    facts.slurm.gpusPerTask = 1;
    JUDGED(slurmCountRow(facts), Ok, "Each task", "");
}

void TestVerdictsGpus::count_unaskedCards()
{
    JUDGED(slurmCountRow(jobWithCards(0, {}, {})), Skip, "requested no GPU", "");
    JUDGED(slurmCountRow(jobWithCards(0, {0}, {0})), Warn, "requested no GPU and sees 1",
        "--gres=gpu:1");
    Facts unsaid = jobWithCards(0, {0}, {0});
    unsaid.slurm.gpusOnNode.reset();
    unsaid.slurm.asksGpu = true;
    JUDGED(slurmCountRow(unsaid), Ok, "it is not known here", "");
}

void TestVerdictsGpus::count_otherCards()
{
    JUDGED(slurmCountRow(jobWithCards(2, {0, 5}, {0, 1})), Fail, "different cards",
        "report it to the site");
}

void TestVerdictsGpus::count_partsOfCards()
{
    Facts facts = jobWithCards(2, {0}, {0});
    facts.cuda.gpus[0].uuid = "MIG-1";
    facts.nvml.gpus[0].mig = facts.nvml.gpus[0].migPending = 1;
    facts.nvml.gpus[0].migUuids = {"MIG-1", "MIG-2"};
    JUDGED(slurmCountRow(facts), Warn, "one part", "one process for each part");
    JUDGED(migRow(facts), Warn, "one in a process", "one process for each part");
    facts.nvml.gpus[0].migUuids.clear();
    JUDGED(migRow(facts), Fail, "no parts", "c1");
    JUDGED(migRow(jobWithCards(1, {0}, {0})), Ok, "", "");
}

void TestVerdictsGpus::list_names()
{
    const Row row = gpuListRow(jobWithCards(2, {0, 1}, {0, 1}));
    QCOMPARE(row.value, std::string("2 × NVIDIA A100-SXM4-40GB"));
    QCOMPARE(row.data["gpus"].items().size(), size_t(2));
    QCOMPARE(row.data["gpus"].items()[1]["uuid"].text(), uuid(1));
    Facts none = jobWithCards(1, {}, {0});
    none.cuda.init = 0;
    JUDGED(gpuListRow(none), Fail, "shows no card", "slurm.count");
}

void TestVerdictsGpus::list_lies()
{
    Facts facts = jobWithCards(1, {0}, {0});
    facts.cuda.gpus[0].memory = 1e18;
    JUDGED(gpuListRow(facts), Fail, "which no card has", "c1");
    facts.cuda.gpus[0].memory = 20.0 * (1ll << 30);
    JUDGED(gpuListRow(facts), Fail, "NVML says 40 GiB", "c1");
}

void TestVerdictsGpus::arch_againstTheImage()
{
    Facts facts = jobWithCards(1, {0}, {0});
    QCOMPARE(gpuArchRow(facts).value, std::string("8.0 (Ampere)"));
    facts.place = Place::Container;
    facts.image.version = Version::of("13.0");
    JUDGED(gpuArchRow(facts), Ok, "", "");
    facts.cuda.gpus[0].major = 7;
    JUDGED(gpuArchRow(facts), Fail, "no longer supports", "CUDA 12.9 or older");
    facts.cuda.gpus[0].major = 12;
    facts.image.version = Version::of("12.4.1");
    JUDGED(gpuArchRow(facts), Warn, "newer than CUDA 12.4", "CUDA 12.8 or newer");
    facts.place = Place::Host;
    JUDGED(gpuArchRow(facts), Ok, "", "");
}

void TestVerdictsGpus::image_onlyInAContainer()
{
    Facts facts = jobWithCards(1, {0}, {0});
    facts.image.version = Version::of("13.0");
    facts.nvml.driver = "550.54.15";
    JUDGED(imageCudaRow(facts), Skip, "not an image", "");
    facts.place = Place::Container;
    JUDGED(imageCudaRow(facts), Fail, "needs driver 580 or newer, the node has 550.54.15",
        "CUDA 12.4 or older");
    facts.image.version = {};
    JUDGED(imageCudaRow(facts), Skip, "does not declare", "");
}

SLIPWAY_TEST(TestVerdictsGpus, probe_verdicts_gpus)
#include "tst_verdicts_gpus.moc"
