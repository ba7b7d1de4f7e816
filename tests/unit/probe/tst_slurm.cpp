// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/imagefacts.h"
#include "remote/probe/core/sample.h"
#include "remote/probe/core/slurmenv.h"
#include "show.h"
#include "tests/support/testmain.h"

#include <QtTest>

#include <map>

using namespace slipway::probe;

/// What Slurm, CUDA and images say in the environment and in their files.
class TestSlurm : public QObject {
    Q_OBJECT

private slots:
    void outsideOfAJob_nothingIsRead();
    void aJob_reportsItsGpusAndCpus();
    void counts_ofAllForms();
    void masks_areReadAsCudaDoes();
    void agent_samplesTheJobsGpusOnly();
    void image_itsEnvironmentFirst();
    void image_itsFiles();
    void container_isNamed();
};

namespace {

Environment of(const std::map<std::string, std::string>& variables)
{
    return [variables](const char* name) {
        const auto it = variables.find(name);
        return it == variables.end() ? std::nullopt : std::optional(it->second);
    };
}

} // namespace

void TestSlurm::outsideOfAJob_nothingIsRead()
{
    const SlurmEnv slurm = SlurmEnv::of(of({{"SLURM_GPUS_ON_NODE", "4"}}));
    QVERIFY(!slurm.inJob && !slurm.asksGpu && !slurm.gpusOnNode);
}

void TestSlurm::aJob_reportsItsGpusAndCpus()
{
    const SlurmEnv slurm = SlurmEnv::of(of({{"SLURM_JOB_ID", "7"}, {"SLURM_GPUS_ON_NODE", "2"},
        {"SLURM_JOB_GPUS", "2,3"}, {"SLURM_CPUS_ON_NODE", "16"}, {"SLURM_CPUS_PER_TASK", "8"},
        {"SLURM_MEM_PER_NODE", "4096"}, {"SLURMD_NODENAME", "c1"}}));
    QVERIFY(slurm.inJob && slurm.asksGpu);
    QCOMPARE(slurm.gpusOnNode, std::optional(2));
    QCOMPARE(slurm.hostIndexes, (std::vector<std::string>{"2", "3"}));
    QCOMPARE(slurm.cpusPerTask, std::optional(8));
    QCOMPARE(*slurm.memory, 4096.0 * 1048576);
    QCOMPARE(slurm.nodeName, std::string("c1"));
    const SlurmEnv range = SlurmEnv::of(of({{"SLURM_JOB_ID", "7"}, {"SLURM_JOB_GPUS", "0-3"}}));
    QCOMPARE(range.gpusOnNode, std::optional(4));
    const SlurmEnv elsewhere =
        SlurmEnv::of(of({{"SLURM_JOB_ID", "7"}, {"SLURM_GPUS_PER_NODE", "a100:4"}}));
    QVERIFY(elsewhere.asksGpu && !elsewhere.gpusOnNode);
    const SlurmEnv byCpu = SlurmEnv::of(
        of({{"SLURM_JOB_ID", "7"}, {"SLURM_MEM_PER_CPU", "1024"}, {"SLURM_CPUS_ON_NODE", "4"}}));
    QCOMPARE(*byCpu.memory, 4096.0 * 1048576);
}

void TestSlurm::counts_ofAllForms()
{
    QCOMPARE(readGpuCount("2"), std::optional(2));
    QCOMPARE(readGpuCount("gpu:2"), std::optional(2));
    QCOMPARE(readGpuCount("gpu:a100:2,gpu:v100:1"), std::optional(3));
    QVERIFY(!readGpuCount("shard:4"));
    QVERIFY(!readGpuCount(""));
    QVERIFY(!readGpuCount("-1"));
    QCOMPARE(readFirstCount("8(x2)"), std::optional(8));
}

void TestSlurm::masks_areReadAsCudaDoes()
{
    QVERIFY(!GpuMask::of({}).set);
    QVERIFY(GpuMask::of("").hidesAll());
    QVERIFY(GpuMask::of("-1").hidesAll());
    QVERIFY(GpuMask::of("NoDevFiles").hidesAll());
    QVERIFY(!GpuMask::of("0").hidesAll());
    QCOMPARE(GpuMask::of("1,0").indexesOf(2), (std::vector<int>{1, 0}));
    QCOMPARE(GpuMask::of("0,5,1").indexesOf(2),
        std::vector<int>{0}); // it stops at the first that is none
    QCOMPARE(GpuMask::of("4,5,6,7").indexesOf(4), std::vector<int>());
    QVERIFY(GpuMask::of("GPU-8932f937").byUuid());
    QVERIFY(GpuMask::of("MIG-1").byUuid());
}

