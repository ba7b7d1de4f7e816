// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/accountshares.h"
#include "settled.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

class TestAccountShares : public QObject {
    Q_OBJECT

private slots:
    void init();
    void oneCall_isMadeAndCounted();
    void fullBudget_asksNothing();
    void withoutAccounting_nothingIsAsked();
    void refusedCommand_isUnknown_notEmpty();
    void lostLink_isAnError();
    void fairShare_isUnknownWherePriorityDoesNotUseIt();

private:
    std::shared_ptr<ScriptedShell> m_shell;
    std::shared_ptr<SlurmContext> m_side;
    ClusterInfo m_known;
};

void TestAccountShares::init()
{
    m_shell = std::make_shared<ScriptedShell>();
    m_side = std::make_shared<SlurmContext>();
    m_side->shell = m_shell;
    m_side->budget = std::make_shared<RpcBudget>();
    m_known = {};
    m_known.userName = QStringLiteral("demo");
    m_known.accounting = true;
    m_known.fairShareCounts = true;
    m_shell->on("sshare", CommandOutput{0, "a||||cpu=60|cpu=9\n a|demo||0.5||\n", {}});
}

void TestAccountShares::oneCall_isMadeAndCounted()
{
    const auto shares = settled(askForShares(m_side, m_known));
    QVERIFY(shares.ok());
    QCOMPARE(shares->size(), std::size_t(1));
    QCOMPARE(shares->front().limits.at(0).left(), std::chrono::minutes(51));
    QCOMPARE(m_shell->scripts().size(), 1);
    QCOMPARE(m_shell->scripts().first().count("sshare"), 1);
    QCOMPARE(m_side->budget->callsLastMinute(), 1);
}

void TestAccountShares::fullBudget_asksNothing()
{
    m_side->budget->spend(12);
    const auto shares = settled(askForShares(m_side, m_known));
    QVERIFY(!shares.ok());
    QVERIFY(m_shell->scripts().isEmpty());
    QCOMPARE(m_side->budget->callsLastMinute(), 12);
}

void TestAccountShares::withoutAccounting_nothingIsAsked()
{
    m_known.accounting = false;
    QCOMPARE(settled(askForShares(m_side, m_known)).error().kind, ErrorKind::Unsupported);
    QVERIFY(m_shell->scripts().isEmpty());
}

void TestAccountShares::refusedCommand_isUnknown_notEmpty()
{
    m_shell->on("sshare", CommandOutput{1, {}, "sshare: error: Access/permission denied"});
    const auto shares = settled(askForShares(m_side, m_known));
    QVERIFY(!shares.ok());
    QVERIFY(shares.error().summary.contains(u"unknown"));
    QVERIFY(shares.error().detail.contains("permission denied"));
}

void TestAccountShares::lostLink_isAnError()
{
    m_shell->onFail("sshare", Error{ErrorKind::LinkLost, QStringLiteral("gone")});
    QCOMPARE(settled(askForShares(m_side, m_known)).error().kind, ErrorKind::LinkLost);
}

void TestAccountShares::fairShare_isUnknownWherePriorityDoesNotUseIt()
{
    m_known.fairShareCounts = false;
    const auto shares = settled(askForShares(m_side, m_known));
    QVERIFY(shares.ok() && !shares->empty());
    QVERIFY(!shares->front().fairShare);
    QVERIFY(!shares->front().limits.empty());
}

SLIPWAY_TEST(TestAccountShares, cluster_accountshares)
#include "tst_accountshares.moc"
