// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"
#include "tests/unit/cli/clihome.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace slipway;

/// “image build” as far as that needs no cluster: which file is built, what is wrong with it, and
/// what a conversion leaves out.
class TestImageBuild : public QObject {
    Q_OBJECT

private slots:
    void init() { m_home = std::make_unique<CliHome>(); }
    void wrongDefinition_isNotSent();
    void lossyDockerfile_isNotBuiltWithoutYes();
    void lossyDockerfile_isAnObject();
    void convertedDefinition_replacesNothing();
    void localBuild_takesNoTest();

private:
    void put(const QString& name, const QByteArray& bytes);
    std::unique_ptr<CliHome> m_home;
};

void TestImageBuild::put(const QString& name, const QByteArray& bytes)
{
    QVERIFY(QDir().mkpath(QFileInfo(m_home->path(name)).path()));
    QFile file(m_home->path(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

void TestImageBuild::wrongDefinition_isNotSent()
{
    put(QStringLiteral("work/a.def"),
        "Bootstrap: docker\nFrom: debian:12\n%files\n    missing.txt /x\n");
    QCOMPARE(m_home->run(QStringLiteral("image build work/a.def --site demo")), 1);
    QVERIFY2(
        m_home->err.contains(u"a.def, line 4: There is no missing.txt"), qPrintable(m_home->err));
    QVERIFY2(m_home->err.contains(u"nothing was sent"), qPrintable(m_home->err));
}

void TestImageBuild::lossyDockerfile_isNotBuiltWithoutYes()
{
    put(QStringLiteral("work/Dockerfile"),
        "FROM debian:12\nRUN --mount=type=secret,id=token cat /run/secrets/token\n");
    QVERIFY(m_home->run(QStringLiteral("image build work --site demo")) != 0);
    QVERIFY2(m_home->err.contains(u"line 2, RUN, not converted"), qPrintable(m_home->err));
    QVERIFY2(m_home->err.contains(u"--yes"), qPrintable(m_home->err));
    QVERIFY(!QFile::exists(m_home->path(QStringLiteral("work/work.def"))));
}

void TestImageBuild::lossyDockerfile_isAnObject()
{
    put(QStringLiteral("work/Dockerfile"),
        "FROM debian:12\nRUN --mount=type=secret,id=token cat /run/secrets/token\n");
    QVERIFY(m_home->run(QStringLiteral("image build work --site demo --json")) != 0);
    const QJsonObject first =
        QJsonDocument::fromJson(m_home->out.section(u'\n', 0, 0).toUtf8()).object();
    QVERIFY2(first.contains(u"definition"), qPrintable(m_home->out));
    QCOMPARE(first.value(u"remarks").toArray().first().toObject().value(u"line").toInt(), 2);
}

void TestImageBuild::convertedDefinition_replacesNothing()
{
    put(QStringLiteral("work/Dockerfile"), "FROM debian:12\nRUN true\n");
    put(QStringLiteral("work/tools.def"), "written by hand\n");
    QVERIFY(m_home->run(QStringLiteral("image build work --site demo --name tools.sif")) != 0);
    QVERIFY2(m_home->err.contains(u"exists and has other content"), qPrintable(m_home->err));
}

void TestImageBuild::localBuild_takesNoTest()
{
    QCOMPARE(m_home->run(QStringLiteral("image build work --local --site demo --test true")), 2);
    QVERIFY2(m_home->err.contains(u"--test and --local exclude"), qPrintable(m_home->err));
}

SLIPWAY_TEST(TestImageBuild, cli_imagebuild)
#include "tst_imagebuild.moc"
