// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/container/runtime.h"
#include "tests/support/testmain.h"

#include <QProcess>
#include <QTest>

using namespace slipway;

namespace {

ContainerCommand command()
{
    ContainerCommand c;
    c.image = QStringLiteral("\"$image\"");
    c.arguments = {QStringLiteral("python3"), QStringLiteral("train.py")};
    return c;
}

const QString digest = QStringLiteral("sha256:") + QString(64, u'a');

} // namespace

class TestRuntime : public QObject {
    Q_OBJECT

private slots:
    void image_parses_data();
    void image_parses();
    void image_refuses_data();
    void image_refuses();
    void parse_ofText_isTheSameImage();
    void digest_isShortenedOnlyIfItIsOne();
    void fileNames_areTheRuntimesOwn_data();
    void fileNames_areTheRuntimesOwn();
    void exec_putsOptionsBeforeTheImage_data();
    void exec_putsOptionsBeforeTheImage();
    void shortcomings_areReported();
    void enroot_startsPastTheEntryPoint();
    void enroot_takesTheJobsGpusAsTheyAre_data();
    void enroot_takesTheJobsGpusAsTheyAre();
    void paths_reachTheShellWhole_data();
    void paths_reachTheShellWhole();
    void pull_fitsTheRuntime_data();
    void pull_fitsTheRuntime();
};

void TestRuntime::image_parses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("registry");
    QTest::addColumn<QString>("repository");
    QTest::addColumn<QString>("tag");
    QTest::addColumn<QString>("printed");
    const auto row = [](const char* text, const char* registry, const char* repository,
                         const char* tag, const char* printed) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(registry)
                            << QString::fromLatin1(repository) << QString::fromLatin1(tag)
                            << QString::fromLatin1(printed);
    };
    row("docker://nvcr.io/nvidia/pytorch:24.03-py3", "nvcr.io", "nvidia/pytorch", "24.03-py3",
        "docker://nvcr.io/nvidia/pytorch:24.03-py3");
    row("nvcr.io/nvidia/pytorch:24.03-py3", "nvcr.io", "nvidia/pytorch", "24.03-py3",
        "docker://nvcr.io/nvidia/pytorch:24.03-py3");
    row("nvcr.io#nvidia/cuda:12.4.1", "nvcr.io", "nvidia/cuda", "12.4.1",
        "docker://nvcr.io/nvidia/cuda:12.4.1");
    row("docker://nvcr.io#nvidia/cuda:12.4.1", "nvcr.io", "nvidia/cuda", "12.4.1",
        "docker://nvcr.io/nvidia/cuda:12.4.1");
    row("docker://login:5000/demo/python:3.13", "login:5000", "demo/python", "3.13",
        "docker://login:5000/demo/python:3.13");
    row("python:3.13", "", "python", "3.13", "docker://python:3.13");
    row("eriksf/pytorch", "", "eriksf/pytorch", "latest", "docker://eriksf/pytorch:latest");
    row("localhost/x:1", "localhost", "x", "1", "docker://localhost/x:1");
    row("library://Entity/collection/container:1.0", "", "Entity/collection/container", "1.0",
        "library://Entity/collection/container:1.0");
    row("oras://ghcr.io/a/b:2", "ghcr.io", "a/b", "2", "oras://ghcr.io/a/b:2");
    row("/scratch/me/pytorch:21.06-py3.sif", "", "", "", "/scratch/me/pytorch:21.06-py3.sif");
    row("$SCRATCH/x.sif", "", "", "", "$SCRATCH/x.sif");
    row("x.sqsh", "", "", "", "x.sqsh");
}

void TestRuntime::image_parses()
{
    QFETCH(QString, text);
    QFETCH(QString, registry);
    QFETCH(QString, repository);
    QFETCH(QString, tag);
    QFETCH(QString, printed);
    const auto image = ImageReference::parse(text);
    QVERIFY2(image.ok(), qPrintable(text));
    QCOMPARE(image->registry, registry);
    QCOMPARE(image->repository, repository);
    QCOMPARE(image->tag, tag);
    QCOMPARE(image->text(), printed);
    QCOMPARE(image->isFile(), repository.isEmpty());
}

