// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/facts.h"
#include "show.h"
#include "tests/support/testmain.h"

#include <QtTest>

#include <cerrno>

using namespace slipway::probe;

/// What is reported about the driver, its libraries and its device files.
class TestVerdictsDriver : public QObject {
    Q_OBJECT

private slots:
    void loginNode_isNoError();
    void jobThatAskedForNone_isNotFailed();
    void jobWithoutDriver_fails();
    void driver_ofKernelAndLibraries();
    void libcuda_missingInTheContainer();
    void libcuda_otherTroubles();
    void cuda_everyRefusal_data();
    void cuda_everyRefusal();
    void cuda_noDevice();
    void cuda_trouble();
    void deviceFiles();
    void nvml();
};

namespace {

const std::string missing =
    "libcuda.so.1: cannot open shared object file: No such file or directory";

Facts login()
{
    Facts facts;
    facts.nodeName = "login1";
    facts.cuda.loadError = missing;
    facts.nvml.loadError =
        "libnvidia-ml.so.1: cannot open shared object file: No such file or directory";
    return facts;
}

Facts inJob(int gpus)
{
    Facts facts = login();
    facts.nodeName = "c1";
    facts.slurm.inJob = true;
    facts.slurm.gpusOnNode = gpus;
    facts.slurm.asksGpu = gpus > 0;
    return facts;
}

Facts working(int gpus)
{
    Facts facts = inJob(gpus);
    facts.devices.driver = KernelDriver{"580.65.06", false};
    facts.cuda.path = "/usr/lib/x86_64-linux-gnu/libcuda.so.580.65.06";
    facts.cuda.version = 13000;
    facts.cuda.init = 0;
    facts.cuda.gpus.resize(size_t(gpus));
    facts.nvml.path = "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.580.65.06";
    facts.nvml.init = 0;
    facts.nvml.driver = "580.65.06";
    facts.nvml.count = gpus;
    for (int i = 0; i < gpus; ++i)
        facts.devices.nodes.push_back({"/dev/nvidia" + std::to_string(i), 0});
    facts.devices.nodes.push_back({"/dev/nvidiactl", 0});
    facts.devices.nodes.push_back({"/dev/nvidia-uvm", 0});
    return facts;
}

} // namespace

void TestVerdictsDriver::loginNode_isNoError()
{
    for (const auto verdict :
        {driverVersionRow, libcudaRow, driverCudaRow, deviceNodesRow, nvmlRow, gpuListRow})
        JUDGED(verdict(login()), Skip, "login node", "");
    JUDGED(driverVersionRow(inJob(0)), Skip, "requested no GPU", "");
    Facts card = login();
    card.devices.onBus = 1;
    JUDGED(driverVersionRow(card), Skip, "no driver is loaded", "");
}

void TestVerdictsDriver::jobThatAskedForNone_isNotFailed()
{
    // A node with cards, of which the job's device rules show none.
    Facts facts = working(0);
    facts.devices.nodes = {{"/dev/nvidia0", EPERM}, {"/dev/nvidiactl", 0}};
    facts.cuda.init = 999;
    facts.nvml.init = 4;
    JUDGED(driverCudaRow(facts), Skip, "requested no GPU", "");
    JUDGED(nvmlRow(facts), Skip, "nvmlInit", "");
    JUDGED(deviceNodesRow(facts), Ok, "", "");
    facts.cuda.init.reset();
    facts.cuda.trouble = "did not answer within 10 s in cuInit";
    JUDGED(driverCudaRow(facts), Warn, "cuInit", "c1");
    facts.cuda = {};
    facts.cuda.loadError = missing;
    facts.place = Place::Container;
    JUDGED(libcudaRow(facts), Skip, "requested no GPU", "");
    // A login node with the library and no card.
    Facts login;
    login.cuda.path = "/usr/lib/libcuda.so.1";
    login.cuda.init = 3;
    JUDGED(driverCudaRow(login), Skip, "no card here", "");
}

void TestVerdictsDriver::jobWithoutDriver_fails()
{
    JUDGED(driverVersionRow(inJob(1)), Fail, "no NVIDIA driver", "--exclude=c1");
    JUDGED(libcudaRow(inJob(1)), Fail, "no libcuda.so.1", "--exclude=c1");
    JUDGED(deviceNodesRow(inJob(1)), Fail, "no /dev/nvidia0", "--exclude=c1");
}

