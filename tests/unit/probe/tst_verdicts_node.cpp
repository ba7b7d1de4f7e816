// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/facts.h"
#include "show.h"
#include "tests/support/testmain.h"

#include <QtTest>

#include <numeric>

using namespace slipway::probe;

/// Processors, memory, limits, disks and programs of a node.
class TestVerdictsNode : public QObject {
    Q_OBJECT

private slots:
    void cpu_whatTheJobAskedFor();
    void cpu_quota();
    void threads_ofOpenMp();
    void memory_ofTheJob();
    void limits_matterWithInfiniband();
    void shm_ofDocker();
    void numa_nearToTheCard();
    void disk_everyTrouble();
    void runtimes();
    void mpi();
};

namespace {

Facts node(int allowed, int online)
{
    Facts facts;
    facts.nodeName = "c1";
    facts.node.online = online;
    facts.node.allowed.resize(size_t(allowed));
    std::iota(facts.node.allowed.begin(), facts.node.allowed.end(), 0);
    facts.node.memoryTotal = 256.0 * (1ll << 30);
    facts.node.memoryAvailable = 200.0 * (1ll << 30);
    facts.node.openFiles = 1048576;
    facts.node.shm = 128.0 * (1ll << 30);
    return facts;
}

Facts jobWithThreads(int allowed, int online, int onNode)
{
    Facts facts = node(allowed, online);
    facts.slurm.inJob = true;
    facts.slurm.cpusOnNode = onNode;
    return facts;
}

} // namespace

void TestVerdictsNode::cpu_whatTheJobAskedFor()
{
    JUDGED(cpuRow(node(64, 64)), Ok, "", "");
    JUDGED(cpuRow(jobWithThreads(8, 64, 8)), Ok, "", "");
    JUDGED(cpuRow(jobWithThreads(16, 64, 8)), Ok, "", ""); // both threads of each core
    JUDGED(cpuRow(jobWithThreads(64, 64, 8)), Warn, "does not confine jobs to their CPUs",
        "OMP_NUM_THREADS");
    Facts step = jobWithThreads(1, 64, 8);
    step.slurm.cpusPerTask = 8;
    JUDGED(cpuRow(step), Warn, "22.05", "srun --cpus-per-task=8");
    JUDGED(cpuRow(jobWithThreads(1, 64, 8)), Warn, "may run on one", "--cpus-per-task=8");
    QVERIFY(contains(cpuRow(jobWithThreads(8, 64, 8)).value, "8 of 64 CPUs"));
}

void TestVerdictsNode::cpu_quota()
{
    Facts facts = node(64, 64);
    facts.node.quota = 4;
    JUDGED(cpuRow(facts), Ok, "4 CPUs", "");
    facts = jobWithThreads(8, 64, 8);
    facts.slurm.cpusPerTask = 8;
    facts.node.quota = 2;
    JUDGED(cpuRow(facts), Warn, "2 CPUs only", "OMP_NUM_THREADS=2");
}

void TestVerdictsNode::threads_ofOpenMp()
{
    Facts facts = jobWithThreads(8, 64, 8);
    JUDGED(threadsRow(facts), Ok, "all 8 CPUs", "");
    facts.node.ompThreads = "8";
    JUDGED(threadsRow(facts), Ok, "", "");
    facts.node.ompThreads = "64";
    JUDGED(threadsRow(facts), Warn, "64 threads would share 8", "OMP_NUM_THREADS=8");
    facts.node.ompThreads = "1";
    JUDGED(threadsRow(facts), Warn, "one thread", "OMP_NUM_THREADS=8");
    facts.node.ompThreads = "many";
    JUDGED(threadsRow(facts), Warn, "is not a number", "OMP_NUM_THREADS=8");
    facts.slurm = {};
    facts.node.ompThreads = "1";
    JUDGED(threadsRow(facts), Ok, "", "");
}

void TestVerdictsNode::memory_ofTheJob()
{
    JUDGED(memoryRow(node(8, 8)), Ok, "", "");
    Facts facts = jobWithThreads(8, 64, 8);
    facts.slurm.memory = 32.0 * (1ll << 30);
    JUDGED(memoryRow(facts), Ok, "does not confine jobs to their memory", "");
    facts.node.memoryLimit = 32.0 * (1ll << 30);
    JUDGED(memoryRow(facts), Ok, "", "");
    QCOMPARE(memoryRow(facts).value, std::string("32 GiB of the node's 256 GiB"));
    facts.node.memoryLimit = 16.0 * (1ll << 30);
    JUDGED(memoryRow(facts), Warn, "ends programs at 16 GiB", "--mem");
    Facts full = node(8, 8);
    full.node.memoryAvailable = 1e9;
    JUDGED(memoryRow(full), Warn, "is free", "login node");
    JUDGED(memoryRow(Facts()), Skip, "cannot be read", "");
}

void TestVerdictsNode::limits_matterWithInfiniband()
{
    Facts facts = jobWithThreads(8, 8, 8);
    facts.node.lockable = 8.0 * (1 << 20);
    JUDGED(limitsRow(facts), Ok, "", "");
    facts.node.infiniband = true;
    JUDGED(limitsRow(facts), Warn, "InfiniBand", "memlock");
    facts = jobWithThreads(8, 8, 8);
    facts.node.openFiles = 256;
    JUDGED(limitsRow(facts), Warn, "256 files", "ulimit -n");
}

void TestVerdictsNode::shm_ofDocker()
{
    Facts facts = node(8, 8);
    JUDGED(shmRow(facts), Ok, "", "");
    facts.node.shm = 64.0 * (1 << 20);
    facts.runtime = "docker";
    JUDGED(shmRow(facts), Warn, "64 MiB", "--shm-size");
    facts.runtime.clear();
    JUDGED(shmRow(facts), Warn, "64 MiB", "num_workers=0");
    facts.node.shm.reset();
    JUDGED(shmRow(facts), Skip, "/dev/shm", "");
}