void TestRuntime::image_refuses_data()
{
    QTest::addColumn<QString>("text");
    for (const auto* text : {"", "  ", "https://x.org/y.sif", "docker://", "docker://a b",
             "python:3.13;id", "python:$(id)", "a'b", "nvcr.io/nvidia/pytorch:", "python@sha256:12",
             "Python:3", "python\n:3", "docker://user@host#x:1", "a//b:1", "docker://-x"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestRuntime::image_refuses()
{
    QFETCH(QString, text);
    const auto image = ImageReference::parse(text);
    QVERIFY2(!image.ok(), qPrintable(image.ok() ? image->text() : QString()));
    QCOMPARE(image.error().kind, ErrorKind::Invalid);
    QVERIFY(!image.error().remedy.isEmpty());
}

void TestRuntime::parse_ofText_isTheSameImage()
{
    for (const QString& text : {QStringLiteral("docker://a.b/c/d:e"),
             QString(QStringLiteral("docker://a.b/c/d@") + digest), QStringLiteral("/x/y.sif")}) {
        const auto image = ImageReference::parse(text);
        QVERIFY(image.ok());
        QCOMPARE(image->text(), text);
        QVERIFY(*ImageReference::parse(image->text()) == *image);
        QVERIFY(*ImageReference::parse(image->enrootText()) == *image);
    }
}

void TestRuntime::digest_isShortenedOnlyIfItIsOne()
{
    QCOMPARE(shortDigest(digest), QString(12, u'a'));
    const QStringList others{QString(), QStringLiteral("sha256:"), digest.chopped(1), digest + u'a',
        digest.toUpper(), digest + u'\n', digest.mid(7)};
    for (const QString& text : others)
        QVERIFY2(!isDigest(text) && shortDigest(text).isEmpty(), qPrintable(text));
}

void TestRuntime::fileNames_areTheRuntimesOwn_data()
{
    QTest::addColumn<QString>("image");
    QTest::addColumn<QString>("sif");
    QTest::addColumn<QString>("sqsh");
    QTest::newRow("NGC") << "docker://nvcr.io/nvidia/pytorch:24.03-py3"
                         << "pytorch_24.03-py3.sif"
                         << "nvidia+pytorch+24.03-py3.sqsh";
    QTest::newRow("latest is kept") << "nvidia/caffe"
                                    << "caffe_latest.sif"
                                    << "nvidia+caffe+latest.sqsh";
    QTest::newRow("one word") << "python:3.13"
                              << "python_3.13.sif"
                              << "python+3.13.sqsh";
    QTest::newRow("digest") << QString(QStringLiteral("a/b@") + digest)
                            << "b_sha256-aaaaaaaaaaaa.sif"
                            << "a+b+sha256-aaaaaaaaaaaa.sqsh";
}

void TestRuntime::fileNames_areTheRuntimesOwn()
{
    QFETCH(QString, image);
    QFETCH(QString, sif);
    QFETCH(QString, sqsh);
    const auto reference = ImageReference::parse(image);
    QCOMPARE(imageFileName(RuntimeKind::Apptainer, *reference), sif);
    QCOMPARE(imageFileName(RuntimeKind::Singularity, *reference), sif);
    QCOMPARE(imageFileName(RuntimeKind::Enroot, *reference), sqsh);
    QCOMPARE(imageFileName(RuntimeKind::Pyxis, *reference), sqsh);
}

void TestRuntime::exec_putsOptionsBeforeTheImage_data()
{
    QTest::addColumn<RuntimeKind>("runtime");
    QTest::addColumn<QString>("line");
    QTest::newRow("apptainer") << RuntimeKind::Apptainer
                               << "apptainer exec --nv --contain -B \"$PWD\":\"$PWD\" -B "
                                  "/data:/mnt:ro --pwd /work \"$image\" python3 train.py";
    QTest::newRow("singularity") << RuntimeKind::Singularity
                                 << "singularity exec --nv --contain -B \"$PWD\":\"$PWD\" -B "
                                    "/data:/mnt:ro --pwd /work \"$image\" python3 train.py";
    QTest::newRow("enroot")
        << RuntimeKind::Enroot
        << "env ENROOT_MOUNT_HOME=no enroot start --mount \"$PWD\":\"$PWD\" "
           "--mount /data:/mnt:none:x-create=auto,rbind,ro "
           "${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} \"$image\" python3 train.py";
    QTest::newRow("pyxis")
        << RuntimeKind::Pyxis
        << "--container-image=\"$image\" --container-mounts=\"$PWD\":\"$PWD\",/data:/mnt:ro "
           "--container-workdir=/work --no-container-mount-home python3 train.py";
}

void TestRuntime::exec_putsOptionsBeforeTheImage()
{
    QFETCH(RuntimeKind, runtime);
    QFETCH(QString, line);
    ContainerCommand c = command();
    c.nv = true;
    c.contain = true;
    c.workDir = QStringLiteral("/work");
    c.binds = {{QStringLiteral("$PWD"), {}, false},
        {QStringLiteral("/data"), QStringLiteral("/mnt"), true}};
    QCOMPARE(containerExec(runtime, c), line);
}

void TestRuntime::shortcomings_areReported()
{
    ContainerCommand c = command();
    QVERIFY(containerShortcomings(RuntimeKind::Enroot, c).isEmpty());
    c.workDir = QStringLiteral("/work");
    c.binds = {{QStringLiteral("/data"), {}, true}, {QStringLiteral("/a:b"), {}, false}};
    QCOMPARE(containerShortcomings(RuntimeKind::Enroot, c).size(), 2);
    QCOMPARE(containerShortcomings(RuntimeKind::Apptainer, c).size(), 1);
    QVERIFY(!containerExec(RuntimeKind::Apptainer, c).contains(QStringLiteral("/a:b")));
    const auto library = ImageReference::parse(QStringLiteral("library://a/b/c:1"));
    QCOMPARE(pullShortcomings(RuntimeKind::Pyxis, *library, false).size(), 1);
    QVERIFY(pullShortcomings(RuntimeKind::Apptainer, *library, false).isEmpty());
}

void TestRuntime::enroot_startsPastTheEntryPoint()
{
    ContainerCommand c = command();
    c.settings = QStringLiteral("enroot.conf");
    QCOMPARE(containerExec(RuntimeKind::Enroot, c),
        QStringLiteral("enroot start --conf enroot.conf \"$image\" python3 train.py"));
    c.useRunScript = true; // as apptainer run and --container-entrypoint
    QCOMPARE(containerExec(RuntimeKind::Enroot, c),
        QStringLiteral("enroot start --conf enroot.conf \"$image\" sh /etc/rc python3 train.py"));
    QCOMPARE(containerExec(RuntimeKind::Pyxis, c),
        QStringLiteral("--container-image=\"$image\" --container-entrypoint python3 train.py"));
}

void TestRuntime::enroot_takesTheJobsGpusAsTheyAre_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("expected");
    QTest::newRow("unset") << "unset CUDA_VISIBLE_DEVICES"
                           << "start|i.sqsh|nvidia-smi|";
    QTest::newRow("one GPU") << "CUDA_VISIBLE_DEVICES=1"
                             << "start|--env|CUDA_VISIBLE_DEVICES|i.sqsh|nvidia-smi|";
    QTest::newRow("none of them") << "CUDA_VISIBLE_DEVICES="
                                  << "start|--env|CUDA_VISIBLE_DEVICES|i.sqsh|nvidia-smi|";
}

void TestRuntime::enroot_takesTheJobsGpusAsTheyAre()
{
    QFETCH(QString, before);
    QFETCH(QString, expected);
    ContainerCommand c = command();
    c.arguments = {QStringLiteral("nvidia-smi")};
    c.nv = true;
    QProcess shell;
    shell.start(QStringLiteral("/bin/sh"),
        {QStringLiteral("-c"),
            before + QStringLiteral("; image=i.sqsh; enroot() { printf '%s|' \"$@\"; }\n")
                + containerExec(RuntimeKind::Enroot, c)});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), expected);
    c.nv = false;
    QVERIFY(!containerExec(RuntimeKind::Enroot, c).contains(u"CUDA_VISIBLE_DEVICES"));
}

