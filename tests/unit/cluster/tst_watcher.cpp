// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/jobwatcher.h"
#include "remote/cluster/queuereading.h"
#include "remote/cluster/slurmcontext.h"
#include "tests/support/cputime.h"
#include "tests/support/heartbeat.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

/// What separates the fields of squeue's answer to this very script: its nonce is in the script.
Separators separatorsOf(const QByteArray& script)
{
    static const QRegularExpression form(QStringLiteral("Name:\x1eSLP([0-9a-f]{32})"));
    return Separators::of(form.match(QString::fromLatin1(script)).captured(1).toLatin1());
}

/// squeue's answer to this very script.
QByteArray rowsFor(const QByteArray& script, const QByteArrayList& idsAndStates)
{
    const auto separators = separatorsOf(script);
    QByteArray out;
    for (const auto& pair : idsAndStates) {
        QByteArrayList fields{
            "N/A", "N/A", pair.split(' ').value(0), pair.split(' ').value(1), "None"};
        while (fields.size() < 23)
            fields << "";
        out += fields.join(separators.field) + separators.row + '\n';
    }
    return out;
}

WatchPace quickWatch()
{
    WatchPace pace;
    pace.busy = 50ms;
    pace.calm = 150ms;
    pace.hidden = 600ms;
    pace.longest = 400ms;
    pace.leastBetween = 20ms;
    pace.callsAMinute = 1000;
    return pace;
}

} // namespace

class TestWatcher : public QObject {
    Q_OBJECT

private slots:
    void init();
    void life_isReportedByEvents();
    void oneQuestion_forAllJobs();
    void threePrograms_askTwelveTimesAMinuteTogether();
    void errors_endNothing_andBackOff();
    void downController_isPingedOnly();
    void lostLink_stopsTheWatcher();
    void budget_holdsPollsBack();
    void refresh_asksSoon_butNotTwice();
    void expectedEnd_isAskedForAtOnce_andAFewTimes();
    void expectedEnd_keepsToTheBudget();
    void attention_setsThePace();
    void attention_slowsDownAtOnce();
    void oddRow_leavesTheOthers();
    void fiftyThousandRows_neverHoldTheLoop();
    void history_isAskedOnceForMissingJobs();
    void mayBeDeletedInItsSignals();

private:
    std::shared_ptr<ScriptedShell> m_shell;
    std::shared_ptr<SlurmContext> m_side;
    std::unique_ptr<JobWatcher> m_watcher;
    QByteArrayList m_queue;
    std::vector<JobEvent> m_events;
};

void TestWatcher::init()
{
    m_watcher.reset();
    m_events.clear();
    m_queue.clear();
    m_shell = std::make_shared<ScriptedShell>();
    m_shell->on("squeue", [this](const QByteArray& script) {
        return CommandOutput{0, rowsFor(script, m_queue), {}};
    });
    m_side = std::make_shared<SlurmContext>();
    m_side->shell = m_shell;
    m_side->budget = std::make_shared<RpcBudget>();
    m_watcher = std::make_unique<JobWatcher>(m_side);
    m_watcher->setPace(quickWatch());
    connect(m_watcher.get(), &JobWatcher::events, this, [this](const std::vector<JobEvent>& list) {
        m_events.insert(m_events.end(), list.begin(), list.end());
    });
}

void TestWatcher::life_isReportedByEvents()
{
    m_queue = {"7 PD"};
    m_watcher->start();
    QTRY_COMPARE(m_events.size(), std::size_t(1));
    m_queue = {"7 R"};
    QTRY_COMPARE(m_events.size(), std::size_t(2));
    m_queue = {"7 CD"};
    QTRY_COMPARE(m_events.size(), std::size_t(3));
    QCOMPARE(m_events.back().kind, JobEvent::Kind::Ended);
    QCOMPARE(m_watcher->job(JobId{QStringLiteral("7")})->state, JobState::Completed);
    QVERIFY(m_watcher->lastAsked().isValid());
    QVERIFY(!m_watcher->trouble());
}

void TestWatcher::oneQuestion_forAllJobs()
{
    for (int i = 1; i <= 200; ++i)
        m_queue << QByteArray::number(i).append(" R");
    QSignalSpy asked(m_watcher.get(), &JobWatcher::asked);
    m_watcher->start();
    QTRY_COMPARE(asked.size(), 1);
    QCOMPARE(m_shell->count("squeue"), 1);
    QCOMPARE(m_watcher->jobs().size(), std::size_t(200));
    QCOMPARE(m_watcher->callsLastMinute(), 1);
}

