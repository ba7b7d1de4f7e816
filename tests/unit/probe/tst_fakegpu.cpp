// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include "proberun.h"

#include <QFile>
#include <QJsonArray>
#include <QtTest>

/// The probe before driver libraries that answer, lie, hang, crash and refuse: each is a row within
/// its deadline, every other row is there as well, and nothing is left running.
class TestFakeGpu : public QObject {
    Q_OBJECT

private slots:
    void answers();
    void oneRow_data();
    void oneRow();
    void hangs_data();
    void hangs();
    void hang_atTheDefaultDeadline();
    void bothHang_atOnce();
    void withoutNvml_cudaIsEnough();
    void withoutAnyDriver();
    void maskOfTheWholeNode();
    void compatibilityLibrary();
    void pcie_underLoad();
};

namespace {

FakeNode healthyNode(const QString& words)
{
    FakeNode node;
    return node.kernelDriver(QStringLiteral("580.65.06"), 2).fake(words).jobWithGpus(2);
}

QStringList checkWithin(int seconds)
{
    return {QStringLiteral("check"), QStringLiteral("--deadline"), QString::number(seconds)};
}

/// Where nothing hangs: a machine that is shared may take a while.
const QStringList patientCheck = checkWithin(20);
const char* const always[] = {"driver.version", "lib.libcuda", "lib.nvml", "driver.cuda",
    "dev.nodes", "gpu.list", "slurm.count", "image.cuda", "gpu.arch", "mig", "ecc", "xid", "state",
    "pcie", "nvlink", "cpu", "threads", "memory", "limits", "shm", "numa", "disk.here", "runtime",
    "mpi", "end"};

void allRowsAreThere(const ProbeRun& run)
{
    for (const char* id : always)
        QVERIFY2(run.rows.contains(QLatin1String(id)), id);
    QCOMPARE(run.left, 0);
}

} // namespace

void TestFakeGpu::answers()
{
    const ProbeRun run = runProbe(healthyNode(QStringLiteral("cards=2,nvlink")), patientCheck);
    allRowsAreThere(run);
    QCOMPARE(run.text("driver.version", "value"), QStringLiteral("580.65.06"));
    QCOMPARE(run.text("driver.cuda", "value"), QStringLiteral("13.0"));
    QCOMPARE(run.text("gpu.list", "value"), QStringLiteral("2 × NVIDIA H100 80GB HBM3"));
    QCOMPARE(run.rows.value(QStringLiteral("gpu.list"))
                 .value(QStringLiteral("data"))
                 .toObject()
                 .value(QStringLiteral("gpus"))
                 .toArray()
                 .size(),
        2);
    QVERIFY(run.text("lib.libcuda", "value").endsWith(QStringLiteral("/fakegpu/libcuda.so.1")));
    for (const char* id : {"driver.version", "lib.libcuda", "lib.nvml", "driver.cuda", "dev.nodes",
             "gpu.list", "slurm.count", "ecc", "state", "pcie"})
        QVERIFY2(run.state(id) == QStringLiteral("ok"), qPrintable(run.all(id)));
    QCOMPARE(run.state("nvlink"), QStringLiteral("warn")); // the fake has one of four down
}