void TestRuntime::paths_reachTheShellWhole_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("expected");
    QTest::newRow("space") << "/a b"
                           << "/a b";
    QTest::newRow("quote") << "/it's"
                           << "/it's";
    QTest::newRow("command") << "/$(touch /tmp/slipway-pwned)"
                             << "/$(touch /tmp/slipway-pwned)";
    QTest::newRow("backtick, semicolon, star") << "/`id`;*"
                                               << "/`id`;*";
    QTest::newRow("variable first") << "$HERE/x y"
                                    << "/here/x y";
    QTest::newRow("braces") << "${HERE}/x"
                            << "/here/x";
    QTest::newRow("variable inside is text") << "/a/$HERE"
                                             << "/a/$HERE";
    QTest::newRow("variable and a command") << "$HERE/$(id)"
                                            << "/here/$(id)";
    QTest::newRow("newline") << "/a\nb"
                             << "/a\nb";
}

void TestRuntime::paths_reachTheShellWhole()
{
    QFETCH(QString, path);
    QFETCH(QString, expected);
    ContainerCommand c = command();
    c.binds = {{path, QStringLiteral("/in"), false}};
    const QString line = containerExec(RuntimeKind::Apptainer, c);
    const QString script =
        QStringLiteral("HERE=/here; image=i.sif; apptainer() { printf '%s\\n' \"$3\"; }\n") + line;
    QProcess shell;
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), script});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()),
        QString(expected + QStringLiteral(":/in\n")));
}

