// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "texts.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

using namespace Qt::StringLiterals;

/// What container runtimes, images and Slurm say before a program speaks: events and progress,
/// never a curve.
class TestImages : public QObject {
    Q_OBJECT

private slots:
    void apptainer_classicPull();
    void apptainer_newPull();
    void apptainer_pullWithBars();
    void apptainer_build();
    void apptainer_cached_data();
    void apptainer_cached();
    void apptainer_errorsAreNoStages();
    void singularity2_build();
    void enroot_import();
    void enroot_create();
    void pyxis_ok();
    void pyxis_failure();
    void pyxis_failureInAllItsWords_data();
    void pyxis_failureInAllItsWords();
    void ngc_banner();
    void slurm_salloc();
    void slurm_ofPyxisRun();
    void slurm_idev();
    void progress_isWhatTheTextSays_data();
    void progress_isWhatTheTextSays();
    void neverInvents_data();
    void neverInvents();
};

namespace {

/// "image-stage stage=fetch layers=5 @3": the event, its values, its line.
QStringList told(const Reading& reading)
{
    QStringList list;
    for (const MetricEvent& event : reading.events) {
        QString text = event.event;
        for (auto it = event.values.begin(); it != event.values.end(); ++it)
            text += u' ' + it.key() + u'=' + it.value();
        list.append(text + u" @"_s + QString::number(event.line));
    }
    return list;
}

Reading readSample(const QString& name)
{
    const QByteArray log = readLog(name);
    const Reading reading = readWhole(log);
    if (log.isEmpty() || !reading.samples.empty())
        qFatal("%s is missing, or drew something", qPrintable(name));
    return reading;
}

} // namespace

void TestImages::apptainer_classicPull()
{
    const QString log = u"apptainer-pull-old-containers-image.txt"_s;
    QCOMPARE(told(readSample(log)),
        lines({"image-stage stage=convert @1", "image-stage stage=build @2",
            "image-stage stage=fetch @3", "image-stage layers=5 stage=manifest @10",
            "image-stage stage=extract @12", "image-stage stage=squash @15"}));
    MetricsPipeline pipeline;
    pipeline.feed(readLog(log));
    QCOMPARE(pipeline.progress()->name, u"layers"_s); // three of the five were unpacked
    QCOMPARE(pipeline.progress()->done, 3.0);
    QCOMPARE(pipeline.progress()->total, 5.0);
}

void TestImages::apptainer_newPull()
{
    const Reading reading = readWhole("\x1b[34mINFO:   \x1b[0m Fetching OCI image...\n"
                                      "512.0MiB / 1.8GiB [==>---] 28 % 126.1 MiB/s 10s\r"
                                      "1.8GiB / 1.8GiB [======] 100 % 126.1 MiB/s 0s\n"
                                      "1.8GiB / 1.8GiB [======] 100 % 126.1 MiB/s 0s\n"
                                      "27.1KiB / 27.1KiB [======] 100 % 0.0 b/s 0s\n"
                                      "INFO:    Extracting OCI image...\n"
                                      "INFO:    Inserting Apptainer configuration...\n"
                                      "INFO:    Creating SIF file...\n");
    QCOMPARE(told(reading),
        lines({"image-stage stage=fetch @1", "image-layer bytes=1932735283 @2",
            "image-layer bytes=27750 @4", "image-stage stage=extract @5",
            "image-stage stage=configure @6", "image-stage stage=squash @7"}));
    QCOMPARE(reading.events[0].text, u"INFO:    Fetching OCI image..."_s);
    QCOMPARE(reading.events[1].text, u"1.8GiB"_s);
    QVERIFY(reading.samples.empty());
}

