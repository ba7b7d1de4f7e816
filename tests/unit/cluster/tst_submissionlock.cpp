// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/cluster.h"
#include "remote/cluster/slurmcontext.h"
#include "remote/shell/localshell.h"
#include "settled.h"
#include "submissionrequests.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/testmain.h"

#include <QSignalSpy>

#include <csignal>

using namespace slipway;
using namespace std::chrono_literals;

/// Who may submit from a run folder, and what is known of a submission that was interrupted.
class TestSubmissionLock : public QObject {
    Q_OBJECT

private slots:
    void init();
    void slowSubmission_isNeverTakenOver();
    void submission_reportsProgress();
    void closedFolder_takesNoSubmission();
    void killedSalloc_isFoundByItsTag();
    void killedSalloc_withoutARequestIsRefused();
    void cutAllocation_hasOneOwner_data();
    void cutAllocation_hasOneOwner();

private:
    QByteArray waitingForGo() const;
    void go() const;

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

/// Shell text that waits for go(), or for the end of the test.
QByteArray TestSubmissionLock::waitingForGo() const
{
    const QByteArray queue = m_slurm->queueFile().toUtf8();
    return "while [ ! -e '" + queue + ".go' ] && [ -d '" + m_slurm->folder().toUtf8()
        + "' ]; do sleep 0.05; done\n";
}

void TestSubmissionLock::go() const
{
    QFile file(m_slurm->queueFile() + QStringLiteral(".go"));
    QVERIFY(file.open(QIODevice::WriteOnly));
}

void TestSubmissionLock::slowSubmission_isNeverTakenOver()
{
    // Longer than a lost submission is looked for: an sbatch that asks a busy controller again.
    m_slurm->accepting(waitingForGo());
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
    go();
    for (int tries = 0; tries < 40 && !id.ok(); ++tries)
        id = settled(m_cluster->submit(request));
    QCOMPARE(numberOf(id), QStringLiteral("101"));
    QCOMPARE(m_slurm->submissions(), 1);
}

void TestSubmissionLock::submission_reportsProgress()
{
    using Kind = SubmissionState::Kind;
    m_slurm->accepting(waitingForGo());
    const auto request = requestFor(*m_slurm);
    QCOMPARE(settled(m_cluster->submissionState(request.folder))->kind, Kind::None);
    auto submitting = m_cluster->submit(request);
    QTRY_COMPARE(settled(m_cluster->submissionState(request.folder))->kind, Kind::UnderWay);
    go();
    QVERIFY(settled(std::move(submitting)).ok());
    const auto known = settled(m_cluster->submissionState(request.folder));
    QCOMPARE(known->kind, Kind::Known);
    QCOMPARE(known->job.text, QStringLiteral("101"));

    const auto allocation = allocationFor(*m_slurm);
    QDir(allocation.folder).removeRecursively();
    QDir().mkpath(allocation.folder);
    QVERIFY(QFile::remove(m_slurm->queueFile() + QStringLiteral(".go")));
    m_slurm->program("salloc", "echo 'salloc: Pending job allocation 33' >&2\n" + waitingForGo());
    auto allocating = m_cluster->allocate(allocation);
    QTRY_COMPARE(settled(m_cluster->submissionState(allocation.folder))->kind, Kind::Known);
    QCOMPARE(
        settled(m_cluster->submissionState(allocation.folder))->job.text, QStringLiteral("33"));
    go();
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

/// Its process is gone before it wrote anything, and the scheduler shows late what it asked for.
void TestSubmissionLock::killedSalloc_isFoundByItsTag()
{
    const QByteArray queue = m_slurm->queueFile().toUtf8(), bin = m_slurm->folder().toUtf8();
    QVERIFY(QFile::rename(m_slurm->folder() + QStringLiteral("/squeue"),
        m_slurm->folder() + QStringLiteral("/queue-now")));
    m_slurm->program("squeue",
        "echo x >>'" + queue + ".asked'\ncase $(wc -l <'" + queue
            + ".asked') in\n1 | 2) ;;\n3) echo '44|PD|slipway:abc-2|/f' >'" + queue
            + "' ;;\n*) echo '44|R|slipway:abc-2|/f' >'" + queue + "' ;;\nesac\nexec '" + bin
            + "/queue-now' \"$@\"\n");
    m_slurm->program("salloc", "kill -9 $PPID\n");
    auto allocating = m_cluster->allocate(allocationFor(*m_slurm));
    QCOMPARE(numberOf(settled(std::move(allocating))), QStringLiteral("44"));
}

void TestSubmissionLock::killedSalloc_withoutARequestIsRefused()
{
    const auto allocation = allocationFor(*m_slurm);
    // Killed between its lock and the file of its process.
    QDir(allocation.folder).mkpath(QStringLiteral("submit.lock"));
    QFile holder(allocation.folder + QStringLiteral("/submit.lock/1"));
    QVERIFY(holder.open(QIODevice::WriteOnly));
    holder.write("999999999 " + QSysInfo::machineHostName().toUtf8() + "\n");
    holder.close();
    const auto got = settled(m_cluster->allocate(allocation));
    QVERIFY(!got.ok());
    QCOMPARE(got.error().kind, ErrorKind::Refused);
}

void TestSubmissionLock::cutAllocation_hasOneOwner_data()
{
    QTest::addColumn<QByteArray>("when"); // of its output
    QTest::addColumn<bool>("isKilled"); // salloc as well, by the login node
    for (const bool isKilled : {false, true}) {
        const QByteArray what = isKilled ? "killed" : "cut";
        QTest::newRow(QByteArray(what + " while it waits")) << QByteArray("Pending") << isKilled;
        QTest::newRow(QByteArray(what + " when it is granted"))
            << QByteArray("Granted") << isKilled;
    }
}

/// The next connection knows the job, waits for it, and requests no second one.
void TestSubmissionLock::cutAllocation_hasOneOwner()
{
    QFETCH(QByteArray, when);
    QFETCH(bool, isKilled);
    m_slurm->queue("33|R|slipway:abc-2|/f\n");
    m_slurm->program("salloc",
        "echo x >>tries\necho 'salloc: Pending job allocation 33' >&2\nsleep 0.7\necho 'salloc: "
        "Granted job allocation 33' >&2\nsleep 0.7\necho 'salloc: Nodes gpu01 are ready for job' "
        ">&2\n");
    const auto request = allocationFor(*m_slurm);
    const auto read = [&request](const char* name) {
        QFile file(request.folder + u'/' + QLatin1String(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    auto shell = std::make_shared<LocalShell>();
    Cluster cut(shell);
    auto allocating = cut.allocate(request);
    QTRY_VERIFY(read("salloc.out").contains(when));
    shell->close();
    (void)settled(std::move(allocating));
    const int group = read("salloc.pid").split(' ').front().toInt();
    QVERIFY(group > 1);
    if (isKilled)
        ::kill(-group, SIGKILL);
    const auto known = settled(m_cluster->submissionState(request.folder));
    QVERIFY(known.ok());
    QCOMPARE(known->job.text, QStringLiteral("33"));
    QCOMPARE(numberOf(settled(m_cluster->allocate(request))), QStringLiteral("33"));
    QCOMPARE(read("tries"), QByteArray("x\n"));
}

SLIPWAY_TEST(TestSubmissionLock, cluster_submissionlock)
#include "tst_submissionlock.moc"
