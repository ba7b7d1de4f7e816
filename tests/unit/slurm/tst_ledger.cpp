// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/jobledger.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QTest>
#include <QTimeZone>

using namespace slipway;
using Kind = JobEvent::Kind;

namespace {

Job job(const char* id, JobState state, int restarts = 0)
{
    Job result;
    result.id.text = QLatin1String(id);
    result.state = state;
    result.restarts = restarts;
    return result;
}

std::vector<Job> list(const Job& one)
{
    return {one};
}

QList<Kind> kinds(const std::vector<JobEvent>& events)
{
    QList<Kind> result;
    for (const auto& event : events)
        result << event.kind;
    return result;
}

const QDateTime start(QDate(2026, 11, 20), QTime(12, 0), QTimeZone::utc());

} // namespace

class TestLedger : public QObject {
    Q_OBJECT

private slots:
    void jobLife_isToldInOrder();
    void absence_isUnknownUntilThirtySecondsLater();
    void absence_fromAnAnswerWithOddRows_isNoEnd();
    void absence_endsByHistory();
    void historyThatLagsBehind_provesNothing();
    void preempted_isNotAnEndIfItRestarts();
    void nodeFail_isAnEndWhenItStays();
    void endedIsToldOnce();
    void restOfAnArray_isNotMissing();
    void expectedJob_isMissed();
};

void TestLedger::jobLife_isToldInOrder()
{
    JobLedger ledger;
    QCOMPARE(kinds(ledger.take(list(job("1", JobState::Pending)), start)), {Kind::Appeared});
    Job waiting = job("1", JobState::Pending);
    waiting.reason = QStringLiteral("Priority");
    QCOMPARE(kinds(ledger.take(list(waiting), start.addSecs(10))), {Kind::ReasonChanged});
    QCOMPARE(
        kinds(ledger.take(list(job("1", JobState::Running)), start.addSecs(20))), {Kind::Changed});
    QCOMPARE(kinds(ledger.take(list(job("1", JobState::Completing)), start.addSecs(30))),
        {Kind::Changed});
    QVERIFY(ledger.hasLive());
    QCOMPARE(
        kinds(ledger.take(list(job("1", JobState::Completed)), start.addSecs(40))), {Kind::Ended});
    QVERIFY(!ledger.hasLive());
    QVERIFY(ledger.take({}, start.addSecs(400)).empty()); // MinJobAge is over
}

void TestLedger::absence_isUnknownUntilThirtySecondsLater()
{
    JobLedger ledger;
    (void)ledger.take(list(job("1", JobState::Running)), start);
    QCOMPARE(kinds(ledger.take({}, start.addSecs(10))), {Kind::Missing});
    QCOMPARE(ledger.missing().size(), std::size_t(1));
    QVERIFY(ledger.take({}, start.addSecs(39)).empty());
    QCOMPARE(kinds(ledger.take({}, start.addSecs(40))), {Kind::EndedUnknown});
    QCOMPARE(ledger.job(JobId{QStringLiteral("1")})->state, JobState::Running); // not made up

    JobLedger other;
    (void)other.take(list(job("1", JobState::Running)), start);
    (void)other.take({}, start.addSecs(10));
    QCOMPARE(
        kinds(other.take(list(job("1", JobState::Running)), start.addSecs(20))), {Kind::Returned});
    QCOMPARE(kinds(other.take({}, start.addSecs(60))), {Kind::Missing}); // counted anew
}

void TestLedger::absence_fromAnAnswerWithOddRows_isNoEnd()
{
    JobLedger ledger;
    (void)ledger.take(list(job("1", JobState::Running)), start);
    QCOMPARE(kinds(ledger.take({}, start.addSecs(10), false)), {Kind::Missing});
    QVERIFY(ledger.take({}, start.addSecs(60), false).empty()); // the odd row may be this job's
    QCOMPARE(kinds(ledger.take({}, start.addSecs(70))), {Kind::EndedUnknown});
}