void TestImages::apptainer_pullWithBars()
{
    MetricsPipeline pipeline;
    pipeline.feed("Copying blob 33847f680f63 [==>------] 3.2MiB / 27.1MiB | 5.1 MiB/s\n");
    QCOMPARE(pipeline.progress()->name, u"download"_s);
    QCOMPARE(pipeline.progress()->done, 3.2 * 1048576);
    QCOMPARE(pipeline.progress()->total, 27.1 * 1048576);
    pipeline.feed(
        "Copying blob b693dfa28d38 skipped: already exists\nCopying blob 33847f680f63 done\n"
        "Copying config c7d70af7c3 done\nWriting manifest to image destination\n");
    const auto events = pipeline.takeEvents();
    QCOMPARE(events.size(), size_t(1));
    QCOMPARE(events[0].values.value(u"layers"_s), u"2"_s);
}

void TestImages::apptainer_build()
{
    QCOMPARE(told(readWhole("INFO:    Starting build...\n"
                            "INFO:    Verifying bootstrap image base.sif\n"
                            "INFO:    Copying nbody.cu to /opt/nbody.cu\n"
                            "INFO:    Copying main.cu to /opt/main.cu\n"
                            "INFO:    Running post scriptlet\n"
                            "+ nvcc -o nbody step 1 loss 3\n"
                            "INFO:    Adding labels\n"
                            "INFO:    Adding runscript\n"
                            "INFO:    Creating SIF file...\n"
                            "INFO:    Build complete: nbody.sif\n"
                            "INFO:    Starting build...\n")),
        lines({"image-stage stage=build @1", "image-stage stage=base @2",
            "image-stage stage=files @3", "image-stage stage=post @5",
            "image-stage stage=metadata @7", "image-stage stage=squash @9",
            "image-built path=nbody.sif @10", "image-stage stage=build @11"}));
}

void TestImages::apptainer_cached_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("apptainer") << QByteArray("INFO:    Using cached SIF image");
    QTest::newRow("singularity 3") << QByteArray("INFO:    Using cached image");
    QTest::newRow("enroot") << QByteArray("[INFO] Found all layers in cache");
}

void TestImages::apptainer_cached()
{
    QFETCH(QByteArray, line);
    QCOMPARE(told(readWhole(line + '\n')), lines({"image-cached @1"}));
}

void TestImages::apptainer_errorsAreNoStages()
{
    QCOMPARE(told(readSample(u"apptainer-errors.txt"_s)),
        lines({"image-cached @13", "image-stage stage=sandbox @15"}));
    QCOMPARE(told(readSample(u"apptainer-error-ansi-colour.txt"_s)), lines({"image-cached @1"}));
}

void TestImages::singularity2_build()
{
    QCOMPARE(told(readWhole("Docker image path: index.docker.io/library/python:3.6\n"
                            "Exploding layer: sha256:aaaa.tar.gz\n"
                            "Exploding layer: sha256:bbbb.tar.gz\n"
                            "Building Singularity image...\n"
                            "Singularity container built: ./python.simg\n")),
        lines({"image-stage stage=fetch @1", "image-stage stage=extract @2",
            "image-stage stage=squash @4", "image-built path=./python.simg @5"}));
}

void TestImages::enroot_import()
{
    const Reading reading = readSample(u"enroot-import.txt"_s);
    QCOMPARE(told(reading),
        lines({"image-stage stage=ask @1", "image-stage stage=manifest @4",
            "image-stage layers=5 stage=fetch @6", "image-stage stage=extract @7",
            "image-stage stage=convert @11", "image-stage stage=squash @15",
            "image-size bytes=18281427671 "
            "path=/users/lukasd/lukasgd+fcn-nvidia-pytorch+23.09-py3.sqsh @23"}));
}

void TestImages::enroot_create()
{
    QCOMPARE(told(readSample(u"enroot-create.txt"_s)),
        lines({"image-stage stage=unpack @1", "image-unpacked files=2587 @6"}));
}

void TestImages::pyxis_ok()
{
    QCOMPARE(told(readSample(u"pyxis-ok.txt"_s)),
        lines({"job-queued job=204631 @1", "job-allocated job=204631 @2",
            "image-stage image=nvcr.io/nvidia/pytorch:24.12-py3 stage=import @3",
            "image-ready image=nvcr.io/nvidia/pytorch:24.12-py3 @4"}));
}

