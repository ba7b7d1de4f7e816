// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/localarchives.h"
#include "app/images/localimagebuild.h"
#include "app/images/localprogram.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/testmain.h"

#include <QElapsedTimer>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace slipway;

/// Builds on this computer: the command lines, which programs work, and one real build.
class TestLocalBuild : public QObject {
    Q_OBJECT

private slots:
    void commands_areThoseOfTheProgram_data();
    void commands_areThoseOfTheProgram();
    void names_areChecked_data();
    void names_areChecked();
    void platform_isSaidWhereItDiffers_data();
    void platform_isSaidWhereItDiffers();
    void errors_sayWhatToDo_data();
    void errors_sayWhatToDo();
    void programs_areAskedWhetherTheyWork();
    void program_passesLinesAndEnds();
    void archive_isReusedForTheSameFiles();
    void buildah_buildsAnArchive();
};

namespace {

using Kind = LocalBuilder::Kind;

LocalBuild exampleBuild()
{
    LocalBuild build;
    build.dockerfile = QStringLiteral("/home/me/my work/Dockerfile");
    build.folder = QStringLiteral("/home/me/my work");
    build.name = QStringLiteral("train");
    build.archive = QStringLiteral("/cache/train.tar");
    return build;
}

QStringList texts(const LocalBuilder& builder, const LocalBuild& build)
{
    QStringList lines;
    for (const LocalCommand& command : localBuildCommands(builder, build))
        lines << command.text();
    return lines;
}

void putProgram(const QString& path, const QByteArray& body)
{
    putFile(path, "#!/bin/sh\n" + body);
    QVERIFY(::chmod(QFile::encodeName(path).constData(), 0755) == 0);
}

} // namespace

void TestLocalBuild::commands_areThoseOfTheProgram_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("chroot");
    QTest::addColumn<QString>("platform");
    QTest::addColumn<QStringList>("lines");
    const QString file = QStringLiteral("-f '/home/me/my work/Dockerfile' '/home/me/my work'");
    QTest::newRow("docker") << int(Kind::Docker) << false << QString()
                            << QStringList{u"/bin/x build -t slipway/train " + file,
                                   QStringLiteral("/bin/x save -o /cache/train.tar slipway/train")};
    QTest::newRow("podman, another platform")
        << int(Kind::Podman) << false << QStringLiteral("linux/arm64")
        << QStringList{u"/bin/x build --platform linux/arm64 -t slipway/train " + file,
               QStringLiteral(
                   "/bin/x save --format docker-archive -o /cache/train.tar slipway/train")};
    QTest::newRow("buildah") << int(Kind::Buildah) << false << QString()
                             << QStringList{u"/bin/x build --layers -t slipway/train " + file,
                                    QStringLiteral(
                                        "/bin/x push slipway/train docker-archive:/cache/"
                                        "train.tar:slipway/train:latest")};
    QTest::newRow("buildah in a container")
        << int(Kind::Buildah) << true << QString()
        << QStringList{
               u"/bin/x --storage-driver vfs build --isolation chroot --layers -t slipway/train "
                   + file,
               QStringLiteral("/bin/x --storage-driver vfs push slipway/train "
                              "docker-archive:/cache/train.tar:slipway/train:latest")};
}

void TestLocalBuild::commands_areThoseOfTheProgram()
{
    QFETCH(int, kind);
    QFETCH(bool, chroot);
    QFETCH(QString, platform);
    LocalBuild build = exampleBuild();
    build.platform = platform;
    const LocalBuilder builder{Kind(kind), QStringLiteral("/bin/x"), {}, chroot};
    QTEST(texts(builder, build), "lines");
}

void TestLocalBuild::names_areChecked_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("good");
    QTest::newRow("plain") << "train" << true;
    QTest::newRow("signs") << "my-train_2.1" << true;
    QTest::newRow("empty") << "" << false;
    QTest::newRow("capital") << "Train" << false;
    QTest::newRow("option") << "-t" << false;
    QTest::newRow("path") << "a/b" << false;
    QTest::newRow("dots") << ".." << false;
    QTest::newRow("line break") << "a\n" << false;
    QTest::newRow("long") << QString(64, u'a') << false;
}

