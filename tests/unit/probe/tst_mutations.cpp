// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/cudadrivers.h"
#include "remote/probe/core/facts.h"
#include "remote/probe/core/programs.h"
#include "remote/probe/core/sample.h"
#include "show.h"
#include "tests/support/cputime.h"
#include "tests/support/testmain.h"

#include <QJsonDocument>
#include <QtTest>

#include <random>

using namespace slipway::probe;

/// Whatever a node's files, its environment and a dying child's pipe hold: the same twenty thousand
/// damaged texts each time, which must neither crash a parser nor produce a row that is not JSON.
class TestMutations : public QObject {
    Q_OBJECT

private slots:
    void parsers_surviveDamage();
    void facts_surviveDamage();
    void parsers_stayFast_data();
    void parsers_stayFast();
};

namespace {

const std::vector<std::string> corpus = {
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023\n",
    "Model: \t NVIDIA A100\nGPU UUID: \t GPU-8932f937-d72c\nBus Location: \t 0000:07:00.0\nDevice "
    "Minor: \t 3\n",
    "<4>[ 99.1] NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.\n",
    "processor\t: 0\nmodel name\t: AMD EPYC\nflags\t\t: fpu sse2 avx2 fma\n",
    "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu1 1 2 3 4\n",
    "0-3,8,10-12\n",
    "30 21 0:30 / /scratch\\040x rw,noexec shared:1 - lustre 10.0.0.1@o2ib:/fs rw\n",
    "11:memory:/slurm/uid_1/job_7\n4:cpu,cpuacct:/slurm\n0::/a/b\n",
    "200000 100000\n",
    "MemTotal:       32 kB\nMemAvailable:   16 kB\n",
    "gpu:a100:2,gpu:v100:1",
    "GPU-8932f937,1,MIG-3",
    R"({"cuda":{"version":"12.2.20230823"},"cuda_cudart":{"version":"12.2.140"}})",
    "CUDA Version 10.1.243\n",
    "libcudart-d0da41ae.so.11.0",
    "nvidia_cuda_runtime_cu12-12.1.105.dist-info",
    "cuda: Optional[str] = '12.4'\n",
    "MPI plugin types are...\n\tnone\n\tpmix\nspecific pmix plugin versions available: "
    "pmix_v4,pmix_v5\n",
    "mpirun (Open MPI) 5.0.7\n",
    R"({"families":[{"major":12,"driver":"525.60.13"}],"exact":[{"cuda":"10.2",)"
    R"("driver":"440.33"}],"architectures":[{"capability":"7.0","first":"9.0",)"
    R"("last":"12.9"}]})",
};

std::string damaged(std::string text, std::mt19937& random)
{
    static const std::string pieces[] = {"\n", ",", ":", "-", "\"", "{", "[", "\\", "\\u", "\xff",
        std::string(1, '\0'), "99999999999999999999", "-1", "1e308", "(", "=", " ", "cpu", "0::"};
    for (unsigned i = 0, n = 1 + random() % 6; i < n; ++i) {
        const size_t at = text.empty() ? 0 : random() % text.size();
        switch (random() % 4) {
        case 0:
            if (!text.empty())
                text[at] = char(random() % 256);
            break;
        case 1:
            text.erase(at, random() % 20);
            break;
        case 2:
            text.insert(at, pieces[random() % std::size(pieces)]);
            break;
        default: {
            const std::string& other = corpus[random() % corpus.size()];
            text.insert(at, other.substr(random() % other.size(), random() % 60));
        }
        }
    }
    return text;
}

/// Every parser on one text; how many things were found.
size_t readAll(const std::string& text)
{
    size_t found = 0;
    found += readDriverVersion(text) ? 1 : 0;
    found += readKernelGpu(text).name.size();
    found += readXids(text).size() + readCpuInfo(text).features.size() + readCpuList(text).size();
    const auto times = readCpuTimes(text);
    found += times.size() + (cpuPercent(times, times, {0, 1}) ? 1 : 0);
    const auto mounts = readMounts(text);
    found += mounts.size() + (mountOf(mounts, "/scratch x/a") ? 1 : 0);
    found += withParents(readCgroups(text).unified).size();
    found += (readCpuMax(text) ? 1u : 0u) + (readMemoryLimit(text) ? 1u : 0u)
        + (readMemInfo(text, "MemTotal") ? 1u : 0u);
    found += readGpuCount(text) ? 1 : 0;
    found += GpuMask::of(text).indexesOf(8).size();
    found += cudaOfVersionFile(text).numbers.size() + cudaOfLibraryName(text).numbers.size()
        + cudaOfPackageName(text).numbers.size() + cudaOfTorch(text).numbers.size();
    found += versionIn(text).size() + mpiVersionIn(text).size() + readMpiList(text).kinds.size();
    found += CudaDrivers::read(text).architectures.size();
    if (const auto json = Json::read(text)) {
        found += CudaFacts::of({*json}).gpus.size() + NvmlFacts::of({*json}).gpus.size()
            + DeviceFacts::of(*json).nodes.size();
        found += Row::fromJson(*json) ? 1 : 0;
    }
    return found;
}

} // namespace