void TestVerdictsDriver::driver_ofKernelAndLibraries()
{
    QCOMPARE(driverVersionRow(working(1)).value, std::string("580.65.06"));
    Facts updated = working(1);
    updated.nvml.driver = "580.82.07";
    JUDGED(driverVersionRow(updated), Fail, "without a restart", "c1");
    Facts mismatch = working(1);
    mismatch.nvml.driver.clear();
    mismatch.nvml.init = 18;
    JUDGED(driverVersionRow(mismatch), Fail, "without a restart", "c1");
    Facts hung = login();
    hung.devices.trouble = "did not answer within 10 s";
    JUDGED(driverVersionRow(hung), Fail, "did not answer", "");
    Facts libraryOnly = working(1);
    libraryOnly.devices.driver.reset();
    QCOMPARE(driverVersionRow(libraryOnly).value, std::string("580.65.06"));
}

void TestVerdictsDriver::libcuda_missingInTheContainer()
{
    Facts facts = inJob(1);
    facts.place = Place::Container;
    facts.devices.driver = KernelDriver{"580.65.06", false};
    facts.runtime = "apptainer";
    JUDGED(libcudaRow(facts), Fail, "started without it", "apptainer exec --nv");
    facts.runtime = "docker";
    JUDGED(libcudaRow(facts), Fail, "started without it", "--gpus all");
    facts.runtime = "enroot";
    JUDGED(libcudaRow(facts), Fail, "started without it", "NVIDIA_VISIBLE_DEVICES");
    Facts noJob = login();
    noJob.place = Place::Container;
    JUDGED(libcudaRow(noJob), Skip, "no NVIDIA driver", "");
}

void TestVerdictsDriver::libcuda_otherTroubles()
{
    Facts facts = working(1);
    facts.cuda.path.clear();
    facts.cuda.loadError = "/usr/lib/libcuda.so.1: file too short";
    JUDGED(libcudaRow(facts), Fail, "empty libcuda", "Remove the empty");
    facts.cuda.loadError = "libcuda.so.1: version `GLIBC_2.34' not found";
    JUDGED(libcudaRow(facts), Fail, "GLIBC_2.34", "c1");
    facts.cuda.loadError = missing;
    JUDGED(libcudaRow(facts), Fail, "nowhere that the loader looks", "c1");
    facts.cuda.path = "/usr/local/cuda/lib64/stubs/libcuda.so";
    JUDGED(libcudaRow(facts), Fail, "stub", "/stubs");
    facts.cuda.path = "/usr/local/cuda/compat/libcuda.so.580";
    JUDGED(libcudaRow(facts), Ok, "forward compatibility", "");
    Facts crashed = inJob(1);
    crashed.cuda.loadError.clear();
    crashed.cuda.trouble = "crashed in opening libcuda.so.1 (SIGSEGV)";
    JUDGED(libcudaRow(crashed), Fail, "crashed", "c1");
}

void TestVerdictsDriver::cuda_everyRefusal_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("why");
    QTest::newRow("not initialised") << 3 << QByteArray("did not start");
    QTest::newRow("stub") << 34 << QByteArray("stub");
    QTest::newRow("taken") << 46 << QByteArray("used by another process");
    QTest::newRow("mask") << 101 << QByteArray("CUDA_VISIBLE_DEVICES");
    QTest::newRow("system") << 304 << QByteArray("nvidia-uvm");
    QTest::newRow("fabric manager") << 802 << QByteArray("fabric manager");
    QTest::newRow("mismatch") << 803 << QByteArray("two versions");
    QTest::newRow("compat") << 804 << QByteArray("forward compatibility");
    QTest::newRow("mps") << 805 << QByteArray("MPS");
    QTest::newRow("unknown") << 999 << QByteArray("nvidia-uvm");
    QTest::newRow("one that we do not know") << 777 << QByteArray("cuInit returned CUDA error 777");
}

void TestVerdictsDriver::cuda_everyRefusal()
{
    QFETCH(int, code);
    QFETCH(QByteArray, why);
    Facts facts = working(1);
    facts.cuda.init = code;
    facts.cuda.gpus.clear();
    JUDGED(driverCudaRow(facts), Fail, why.toStdString(), "");
    QVERIFY(contains(driverCudaRow(facts).why, std::to_string(code)));
    QCOMPARE(driverCudaRow(facts).value, std::string("13.0"));
}

