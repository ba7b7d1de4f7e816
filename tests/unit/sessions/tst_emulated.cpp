// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testsites.h"

#include "app/sessions/demolines.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

/// The demo cluster that plays a site: what connection.json says of it, and the site that comes of
/// it.
class TestEmulated : public QObject {
    Q_OBJECT

private slots:
    void connection_saysWhatItEmulates();
    void connection_ofThePlainCluster_playsNothing();
    void statusLine_saysWhatItEmulates();
    void site_promptsLikeTheOtherAndStaysTheDemo();
    void site_ofEachKind_data();
    void site_ofEachKind();
};

namespace {

const QByteArray frontera =
    R"({"host": "127.0.0.1", "port": 2222, "user": "demo", "emulates": "frontera-rtx", )"
    R"("emulated_name": "Frontera",
 "site_file": "/x/frontera-rtx.json", "accounts": ["rehearsal"], )"
    R"("login": {"methods": ["password", "one-time code"]},
 "partitions": [{"name": "rtx", "default": true, "nodes": 2, "gpus_per_node": 4, )"
    R"("max_time": "2-00:00:00"},
                {"name": "rtx-dev", "default": false, "nodes": 2, "gpus_per_node": 4, )"
    R"("max_time": "2:00:00"}],
 "gpu": {"real": false, "type": "demo", "reason": "stand-ins"}})";

} // namespace

void TestEmulated::connection_saysWhatItEmulates()
{
    const auto connection = readDemoConnection(frontera, QStringLiteral("connection.json"));
    QVERIFY(connection.ok());
    const Emulation& emulation = connection->emulation;
    QCOMPARE(emulation.as, QStringLiteral("frontera-rtx"));
    QCOMPARE(emulation.siteFile, QStringLiteral("/x/frontera-rtx.json"));
    QCOMPARE(emulation.accounts, QStringList{QStringLiteral("rehearsal")});
    QCOMPARE(emulation.partitions.size(), size_t(2));
    QVERIFY(emulation.partitions.front().isDefault);
    const auto older = readDemoConnection(
        QByteArray(frontera).replace("emulates", "dressed_as"), QStringLiteral("connection.json"));
    QVERIFY(older.ok() && older->emulation == emulation);
    QCOMPARE(emulation.partitions.back().timeLimit, *WallTime::parse(QStringLiteral("2:00:00")));
}

void TestEmulated::connection_ofThePlainCluster_playsNothing()
{
    const auto connection = readDemoConnection(
        R"({"host": "127.0.0.1", "port": 1, "user": "demo"})", QStringLiteral("connection.json"));
    QVERIFY(connection.ok());
    QVERIFY(connection->emulation.as.isEmpty());
    QVERIFY(!connection->mpi);
}

void TestEmulated::statusLine_saysWhatItEmulates()
{
    QByteArray text =
        R"({"event":"status","state":"running","detail":"","connection":"/x","emulates":"kestrel",)"
        R"("slurm":"22.05"})"
        "\n";
    const auto lines = takeDemoLines(text);
    QCOMPARE(lines.size(), size_t(1));
    QCOMPARE(lines.front().emulates, QStringLiteral("kestrel"));
    QCOMPARE(lines.front().slurm, QStringLiteral("22.05"));
}

void TestEmulated::site_promptsLikeTheOtherAndStaysTheDemo()
{
    const Site demo = builtInSite("demo");
    const Site as = builtInSite("frontera-rtx");
    const auto connection = readDemoConnection(frontera, QStringLiteral("connection.json"));
    const Site site = emulatedSite(demo, as, connection->emulation);
    QCOMPARE(site.id, demo.id);
    QCOMPARE(site.name, QStringLiteral("Demo cluster, emulating Frontera"));
    QCOMPARE(site.providedBy, demo.providedBy);
    QCOMPARE(site.plainHttpRegistries, demo.plainHttpRegistries);
    QCOMPARE(site.recipeValues.value(QStringLiteral("matmul-scaling")),
        demo.recipeValues.value(QStringLiteral("matmul-scaling")));
    QCOMPARE(site.gpuRequest, GpuRequestStyle::WholeNode);
    QCOMPARE(site.launcher, LauncherKind::Ibrun);
    QCOMPARE(site.interactive, InteractiveStyle::Idev);
    QCOMPARE(site.modules, as.modules);
    QCOMPARE(site.environment, as.environment);
    QCOMPARE(site.partitions.size(), size_t(2)); // those that are there, not all that the site has
    QCOMPARE(site.partitions.front().nodes, 2);
    QCOMPARE(site.partitions.front().gpuName, as.partitions.front().gpuName);
    QVERIFY(!site.recipeValues.value(QStringLiteral("*")).contains(QStringLiteral("account")));
}

void TestEmulated::site_ofEachKind_data()
{
    QTest::addColumn<QString>("id");
    for (const Site& site : builtInResources().sites)
        if (site.providedBy.isEmpty() && site.unsupported.isEmpty())
            QTest::newRow(qPrintable(site.id)) << site.id;
}

void TestEmulated::site_ofEachKind()
{
    QFETCH(QString, id);
    const Site as = builtInSite(qPrintable(id));
    Emulation emulation;
    emulation.as = id;
    emulation.accounts = QStringList{QStringLiteral("rehearsal"), QStringLiteral("other")};
    const Site site = emulatedSite(builtInSite("demo"), as, emulation);
    QVERIFY(site.launchable()); // a retired site can be rehearsed too
    QCOMPARE(site.partitions.size(), as.partitions.size());
    QVERIFY(site.runtime == RuntimeKind::Apptainer || site.runtime == RuntimeKind::Singularity);
    QCOMPARE(site.runtimes.size(), size_t(1));
    QVERIFY(site.architecture != QStringLiteral("ppc64le")); // this computer's images must run
    QCOMPARE(site.recipeValues.value(QStringLiteral("*")).value(QStringLiteral("account")),
        as.account == AccountRule::Required ? QStringLiteral("rehearsal") : QString());
}

SLIPWAY_TEST(TestEmulated, sessions_emulated)
#include "tst_emulated.moc"