void TestLocalBuild::names_areChecked()
{
    QFETCH(QString, name);
    QTEST(isBuildName(name), "good");
    QVERIFY(isBuildName(buildNameFor(u"/home/me/" + name)));
}

void TestLocalBuild::platform_isSaidWhereItDiffers_data()
{
    QTest::addColumn<QString>("nodes");
    QTest::addColumn<QString>("here");
    QTest::addColumn<QString>("platform");
    QTest::newRow("same") << "x86_64"
                          << "x86_64"
                          << "";
    QTest::newRow("not said") << ""
                              << "x86_64"
                              << "";
    QTest::newRow("Arm nodes") << "aarch64"
                               << "x86_64"
                               << "linux/arm64";
    QTest::newRow("Arm laptop") << ""
                                << "arm64"
                                << "linux/amd64";
    QTest::newRow("both Arm") << "aarch64"
                              << "arm64"
                              << "";
}

void TestLocalBuild::platform_isSaidWhereItDiffers()
{
    QFETCH(QString, nodes);
    QFETCH(QString, here);
    QTEST(buildPlatform(nodes, here), "platform");
}

void TestLocalBuild::errors_sayWhatToDo_data()
{
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<QString>("remedy");
    QTest::addColumn<int>("kind");
    QTest::newRow("full") << QByteArray("write /x: No space left on device") << "free some space"
                          << int(ErrorKind::DiskFull);
    QTest::newRow("other processor") << QByteArray("exec /bin/sh: exec format error")
                                     << "qemu-user-static" << int(ErrorKind::CommandFailed);
    QTest::newRow("nothing known")
        << QByteArray("Error: x") << "last lines" << int(ErrorKind::CommandFailed);
}

void TestLocalBuild::errors_sayWhatToDo()
{
    QFETCH(QByteArray, said);
    QFETCH(QString, remedy);
    const Error error =
        localBuildError({QStringLiteral("Build"), QStringLiteral("/bin/x"), {}}, 125, said);
    QVERIFY2(error.remedy.contains(remedy), qPrintable(error.text()));
    QTEST(int(error.kind), "kind");
    QVERIFY(error.summary.contains(u"125") && error.detail == said);
}

/// Docker's client alone is no builder.
void TestLocalBuild::programs_areAskedWhetherTheyWork()
{
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([path] { qputenv("PATH", path); });
    QTemporaryDir folder;
    putProgram(folder.filePath(QStringLiteral("docker")),
        "echo Cannot connect to the Docker daemon >&2; exit 1\n");
    qputenv("PATH", folder.path().toUtf8());
    LocalBuilders builders = awaited(findLocalBuilders());
    QVERIFY(builders.found.empty());
    QCOMPARE(builders.whyNot,
        QStringList{QStringLiteral("docker: Cannot connect to the Docker daemon")});
    QVERIFY(noLocalBuilder(builders).detail.contains("daemon"));
    putProgram(folder.filePath(QStringLiteral("podman")), "echo 4.3.1\n");
    putProgram(folder.filePath(QStringLiteral("buildah")), "echo buildah version 1.28.2 x\n");
    builders = awaited(findLocalBuilders());
    QCOMPARE(builders.found.size(), size_t(2));
    QCOMPARE(builders.found[0].version, QStringLiteral("4.3.1"));
    QCOMPARE(builders.found[1].version, QStringLiteral("1.28.2"));
}