void TestImages::pyxis_failure()
{
    // The log of enroot that follows is of what is over: it begins no stage.
    QCOMPARE(told(readSample(u"pyxis-import-oom.txt"_s)),
        lines({"image-stage image=nvcr.io#nvidia/pytorch:23.08-py3 stage=import @1",
            "failed code=137 @3"}));
}

void TestImages::pyxis_failureInAllItsWords_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("event");
    const auto row = [](const char* line, const char* event) {
        QTest::newRow(line) << QByteArray(line) << QString::fromLatin1(event);
    };
    const char* plain = "failed @1";
    const char* named = "failed image=login:5000#demo/nosuch:1 @1";
    // Up to 0.23, since 0.21 by an importer, since 0.24 with the name.
    row("slurmstepd: error: pyxis: failed to import docker image", plain);
    row("slurmstepd: error: pyxis: failed to import docker image with importer: /opt/import.sh",
        plain);
    row("slurmstepd: error: pyxis: failed to import docker image: login:5000#demo/nosuch:1", named);
    row("slurmstepd: error: pyxis: failed to import docker image: login:5000#demo/nosuch:1 "
        "(importer: /opt/import.sh)",
        named);
    // The prefixes of Slurm, of Debian's Slurm, and of Slurm 26.05.
    row("srun: error: pyxis: failed to import docker image: login:5000#demo/nosuch:1", named);
    row("slurmstepd-gpu02: error: pyxis: failed to import docker image: login:5000#demo/nosuch:1",
        named);
    row("slurmstepd-node-1.site.org: error: pyxis: failed to import docker image", plain);
    row("[2026-11-22T08:25:57.007] error: pyxis: failed to import docker image: "
        "login:5000#demo/nosuch:1",
        named);
    row("0: slurmstepd-gpu02: error: pyxis: failed to import docker image: "
        "login:5000#demo/nosuch:1",
        named);
}

void TestImages::pyxis_failureInAllItsWords()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, event);
    QCOMPARE(told(readWhole(line + '\n')), QStringList(event));
}

void TestImages::ngc_banner()
{
    QCOMPARE(told(readSample(u"ngc-banner-no-driver.txt"_s)),
        lines({"container build=134983853 name=PyTorch release=25.01 @5",
            "library name=PyTorch version=2.6.0a0+ecf3bae @6"}));
    QCOMPARE(texts(readWhole("==========\n== CUDA ==\n==========\n\nCUDA Version 12.4.1\n").events),
        lines({"library: CUDA 12.4.1"}));
}

void TestImages::slurm_salloc()
{
    QCOMPARE(told(readSample(u"slurm-salloc-granted.txt"_s)),
        lines({"job-queued job=512998 @2", "job-allocated job=512998 @4",
            "job-nodes nodes=x1008c7s6b1n0,x1008c7s6b1n1 @7"}));
    QCOMPARE(told(readSample(u"slurm-salloc-srun-mpi-ring.txt"_s)),
        lines({"job-allocated job=90367 @2", "job-nodes nodes=x3000c0s25b0n0,x3000c0s27b0n0 @4"}));
}

void TestImages::slurm_ofPyxisRun()
{
    QCOMPARE(told(readWhole("Submitted batch job 867816\n"
                            "salloc: Relinquishing job allocation 867816\n")),
        lines({"job-submitted job=867816 @1", "job-released job=867816 @2"}));
}

void TestImages::slurm_idev()
{
    QCOMPARE(
        told(readWhole(" -> Checking on the status of development queue. OK\n"
                       "--> Verifying valid submit host (login2)...OK\n"
                       "--> Verifying availability of your home dir (/home1/00000/user)...FAILED\n"
                       "Submitted batch job 123456\n"
                       " -> job status:  PD\n"
                       " -> job status:  PD\n"
                       " -> job status:  R\n"
                       " -> Job is now running on masternode= c205-004...OK\n")),
        lines({"check @1", "check @2", "warning @3", "job-submitted job=123456 @4",
            "job-state state=PD @5", "job-state state=R @7", "job-nodes nodes=c205-004 @8"}));
}

