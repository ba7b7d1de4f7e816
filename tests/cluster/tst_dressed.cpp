// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"
#include "tests/support/totp.h"

#include <QFile>
#include <QTest>

using namespace slipway;

/// The demo cluster dressed as a site that asks for a password and then for a code, with whole nodes
/// and a banner before the job's number: the login and a launch as they will be there.
class TestDressed : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void code_isThatOfTheStandard();
    void passwordThenCode_logIn();
    void wrongCode_isAnErrorThatSpeaksOfTheCode();
    void launch_goesThroughBannerAndWholeNodes();

private:
    QStringList answers() const { return {m_cluster.password(), totpCode(m_secret)}; }

    DemoClusterFixture m_cluster;
    QByteArray m_secret;
};

void TestDressed::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    const auto dressed = m_cluster.dress(QStringLiteral("frontera-rtx"));
    QVERIFY2(dressed.code == 0, dressed.out.constData());
    QCOMPARE(m_cluster.connection().value(u"dressed_as").toString(), QStringLiteral("frontera-rtx"));
    QFile secret(m_cluster.connection().value(u"login").toObject().value(u"totp_secret_file").toString());
    QVERIFY(secret.open(QIODevice::ReadOnly));
    m_secret = secret.readAll().trimmed();
}

void TestDressed::cleanupTestCase()
{
    const auto undressed = m_cluster.dress({});
    QVERIFY2(undressed.code == 0, undressed.out.constData());
}

void TestDressed::code_isThatOfTheStandard()
{
    // The test secret of RFC 6238, "12345678901234567890"; its last six digits.
    const QByteArray secret("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    QCOMPARE(fromBase32(secret), QByteArray("12345678901234567890"));
    QCOMPARE(totpCode(secret, 59), QStringLiteral("287082"));
    QCOMPARE(totpCode(secret, 1111111109), QStringLiteral("081804"));
}

void TestDressed::passwordThenCode_logIn()
{
    ListPrompter prompter;
    prompter.answers = {{answers().at(0)}, {answers().at(1)}};
    const auto workbench = m_cluster.workbench();
    const auto connected = awaited(workbench->connectSite(QStringLiteral("demo"), &prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    QCOMPARE(prompter.rounds.size(), 2);
    QCOMPARE(prompter.rounds.at(0).prompts.front().text.trimmed(), QStringLiteral("Password:"));
    QCOMPARE(prompter.rounds.at(1).prompts.front().text.trimmed(), QStringLiteral("TACC Token Code:"));
    QCOMPARE(prompter.rounds.at(1).attempt, 1);
    QVERIFY2(prompter.banners.join(u'\n').contains(u"dressed as Frontera"), qPrintable(prompter.banners.join(u'\n')));
    const auto sites = workbench->sites();
    QCOMPARE(sites.front().id, QStringLiteral("demo"));
    QCOMPARE(sites.front().name, QStringLiteral("Demo cluster, dressed as Frontera"));
    QCOMPARE(workbench->clusterInfo(QStringLiteral("demo"))->partitions.size(), size_t(sites.front().partitions.size()));
}

void TestDressed::wrongCode_isAnErrorThatSpeaksOfTheCode()
{
    ListPrompter prompter;
    for (int attempt = 0; attempt < 4; ++attempt)
        prompter.answers << QStringList{answers().at(0)} << QStringList{QStringLiteral("000000")};
    const auto workbench = m_cluster.workbench();
    const auto connected = awaited(workbench->connectSite(QStringLiteral("demo"), &prompter));
    QVERIFY(!connected.ok());
    QVERIFY2(connected.error().kind == ErrorKind::Authentication, qPrintable(connected.error().text()));
    QVERIFY2(connected.error().remedy.contains(u"code"), qPrintable(connected.error().remedy));
    QVERIFY2(!connected.error().remedy.contains(u"public key"), qPrintable(connected.error().remedy));
    QCOMPARE(prompter.rounds.at(2).attempt, 2); // asked again from the password on
    QCOMPARE(prompter.rounds.at(3).attempt, 1); // and told of the refusal once
}

void TestDressed::launch_goesThroughBannerAndWholeNodes()
{
    ListPrompter prompter;
    prompter.answers = {{answers().at(0)}, {answers().at(1)}};
    const auto workbench = m_cluster.workbench();
    const auto connected = awaited(workbench->connectSite(QStringLiteral("demo"), &prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    LaunchSpec spec = commandSpec(QStringLiteral("printenv SCRATCH SLURM_CPUS_ON_NODE SLURM_JOB_PARTITION"));
    const auto id = awaited(workbench->launch(spec));
    QVERIFY2(id.ok(), qPrintable(id.ok() ? QString() : id.error().text()));
    QVERIFY(waitForEnd(*workbench, *id, 120));
    QVERIFY2(workbench->run(*id)->phase == RunPhase::Done, qPrintable(workbench->run(*id)->sentence));
    for (const auto& line : {QStringLiteral("/scratch/demo"), QStringLiteral("16"), QStringLiteral("rtx")})
        QTRY_VERIFY2(workbench->feed(*id)->lines().contains(line), qPrintable(line));
}

SLIPWAY_TEST(TestDressed, cluster_dressed)
#include "tst_dressed.moc"
