// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/procfiles.h"
#include "remote/probe/core/programs.h"
#include "remote/probe/core/sample.h"
#include "remote/probe/core/text.h"
#include "show.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace slipway::probe;

/// The texts of /proc, of control groups and of programs that the probe reads.
class TestParsers : public QObject {
    Q_OBJECT

private slots:
    void driverVersion_ofBothModules();
    void kernelGpu_hasItsNames();
    void xids_areFoundInTheKernelsLog();
    void cpuInfo_ofBothArchitectures();
    void cpuLists_roundTrip();
    void cpuPercent_countsTheJobsCpusOnly();
    void mounts_theInnermostCounts();
    void cgroups_ofBothVersions();
    void limits_ofControlGroups();
    void memInfo_isBytes();
    void versions_compareByNumber();
    void sizes_areShort();
    void programs_reportTheirVersions();
    void mpiLists_ofOldAndNew();
    void samples_haveTheFormOfTheReadme();
    void samples_comeWithoutDrift();
};

void TestParsers::driverVersion_ofBothModules()
{
    const auto closed =
        readDriverVersion("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 "
                          "01:15:15 UTC 2023\nGCC version:  gcc version 11.4.0\n");
    QVERIFY(closed);
    QCOMPARE(closed->version, std::string("535.104.05"));
    QVERIFY(!closed->open);
    const auto open = readDriverVersion("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  "
                                        "580.65.06  Release Build  (dvs-builder@U22)\n");
    QVERIFY(open && open->open);
    QCOMPARE(open->version, std::string("580.65.06"));
    QCOMPARE(
        readDriverVersion("NVRM version: NVIDIA UNIX x86_64 Kernel Module  450.51  x\n")->version,
        std::string("450.51"));
    QVERIFY(!readDriverVersion(""));
    QVERIFY(!readDriverVersion("NVRM version: none\n"));
}

void TestParsers::kernelGpu_hasItsNames()
{
    const KernelGpu gpu = readKernelGpu("Model: \t\t NVIDIA A100-SXM4-40GB\nIRQ:   \t\t 134\nGPU "
                                        "UUID: \t GPU-8932f937-d72c-4106-c12f-20bd9faed9f6\nBus "
                                        "Location: \t 0000:07:00.0\nDevice Minor: \t 3\n");
    QCOMPARE(gpu.name, std::string("NVIDIA A100-SXM4-40GB"));
    QCOMPARE(gpu.uuid, std::string("GPU-8932f937-d72c-4106-c12f-20bd9faed9f6"));
    QCOMPARE(gpu.busId, std::string("0000:07:00.0"));
    QCOMPARE(gpu.minor, std::optional(3));
    QVERIFY(!readKernelGpu("").minor);
}

void TestParsers::xids_areFoundInTheKernelsLog()
{
    const auto xids = readXids(
        "<6>[1.0] usb 1-1\n<4>[ 99.1] NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off "
        "the bus.\n"
        "[5] NVRM: Xid (PCI:0000:3b:00): 13, Graphics Exception\n[6] NVRM: Xid (PCI:0000): x, y\n");
    QCOMPARE(xids.size(), size_t(2));
    QCOMPARE(xids[0].code, 79);
    QCOMPARE(xids[0].busId, std::string("0000:3b:00"));
    QVERIFY(contains(xids[0].text, "fallen off"));
    QCOMPARE(xids[1].code, 13);
}

void TestParsers::cpuInfo_ofBothArchitectures()
{
    const CpuInfo amd = readCpuInfo("processor\t: 0\nmodel name\t: AMD EPYC 9654\nflags\t\t: fpu "
                                    "sse2 avx avx2 fma avx512f\nprocessor\t: 1\n");
    QCOMPARE(amd.model, std::string("AMD EPYC 9654"));
    QCOMPARE(amd.instructions(), std::string("AVX-512"));
    const CpuInfo arm = readCpuInfo(
        "processor\t: 0\nFeatures\t: fp asimd crc32\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n");
    QCOMPARE(arm.instructions(), std::string("NEON"));
    QVERIFY(contains(arm.model, "0xd4f"));
    QCOMPARE(readCpuInfo("flags: avx2\n").instructions(), std::string("AVX2 without FMA"));
    QCOMPARE(readCpuInfo("").instructions(), std::string());
}

