// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/sitefinder.h"
#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

/// A real cluster that no site file describes: found out about, kept, and launched on.
class TestFound : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cluster_reportsItsFacts();
    void foundSite_isLaunchedOn();

private:
    DemoClusterFixture m_cluster;
    FoundSite m_found;
};

void TestFound::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    m_cluster.setKey(true);
}

void TestFound::cluster_reportsItsFacts()
{
    const auto engine = m_cluster.engine();
    ConnectTarget target;
    target.host = QStringLiteral("127.0.0.1");
    target.port = m_cluster.connection().value(u"port").toInt();
    target.user = QStringLiteral("demo");
    m_cluster.prompter.accept = true;
    QList<SiteFinder::Stage> stages;
    SiteFinder* finder = engine->sessions()->makeFinder(engine.get());
    connect(finder, &SiteFinder::stageBegun, this,
        [&stages](SiteFinder::Stage stage) { stages << stage; });
    const Result<FoundSite> found = awaited(finder->find(target, &m_cluster.prompter));
    QVERIFY2(found.ok(), qPrintable(found.ok() ? QString() : found.error().text()));
    QCOMPARE(std::size_t(stages.size()), SiteFinder::stages().size());
    m_found = *found;
    QCOMPARE(m_found.id, QStringLiteral("slipway-demo"));
    const QByteArray file = siteFile(m_found);
    const Result<Site> site = parseSite(file, QStringLiteral("found.json"));
    QVERIFY2(site.ok(), qPrintable(site.ok() ? QString() : site.error().text()));
    QStringList names;
    for (const SitePartition& partition : site->partitions)
        names << partition.name;
    for (const char* name : {"gpu", "debug", "cpu"})
        QVERIFY2(names.contains(QLatin1String(name)), file);
    QVERIFY2(site->gpuRequestKnown && site->gpuRequest == GpuRequestStyle::Gres, file);
    QVERIFY2(site->partitions.front().gpusPerNode > 0 && site->partitions.front().isDefault, file);
    QVERIFY2(
        m_found.info.mpiPlugins.contains(QStringLiteral("pmix")) && site->mpi == u"pmix", file);
    QVERIFY2((site->runtimes == std::vector{RuntimeKind::Apptainer}), file);
    QVERIFY2(site->scratch == u"$SCRATCH", file);
    QCOMPARE(site->architecture, QStringLiteral("x86_64"));
    QCOMPARE(site->account, m_found.info.accounting ? AccountRule::IfSeveral : AccountRule::None);
    QVERIFY2(!m_found.survey.pyxis.value_or(true), file);
    QCOMPARE(site->builds, BuildRule::Fakeroot);
    QVERIFY(site->driver.isEmpty() && site->cuda.isEmpty()); // only a job could tell
}

void TestFound::foundSite_isLaunchedOn()
{
    QVERIFY(!m_found.id.isEmpty());
    const auto engine = m_cluster.engine();
    m_found.id = QStringLiteral("found");
    const Result<QString> path =
        engine->catalogue()->saveSite(m_found.id, siteFile(m_found), false);
    QVERIFY2(path.ok(), qPrintable(path.ok() ? QString() : path.error().text()));
    const auto connected =
        awaited(engine->sessions()->connectSite(m_found.id, &m_cluster.prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    const auto launched = awaited(
        engine->runs()->launch(commandSpec(QStringLiteral("echo found $((40 + 2))"), m_found.id)));
    QVERIFY2(launched.ok(), qPrintable(launched.ok() ? QString() : launched.error().text()));
    QVERIFY(waitForEnd(*engine, *launched, 120));
    QCOMPARE(engine->runs()->run(*launched)->phase, RunPhase::Done);
}

SLIPWAY_TEST(TestFound, cluster_found)
#include "tst_found.moc"
