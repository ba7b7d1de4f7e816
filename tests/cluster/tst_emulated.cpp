// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"
#include "tests/support/totp.h"

#include <QFile>
#include <QTest>

using namespace slipway;

/// The demo cluster emulating a site that asks for a password and then for a code, with whole nodes
/// and a banner before the job's number: the login and a launch as they will be there.
class TestEmulated : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void code_matchesTheStandard();
    void passwordThenCode_logIn();
    void wrongCode_isAnErrorThatMentionsTheCode();
    void launch_goesThroughBannerAndWholeNodes();

private:
    QStringList answers() const { return {m_cluster.password(), totpCode(m_secret)}; }

    DemoClusterFixture m_cluster;
    QByteArray m_secret;
};

void TestEmulated::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    const auto emulated = m_cluster.emulate(QStringLiteral("frontera-rtx"));
    QVERIFY2(emulated.code == 0, emulated.out.constData());
    QCOMPARE(m_cluster.connection().value(u"emulates").toString(), QStringLiteral("frontera-rtx"));
    QFile secret(
        m_cluster.connection().value(u"login").toObject().value(u"totp_secret_file").toString());
    QVERIFY(secret.open(QIODevice::ReadOnly));
    m_secret = secret.readAll().trimmed();
}

void TestEmulated::cleanupTestCase()
{
    const auto plain = m_cluster.emulate({});
    QVERIFY2(plain.code == 0, plain.out.constData());
}

void TestEmulated::code_matchesTheStandard()
{
    // The test secret of RFC 6238, "12345678901234567890"; its last six digits.
    const QByteArray secret("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    QCOMPARE(fromBase32(secret), QByteArray("12345678901234567890"));
    QCOMPARE(totpCode(secret, 59), QStringLiteral("287082"));
    QCOMPARE(totpCode(secret, 1111111109), QStringLiteral("081804"));
}

void TestEmulated::passwordThenCode_logIn()
{
    ListPrompter prompter;
    prompter.answers = {{answers().at(0)}, {answers().at(1)}};
    const auto engine = m_cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo"), &prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    QCOMPARE(prompter.rounds.size(), 2);
    QCOMPARE(prompter.rounds.at(0).prompts.front().text.trimmed(), QStringLiteral("Password:"));
    QCOMPARE(
        prompter.rounds.at(1).prompts.front().text.trimmed(), QStringLiteral("TACC Token Code:"));
    QCOMPARE(prompter.rounds.at(1).attempt, 1);
    QVERIFY2(prompter.banners.join(u'\n').contains(u"emulating Frontera"),
        qPrintable(prompter.banners.join(u'\n')));
    const auto sites = engine->catalogue()->sites();
    QCOMPARE(sites.front().id, QStringLiteral("demo"));
    QCOMPARE(sites.front().name, QStringLiteral("Demo cluster, emulating Frontera"));
    QCOMPARE(engine->sessions()->clusterInfo(QStringLiteral("demo"))->partitions.size(),
        size_t(sites.front().partitions.size()));
}

void TestEmulated::wrongCode_isAnErrorThatMentionsTheCode()
{
    ListPrompter prompter;
    for (int attempt = 0; attempt < 4; ++attempt)
        prompter.answers << QStringList{answers().at(0)} << QStringList{QStringLiteral("000000")};
    const auto engine = m_cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo"), &prompter));
    QVERIFY(!connected.ok());
    QVERIFY2(
        connected.error().kind == ErrorKind::Authentication, qPrintable(connected.error().text()));
    QVERIFY2(connected.error().remedy.contains(u"code"), qPrintable(connected.error().remedy));
    QVERIFY2(
        !connected.error().remedy.contains(u"public key"), qPrintable(connected.error().remedy));
    QCOMPARE(prompter.rounds.at(2).attempt, 2); // asked again from the password on
    QCOMPARE(prompter.rounds.at(3).attempt, 1); // and told of the refusal once
}

void TestEmulated::launch_goesThroughBannerAndWholeNodes()
{
    ListPrompter prompter;
    prompter.answers = {{answers().at(0)}, {answers().at(1)}};
    const auto engine = m_cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo"), &prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    LaunchSpec spec =
        commandSpec(QStringLiteral("printenv SCRATCH SLURM_CPUS_ON_NODE SLURM_JOB_PARTITION"));
    const auto id = awaited(engine->runs()->launch(spec));
    QVERIFY2(id.ok(), qPrintable(id.ok() ? QString() : id.error().text()));
    QVERIFY(waitForEnd(*engine, *id, 120));
    QVERIFY2(engine->runs()->run(*id)->phase == RunPhase::Done,
        qPrintable(engine->runs()->run(*id)->sentence));
    for (const auto& line :
        {QStringLiteral("/scratch/demo"), QStringLiteral("16"), QStringLiteral("rtx")})
        QTRY_VERIFY2(engine->runs()->feed(*id)->lines().contains(line), qPrintable(line));
}

SLIPWAY_TEST(TestEmulated, cluster_emulated)
#include "tst_emulated.moc"