void TestParsers::cpuLists_roundTrip()
{
    QCOMPARE(readCpuList("0-3,8\n"), (std::vector<int>{0, 1, 2, 3, 8}));
    QCOMPARE(readCpuList("8,0-1,1"), (std::vector<int>{0, 1, 8}));
    QCOMPARE(readCpuList("x,-1,3-,99999999,5-2"), std::vector<int>());
    QCOMPARE(cpuListText({0, 1, 2, 3, 8, 10, 11}), std::string("0-3,8,10-11"));
    QCOMPARE(cpuListText({}), std::string());
}

void TestParsers::cpuPercent_countsTheJobsCpusOnly()
{
    const auto before =
        readCpuTimes("cpu  0 0 0 0\ncpu0 100 0 0 100 0 0 0 0 50 0\ncpu1 0 0 0 100\nintr 5\n");
    const auto after = readCpuTimes("cpu0 175 0 0 120 5 0 0 0 90 0\ncpu1 0 0 0 200\n");
    QCOMPARE(before.size(), size_t(2));
    QCOMPARE(*cpuPercent(before, after, {0}), 75.0);
    QCOMPARE(*cpuPercent(before, after, {1}), 0.0);
    QCOMPARE(*cpuPercent(before, after, {0, 1}), 37.5);
    QVERIFY(!cpuPercent(before, after, {7}));
    QVERIFY(!cpuPercent(before, before, {0}));
}

void TestParsers::mounts_theInnermostCounts()
{
    const auto mounts =
        readMounts("21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
                   "30 21 0:30 / /scratch rw,noexec,nosuid - lustre 10.0.0.1@o2ib:/fs rw\n"
                   "31 21 0:31 / /scratch/with\\040space rw - tmpfs tmpfs rw\nbroken\n");
    QCOMPARE(mounts.size(), size_t(3));
    QCOMPARE(mountOf(mounts, "/scratch/me")->type, std::string("lustre"));
    QVERIFY(mountOf(mounts, "/scratch/me")->has("noexec"));
    QCOMPARE(mountOf(mounts, "/scratchy")->type, std::string("ext4"));
    QCOMPARE(mountOf(mounts, "/scratch/with space/a")->type, std::string("tmpfs"));
    QVERIFY(!mountOf({}, "/"));
}

void TestParsers::cgroups_ofBothVersions()
{
    const CgroupPaths two = readCgroups("0::/system.slice/slurmstepd.scope/job_7/step_0\n");
    QCOMPARE(two.unified, std::string("/system.slice/slurmstepd.scope/job_7/step_0"));
    QCOMPARE(withParents("/a/b"), (std::vector<std::string>{"/a/b", "/a", ""}));
    QCOMPARE(withParents("/"), std::vector<std::string>{""});
    const CgroupPaths one = readCgroups(
        "11:memory:/slurm/uid_1/job_7\n4:cpu,cpuacct:/slurm/uid_1\n1:name=systemd:/x\n0::/\n");
    QCOMPARE(one.memory, std::string("/slurm/uid_1/job_7"));
    QCOMPARE(one.cpu, std::string("/slurm/uid_1"));
}

void TestParsers::limits_ofControlGroups()
{
    QCOMPARE(*readCpuMax("200000 100000\n"), 2.0);
    QVERIFY(!readCpuMax("max 100000\n"));
    QVERIFY(!readCpuMax("-1 100000"));
    QVERIFY(!readCpuMax(""));
    QCOMPARE(*readMemoryLimit("4294967296\n"), std::uint64_t(4294967296));
    QVERIFY(!readMemoryLimit("max\n"));
    QVERIFY(!readMemoryLimit("9223372036854771712\n"));
}

void TestParsers::memInfo_isBytes()
{
    QCOMPARE(*readMemInfo("MemTotal:       16 kB\nMemAvailable:  8 kB\n", "MemAvailable"),
        std::uint64_t(8192));
    QVERIFY(!readMemInfo("MemTotal: x kB\n", "MemTotal"));
    QVERIFY(!readMemInfo("", "MemTotal"));
}