void TestImages::progress_isWhatTheTextSays_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("done");
    QTest::addColumn<double>("total");
    const auto row = [](const char* title, const char* text, const char* name, double done,
                         double total) {
        QTest::newRow(title) << QByteArray(text) << QString::fromLatin1(name) << done << total;
    };
    row("layer", "72.9MiB / 145.8MiB [===>---] 50 % 3.1 MiB/s 23s\n", "download", 72.9 * 1048576,
        145.8 * 1048576);
    row("one frame of many", "10.0MiB / 20.0MiB [=>-] 50 % 3.1 MiB/s 23s\r ", "download", 10485760,
        20971520);
    row("shub", " Progress |=====         | 37.5% \n", "percent", 37.5, 100);
    row("SIF file", "INFO:    Creating SIF file... 45 % 10s\n", "percent", 45, 100);
    row("parallel", "[INFO] Extracting image layers...\n45% 5:6=12s\n", "percent", 45, 100);
    row("mksquashfs", "[=====|         ] 12345/345079   3%\n", "blocks", 12345, 345079);
}

void TestImages::progress_isWhatTheTextSays()
{
    QFETCH(QByteArray, text);
    MetricsPipeline pipeline;
    pipeline.feed(text);
    pipeline.finish();
    QVERIFY(pipeline.progress().has_value());
    QTEST(pipeline.progress()->name, "name");
    QTEST(pipeline.progress()->done, "done");
    QTEST(pipeline.progress()->total, "total");
    QVERIFY(pipeline.takeSamples().empty());
}

void TestImages::neverInvents_data()
{
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char* name, const char* line) {
        QTest::newRow(name) << QByteArray(line);
    };
    row("a program's own INFO", "INFO:    Epoch begins");
    row("a program's own [INFO]", "[INFO] Downloading the data set");
    row("a percentage without enroot", "45% 5:6=12s");
    row("sizes that do not fit", "2.0GiB / 1.8GiB [====] 100 % 126.1 MiB/s 0s");
    row("no percentage", "1.8GiB / 1.8GiB [====]");
    row("no unit", "1.8 / 1.8 [====] 100 %");
    row("build without a path", "INFO:    Build complete: ");
    row("version far from a banner", "PyTorch Version 2.6.0");
    row("release far from a banner", "NVIDIA Release 25.01 (build 1)");
    row("a heading", "== Results == of the run");
    row("files of nothing", "created 2587 files");
    row("filesystem without a size", "Filesystem size unknown");
    row("no job", "Submitted batch job abc");
    row("job glued", "Submitted batch job 12abc");
    row("srun's other words", "srun: job 12 was cancelled");
    row("prose", "-> Checking our results");
    row("arrow", "--> step 1 of the guide");
    row("pyxis in prose", "pyxis: version 0.20");
    row("who failed is not pyxis", "slurmstepd-gpu02: error: failed to import docker image");
    row("nobody's prefix", "[abc] error: pyxis: failed to import docker image");
    row("a number in brackets", "[12] error: pyxis: failed to import docker image");
    row("a longer word", "slurmstepd: error: pyxis: failed to import docker images");
    row("a sentence about it", "slurmstepd says: pyxis: failed to import docker image");
    row("error of Slurm", "slurmstepd: error: Detected 1 oom_kill event in StepId=440575.0.");
    row("frame of a stage", "INFO:    Creating SIF file...\r ");
}

void TestImages::neverInvents()
{
    QFETCH(QByteArray, line);
    const Reading reading = readWhole(line + '\n');
    QCOMPARE(told(reading), QStringList());
    QVERIFY(reading.samples.empty());
}

SLIPWAY_TEST(TestImages, metrics_images)
#include "tst_images.moc"