/// Each would ask twenty times a second.
void TestWatcher::threePrograms_askTwelveTimesAMinuteTogether()
{
    QTemporaryDir folder;
    WatchPace pace = quickWatch();
    pace.callsAMinute = WatchPace().callsAMinute;
    QCOMPARE(pace.callsAMinute, 12);
    for (int i = 1; i <= 30; ++i)
        m_queue << QByteArray::number(i).append(" R");
    std::vector<std::unique_ptr<JobWatcher>> programs;
    for (int i = 0; i < 3; ++i) {
        const auto side = std::make_shared<SlurmContext>();
        side->shell = m_shell;
        side->budget =
            std::make_shared<RpcBudget>(CallsFile(folder.filePath(QStringLiteral("one.calls"))));
        programs.push_back(std::make_unique<JobWatcher>(side));
        programs.back()->setPace(pace);
        programs.back()->start();
    }
    QTRY_COMPARE(m_shell->count("squeue"), 12);
    QTest::qWait(1500);
    QCOMPARE(m_shell->count("squeue"), 12);
    for (const auto& program : programs) {
        QCOMPARE(program->jobs().size(), std::size_t(30)); // each had its turn
        QCOMPARE(program->callsLastMinute(), 12);
        QVERIFY(program->nextIn() > 50s); // and knows when the next one is due
    }
    noteTarget("T19",
        QStringLiteral("three programs that watch 30 jobs on one account, each as often as it may: "
                       "12 calls together in their first minute"));
}

void TestWatcher::errors_endNothing_andBackOff()
{
    m_queue = {"7 R"};
    m_watcher->start();
    QTRY_COMPARE(m_events.size(), std::size_t(1));
    m_shell->on("scontrol ping", {0, "Slurmctld(primary) at login is UP\n", {}});
    m_shell->on(
        "squeue", {1, {}, "slurm_load_jobs error: Socket timed out on send/recv operation"});
    QSignalSpy trouble(m_watcher.get(), &JobWatcher::unreachable);
    auto longest = 0ms; // looked at when it is set, because on a busy machine it runs out
    const QObject here;
    connect(m_watcher.get(), &JobWatcher::unreachable, &here,
        [&] { longest = std::max(longest, m_watcher->nextIn()); });
    QTRY_VERIFY(trouble.size() >= 3);
    QVERIFY(m_watcher->trouble());
    QVERIFY(longest > 250ms); // doubled to `longest`
    QCOMPARE(m_events.size(), std::size_t(1));
    QCOMPARE(m_watcher->job(JobId{QStringLiteral("7")})->state, JobState::Running);
    m_shell->on("squeue", {0, "not an answer", {}}); // nonsense is an error too
    const auto before = trouble.size();
    QTRY_VERIFY(trouble.size() > before);
    QCOMPARE(m_events.size(), std::size_t(1));
    m_shell->on("squeue", [this](const QByteArray& script) {
        return CommandOutput{0, rowsFor(script, m_queue), {}};
    });
    QTRY_VERIFY(!m_watcher->trouble());
    QCOMPARE(m_events.size(), std::size_t(1));
}

void TestWatcher::downController_isPingedOnly()
{
    m_shell->on("squeue",
        {1, {}, "slurm_load_jobs error: Unable to contact slurm controller (connect failure)"});
    m_shell->on("scontrol ping", {1, "Slurmctld(primary) at login is DOWN\n", {}});
    QSignalSpy trouble(m_watcher.get(), &JobWatcher::unreachable);
    m_watcher->start();
    QTRY_VERIFY(trouble.size() >= 4);
    QCOMPARE(m_shell->count("squeue"), 1);
    QVERIFY(m_shell->count("scontrol ping") >= 3);
}

void TestWatcher::lostLink_stopsTheWatcher()
{
    m_watcher->start();
    QTRY_VERIFY(m_shell->count("squeue") >= 1);
    QSignalSpy trouble(m_watcher.get(), &JobWatcher::unreachable);
    m_shell->loseLink();
    QTRY_COMPARE(trouble.size(), 1);
    QTest::qWait(300);
    QCOMPARE(trouble.size(), 1);
    QVERIFY(!m_watcher->isRunning());
}

void TestWatcher::budget_holdsPollsBack()
{
    auto pace = quickWatch();
    pace.callsAMinute = 5;
    m_watcher->setPace(pace);
    m_watcher->setAttention(JobWatcher::Attention::Watched);
    m_watcher->start();
    QTRY_COMPARE(m_shell->count("squeue"), 5);
    QTRY_VERIFY(m_watcher->nextIn() > 30s);
    m_watcher->refresh();
    QTest::qWait(100);
    QCOMPARE(m_shell->count("squeue"), 5);
    QCOMPARE(WatchPace().callsAMinute, 12);
}