void TestSlurm::agent_samplesTheJobsGpusOnly()
{
    std::vector<NvmlGpu> all(4);
    for (int i = 0; i < 4; ++i) {
        all[size_t(i)].index = i;
        all[size_t(i)].uuid = "GPU-" + std::to_string(i) + "abc";
    }
    all[3].migUuids = {"MIG-77"};
    const auto indexes = [&](const char* mask) {
        std::vector<int> result;
        for (const NvmlGpu& gpu : jobsGpus(all, GpuMask::of(mask)))
            result.push_back(gpu.index);
        return result;
    };
    QCOMPARE(indexes("2,0"), (std::vector<int>{2, 0}));
    QCOMPARE(indexes("GPU-1"), std::vector<int>{1});
    QCOMPARE(indexes("MIG-77,MIG-77"), std::vector<int>{3});
    QCOMPARE(indexes(""), std::vector<int>());
    QCOMPARE(indexes("9"), (std::vector<int>{0, 1, 2, 3}));
    QCOMPARE(jobsGpus(all, GpuMask::of({})).size(), size_t(4));
}

void TestSlurm::image_itsEnvironmentFirst()
{
    QCOMPARE(
        cudaOfEnvironment(of({{"CUDA_VERSION", "12.4.1"}})).version.text(), std::string("12.4.1"));
    QCOMPARE(cudaOfEnvironment(of({{"NV_CUDA_CUDART_VERSION", "11.8.89-1"}})).version.shortText(),
        std::string("11.8"));
    QVERIFY(!cudaOfEnvironment(of({{"CUDA_VERSION", "latest"}})).version);
}

void TestSlurm::image_itsFiles()
{
    QCOMPARE(cudaOfVersionFile(R"({"cuda":{"name":"CUDA SDK","version":"12.2.20230823"},)"
                               R"("cuda_cudart":{"version":"12.2.140"}})")
                 .shortText(),
        std::string("12.2"));
    QCOMPARE(cudaOfVersionFile("CUDA Version 10.1.243\n").text(), std::string("10.1.243"));
    QVERIFY(!cudaOfVersionFile("{}"));
    QVERIFY(!cudaOfVersionFile(""));
    QCOMPARE(cudaOfLibraryName("libcudart.so.12.4.127").shortText(), std::string("12.4"));
    QCOMPARE(cudaOfLibraryName("libcudart-d0da41ae.so.11.0").shortText(), std::string("11.0"));
    QVERIFY(!cudaOfLibraryName("libcudart.so"));
    QVERIFY(!cudaOfLibraryName("libcublas.so.12.4"));
    QCOMPARE(cudaOfPackageName("nvidia_cuda_runtime_cu12-12.1.105.dist-info").shortText(),
        std::string("12.1"));
    QCOMPARE(
        cudaOfPackageName("cudatoolkit-11.3.1-h2bc3f7f_2.json").shortText(), std::string("11.3"));
    QVERIFY(!cudaOfPackageName("nvidia_cublas_cu12-12.1.3.1.dist-info"));
    QCOMPARE(
        cudaOfTorch(
            "from typing import Optional\n__version__ = '2.4.0'\ncuda: Optional[str] = '12.4'\n")
            .shortText(),
        std::string("12.4"));
    QVERIFY(!cudaOfTorch("cuda: Optional[str] = None\n"));
}

void TestSlurm::container_isNamed()
{
    QCOMPARE(containerRuntime(
                 of({{"APPTAINER_CONTAINER", "/x.sif"}, {"SINGULARITY_CONTAINER", "/x.sif"}}), {}),
        std::string("apptainer"));
    QCOMPARE(containerRuntime(of({}), {"/.singularity.d"}), std::string("singularity"));
    QCOMPARE(containerRuntime(of({}), {"/.dockerenv"}), std::string("docker"));
    QCOMPARE(containerRuntime(of({}), {}), std::string());
    QVERIFY(contains(gpuSwitch("apptainer"), "apptainer exec --nv"));
    QVERIFY(contains(gpuSwitch("docker"), "--gpus all"));
    QVERIFY(contains(gpuSwitch(""), "enroot"));
    QCOMPARE(gpuSwitch("pyxis"), gpuSwitch("enroot"));
}

SLIPWAY_TEST(TestSlurm, probe_slurm)
#include "tst_slurm.moc"
