// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include "proberun.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <limits>

/// The file itself: what it needs, how large it is, what it prints and how it ends.
class TestBinary : public QObject {
    Q_OBJECT

private slots:
    void size_isAtMostAMegabyte();
    void symbols_areOfGlibc217();
    void libraries_areThoseOfEveryGlibc();
    void itIsAnExecutableThatMayOpenLibraries();
    void version_isTheProjects();
    void wrongUsage_isTwo_data();
    void wrongUsage_isTwo();
    void rows_beginAndEnd();
    void rowsFile_isAppendedTo();
    void container_isNamedByItsRuntime();
    void rowsFile_thatCannotBeWritten_isThree();
    void quick_takesThreeSeconds();
    void programs_thatHang_areLeftAlone();
    void programs_areAskedForTheirVersions();
    void disks_areNamedOnce();
    void container_isSeen();
};

namespace {

QByteArray objdump(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral(OBJDUMP),
        arguments + QStringList{slipway::buildPath(QStringLiteral("/bin/slipway-probe"))});
    process.waitForFinished();
    return process.exitCode() == 0 ? process.readAllStandardOutput() : QByteArray();
}

void script(const FakeNode& node, const QString& name, const QByteArray& body)
{
    QFile file(node.folder() + QStringLiteral("/bin/") + name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\n" + body);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

const QStringList check{QStringLiteral("check")};

} // namespace

void TestBinary::size_isAtMostAMegabyte()
{
    const qint64 size = QFileInfo(slipway::buildPath(QStringLiteral("/bin/slipway-probe"))).size();
    QVERIFY(size > 50'000);
    QVERIFY2(size <= 1'000'000, qPrintable(QString::number(size) + QStringLiteral(" bytes")));
    QVERIFY2(objdump({QStringLiteral("-h")}).contains(".symtab") == false, "it is not stripped");
}

void TestBinary::symbols_areOfGlibc217()
{
    const QByteArray table = objdump({QStringLiteral("-T")});
    QVERIFY(table.contains("__libc_start_main"));
    static const QRegularExpression form(
        QStringLiteral(R"(GLIBC_(\d+)\.(\d+)(?:\.\d+)?\)?\s+(\S+))"));
    QStringList newer;
    int seen = 0;
    for (const auto& match : form.globalMatch(QString::fromUtf8(table))) {
        ++seen;
        if (match.captured(1).toInt() > 2 || match.captured(2).toInt() > 17)
            newer << match.captured(3) + QStringLiteral(" needs glibc ") + match.captured(1) + u'.'
                    + match.captured(2);
    }
    QVERIFY(seen > 50);
    QVERIFY2(newer.isEmpty(), qPrintable(newer.join(u'\n')));
    for (const char* other : {"GLIBCXX_", "CXXABI_", "GCC_"})
        QVERIFY2(!table.contains(other), other);
}

void TestBinary::libraries_areThoseOfEveryGlibc()
{
    const QByteArray head = objdump({QStringLiteral("-p")});
    static const QRegularExpression form(QStringLiteral(R"(NEEDED\s+(\S+))"));
    QStringList needed;
    for (const auto& match : form.globalMatch(QString::fromUtf8(head)))
        needed << match.captured(1);
    needed.sort();
    QStringList allowed{QStringLiteral("ld-linux-aarch64.so.1"),
        QStringLiteral("ld-linux-x86-64.so.2"), QStringLiteral("libc.so.6"),
        QStringLiteral("libdl.so.2"), QStringLiteral("libm.so.6"),
        QStringLiteral("libpthread.so.0")};
    for (const QString& name : needed)
        QVERIFY2(allowed.contains(name), qPrintable(name));
    // An old glibc has these two apart, and a driver that is opened later counts on threads.
    QVERIFY(needed.contains(QStringLiteral("libpthread.so.0"))
        && needed.contains(QStringLiteral("libdl.so.2")));
    QVERIFY(!head.contains("RPATH") && !head.contains("RUNPATH"));
}

void TestBinary::itIsAnExecutableThatMayOpenLibraries()
{
    const QByteArray head = objdump({QStringLiteral("-p")});
    QVERIFY2(head.contains("INTERP"), "a static program cannot open libcuda");
    QVERIFY(objdump({QStringLiteral("-f")}).contains("DYNAMIC"));
}

void TestBinary::version_isTheProjects()
{
    const ProbeRun run = runProbe(FakeNode(), {QStringLiteral("version")});
    QCOMPARE(run.exitCode, 0);
    QVERIFY(QRegularExpression(QStringLiteral("^\\d+\\.\\d+\\.\\d+\n$"))
                .match(QString::fromUtf8(run.out))
                .hasMatch());
}

void TestBinary::wrongUsage_isTwo_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList();
    for (const char* text :
        {"fly", "check --level deep", "check --where moon", "check --deadline -1",
            "check --deadline x", "check more", "agent --every 0", "agent --every x", "agent more"})
        QTest::newRow(text) << QString::fromLatin1(text).split(u' ');
}

void TestBinary::wrongUsage_isTwo()
{
    QFETCH(QStringList, arguments);
    const ProbeRun run = runProbe(FakeNode(), arguments);
    QCOMPARE(run.exitCode, 2);
    QVERIFY(run.error.contains("usage: slipway-probe"));
    QVERIFY(run.out.isEmpty());
}

void TestBinary::rows_beginAndEnd()
{
    const ProbeRun run = runProbe(FakeNode(), check);
    QCOMPARE(run.exitCode, 0);
    QVERIFY(run.lines.size() > 20);
    const QJsonObject first = run.lines.first(),
                      data = first.value(QStringLiteral("data")).toObject();
    QCOMPARE(first.value(QStringLiteral("id")).toString(), QStringLiteral("probe"));
    QCOMPARE(data.value(QStringLiteral("protocol")).toInt(), 1);
    QCOMPARE(data.value(QStringLiteral("where")).toString(), QStringLiteral("host"));
    QVERIFY(data.value(QStringLiteral("t")).toDouble() > 1.7e9);
    const QJsonObject end = run.lines.last();
    QCOMPARE(end.value(QStringLiteral("id")).toString(), QStringLiteral("end"));
    QCOMPARE(end.value(QStringLiteral("value")).toString(),
        QString::number(run.lines.size() - 2) + QStringLiteral(" checks"));
    QCOMPARE(run.rows.size(), run.lines.size()); // an id comes once
    QCOMPARE(run.left, 0);
    for (const QJsonObject& row : run.lines)
        QVERIFY(row.value(QStringLiteral("state")).isString());
}

void TestBinary::rowsFile_isAppendedTo()
{
    const FakeNode node;
    const QString file = node.folder() + QStringLiteral("/rows.ndjson");
    const ProbeRun one = runProbe(node, check + QStringList{QStringLiteral("--rows"), file});
    const ProbeRun two = runProbe(node,
        check
            + QStringList{QStringLiteral("--rows"), file, QStringLiteral("--where"),
                QStringLiteral("container")});
    QCOMPARE(one.exitCode, 0);
    QFile rows(file);
    QVERIFY(rows.open(QIODevice::ReadOnly));
    const QByteArray text = rows.readAll();
    QCOMPARE(text.count("\"id\":\"probe\""), 2);
    QCOMPARE(text.count("\"id\":\"end\""), 2);
    QVERIFY(one.lines.isEmpty()); // stdout is for a person
    QVERIFY(one.out.contains("ok    cpu"));
    QVERIFY(one.out.trimmed().split('\n').last().contains("left out"));
    QVERIFY2(one.out.count("no NVIDIA driver") == 1, one.out.constData());
}

void TestBinary::container_isNamedByItsRuntime()
{
    // A container of enroot carries no sign of what started it (this machine may carry one of its
    // own).
    const QStringList inside{QStringLiteral("--where"), QStringLiteral("container")};
    const QString unnamed = runProbe(FakeNode(), check + inside).text("container", "value");
    QVERIFY(!unnamed.isEmpty() && unnamed != QStringLiteral("pyxis"));
    const ProbeRun run = runProbe(FakeNode(),
        check + inside + QStringList{QStringLiteral("--runtime"), QStringLiteral("pyxis")});
    QCOMPARE(run.exitCode, 0);
    QCOMPARE(run.text("container", "value"), QStringLiteral("pyxis"));
}

void TestBinary::rowsFile_thatCannotBeWritten_isThree()
{
    const ProbeRun run = runProbe(FakeNode(),
        check + QStringList{QStringLiteral("--rows"), QStringLiteral("/no/such/folder/rows")});
    QCOMPARE(run.exitCode, 3);
    QVERIFY(run.error.contains("cannot write"));
    const ProbeRun full = runProbe(
        FakeNode(), check + QStringList{QStringLiteral("--rows"), QStringLiteral("/dev/full")});
    QCOMPARE(full.exitCode, 3);
}

void TestBinary::quick_takesThreeSeconds()
{
    qint64 best = std::numeric_limits<qint64>::max(); // of a few: other tests run beside it
    for (int i = 0; i < 10 && best >= 3000; ++i) {
        const ProbeRun run = runProbe(FakeNode()
                                          .kernelDriver(QStringLiteral("580.65.06"), 2)
                                          .fake(QStringLiteral("cards=2"))
                                          .jobWithGpus(2),
            check);
        best = std::min(best, run.milliseconds);
    }
    QVERIFY2(best < 3000, qPrintable(QString::number(best) + QStringLiteral(" ms")));
}

void TestBinary::programs_thatHang_areLeftAlone()
{
    const FakeNode node;
    script(node, QStringLiteral("srun"), "exec /bin/sleep 600\n");
    script(
        node, QStringLiteral("apptainer"), "/bin/sleep 600\n"); // the sleep is a child of the shell
    const ProbeRun run = runProbe(node, check);
    QCOMPARE(run.state("mpi"), QStringLiteral("warn"));
    QVERIFY(run.text("runtime", "why").contains(QStringLiteral("apptainer does not respond")));
    // They sleep for longer, and for each one there is a limit.
    QVERIFY2(run.milliseconds < 50'000, qPrintable(QString::number(run.milliseconds)));
    QCOMPARE(run.left, 0);
}

void TestBinary::programs_areAskedForTheirVersions()
{
    const FakeNode node;
    script(node, QStringLiteral("apptainer"), "echo apptainer version 1.4.5-2\n");
    script(node, QStringLiteral("mpirun"), "echo 'mpirun (Open MPI) 5.0.7'\n");
    script(node, QStringLiteral("srun"),
        "case $1 in --help) echo '  --container-image=[USER@]' ;; *) printf 'MPI plugin types "
        "are...\\n\\tnone\\n\\tpmix\\n' >&2 ;; esac\n");
    const QString runtimes = QStringLiteral("apptainer 1.4.5, pyxis"),
                  mpi = QStringLiteral("Open MPI 5.0.7; srun offers none, pmix");
    ProbeRun run = runProbe(node, check);
    // On a busy machine even an echo may take longer than the probe waits for it.
    for (int tries = 1;
         tries < 5 && (run.text("runtime", "value") != runtimes || run.text("mpi", "value") != mpi);
         ++tries)
        run = runProbe(node, check);
    QCOMPARE(run.text("runtime", "value"), runtimes);
    QCOMPARE(run.text("mpi", "value"), mpi);
}

void TestBinary::disks_areNamedOnce()
{
    const FakeNode node;
    const ProbeRun run = runProbe(node, check); // home, tmp and here are one folder
    QVERIFY(run.rows.contains(QStringLiteral("disk.here"))
        && !run.rows.contains(QStringLiteral("disk.home")));
    QVERIFY(run.rows.value(QStringLiteral("disk.here"))
                .value(QStringLiteral("data"))
                .toObject()
                .value(QStringLiteral("write"))
                .toDouble()
        > 1e6);
    QCOMPARE(QDir(node.folder()).entryList(QDir::Files | QDir::Hidden).size(),
        0); // nothing is left behind
    FakeNode gone;
    gone.set(QStringLiteral("HOME"), QStringLiteral("/no/such/home"));
    QCOMPARE(runProbe(gone, check).state("disk.home"), QStringLiteral("skip"));
}

void TestBinary::container_isSeen()
{
    FakeNode node;
    node.set(QStringLiteral("APPTAINER_CONTAINER"), QStringLiteral("/x.sif"))
        .kernelDriver(QStringLiteral("550.54.15"), 0)
        .jobWithGpus(1)
        .set(QStringLiteral("CUDA_VERSION"), QStringLiteral("13.0.1"));
    const ProbeRun run =
        runProbe(node, check + QStringList{QStringLiteral("--where"), QStringLiteral("container")});
    QCOMPARE(run.text("container", "value"), QStringLiteral("apptainer"));
    QCOMPARE(run.state("lib.libcuda"), QStringLiteral("fail"));
    QVERIFY2(run.text("lib.libcuda", "fix").contains(QStringLiteral("apptainer exec --nv")),
        qPrintable(run.all("lib.libcuda")));
    QCOMPARE(run.state("image.cuda"), QStringLiteral("fail"));
    QVERIFY2(run.text("image.cuda", "fix").contains(QStringLiteral("CUDA 12.4 or older")),
        qPrintable(run.all("image.cuda")));
    QCOMPARE(run.exitCode, 1);
}

SLIPWAY_TEST(TestBinary, probe_binary)
#include "tst_binary.moc"