void TestVerdictsDriver::cuda_noDevice()
{
    Facts facts = working(1);
    facts.cuda.init = 100;
    facts.cuda.gpus.clear();
    JUDGED(driverCudaRow(facts), Fail, "no card", "c1");
    facts.cudaMask = GpuMask::of("");
    JUDGED(driverCudaRow(facts), Fail, "hides every card", "Unset CUDA_VISIBLE_DEVICES");
    facts.cudaMask = GpuMask::of("4,5");
    JUDGED(driverCudaRow(facts), Fail, "names no card", "Unset CUDA_VISIBLE_DEVICES");
    facts.cudaMask = {};
    facts.place = Place::Container;
    facts.runtime = "docker";
    facts.devices.nodes.clear();
    JUDGED(driverCudaRow(facts), Fail, "no /dev/nvidia0", "--gpus");
    Facts unasked = working(0);
    unasked.cuda.init = 100;
    JUDGED(driverCudaRow(unasked), Skip, "requested no GPU", "--gres=gpu:1");
    unasked.cudaMask = GpuMask::of("NoDevFiles");
    JUDGED(driverCudaRow(unasked), Skip, "hides every card", "--gres=gpu:1");
}

void TestVerdictsDriver::cuda_trouble()
{
    Facts facts = working(1);
    facts.cuda.init.reset();
    facts.cuda.trouble = "did not answer within 10 s in cuInit";
    JUDGED(driverCudaRow(facts), Fail, "cuInit", "c1");
    JUDGED(gpuListRow(facts), Skip, "does not answer", "");
    JUDGED(slurmCountRow(facts), Skip, "cannot be compared", "");
    QCOMPARE(driverCudaRow(working(1)).value, std::string("13.0"));
}

void TestVerdictsDriver::deviceFiles()
{
    JUDGED(deviceNodesRow(working(2)), Ok, "", "");
    Facts fenced = working(2);
    fenced.devices.nodes[0].error = EPERM; // another job's card: as it should be
    fenced.nvml.count = 1;
    JUDGED(deviceNodesRow(fenced), Ok, "", "");
    fenced.devices.nodes[1].error = EPERM;
    JUDGED(deviceNodesRow(fenced), Fail, "EPERM", "srun");
    Facts group = working(1);
    for (DeviceNode& node : group.devices.nodes)
        node.error = EACCES;
    JUDGED(deviceNodesRow(group), Fail, "EACCES", "group");
    Facts noUvm = working(1);
    noUvm.devices.nodes.pop_back();
    JUDGED(deviceNodesRow(noUvm), Warn, "nvidia-uvm", "nvidia-modprobe");
    Facts fallen = working(2);
    fallen.nvml.count = 1;
    JUDGED(deviceNodesRow(fallen), Warn, "NVML counts 1", "nvidia-smi -L");
    Facts hung = working(1);
    hung.devices.trouble = "did not answer within 10 s in opening /dev/nvidia0";
    JUDGED(deviceNodesRow(hung), Fail, "/dev/nvidia0", "c1");
    Facts windows = working(1);
    windows.devices.nodes.clear();
    JUDGED(deviceNodesRow(windows), Skip, "without device files", "");
}

void TestVerdictsDriver::nvml()
{
    JUDGED(nvmlRow(working(1)), Ok, "", "");
    Facts without = working(1);
    without.nvml = {};
    without.nvml.loadError = "not there";
    JUDGED(nvmlRow(without), Skip, "not here", "");
    JUDGED(eccRow(without), Skip, "Only NVML", "");
    Facts refuses = working(1);
    refuses.nvml.init = 9;
    refuses.nvml.initText = "Driver Not Loaded (9)";
    JUDGED(nvmlRow(refuses), Fail, "Driver Not Loaded", "c1");
    Facts hangs = working(1);
    hangs.nvml.trouble = "did not answer within 10 s in nvmlInit";
    JUDGED(nvmlRow(hangs), Fail, "nvmlInit", "c1");
}

SLIPWAY_TEST(TestVerdictsDriver, probe_verdicts_driver)
#include "tst_verdicts_driver.moc"