void TestParsers::versions_compareByNumber()
{
    QVERIFY(Version::of("580.65.06") >= Version::of("580"));
    QVERIFY(Version::of("9.2") < Version::of("10.0"));
    QVERIFY(Version::of("12.4") == Version::of("12.4.0"));
    QVERIFY(!(Version::of("12.4.1") == Version::of("12.4")));
    QCOMPARE(Version::of("11.0.3-1").text(), std::string("11.0.3"));
    QCOMPARE(Version::of("580.65.06").text(), std::string("580.65.06"));
    QCOMPARE(Version::of("12.4.127").shortText(), std::string("12.4"));
    QVERIFY(!Version::of("x12"));
    QVERIFY(!Version::of("99999999999999999999.1"));
}

void TestParsers::sizes_areShort()
{
    QCOMPARE(sizeText(85899345920.0), std::string("80 GiB"));
    QCOMPARE(sizeText(1023), std::string("1023 B"));
    QCOMPARE(sizeText(1.5 * (1 << 20)), std::string("1.5 MiB"));
    QCOMPARE(counted(1, "GPU"), std::string("1 GPU"));
    QCOMPARE(counted(0, "GPU"), std::string("0 GPUs"));
}

void TestParsers::programs_reportTheirVersions()
{
    QCOMPARE(versionIn("apptainer version 1.4.5-2\n"), std::string("1.4.5"));
    QCOMPARE(versionIn("singularity-ce version 4.1.0-jammy"), std::string("4.1.0"));
    QCOMPARE(versionIn("Docker version 28.2.2, build e6534b4\n"), std::string("28.2.2"));
    QCOMPARE(versionIn("3.5.0\n"), std::string("3.5.0"));
    QCOMPARE(versionIn("cli-version: 1.17.8\n"), std::string("1.17.8"));
    QCOMPARE(versionIn("no number"), std::string());
    QCOMPARE(mpiVersionIn("mpirun (Open MPI) 5.0.7\n\nReport bugs"), std::string("Open MPI 5.0.7"));
    QCOMPARE(
        mpiVersionIn("HYDRA build details:\n    Version:                                 4.0.2\n"),
        std::string("MPICH 4.0.2"));
    QVERIFY(mpiVersionIn("Intel(R) MPI Library for Linux* OS, Version 2021.11 Build 20231005")
                .starts_with("Intel MPI 2021.11"));
}

void TestParsers::mpiLists_ofOldAndNew()
{
    const MpiList now = readMpiList("MPI plugin types are...\n\tnone\n\tpmi2\n\tpmix\nspecific "
                                    "pmix plugin versions available: pmix_v4,pmix_v5\n");
    QCOMPARE(now.kinds, (std::vector<std::string>{"none", "pmi2", "pmix"}));
    QCOMPARE(now.versions, (std::vector<std::string>{"pmix_v4", "pmix_v5"}));
    const MpiList old =
        readMpiList("srun: MPI types are...\nsrun: none\nsrun: openmpi\nsrun: pmi2\n");
    QCOMPARE(old.kinds, (std::vector<std::string>{"none", "openmpi", "pmi2"}));
}

void TestParsers::samples_haveTheFormOfTheReadme()
{
    NvmlGpu gpu;
    gpu.uuid = "GPU-1";
    gpu.name = "H100";
    gpu.index = 5;
    gpu.utilization = 87;
    gpu.power = 412.3456;
    gpu.throttle = 0x4;
    HostSample host{73.24, 8, 1024.0, 4096.0, 1.5};
    QCOMPARE(sampleRow(1760000000.1234, "c1", {gpu}, host).write(),
        std::string(
            R"({"id":"sample","t":1760000000.123,"node":"c1","gpus":[{"uuid":"GPU-1",)"
            R"("name":"H100","index":0,"utilization":87,"power":412.3,)"
            R"("throttle":["power limit"]}],)"
            R"("host":{"cpu":73.2,"cpus":8,"memory_used":1024,"memory_total":4096,"load":1.5}})"));
    QCOMPARE(throttleWords(0x48), std::vector<std::string>{"too hot"});
    QCOMPARE(throttleWords(0x1), std::vector<std::string>());
}

void TestParsers::samples_comeWithoutDrift()
{
    double now = 10;
    for (int i = 0; i < 1000; ++i) {
        now += untilNextSample(10, 1, now);
        QVERIFY(std::abs(now - (11 + i)) < 1e-6);
        now += 0.3; // what a sample takes
    }
    QCOMPARE(untilNextSample(10, 1, 13.75),
        0.25); // late by some: the next of the row, not all that were missed
}

SLIPWAY_TEST(TestParsers, probe_parsers)
#include "tst_parsers.moc"