void TestRuntime::pull_fitsTheRuntime_data()
{
    QTest::addColumn<RuntimeKind>("runtime");
    QTest::addColumn<bool>("plainHttp");
    QTest::addColumn<QString>("line");
    QTest::newRow("apptainer")
        << RuntimeKind::Apptainer << false
        << "apptainer pull --force \"$file.part\" docker://login:5000/demo/python:3.13";
    QTest::newRow("apptainer, plain")
        << RuntimeKind::Apptainer << true
        << "apptainer pull --force --no-https \"$file.part\" docker://login:5000/demo/python:3.13";
    QTest::newRow("singularity, plain") << RuntimeKind::Singularity << true
                                        << "SINGULARITY_NOHTTPS=1 singularity pull --force "
                                           "\"$file.part\" docker://login:5000/demo/python:3.13";
    QTest::newRow("enroot") << RuntimeKind::Enroot << false
                            << "rm -f \"$file.part\" && enroot import --output \"$file.part\" "
                               "docker://login:5000#demo/python:3.13";
    QTest::newRow("pyxis, plain") << RuntimeKind::Pyxis << true
                                  << "rm -f \"$file.part\" && ENROOT_ALLOW_HTTP=yes enroot import "
                                     "--output \"$file.part\" docker://login:5000#demo/python:3.13";
}

void TestRuntime::pull_fitsTheRuntime()
{
    QFETCH(RuntimeKind, runtime);
    QFETCH(bool, plainHttp);
    QFETCH(QString, line);
    const auto image = ImageReference::parse(QStringLiteral("login:5000/demo/python:3.13"));
    QCOMPARE(containerPull(runtime, *image, QStringLiteral("\"$file.part\""), plainHttp), line);
    QVERIFY(containerPull(
        runtime, *ImageReference::parse(QStringLiteral("/x.sif")), QStringLiteral("f"), false)
                .isEmpty());
}

SLIPWAY_TEST(TestRuntime, container_runtime)
#include "tst_runtime.moc"