void TestLedger::absence_endsByHistory()
{
    JobLedger ledger;
    (void)ledger.take(list(job("1", JobState::Running)), start);
    (void)ledger.take({}, start.addSecs(10));
    JobRecord record;
    record.id.text = QStringLiteral("1");
    record.state = JobState::TimedOut;
    const std::vector<JobRecord> records(1, record);
    const auto events = ledger.onHistory(records);
    QCOMPARE(kinds(events), {Kind::Ended});
    QCOMPARE(events.front().after.state, JobState::TimedOut);
    QVERIFY(ledger.onHistory(records).empty());
    noteTarget("T10",
        QStringLiteral("without accounting and with it late: an end is known by the "
                       "queue, the history, or after 30 s as unknown"));
}

void TestLedger::historyThatLagsBehind_provesNothing()
{
    JobLedger ledger;
    (void)ledger.take(list(job("1", JobState::Running)), start);
    (void)ledger.take({}, start.addSecs(10));
    JobRecord record;
    record.id.text = QStringLiteral("1");
    record.state = JobState::Running;
    QVERIFY(ledger.onHistory(std::vector<JobRecord>(1, record)).empty());
}

void TestLedger::preempted_isNotAnEndIfItRestarts()
{
    JobLedger ledger;
    (void)ledger.take(list(job("1", JobState::Running)), start);
    QCOMPARE(kinds(ledger.take(list(job("1", JobState::Preempted)), start.addSecs(10))),
        {Kind::Changed});
    const auto events = kinds(ledger.take(list(job("1", JobState::Pending, 1)), start.addSecs(60)));
    QCOMPARE(events, QList<Kind>({Kind::Restarted, Kind::Changed}));
    QVERIFY(ledger.hasLive());
}

void TestLedger::nodeFail_isAnEndWhenItStays()
{
    JobLedger ledger;
    (void)ledger.take(list(job("1", JobState::Running)), start);
    (void)ledger.take(list(job("1", JobState::NodeFailed)), start.addSecs(10));
    QVERIFY(ledger.take(list(job("1", JobState::NodeFailed)), start.addSecs(20)).empty());
    QCOMPARE(
        kinds(ledger.take(list(job("1", JobState::NodeFailed)), start.addSecs(40))), {Kind::Ended});

    JobLedger gone; // the record leaves squeue before that
    (void)gone.take(list(job("1", JobState::NodeFailed)), start);
    (void)gone.take({}, start.addSecs(10));
    QCOMPARE(kinds(gone.take({}, start.addSecs(50))), {Kind::Ended});
}

void TestLedger::endedIsToldOnce()
{
    JobLedger ledger;
    QCOMPARE(kinds(ledger.take(list(job("1", JobState::Failed)), start)),
        QList<Kind>({Kind::Appeared, Kind::Ended}));
    QVERIFY(ledger.take(list(job("1", JobState::Failed)), start.addSecs(10)).empty());
    QVERIFY(ledger.take({}, start.addSecs(20)).empty());
    QVERIFY(ledger.take(list(job("1", JobState::Failed)), start.addSecs(30)).empty());
}

void TestLedger::restOfAnArray_isNotMissing()
{
    JobLedger ledger;
    (void)ledger.take({job("42_0", JobState::Running), job("42_1", JobState::Pending),
                          job("42_[2-9]", JobState::Pending)},
        start);
    const auto events = ledger.take(
        {job("42_0", JobState::Running), job("42_[1-9]", JobState::Pending)}, start.addSecs(10));
    QCOMPARE(kinds(events), {Kind::Appeared});
    QCOMPARE(ledger.jobs().size(), std::size_t(2));
}

void TestLedger::expectedJob_isMissed()
{
    JobLedger ledger;
    ledger.expect(job("7", JobState::Unknown));
    QCOMPARE(kinds(ledger.take({}, start)), {Kind::Missing});
    ledger.forget(JobId{QStringLiteral("7")});
    QVERIFY(ledger.take({}, start.addSecs(100)).empty());
}

SLIPWAY_TEST(TestLedger, slurm_ledger)
#include "tst_ledger.moc"