void TestFakeGpu::oneRow_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* name, const char* words, const char* id, const char* state,
                         const char* why) {
        QTest::newRow(name) << QString::fromUtf8(words) << QByteArray(id)
                            << QString::fromUtf8(state) << QString::fromUtf8(why);
    };
    row("errors in memory", "ecc", "ecc", "fail", "GPU 1: its memory had 2 errors");
    row("a row to be replaced", "remap", "ecc", "warn", "next reset");
    row("held back", "throttle", "state", "warn", "too hot");
    row("hot", "hot", "state", "warn", "89 °C");
    row("less power", "capped", "state", "warn", "400 W of 700 W");
    row("one process", "exclusive", "state", "warn", "EXCLUSIVE_PROCESS");
    row("no process", "prohibited", "state", "fail", "PROHIBITED");
    row("in use", "others", "state", "warn", "process 4711");
    row("link at rest", "gen1", "pcie", "ok", "At rest");
    row("narrow link", "width8", "pcie", "warn", "×8 of ×16");
    row("divided", "mig", "mig", "warn", "one in a process");
    row("old driver", "driver=470.57.02,cuda=11040", "driver.version", "fail", "without a restart");
    row("lies about the count", "liecount", "slurm.count", "fail", "CUDA shows 1");
    row("lies about the names", "lieuuid", "slurm.count", "fail", "different cards");
    row("lies about the memory", "liememory", "gpu.list", "fail", "which no card has");
    row("refuses: fabric manager", "refuse=802", "driver.cuda", "fail", "fabric manager");
    row("refuses: compat", "refuse=804", "driver.cuda", "fail", "forward compatibility");
    row("refuses: unknown", "refuse=999", "driver.cuda", "fail", "CUDA_ERROR_UNKNOWN (999)");
    row("refuses: no card", "refuse=100", "driver.cuda", "fail", "no card");
    row("refuses: not initialised", "refuse=3", "driver.cuda", "fail",
        "CUDA_ERROR_NOT_INITIALIZED (3)");
    row("NVML of another version", "nvmlrefuse=18", "driver.version", "fail", "without a restart");
    row("NVML does not start", "nvmlrefuse=9", "lib.nvml", "fail", "Driver Not Loaded (9)");
    row("CUDA crashes", "segv=cuInit", "driver.cuda", "fail", "crashed in cuInit (SIGSEGV)");
    row("CUDA crashes later", "segv=cuDeviceGetAttribute", "driver.cuda", "fail",
        "crashed in asking for GPU 0 (SIGSEGV)");
    row("CUDA aborts", "abort=cuInit", "driver.cuda", "fail", "SIGABRT");
    row("CUDA ends the program", "exit=cuDeviceGetCount", "driver.cuda", "fail",
        "ended the program in cuDeviceGetCount (exit 3)");
    row("NVML crashes", "segv=nvmlInit", "lib.nvml", "fail", "crashed in nvmlInit");
    row("NVML aborts in a query", "abort=nvmlDeviceGetPowerUsage", "lib.nvml", "fail",
        "crashed in asking for GPU 0 (SIGABRT)");
}

void TestFakeGpu::oneRow()
{
    QFETCH(QString, words);
    QFETCH(QByteArray, id);
    QFETCH(QString, state);
    QFETCH(QString, why);
    const ProbeRun run = runProbe(healthyNode(words), patientCheck);
    allRowsAreThere(run);
    QVERIFY2(run.state(id.constData()) == state, qPrintable(run.all(id.constData())));
    QVERIFY2(run.text(id.constData(), "why").contains(why), qPrintable(run.all(id.constData())));
    QVERIFY2(state == QStringLiteral("ok") || !run.text(id.constData(), "fix").isEmpty(),
        qPrintable(run.all(id.constData())));
    QCOMPARE(run.exitCode, run.text("end", "state") == QStringLiteral("fail") ? 1 : 0);
}

void TestFakeGpu::hangs_data()
{
    QTest::addColumn<QString>("function");
    QTest::addColumn<QByteArray>("id");
    QTest::newRow("cuInit") << QStringLiteral("cuInit") << QByteArray("driver.cuda");
    QTest::newRow("nvmlInit") << QStringLiteral("nvmlInit") << QByteArray("lib.nvml");
    QTest::newRow("one query of CUDA")
        << QStringLiteral("cuDeviceGetName") << QByteArray("driver.cuda");
    QTest::newRow("one query of NVML")
        << QStringLiteral("nvmlDeviceGetCurrPcieLinkGeneration") << QByteArray("lib.nvml");
}

