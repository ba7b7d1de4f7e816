// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace slipway;

/// Images of a person's own, built on a node of the real demo cluster from the terminal.
class TestBuilds : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void definition_isBuiltAndRuns();
    void dockerfile_isConvertedAndBuilt();
    void failedBuild_isExplained();
    void cleanupTestCase() { tidy(); }

private:
    /// Removes what these builds leave on the cluster.
    void tidy();
    void put(const QString& name, const QByteArray& bytes);
    /// Runs “slipway-cli image build” to its end.
    void build(const QString& file, const QStringList& more);

    DemoClusterFixture m_cluster;
    int m_code = -1;
    QByteArray m_printed;
};

void TestBuilds::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    tidy(); // of a test that was ended
}

void TestBuilds::tidy()
{
    if (m_cluster.missing().isEmpty())
        m_cluster.ssh(QStringLiteral("for name in tools hello broken; do rm -rf "
                                     "/scratch/demo/slipway/images/built/$name.sif* "
                                     "~/slipway/definitions/$name.def; done"));
}

void TestBuilds::put(const QString& name, const QByteArray& bytes)
{
    const QString path = m_cluster.home() + u"/builds/" + name;
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

void TestBuilds::build(const QString& file, const QStringList& more)
{
    const QStringList words{QStringLiteral("image"), QStringLiteral("build"),
        m_cluster.home() + u"/builds/" + file, QStringLiteral("--site"), QStringLiteral("demo")};
    const std::unique_ptr<QProcess> process = m_cluster.terminal(words + more);
    const bool ended =
        QTest::qWaitFor([&process] { return process->state() == QProcess::NotRunning; }, 240'000);
    m_code = ended && process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1;
    m_printed = process->readAllStandardOutput() + "stderr:\n" + process->readAllStandardError();
    if (!ended)
        process->kill();
}

void TestBuilds::definition_isBuiltAndRuns()
{
    put(QStringLiteral("one/words.txt"), "from the folder\n");
    put(QStringLiteral("one/tools.def"), R"def(Bootstrap: docker
From: login:5000/demo/python:3.13

%files
    words.txt /opt/words.txt

%post
    echo "built as $(id -u)" >>/opt/words.txt
    chmod a+r /opt/words.txt

%runscript
    cat /opt/words.txt
)def");
    build(QStringLiteral("one/tools.def"),
        {QStringLiteral("--test"), QStringLiteral("cat /opt/words.txt")});
    QVERIFY2(m_code == 0, m_printed);
    QVERIFY2(m_printed.contains("from the folder\nbuilt as 0\n"), m_printed);
    QVERIFY2(m_printed.contains("Route: "), m_printed);
    QVERIFY2(m_printed.contains("Built in "), m_printed);
    const QByteArray there =
        m_cluster.ssh(QStringLiteral("cat ~/slipway/definitions/tools.def")).out;
    QVERIFY2(there.contains("From: login:5000/demo/python:3.13"), there);
}

void TestBuilds::dockerfile_isConvertedAndBuilt()
{
    put(QStringLiteral("two/hello.py"), "print('hello from the image')\n");
    put(QStringLiteral("two/Dockerfile"),
        "FROM login:5000/demo/python:3.13\nCOPY hello.py /app/hello.py\nWORKDIR /app\n"
        "RUN python3 -m py_compile /app/hello.py && chmod -R a+rX /app\n");
    build(QStringLiteral("two/Dockerfile"),
        {QStringLiteral("--name"), QStringLiteral("hello"), QStringLiteral("--test"),
            QStringLiteral("python3 /app/hello.py")});
    QVERIFY2(m_code == 0, m_printed);
    QVERIFY2(m_printed.contains("hello from the image"), m_printed);
    QVERIFY2(m_printed.contains("hello.def"), m_printed);
}

void TestBuilds::failedBuild_isExplained()
{
    put(QStringLiteral("three/broken.def"),
        "Bootstrap: docker\nFrom: login:5000/demo/python:3.13\n\n%post\n    echo before\n    exit "
        "3\n");
    build(QStringLiteral("three/broken.def"), {});
    QVERIFY2(m_code == 1, m_printed);
    QVERIFY2(m_printed.contains("A command of %post failed"), m_printed);
    const QByteArray left =
        m_cluster.ssh(QStringLiteral("ls -A /scratch/demo/slipway/images/built")).out;
    QVERIFY2(left.contains("tools.sif"), left); // of the test above: it is that folder
    // An empty lock file stays: another job may wait for it.
    QVERIFY2(!left.contains("broken.sif\n") && !left.contains("broken.sif.part"), left);
}

SLIPWAY_TEST(TestBuilds, cluster_builds)
#include "tst_builds.moc"
