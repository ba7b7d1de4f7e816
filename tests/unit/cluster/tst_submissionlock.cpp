// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/cluster.h"
#include "remote/cluster/slurmcontext.h"
#include "remote/shell/localshell.h"
#include "remote/shell/scriptedshell.h"
#include "settled.h"
#include "submissionrequests.h"
#include "tests/support/testmain.h"

#include <QSignalSpy>

using namespace slipway;
using namespace std::chrono_literals;

/// Who may submit from a run folder, and what is known of a submission that was interrupted.
class TestSubmissionLock : public QObject {
    Q_OBJECT

private slots:
    void init();
    void slowSubmission_isNeverTakenOver();
    void submission_tellsHowFarItIs();
    void closedFolder_takesNoSubmission();

private:
    std::unique_ptr<FakeSlurm> m_slurm;
    std::shared_ptr<Shell> m_shell;
    std::unique_ptr<Cluster> m_cluster;
};

void TestSubmissionLock::init()
{
    m_slurm.reset(); // it puts the PATH back
    m_slurm = std::make_unique<FakeSlurm>();
    m_shell = std::make_shared<LocalShell>();
    m_cluster = std::make_unique<Cluster>(m_shell);
    m_cluster->setTimeouts(quick());
}

void TestSubmissionLock::slowSubmission_isNeverTakenOver()
{
    // Longer than a lost submission is looked for: an sbatch that asks a busy controller again.
    m_slurm->accepting("sleep 4\n");
    const auto request = requestFor(*m_slurm);
    auto shell = std::make_shared<LocalShell>();
    Cluster cut(shell);
    auto first = cut.submit(request);
    QTRY_VERIFY(QFile::exists(request.folder + QStringLiteral("/submit.lock/1")));
    shell->close();
    (void)settled(std::move(first));
    auto id = settled(m_cluster->submit(request));
    QVERIFY(!id.ok());
    QCOMPARE(id.error().kind, ErrorKind::Timeout);
    QVERIFY2(id.error().summary.contains(u"still running"), qPrintable(id.error().summary));
    for (int tries = 0; tries < 40 && !id.ok(); ++tries)
        id = settled(m_cluster->submit(request));
    QCOMPARE(numberOf(id), QStringLiteral("101"));
    QCOMPARE(m_slurm->submissions(), 1);
}

void TestSubmissionLock::submission_tellsHowFarItIs()
{
    using Kind = SubmissionState::Kind;
    m_slurm->accepting("sleep 1\n");
    const auto request = requestFor(*m_slurm);
    QCOMPARE(settled(m_cluster->submissionState(request.folder))->kind, Kind::None);
    auto submitting = m_cluster->submit(request);
    QTRY_COMPARE(settled(m_cluster->submissionState(request.folder))->kind, Kind::UnderWay);
    QVERIFY(settled(std::move(submitting)).ok());
    const auto known = settled(m_cluster->submissionState(request.folder));
    QCOMPARE(known->kind, Kind::Known);
    QCOMPARE(known->job.text, QStringLiteral("101"));

    const auto allocation = allocationFor(*m_slurm);
    QDir(allocation.folder).removeRecursively();
    QDir().mkpath(allocation.folder);
    m_slurm->program("salloc", "echo 'salloc: Pending job allocation 33' >&2\nsleep 1\n");
    auto allocating = m_cluster->allocate(allocation);
    QTRY_COMPARE(settled(m_cluster->submissionState(allocation.folder))->kind, Kind::Known);
    QCOMPARE(
        settled(m_cluster->submissionState(allocation.folder))->job.text, QStringLiteral("33"));
    (void)settled(std::move(allocating));

    // One whose process is gone, and one that was made on another login node.
    const QString folder = request.folder + QStringLiteral("-dead");
    QDir().mkpath(folder + QStringLiteral("/submit.lock"));
    QFile holder(folder + QStringLiteral("/submit.lock/1"));
    QVERIFY(holder.open(QIODevice::WriteOnly));
    holder.write("999999999 elsewhere\n");
    holder.close();
    const auto away = settled(m_cluster->submissionState(folder));
    QCOMPARE(away->kind, Kind::Elsewhere);
    QCOMPARE(away->host, QStringLiteral("elsewhere"));
    QVERIFY(holder.open(QIODevice::WriteOnly | QIODevice::Truncate));
    holder.write("999999999 " + QSysInfo::machineHostName().toUtf8() + "\n");
    holder.close();
    const auto dead = settled(m_cluster->submissionState(folder));
    QCOMPARE(dead->kind, Kind::Dead);
    QCOMPARE(dead->holders, 1);
    QCOMPARE(settled(m_cluster->submissionState(folder + u'x'))->kind, Kind::NoFolder);
}

void TestSubmissionLock::closedFolder_takesNoSubmission()
{
    m_slurm->accepting();
    const auto request = requestFor(*m_slurm);
    const auto closed = settled(m_cluster->closeSubmission(request.folder, 0));
    QVERIFY(closed.ok() && *closed);
    QVERIFY(!settled(m_cluster->submit(request)).ok());
    QCOMPARE(m_slurm->submissions(), 0);
    // A try that began first keeps its right.
    const auto newer = settled(m_cluster->closeSubmission(request.folder, 0));
    QVERIFY(newer.ok() && !*newer);
}

SLIPWAY_TEST(TestSubmissionLock, cluster_submissionlock)
#include "tst_submissionlock.moc"