void TestWatcher::refresh_asksSoon_butNotTwice()
{
    auto pace = quickWatch();
    pace.busy = pace.calm = 10s;
    pace.leastBetween = 3s;
    m_watcher->setPace(pace);
    m_watcher->start();
    QTRY_COMPARE(m_shell->count("squeue"), 1);
    for (int i = 0; i < 20; ++i)
        m_watcher->refresh();
    QTest::qWait(100);
    QCOMPARE(m_shell->count("squeue"), 1);
    QTRY_COMPARE(m_shell->count("squeue"), 2);
    QTest::qWait(300);
    QCOMPARE(m_shell->count("squeue"), 2);
}

void TestWatcher::expectedEnd_isAskedForAtOnce_andAFewTimes()
{
    WatchPace pace;
    pace.leastBetween = 60s; // so that what is asked here is no regular question
    m_watcher->setPace(pace);
    m_queue = {"7 R", "8 R"};
    m_watcher->start();
    QTRY_COMPARE(m_events.size(), std::size_t(2));
    m_watcher->endExpected(JobId{QStringLiteral("7")});
    QTRY_COMPARE(m_shell->count("squeue"), 2);
    m_watcher->refresh(); // puts nothing off
    QTRY_COMPARE(m_shell->count("squeue"), 3);
    m_queue = {"7 CD", "8 R"};
    QTRY_COMPARE(m_events.size(), std::size_t(3));
    QCOMPARE(m_events.back().kind, JobEvent::Kind::Ended);
    QCOMPARE(m_shell->count("squeue"), 4);
    QVERIFY(m_watcher->nextIn() > 2s);
    // One whose end the scheduler does not see is asked for a few times, then at the usual pace.
    m_watcher->endExpected(JobId{QStringLiteral("8")});
    QTRY_VERIFY(m_watcher->nextIn() > 5s);
    QCOMPARE(m_shell->count("squeue"), 9);
}

void TestWatcher::expectedEnd_keepsToTheBudget()
{
    WatchPace pace;
    pace.callsAMinute = 4;
    m_watcher->setPace(pace);
    for (int i = 1; i <= 30; ++i)
        m_queue << QByteArray::number(i).append(" R");
    m_watcher->start();
    QTRY_COMPARE(m_events.size(), std::size_t(30));
    for (int i = 1; i <= 30; ++i)
        m_watcher->endExpected(JobId{QString::number(i)});
    QTRY_VERIFY(m_watcher->nextIn() > 30s);
    QCOMPARE(m_shell->count("squeue"), 4);
}

void TestWatcher::attention_setsThePace()
{
    WatchPace pace;
    pace.leastBetween = 0ms;
    m_watcher->setPace(pace);
    QSignalSpy asked(m_watcher.get(), &JobWatcher::asked);
    m_watcher->start();
    QTRY_COMPARE(asked.size(), 1);
    // They are counted from the last question, which on a busy machine is a while ago.
    QTRY_VERIFY(m_watcher->nextIn() > 20s && m_watcher->nextIn() < 34s);
    m_watcher->setAttention(JobWatcher::Attention::Watched);
    QVERIFY(m_watcher->nextIn() > 4s && m_watcher->nextIn() < 12s);
    m_watcher->setAttention(JobWatcher::Attention::Hidden);
    m_watcher->refresh();
    QTRY_COMPARE(asked.size(), 2);
    QTRY_VERIFY(m_watcher->nextIn() > 100s && m_watcher->nextIn() < 133s);
}

void TestWatcher::attention_slowsDownAtOnce()
{
    WatchPace pace;
    pace.leastBetween = 0ms;
    m_watcher->setPace(pace);
    QSignalSpy asked(m_watcher.get(), &JobWatcher::asked);
    m_watcher->start();
    QTRY_COMPARE(asked.size(), 1);
    m_watcher->setAttention(JobWatcher::Attention::Watched);
    QTRY_VERIFY(m_watcher->nextIn() > 4s && m_watcher->nextIn() < 12s);
    m_watcher->setAttention(JobWatcher::Attention::Normal);
    QVERIFY(m_watcher->nextIn() > 20s && m_watcher->nextIn() < 34s);
    m_watcher->setAttention(JobWatcher::Attention::Hidden);
    QVERIFY(m_watcher->nextIn() > 100s && m_watcher->nextIn() < 133s);
}

void TestWatcher::oddRow_leavesTheOthers()
{
    m_queue = {"7 R", "what R", "200+0 PD"};
    QSignalSpy asked(m_watcher.get(), &JobWatcher::asked);
    m_watcher->start();
    QTRY_VERIFY(asked.size() >= 2);
    QVERIFY(!m_watcher->trouble());
    QCOMPARE(m_watcher->oddRows(), 1);
    QCOMPARE(m_events.size(), std::size_t(2));
    QVERIFY(m_watcher->job(JobId{QStringLiteral("200")}));
}