void TestLocalBuild::program_passesLinesAndEnds()
{
    QStringList lines;
    const QString sh = QStringLiteral("/bin/sh");
    LocalProgram program(sh,
        {QStringLiteral("-c"),
            QStringLiteral("printf 'one\\ntwo\\rthree'; echo four >&2; exit 3")});
    connect(&program, &LocalProgram::line, this, [&](const QString& line) { lines << line; });
    const Result<int> code = awaited(program.end());
    QVERIFY(code.ok());
    QCOMPARE(*code, 3);
    QCOMPARE(lines,
        (QStringList{QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("threefour")}));
    LocalProgram missing(QStringLiteral("/nonexistent/x"), {});
    const Result<int> none = awaited(missing.end());
    QVERIFY(!none.ok());
    QCOMPARE(none.error().kind, ErrorKind::Unsupported);
    // Cancelled with what it has started.
    QElapsedTimer timer;
    timer.start();
    LocalProgram slow(sh, {QStringLiteral("-c"), QStringLiteral("sleep 60 & wait")});
    slow.cancel();
    const Result<int> cancelled = awaited(slow.end());
    QVERIFY(!cancelled.ok());
    QCOMPARE(cancelled.error().kind, ErrorKind::Cancelled);
    QVERIFY(timer.elapsed() < 20'000);
}

void TestLocalBuild::archive_isReusedForTheSameFiles()
{
    QTemporaryDir folder;
    LocalBuild build = exampleBuild();
    build.folder = folder.path();
    build.dockerfile = folder.filePath(QStringLiteral("Dockerfile"));
    QVERIFY(!archiveStamp(build).ok());
    putFile(build.dockerfile, "FROM scratch\n");
    const QByteArray stamp = *archiveStamp(build);
    QTemporaryDir elsewhere;
    const QString file = elsewhere.filePath(QStringLiteral("train.tar"));
    QVERIFY(!isArchiveOf(file, stamp));
    putFile(file, "archive");
    noteArchive(file, stamp);
    QVERIFY(isArchiveOf(file, stamp));
    QVERIFY(!isArchiveOf(file, {})); // too many files to tell
    putFile(folder.filePath(QStringLiteral("src/new.py")), "x");
    const QByteArray other = *archiveStamp(build);
    QVERIFY(other != stamp && !isArchiveOf(file, other));
    build.platform = QStringLiteral("linux/arm64");
    QVERIFY(*archiveStamp(build) != other);
    forgetArchive(file);
    QVERIFY(!QFile::exists(file) && !QFile::exists(file + u".from"));
}

void TestLocalBuild::buildah_buildsAnArchive()
{
    const QString path = QStandardPaths::findExecutable(QStringLiteral("buildah"));
    QVERIFY2(!path.isEmpty(), "buildah is missing; app/setup/packages-test.txt names its package.");
    QTemporaryDir folder;
    // A store of its own, which the build of another test does not see.
    qputenv("CONTAINERS_STORAGE_CONF", folder.filePath(QStringLiteral("storage.conf")).toUtf8());
    const auto restore = qScopeGuard([] { qunsetenv("CONTAINERS_STORAGE_CONF"); });
    putFile(folder.filePath(QStringLiteral("storage.conf")),
        "[storage]\ndriver = \"vfs\"\ngraphroot = \"" + folder.path().toUtf8()
            + "/graph\"\nrunroot = \"" + folder.path().toUtf8() + "/run\"\n");
    LocalBuild build = exampleBuild();
    build.folder = folder.filePath(QStringLiteral("context"));
    build.dockerfile = build.folder + u"/Dockerfile";
    build.archive = folder.filePath(QStringLiteral("train.tar"));
    putFile(build.dockerfile, "FROM scratch\nCOPY hello /hello\nENTRYPOINT [\"/hello\"]\n");
    putFile(build.folder + u"/hello", "hello");
    const LocalBuilder builder{Kind::Buildah, path, {}, true};
    for (const LocalCommand& command : localBuildCommands(builder, build)) {
        LocalProgram program(command.program, command.arguments);
        const Result<int> code = awaited(program.end());
        QVERIFY2(code.ok() && *code == 0, program.lastLines().constData());
    }
    const QByteArray archive = contentOf(build.archive);
    QVERIFY(archive.contains("manifest.json") && archive.contains("slipway/train:latest"));
}

SLIPWAY_TEST(TestLocalBuild, images_localbuild)
#include "tst_localbuild.moc"
