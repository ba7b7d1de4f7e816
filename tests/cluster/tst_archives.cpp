// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/files.h"
#include "tests/support/testmain.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// An image that is built on this computer: its archive is uploaded to the demo cluster, cut midway
/// and continued, and a job there makes an image of it, which is run.
class TestArchives : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void uploadIsCut_continued_andTheImageRuns();
    void cleanupTestCase();

private:
    static QStringList build(const QString& folder)
    {
        return {QStringLiteral("image"), QStringLiteral("build"), folder, QStringLiteral("--local"),
            QStringLiteral("--site"), QStringLiteral("archives"), QStringLiteral("--name"),
            QStringLiteral("hello")};
    }

    DemoClusterFixture m_cluster;
    QTemporaryDir m_folder;
};

namespace {

const QString archiveScratch = QStringLiteral("/scratch/demo/archives");
constexpr qsizetype ballast = 192 * 1024 * 1024; ///< long enough to be cut

QByteArray incompressible()
{
    QByteArray bytes(ballast, '\0');
    QRandomGenerator generator(13);
    generator.generate(reinterpret_cast<quint32*>(bytes.data()),
        reinterpret_cast<quint32*>(bytes.data() + bytes.size()));
    return bytes;
}

} // namespace

void TestArchives::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    QVERIFY2(!QStandardPaths::findExecutable(QStringLiteral("buildah")).isEmpty(),
        "buildah is not installed");
    m_cluster.ssh(u"rm -rf " + archiveScratch); // of a test that was ended
    QCOMPARE(m_cluster.ssh(u"mkdir -m 700 " + archiveScratch).code, 0);
    m_cluster.addSite(QStringLiteral("archives"), m_cluster.connection().value(u"port").toInt(),
        QStringLiteral("demo"), archiveScratch);
    // Its own store and cache of archives.
    qputenv("XDG_CACHE_HOME", m_folder.filePath(QStringLiteral("cache")).toUtf8());
    const QByteArray root = m_folder.path().toUtf8();
    putFile(m_folder.filePath(QStringLiteral("storage.conf")),
        "[storage]\ndriver = \"vfs\"\ngraphroot = \"" + root + "/graph\"\nrunroot = \"" + root
            + "/run\"\n");
    qputenv("CONTAINERS_STORAGE_CONF", m_folder.filePath(QStringLiteral("storage.conf")).toUtf8());
    const QString work = m_folder.filePath(QStringLiteral("work"));
    putFile(work + u"/hello.c",
        "#include <stdio.h>\nint main(void) { puts(\"hello from an archive\"); return 0; }\n");
    const QStringList compile{QStringLiteral("-static"), QStringLiteral("-o"),
        QString(work + u"/hello"), QString(work + u"/hello.c")};
    QCOMPARE(QProcess::execute(QStringLiteral("cc"), compile), 0);
    putFile(work + u"/ballast", incompressible());
    putFile(work + u"/Dockerfile", "FROM scratch\nCOPY ballast /ballast\nCOPY hello /hello\n");
}

void TestArchives::uploadIsCut_continued_andTheImageRuns()
{
    const QString work = m_folder.filePath(QStringLiteral("work"));
    static const QRegularExpression some(
        QStringLiteral("(?:[1-9][0-9.]* MiB) of [0-9.]+ MiB uploaded"));
    // The first attempt is killed while it uploads.
    const std::unique_ptr<QProcess> first = m_cluster.terminal(build(work));
    first->write("yes\n"); // the host key
    QByteArray said;
    const bool isUploading = QTest::qWaitFor(
        [&] {
            said += first->readAllStandardError();
            return some.match(QString::fromUtf8(said)).hasMatch()
                || first->state() == QProcess::NotRunning;
        },
        240'000);
    first->kill();
    QVERIFY(first->waitForFinished());
    QVERIFY2(isUploading && some.match(QString::fromUtf8(said)).hasMatch(), said.constData());
    const QString archive = archiveScratch + u"/slipway/images/archives/hello.tar";
    QCOMPARE(m_cluster.ssh(u"test -s " + archive + u".part && test ! -e " + archive).code, 0);

    // The second one builds nothing, sends the rest, and follows the job.
    const std::unique_ptr<QProcess> second = m_cluster.terminal(build(work));
    QVERIFY(QTest::qWaitFor([&] { return second->state() == QProcess::NotRunning; }, 300'000));
    const QByteArray err = second->readAllStandardError(), out = second->readAllStandardOutput();
    QVERIFY2(second->exitCode() == 0, QByteArray(out + err).constData());
    QVERIFY2(err.contains("built earlier") && err.contains("had arrived earlier"), err.constData());
    const QString image = archiveScratch + u"/slipway/images/built/hello.sif";
    QVERIFY2(out.contains(QByteArray("Image: " + image.toUtf8())), out.constData());
    QCOMPARE(m_cluster
                 .ssh(u"test -s " + image + u" && test ! -e " + archive + u" && test ! -e "
                     + archive + u".part")
                 .code,
        0);

    const std::unique_ptr<QProcess> run = m_cluster.terminal(
        {QStringLiteral("run"), QStringLiteral("run-a-command"), QStringLiteral("--site"),
            QStringLiteral("archives"), QStringLiteral("--set"), QString(u"image=" + image),
            QStringLiteral("--set"), QStringLiteral("command=/hello"), QStringLiteral("--set"),
            QStringLiteral("cpus=1"), QStringLiteral("--set"), QStringLiteral("memory=1G")});
    QVERIFY(QTest::qWaitFor([&] { return run->state() == QProcess::NotRunning; }, 180'000));
    const QByteArray log = run->readAllStandardOutput() + run->readAllStandardError();
    QVERIFY2(run->exitCode() == 0 && log.contains("hello from an archive"), log.constData());
}

void TestArchives::cleanupTestCase()
{
    m_cluster.ssh(u"rm -rf " + archiveScratch);
}

SLIPWAY_TEST(TestArchives, cluster_archives)
#include "tst_archives.moc"
