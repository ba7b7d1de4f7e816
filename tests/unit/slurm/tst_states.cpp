// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/jobstates.h"
#include "remote/slurm/reasons.h"
#include "tests/support/testmain.h"

#include <QTest>
#include <QTimeZone>

using namespace slipway;

class TestStates : public QObject {
    Q_OBJECT

private slots:
    void states_readEverySpelling_data();
    void states_readEverySpelling();
    void unknownText_isNoEnd();
    void finality_ofPreemptedAndNodeFail_isOpen();
    void reasons_haveASentence_data();
    void reasons_haveASentence();
    void unknownReason_isShownAsItIs();
    void expectedStart_isSaidInMinutes();
    void maintenance_suggestsAShorterLimit();
};

void TestStates::states_readEverySpelling_data()
{
    QTest::addColumn<JobState>("state");
    QTest::addColumn<QStringList>("spellings");
    const auto row = [](const char* name, JobState state, const char* spellings) {
        QTest::newRow(name) << state << QString::fromLatin1(spellings).split(u'|');
    };
    row("pending", JobState::Pending, "PD|PENDING|pending");
    row("configuring", JobState::Configuring, "CF|CONFIGURING|RUNNING+CONFIGURING");
    row("running", JobState::Running, "R|RUNNING|RS|RESIZING");
    row("suspended", JobState::Suspended, "S|SUSPENDED|ST|STOPPED");
    row("completing", JobState::Completing,
        "CG|COMPLETING|RUNNING+COMPLETING|CANCELLED+COMPLETING");
    row("requeued", JobState::Requeued, "RQ|RF|REQUEUED|REQUEUE_FED");
    row("held", JobState::Held, "RH|RD|SE|REQUEUE_HOLD|RESV_DEL_HOLD|SPECIAL_EXIT");
    row("signal or staging", JobState::SignalOrStaging, "SI|SO|SIGNALING|STAGE_OUT");
    row("completed", JobState::Completed, "CD|COMPLETED");
    row("failed", JobState::Failed, "F|FAILED");
    row("cancelled", JobState::Cancelled, "CA|CANCELLED|CANCELLED by 1001|CANCELLED+");
    row("time limit", JobState::TimedOut, "TO|TIMEOUT");
    row("out of memory", JobState::OutOfMemory, "OOM|OUT_OF_MEMORY|OUT_OF_ME+");
    row("node failed", JobState::NodeFailed, "NF|NODE_FAIL");
    row("preempted", JobState::Preempted, "PR|PREEMPTED");
    row("boot failed", JobState::BootFailed, "BF|BOOT_FAIL");
    row("deadline", JobState::DeadlineMissed, "DL|DEADLINE");
    row("revoked", JobState::Revoked, "RV|REVOKED");
}

void TestStates::states_readEverySpelling()
{
    QFETCH(JobState, state);
    QFETCH(QStringList, spellings);
    for (const auto& text : spellings)
        QVERIFY2(jobState(text) == state, qPrintable(text));
    QVERIFY(!jobStateText(state).isEmpty());
}

void TestStates::unknownText_isNoEnd()
{
    for (const auto* text :
        {"", "  ", "ZZ", "COMPLETELY_NEW", "+", "COMPLETED_WITH_STYLE", "\x01"}) {
        QCOMPARE(jobState(QLatin1String(text)), JobState::Unknown);
        QVERIFY(!isTerminal(jobState(QLatin1String(text))));
    }
}

void TestStates::finality_ofPreemptedAndNodeFail_isOpen()
{
    int final = 0;
    for (int i = 0; i <= int(JobState::Unknown); ++i)
        final += isTerminal(JobState(i)) ? 1 : 0;
    QCOMPARE(final, 8); // CD CA F TO BF DL OOM RV
    QCOMPARE(finality(JobState::Preempted), Finality::MayReturn);
    QCOMPARE(finality(JobState::NodeFailed), Finality::MayReturn);
    QVERIFY(holdsNodes(JobState::Completing) && !isTerminal(JobState::Completing));
}