void TestVerdictsNode::numa_nearToTheCard()
{
    Facts facts = jobWithThreads(4, 16, 4);
    JUDGED(numaRow(facts), Skip, "one memory domain", "");
    facts.node.numa = {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}};
    CudaGpu gpu;
    gpu.uuid = gpu.card = "GPU-1";
    facts.cuda.gpus = {gpu};
    NvmlGpu card;
    card.uuid = "GPU-1";
    card.cpus = "0-7";
    facts.nvml.gpus = {card};
    JUDGED(numaRow(facts), Ok, "", "");
    facts.nvml.gpus[0].cpus = "8-15";
    JUDGED(numaRow(facts), Warn, "None of the job's CPUs (0-3) is near to GPU 0 (8-15)",
        "enforce-binding");
}

void TestVerdictsNode::disk_everyTrouble()
{
    DiskFacts disk;
    disk.label = "scratch";
    disk.path = "/scratch/me";
    disk.type = "lustre";
    disk.free = 1e12;
    disk.total = 2e12;
    disk.inodesFree = 1e9;
    disk.writeRate = 500e6;
    const auto judge = [&] { return diskRow(Facts(), disk); };
    QCOMPARE(judge().id, std::string("disk.scratch"));
    JUDGED(judge(), Ok, "", "");
    disk.writeRate = 5e6;
    JUDGED(judge(), Warn, "/s only", "elsewhere");
    disk.writeRate.reset();
    disk.noexec = true;
    JUDGED(judge(), Warn, "noexec", "TRITON_CACHE_DIR");
    disk.noexec = false;
    disk.inodesFree = 3;
    JUDGED(judge(), Warn, "3 more files", "small files");
    disk.inodesFree.reset();
    disk.free = 1e8;
    JUDGED(judge(), Warn, "is free", "Remove");
    disk.free = 1e12;
    disk.trouble = "did not answer within 10 s in writing";
    JUDGED(judge(), Warn, "Writing to /scratch/me did not answer", "elsewhere");
    disk.free.reset();
    JUDGED(judge(), Fail, "file server", "Ask the site");
    disk.begun = false; // a node with too much to do ends no job
    JUDGED(judge(), Warn, "did not start in time", "Check again");
    disk.begun = true;
    disk.trouble.clear();
    disk.error = "Disk quota exceeded";
    disk.free = 1e12;
    JUDGED(judge(), Warn, "quota", "Remove");
    disk.label = "here";
    JUDGED(judge(), Fail, "quota", "Remove");
    Facts inside;
    inside.place = Place::Container; // an image is read-only, and starts in /
    JUDGED(diskRow(inside, disk), Warn, "quota", "Remove");
    disk.error = "Read-only file system";
    JUDGED(diskRow(inside, disk), Skip, "not bound into the container", "");
    JUDGED(judge(), Fail, "Read-only", "another folder");
    disk.label = "tmp"; // which programs count on
    JUDGED(diskRow(inside, disk), Fail, "Read-only", "another folder");
    disk.label = "cache"; // a pull would fail
    disk.error = "Disk quota exceeded";
    JUDGED(judge(), Fail, "quota", "Remove");
    disk.type = "overlay"; // full, and not the image's
    JUDGED(diskRow(inside, disk), Fail, "quota", "Remove");
    disk.error = "Permission denied";
    JUDGED(diskRow(inside, disk), Skip, "not bound", "");
    disk.type = "lustre";
    disk.label = "here";
    disk.error = "Disk quota exceeded";
    disk.error = "No such file or directory";
    disk.free.reset();
    JUDGED(judge(), Skip, "no folder", "");
}

void TestVerdictsNode::runtimes()
{
    Facts facts = node(8, 8);
    JUDGED(runtimeRow(facts), Skip, "No container runtime", "module load");
    facts.runtimes = {{"apptainer", "1.4.5", false}, {"docker", "28.2.2", false}};
    facts.pyxis = true;
    QCOMPARE(runtimeRow(facts).value, std::string("apptainer 1.4.5, docker 28.2.2, pyxis"));
    facts.runtimes[1].late = true;
    JUDGED(runtimeRow(facts), Warn, "docker does not respond", "by hand");
    facts.place = Place::Container;
    facts.runtime = "apptainer";
    QCOMPARE(runtimeRow(facts).id, std::string("container"));
    QCOMPARE(runtimeRow(facts).value, std::string("apptainer"));
}

void TestVerdictsNode::mpi()
{
    Facts facts = node(8, 8);
    JUDGED(mpiRow(facts), Skip, "neither srun nor mpirun", "");
    facts.srun.name = "srun";
    facts.mpiKinds = {"none", "pmi2", "pmix"};
    facts.mpirun = {"mpirun", "Open MPI 5.0.7", false};
    JUDGED(mpiRow(facts), Ok, "", "");
    QCOMPARE(mpiRow(facts).value, std::string("Open MPI 5.0.7; srun offers none, pmi2, pmix"));
    facts.mpiKinds = {"none", "pmi2"};
    JUDGED(mpiRow(facts), Warn, "only PMIx", "mpirun");
    facts.mpirun.version = "Open MPI 4.1.4";
    JUDGED(mpiRow(facts), Ok, "", "");
    facts.mpiKinds = {"none"};
    JUDGED(mpiRow(facts), Warn, "alone", "PMIx");
    facts.srun.late = true;
    facts.mpiKinds.clear();
    JUDGED(mpiRow(facts), Warn, "in time", "by hand");
}

SLIPWAY_TEST(TestVerdictsNode, probe_verdicts_node)
#include "tst_verdicts_node.moc"