void TestMutations::parsers_surviveDamage()
{
    std::mt19937 random(20261121);
    size_t found = 0;
    for (int round = 0; round < 20'000; ++round)
        found += readAll(damaged(corpus[random() % corpus.size()], random));
    QVERIFY(found > 50'000); // the damage leaves much that is readable
}

void TestMutations::facts_surviveDamage()
{
    std::mt19937 random(7);
    const std::vector<std::string> lines = {
        R"({"path":"/usr/lib/libcuda.so.1","version":12040,"init":0,"count":2})",
        R"({"gpu":{"ordinal":0,"uuid":"GPU-1","card":"GPU-1","name":"NVIDIA H100",)"
        R"("bus":"0000:10:00.0","memory":85899345920,"major":9,"minor":0,"multiprocessors":132}})",
        R"({"gpu":{"index":0,"uuid":"GPU-1","name":"NVIDIA H100","memoryTotal":85899345920,)"
        R"("power":412.3,"throttle":72,"mig":1,"migPending":0,"ecc":1,"uncorrectedNow":2,)"
        R"("pcieWidth":8,"pcieMaxWidth":16,"pcieGeneration":1,"pcieMaxGeneration":5,)"
        R"("nvlinkActive":3,"nvlinkInactive":1,"computeMode":3,"processes":[{"pid":1,)"
        R"("memory":2}],"migUuids":["MIG-1"],"cpus":"0-7"}})",
        R"({"driver":"580.65.06","open":true,"onBus":2,"kernelLogRead":true,)"
        R"("nodes":[{"path":"/dev/nvidia0","error":1}],"xids":[{"bus":"a","code":79,"text":"x"}]})",
    };
    int unreadable = 0;
    for (int round = 0; round < 5'000; ++round) {
        std::vector<Json> read;
        for (const std::string& line : lines) {
            const auto json = Json::read(random() % 2 ? damaged(line, random) : line);
            json ? read.push_back(*json) : void(++unreadable);
        }
        Facts facts;
        facts.place = Place(random() % 2);
        facts.slurm.inJob = random() % 2;
        facts.slurm.gpusOnNode = int(random() % 4);
        facts.slurm.asksGpu = *facts.slurm.gpusOnNode > 0;
        facts.cuda = CudaFacts::of(read);
        facts.nvml = NvmlFacts::of(read);
        facts.image.version = Version::of("12.4");
        if (!read.empty())
            facts.devices = DeviceFacts::of(read.back());
        for (const auto verdict :
            {driverVersionRow, libcudaRow, driverCudaRow, deviceNodesRow, gpuListRow, nvmlRow,
                slurmCountRow, gpuArchRow, migRow, eccRow, xidRow, stateRow, nvlinkRow, numaRow}) {
            const Row row = verdict(facts);
            QVERIFY(!row.id.empty());
            const std::string text = row.toJson().write();
            QJsonParseError error;
            QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
            QVERIFY2(error.error == QJsonParseError::NoError, text.c_str());
            QVERIFY2((row.state != State::Fail && row.state != State::Warn)
                    || (!row.why.empty() && !row.fix.empty()),
                text.c_str());
        }
        sampleRow(1, "c1", jobsGpus(facts.nvml.gpus, GpuMask::of("0")), {});
    }
    QVERIFY(unreadable > 1000);
}

void TestMutations::parsers_stayFast_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("brackets") << QByteArray("[").repeated(1 << 18);
    QTest::newRow("objects") << QByteArray("{\"a\":").repeated(1 << 16);
    QTest::newRow("commas") << QByteArray("0,").repeated(1 << 17);
    QTest::newRow("wide ranges") << QByteArray("0-65535,").repeated(20);
    QTest::newRow("xids") << QByteArray("NVRM: Xid (PCI:").repeated(1 << 14);
    QTest::newRow("slashes") << "0::" + QByteArray("/a").repeated(1 << 11);
    QTest::newRow("lines") << QByteArray("cpu1 1 2 3 4\n").repeated(1 << 12);
    QTest::newRow("quotes") << QByteArray("\"\\").repeated(1 << 17);
}

void TestMutations::parsers_stayFast()
{
    QFETCH(QByteArray, text);
    const slipway::CpuTime timer;
    readAll(text.toStdString());
    QVERIFY2(timer.elapsed() < 5000,
        qPrintable(QString::number(timer.elapsed()) + QStringLiteral(" ms")));
}

SLIPWAY_TEST(TestMutations, probe_mutations)
#include "tst_mutations.moc"