void TestWatcher::fiftyThousandRows_neverHoldTheLoop()
{
    constexpr int rows = 50'000;
    constexpr int piece = 250;
    // The far side is played in pieces, as a link brings them: what is measured is the reading.
    QByteArray state = "PD";
    QByteArray asking; // the last script
    const auto rowsFrom = [&](int first) {
        const QByteArray row = rowsFor(asking, {"1000000 " + state});
        QByteArray text;
        for (int i = 0; i < piece; ++i)
            text += QByteArray(row).replace("1000000", QByteArray::number(1'000'000 + first + i));
        return text;
    };
    QTimer pieces;
    m_shell->onStream("squeue", [&](ScriptedProcess& process) {
        const QPointer<ScriptedProcess> to(&process);
        asking = process.script();
        pieces.disconnect();
        connect(&pieces, &QTimer::timeout, this, [&, to, at = 0]() mutable {
            const QByteArray text = rowsFrom(at);
            at += piece;
            if (to)
                to->say(text);
            if (at < rows)
                return;
            pieces.stop();
            if (to)
                to->end(0);
        });
        pieces.start(0);
    });
    auto pace = quickWatch();
    pace.busy = pace.calm = 60s; // asked by hand
    m_watcher->setPace(pace);
    m_watcher->disconnect(this);
    std::size_t told = 0;
    connect(m_watcher.get(), &JobWatcher::events, this,
        [&told](const std::vector<JobEvent>& list) { told += list.size(); });
    QSignalSpy asked(m_watcher.get(), &JobWatcher::asked);
    Heartbeat heartbeat;
    m_watcher->start();
    QTRY_COMPARE_WITH_TIMEOUT(asked.size(), 1, 60'000);
    QCOMPARE(told, std::size_t(rows));
    state = "R";
    m_watcher->refresh();
    Job mine; // told while a worker reads
    mine.id.text = QStringLiteral("77");
    QTRY_VERIFY_WITH_TIMEOUT(!pieces.isActive(), 60'000);
    m_watcher->expect(mine);
    QTRY_COMPARE_WITH_TIMEOUT(asked.size(), 2, 60'000);
    QVERIFY(told >= std::size_t(2 * rows)); // and perhaps that the one expected is missing
    QVERIFY(m_watcher->job(mine.id));
    QCOMPARE(m_watcher->job(JobId{QStringLiteral("1000007")})->state, JobState::Running);
    // The limit depends on the machine: were the answer read on this thread, it would be held up
    // for at least as long as that takes here.
    const qint64 held = heartbeat.worst();
    QueueAnswer again{{}, separatorsOf(asking)};
    for (int first = 0; first < rows; first += piece)
        again.output += rowsFrom(first);
    const CpuTime reading;
    QCOMPARE(readQueue(again, {}, QDateTime::currentDateTimeUtc()).rows, std::size_t(rows));
    const qint64 most = std::max<qint64>(100, reading.elapsed() / 4);
    QVERIFY2(held < most, qPrintable(QStringLiteral("%1 of %2 ms").arg(held).arg(most)));
}

void TestWatcher::history_isAskedOnceForMissingJobs()
{
    m_side->accounting = true;
    m_shell->on("sacct", [](const QByteArray& script) {
        const auto at = script.indexOf("\x1fSLP");
        const QByteArray field = script.mid(at, 36);
        const QByteArrayList fields{
            "7", "7", "TIMEOUT", "0:0", "1", "1", "1", "5", "", "gpu01", "", "x"};
        return CommandOutput{0, fields.join(field) + field + '\n', {}};
    });
    m_queue = {"7 R"};
    m_watcher->start();
    QTRY_COMPARE(m_events.size(), std::size_t(1));
    m_queue.clear();
    QTRY_COMPARE(m_events.size(), std::size_t(3));
    QCOMPARE(m_events[1].kind, JobEvent::Kind::Missing);
    QCOMPARE(m_events[2].kind, JobEvent::Kind::Ended);
    QCOMPARE(m_events[2].after.state, JobState::TimedOut);
    QTest::qWait(200);
    QCOMPARE(m_shell->count("sacct"), 1);
}

void TestWatcher::mayBeDeletedInItsSignals()
{
    m_queue = {"7 R"};
    connect(m_watcher.get(), &JobWatcher::events, this, [this] { m_watcher.reset(); });
    m_watcher->start();
    QTRY_VERIFY(!m_watcher);
    QTest::qWait(50);
}

SLIPWAY_TEST(TestWatcher, cluster_watcher)
#include "tst_watcher.moc"