void TestFakeGpu::hangs()
{
    QFETCH(QString, function);
    QFETCH(QByteArray, id);
    // What was said before the hang is kept: the other library answers, and so does this one's
    // beginning.
    const bool isBegun = function.startsWith(QStringLiteral("nvmlDevice"));
    ProbeRun run;
    QString why;
    for (const int seconds : {2, 20}) { // two are enough where the machine is not busy
        run = runProbe(healthyNode(QStringLiteral("hang=") + function), checkWithin(seconds));
        why = QStringLiteral("did not answer within %1 s in ").arg(seconds);
        if (run.text(id.constData(), "why").contains(why)
            && (!isBegun || run.state("state") != QStringLiteral("skip")))
            break;
    }
    allRowsAreThere(run);
    QCOMPARE(run.state(id.constData()), QStringLiteral("fail"));
    QVERIFY2(run.text(id.constData(), "why").contains(why), qPrintable(run.all(id.constData())));
    if (isBegun)
        QVERIFY2(run.state("state") != QStringLiteral("skip"), qPrintable(run.all("state")));
    QCOMPARE(run.state("lib.libcuda"), QStringLiteral("ok"));
}

void TestFakeGpu::hang_atTheDefaultDeadline()
{
    const ProbeRun run =
        runProbe(healthyNode(QStringLiteral("hang=cuInit")), {QStringLiteral("check")});
    QCOMPARE(run.state("driver.cuda"), QStringLiteral("fail"));
    QVERIFY2(run.text("driver.cuda", "why").contains(QStringLiteral("within 10 s in cuInit")),
        qPrintable(run.all("driver.cuda")));
    QVERIFY2(run.milliseconds < 50'000, qPrintable(QString::number(run.milliseconds)));
}

void TestFakeGpu::bothHang_atOnce()
{
    // Side by side: one after the other they would take twice the time, which leaves a busy machine
    // more room where the time is longer.
    bool atOnce = false;
    for (const int seconds : {5, 20}) {
        const ProbeRun run = runProbe(
            healthyNode(QStringLiteral("hang=cuInit,hang=nvmlInit")), checkWithin(seconds));
        allRowsAreThere(run);
        QCOMPARE(run.state("lib.nvml"), QStringLiteral("fail"));
        QCOMPARE(run.state("driver.cuda"), QStringLiteral("fail"));
        atOnce = run.milliseconds < 2000 * seconds;
        if (atOnce)
            break;
    }
    QVERIFY(atOnce);
}

void TestFakeGpu::withoutNvml_cudaIsEnough()
{
    FakeNode node;
    node.kernelDriver(QStringLiteral("580.65.06"), 2).jobWithGpus(2);
    const QString libraries = node.folder() + QStringLiteral("/lib");
    QVERIFY(QDir().mkpath(libraries));
    QVERIFY(QFile::copy(slipway::buildPath(QStringLiteral("/tests/fakegpu/libcuda.so.1")),
        libraries + QStringLiteral("/libcuda.so.1")));
    node.set(QStringLiteral("SLIPWAY_FAKE_GPU"), QStringLiteral("cards=2")).library(libraries);
    const ProbeRun run = runProbe(node, patientCheck);
    allRowsAreThere(run);
    QCOMPARE(run.state("lib.nvml"), QStringLiteral("skip"));
    QCOMPARE(run.state("ecc"), QStringLiteral("skip"));
    for (const char* id : {"driver.version", "driver.cuda", "gpu.list", "slurm.count", "dev.nodes"})
        QVERIFY2(run.state(id) == QStringLiteral("ok"), qPrintable(run.all(id)));
    QVERIFY2(
        run.state("compute.verify") == QStringLiteral("ok"), qPrintable(run.all("compute.verify")));
    QCOMPARE(run.exitCode, 0);
}

void TestFakeGpu::withoutAnyDriver()
{
    const ProbeRun login = runProbe(FakeNode(), patientCheck);
    QCOMPARE(login.exitCode, 0);
    QVERIFY(login.text("driver.version", "why").contains(QStringLiteral("login node")));
    const ProbeRun unasked = runProbe(FakeNode().jobWithGpus(0), patientCheck);
    QCOMPARE(unasked.exitCode, 0);
    QVERIFY(unasked.text("driver.version", "why").contains(QStringLiteral("requested no GPU")));
    const ProbeRun asked = runProbe(FakeNode().jobWithGpus(1), patientCheck);
    QCOMPARE(asked.exitCode, 1);
    QCOMPARE(asked.state("driver.version"), QStringLiteral("fail"));
    QVERIFY(asked.text("driver.version", "fix").contains(QStringLiteral("--exclude=c1")));
}

void TestFakeGpu::maskOfTheWholeNode()
{
    FakeNode node = healthyNode(QStringLiteral("cards=2"));
    node.set(QStringLiteral("CUDA_VISIBLE_DEVICES"), QStringLiteral("4,5"))
        .set(QStringLiteral("SLURM_JOB_GPUS"), QStringLiteral("4,5"));
    const ProbeRun wrong = runProbe(node, patientCheck);
    QCOMPARE(wrong.state("slurm.count"), QStringLiteral("fail"));
    QVERIFY2(wrong.text("slurm.count", "why").contains(QStringLiteral("numbered from 0")),
        qPrintable(wrong.all("slurm.count")));
    node.set(QStringLiteral("CUDA_VISIBLE_DEVICES"),
        QStringLiteral("0,1")); // as Slurm numbers them anew
    QCOMPARE(runProbe(node, patientCheck).state("slurm.count"), QStringLiteral("ok"));
    node.set(QStringLiteral("CUDA_VISIBLE_DEVICES"), QStringLiteral("GPU-22222222,GPU-11111111"));
    QCOMPARE(runProbe(node, patientCheck).state("slurm.count"), QStringLiteral("ok"));
}

void TestFakeGpu::compatibilityLibrary()
{
    FakeNode node =
        healthyNode(QStringLiteral("refuse=804,name=NVIDIA GeForce RTX 3090,driver=550.54.15"));
    node.kernelDriver(QStringLiteral("550.54.15"), 2)
        .set(QStringLiteral("CUDA_VERSION"), QStringLiteral("13.0.1"));
    const QString compat = node.folder() + QStringLiteral("/cuda/compat");
    QVERIFY(QDir().mkpath(compat));
    QVERIFY(QFile::copy(slipway::buildPath(QStringLiteral("/tests/fakegpu/libcuda.so.1")),
        compat + QStringLiteral("/libcuda.so.1")));
    node.library(compat);
    const ProbeRun run = runProbe(
        node, patientCheck + QStringList{QStringLiteral("--where"), QStringLiteral("container")});
    QVERIFY2(run.text("lib.libcuda", "why").contains(QStringLiteral("forward compatibility")),
        qPrintable(run.all("lib.libcuda")));
    QCOMPARE(run.state("image.cuda"), QStringLiteral("fail"));
    QVERIFY2(run.text("image.cuda", "why").contains(QStringLiteral("804")),
        qPrintable(run.all("image.cuda")));
}

void TestFakeGpu::pcie_underLoad()
{
    const QStringList bench{QStringLiteral("check"), QStringLiteral("--level"),
        QStringLiteral("bench"), QStringLiteral("--only"), QStringLiteral("pcie,cpu"),
        QStringLiteral("--deadline"), QStringLiteral("20")};
    const ProbeRun wakes = runProbe(healthyNode(QStringLiteral("gen1")), bench);
    QVERIFY2(wakes.state("pcie") == QStringLiteral("ok"), qPrintable(wakes.all("pcie")));
    QCOMPARE(wakes.rows.value(QStringLiteral("pcie"))
                 .value(QStringLiteral("data"))
                 .toObject()
                 .value(QStringLiteral("under_load"))
                 .toBool(),
        true);
    QCOMPARE(wakes.rows.keys(),
        (QStringList{QStringLiteral("cpu"), QStringLiteral("end"), QStringLiteral("pcie"),
            QStringLiteral("probe")}));
    const ProbeRun stuck = runProbe(healthyNode(QStringLiteral("gen1,stuckgen1")), bench);
    QVERIFY2(stuck.text("pcie", "why").contains(QStringLiteral("while it copies")),
        qPrintable(stuck.all("pcie")));
}

SLIPWAY_TEST(TestFakeGpu, probe_fakegpu)
#include "tst_fakegpu.moc"