void TestStates::reasons_haveASentence_data()
{
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* reason, const char* part) {
        QTest::newRow(reason) << QString::fromLatin1(reason) << QString::fromLatin1(part);
    };
    row("Resources", "waits for nodes");
    row("Priority", "higher priority");
    row("Dependency", "another job");
    row("DependencyNeverSatisfied", "never");
    row("QOSMaxJobsPerUserLimit", "running jobs in this QOS");
    row("QOSMaxGRESPerUser", "GPUs");
    row("QOSMaxCpuPerUserLimit", "CPUs");
    row("QOSGrpGRES", "GPUs");
    row("QOSGrpNodeLimit", "The users of this QOS");
    row("QOSMaxWallDurationPerJobLimit", "time limit");
    row("QOSSomethingNew", "QOS");
    row("AssocGrpCPUMinutesLimit", "budget");
    row("AssocGrpGRESMinutes", "GPU time");
    row("AssocGrpGRES", "GPUs");
    row("AssocMaxJobsLimit", "running jobs");
    row("AssocMaxNodePerJobLimit", "one job");
    row("AssocSomethingNew", "account");
    row("PartitionTimeLimit", "longer than the partition");
    row("PartitionDown", "down");
    row("ReqNodeNotAvail, UnavailableNodes:gpu[01-02]", "not available");
    row("Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority "
        "partitions",
        "down, draining");
    row("BadConstraints", "Cancel");
    row("JobHeldUser", "You hold");
    row("JobHeldAdmin", "administrators");
    row("BeginTime", "start time");
    row("InvalidAccount", "account");
    row("InvalidQOS", "QOS");
    row("Reservation", "reservation");
    row("launch failed requeued held", "Release");
    row("launch_failed_requeued_held", "Release");
    row("JobLaunchFailure", "could not be started");
    row("OutOfMemory", "memory");
    row("Licenses", "licence");
    row("JobArrayTaskLimit", "array");
    row("NonZeroExitCode", "error");
}

void TestStates::reasons_haveASentence()
{
    QFETCH(QString, reason);
    QFETCH(QString, part);
    const QString sentence = reasonSentence(reason);
    QVERIFY2(sentence.contains(part), qPrintable(sentence));
    QVERIFY(sentence.endsWith(u'.'));
    QVERIFY(!sentence.contains(u'!'));
}

void TestStates::unknownReason_isShownAsItIs()
{
    QCOMPARE(reasonSentence(QStringLiteral("MoonInWrongPhase")),
        QStringLiteral("Slurm's reason: MoonInWrongPhase."));
    QVERIFY(reasonSentence(QStringLiteral("None")).isEmpty());
    QVERIFY(!isReason(QStringLiteral("N/A")));
}

void TestStates::expectedStart_isSaidInMinutes()
{
    const QDateTime now(QDate(2026, 11, 20), QTime(12, 0), QTimeZone::utc());
    Job job;
    job.state = JobState::Pending;
    job.reason = QStringLiteral("Priority");
    job.started = now.addSecs(25 * 60);
    QVERIFY(reasonSentence(job, now).endsWith(QStringLiteral(", in 25 min.")));
    job.started = now.addSecs(50 * 3600);
    QVERIFY(reasonSentence(job, now).endsWith(QStringLiteral(", in 2 days.")));
    job.started = now.addSecs(-5);
    QVERIFY(reasonSentence(job, now).endsWith(QStringLiteral("within a minute.")));
    job.reason = QStringLiteral("None");
    job.started.reset();
    QCOMPARE(reasonSentence(job, now), QStringLiteral("The scheduler has not considered it yet."));
    job.state = JobState::Running;
    QVERIFY(reasonSentence(job, now).isEmpty());
}

void TestStates::maintenance_suggestsAShorterLimit()
{
    Job job;
    job.state = JobState::Pending;
    job.reason = QStringLiteral("ReqNodeNotAvail, Reserved for maintenance");
    QVERIFY(reasonSentence(job, QDateTime::currentDateTimeUtc()).contains(u"shorter"));
}

SLIPWAY_TEST(TestStates, slurm_states)
#include "tst_states.moc"
