// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runlogin.h"
#include "app/secrets/registrylogins.h"
#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/memorykeychain.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

/// The demo cluster's private registry: an image is looked at and pulled with a login that is kept
/// for it, and the password is in no file afterwards.
class TestPrivateRegistry : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void inspect_saysWhatToDo();
    void login_isTestedAndPullsNothing();
    void run_pullsWithTheLogin();

private:
    QString host() const { return m_private[u"host"].toString(); }
    RegistryLogin login() const
    {
        return {m_private[u"user"].toString(), m_private[u"password"].toString()};
    }
    ImageReference image() const
    {
        return *ImageReference::parse(host() + QStringLiteral("/demo/python:3.13"));
    }
    /// Lines of the private registry's log that are about images.
    QByteArray asked() const;

    DemoClusterFixture m_cluster;
    QJsonObject m_private;
    std::unique_ptr<Engine> m_engine;
};

namespace {

} // namespace

void TestPrivateRegistry::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    m_private = m_cluster.connection()[u"private_registry"].toObject();
    if (m_private.isEmpty()) { // started by an earlier version: "up" starts it anew
        const auto up = m_cluster.emulate({});
        QVERIFY2(up.code == 0, up.out);
        m_private = m_cluster.connection()[u"private_registry"].toObject();
    }
    QVERIFY(!login().secret.isEmpty());
    m_engine = m_cluster.engine();
    m_engine->secrets()->setKeychain(
        std::make_unique<MemoryKeychain>(std::make_shared<MemoryKeychain::Table>()));
    const auto connected =
        awaited(m_engine->sessions()->connectSite(demoSite, &m_cluster.prompter));
    QVERIFY2(connected.ok(), connected.ok() ? "" : connected.error().text().toUtf8());
    m_cluster.ssh(QStringLiteral("rm -rf /scratch/demo/slipway/images/login_5001"));
}

void TestPrivateRegistry::cleanupTestCase()
{
    if (m_engine)
        m_cluster.ssh(QStringLiteral("rm -rf /scratch/demo/slipway/images/login_5001"));
    m_engine.reset();
}

QByteArray TestPrivateRegistry::asked() const
{
    return m_cluster
        .root(QStringLiteral("login"),
            QStringLiteral("grep -E '/(manifests|blobs)/' /var/log/demo/private-registry-login.log "
                           "| grep -c ' 200 ' || true"))
        .out.trimmed();
}

void TestPrivateRegistry::inspect_saysWhatToDo()
{
    const auto found = awaited(m_engine->imageInspector()->inspect(demoSite, image()));
    QVERIFY(!found.ok());
    QCOMPARE(found.error().kind, ErrorKind::Authentication);
    QVERIFY2(found.error().remedy.contains(
                 QString(u"“slipway-cli image login " + host() + u" --site demo”")),
        qPrintable(found.error().text()));
}

void TestPrivateRegistry::login_isTestedAndPullsNothing()
{
    const QByteArray before = asked();
    ImageInspector* const inspector = m_engine->imageInspector();
    const LoginInspection wrong =
        awaited(inspector->checkLogin(demoSite, host(), {login().user, QStringLiteral("guessed")}));
    QCOMPARE(int(wrong.check.state), int(LoginCheck::State::Refused));
    const LoginInspection right = awaited(inspector->checkLogin(demoSite, host(), login()));
    QVERIFY2(right.check.state == LoginCheck::State::Accepted,
        right.check.why ? qPrintable(right.check.why->text()) : "");
    QCOMPARE(right.askedFrom, QStringLiteral("the login node of Demo cluster"));
    QCOMPARE(asked(), before);
    const LoginInspection open =
        awaited(inspector->checkLogin(demoSite, QStringLiteral("login:5000"), login()));
    QCOMPARE(int(open.check.state), int(LoginCheck::State::Unknown));
}

void TestPrivateRegistry::run_pullsWithTheLogin()
{
    RegistryLogins logins(m_engine->secrets());
    const Site site = *m_engine->catalogue()->site(demoSite);
    const Result<QString> name = registryLoginName(&site, host());
    QVERIFY(name.ok());
    const auto kept = awaited(logins.keep(*name, login()));
    QVERIFY2(kept.ok(), kept.ok() ? "" : kept.error().text().toUtf8());
    const auto found = awaited(m_engine->imageInspector()->inspect(demoSite, image()));
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().toUtf8());

    LaunchSpec spec = commandSpec(QStringLiteral("env"));
    spec.values.insert(QStringLiteral("image"), image().text());
    spec.values.insert(QStringLiteral("memory"), QStringLiteral("1G"));
    const auto launched = awaited(m_engine->runs()->launch(spec));
    QVERIFY2(launched.ok(), launched.ok() ? "" : launched.error().text().toUtf8());
    const QString id = *launched;
    QVERIFY2(waitForEnd(*m_engine, id, 120), "it does not end");
    const Run run = *m_engine->runs()->run(id);
    QVERIFY2(run.phase == RunPhase::Done, qPrintable(run.sentence));
    const auto log = m_cluster.ssh(u"cat '" + run.folder + u"'/slurm-*.out");
    QVERIFY2(log.out.contains(
                 QByteArray("Logging in to " + host().toUtf8() + " as " + login().user.toUtf8())),
        log.out);
    QVERIFY2(!log.out.contains("DOCKER_PASSWORD"), log.out); // the program does not see it
    QVERIFY2(m_cluster.ssh(QStringLiteral("ls /scratch/demo/slipway/images/login_5001/demo"))
                 .out.contains("python_3.13.sif"),
        log.out);
    // Neither as it is nor as the file held it.
    for (const QByteArray& secret : {login().secret.toUtf8(), login().secret.toUtf8().toBase64()}) {
        const auto there = m_cluster.ssh(
            u"grep -rlF -e '" + QString::fromUtf8(secret) + u"' '" + run.folder + u"' /tmp; true");
        QVERIFY2(there.out.trimmed().isEmpty(), there.out);
        QProcess here;
        here.start(QStringLiteral("grep"),
            {QStringLiteral("-rlF"), QStringLiteral("-e"), QString::fromUtf8(secret),
                m_cluster.dataFolder(), m_cluster.home() + u"/config"});
        QVERIFY(here.waitForFinished());
        QCOMPARE(here.readAllStandardOutput(), QByteArray());
    }
    QVERIFY(!m_cluster.ssh(u"ls -A '" + run.folder + u'\'').out.contains("registry."));
}

SLIPWAY_TEST(TestPrivateRegistry, cluster_privateregistry)
#include "tst_privateregistry.moc"
