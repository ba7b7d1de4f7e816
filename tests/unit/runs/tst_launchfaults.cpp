// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/hints.h"
#include "app/runs/runhandle.h"
#include "app/runs/runstore.h"
#include "app/runs/sampletimes.h"
#include "tests/support/awaited.h"
#include "tests/support/paths.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"
#include "tests/unit/runs/playedcluster.h"

#include <QCryptographicHash>
#include <QPointer>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace slipway;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(slipway::CommandOutput)

namespace {

QByteArray longLog()
{
    return QByteArray("a line of a log that is longer than the disk\n").repeated(20'000);
}

/// The far loop that follows the files of a run: the log is there from the byte that the loop is
/// told, and so are its times, if there are any; none of the others ever comes.
enum class LogsEnd { Stays, IsDeleted };

void playLog(ScriptedProcess& loop, const QByteArray& theLog, const QByteArray& times = {},
    LogsEnd logsEnd = LogsEnd::Stays)
{
    const QPointer<ScriptedProcess> self(&loop);
    const QByteArray script = '\n' + loop.written();
    const auto value = [&script](const QByteArray& name) {
        const QByteArray key = '\n' + name + '=';
        const qsizetype at = script.indexOf(key) + key.size();
        return script.mid(at, script.indexOf('\n', at) - at);
    };
    const QByteArray mark = "\n\036SLPL " + value("N") + ' ';
    loop.say(mark + "S\n");
    for (int n = 0; self && script.contains(QByteArray("\nf" + QByteArray::number(n) + '=')); ++n) {
        const QByteArray number = QByteArray::number(n);
        const bool final = value("F" + number) == "1";
        const QByteArray path = value(QByteArray("f" + number));
        const bool isTimes = !times.isEmpty() && path.contains("/log.times");
        const QByteArray& log = isTimes ? times : theLog;
        if (!isTimes && !path.contains("/slurm-")) {
            loop.say(mark + (final ? "N " : "W ") + number + '\n');
            continue;
        }
        if (final && !isTimes && logsEnd == LogsEnd::IsDeleted) {
            loop.say(mark + "N " + number + '\n');
            continue;
        }
        loop.say(mark + "I " + number + " 7\n");
        for (qsizetype at = value("o" + number).toLongLong(); self && at < log.size();
             at += 50'000) {
            const QByteArray part = log.mid(at, 50'000);
            const QByteArray head = log.left(std::min<qsizetype>(4096, at + part.size()));
            loop.say(mark + "B " + number + ' ' + QByteArray::number(at) + ' '
                + QByteArray::number(part.size()) + '\n' + part + mark + "K " + number + " 1_2 "
                + QCryptographicHash::hash(head, QCryptographicHash::Sha256).toHex() + '\n');
        }
        if (self && final)
            loop.say(mark + "E " + number + ' ' + QByteArray::number(log.size()) + '\n');
    }
}

/// As on a full disk: writes beyond so many bytes of a file fail.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit now{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &now);
    }
    ~FileSizeLimit() { lift(); }
    void lift() const { setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before{};
};

} // namespace

/// What must not be lost: a job whose submission was interrupted, and what a job wrote.
class TestLaunchFaults : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void slowSubmission_isWaitedFor_andNeverDisowned();
    void slowSubmission_canBeCancelled();
    void endedRun_isOpenedAgainForALiveJob();
    void deletedLog_isSaid();
    void marksWithoutEnd_areBounded();
    void lostOutput_isNoSuccess_data();
    void lostOutput_isNoSuccess();
    void killedUpload_isSearchedForOnce();
    void lateJob_bringsItsRunBack();
    void cutLog_isSaid_data();
    void cutLog_isSaid();
    void fullDiskHere_pausesTheLog();
    void fullDiskHere_isSaidAtTheEnd();
    void timesOfTheLog_areKept();

private:
    PlayedCluster side();
    Plan plan() const;
    Result<void> begin(const PlayedCluster& side)
    {
        return awaited(m_launch->begin(plan(), side.cluster, QStringLiteral("/scratch/me")));
    }
    RunPhase phase() const { return m_launch->run().phase; }

    QByteArray m_state = "PD"; ///< of job 77; empty: not in the queue
    int m_restarts = 0;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunStore> m_store;
    std::unique_ptr<RunHandle> m_launch;
    int m_endings = 0;
};

void TestLaunchFaults::init()
{
    m_state = "PD";
    m_restarts = m_endings = 0;
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = std::make_unique<RunStore>(m_folder->filePath(QStringLiteral("runs.sqlite")));
    QVERIFY(m_store->open().ok());
    Run run;
    run.id = QStringLiteral("k3f9");
    run.tag = QString::fromLatin1(playedTag);
    run.spec.siteId = QStringLiteral("s");
    run.spec.recipeId = QStringLiteral("r");
    run.created = QDateTime::currentDateTime();
    QVERIFY(m_store->insert(run).ok());
    m_launch = std::make_unique<RunHandle>(
        run, m_folder->filePath(QStringLiteral("run")), m_store.get(), QStringList());
    m_launch->setTimeouts({5ms, 3, 10ms, 5ms, 20ms});
    const auto hints =
        std::make_shared<HintSource>(slipway::sourcePath(QStringLiteral("/resources")), QString());
    m_launch->explainWith(hints, {});
    connect(m_launch.get(), &RunHandle::changed, m_launch.get(), [this, was = false]() mutable {
        const bool is = isTerminal(m_launch->run().phase);
        m_endings += is && !was;
        was = is;
    });
}

void TestLaunchFaults::cleanup()
{
    m_launch.reset();
    m_store.reset();
    QTest::qWait(10); // coroutines that waited for the far side end here
}

PlayedCluster TestLaunchFaults::side()
{
    const PlayedCluster side(&m_state, &m_restarts);
    connect(side.cluster->watcher(), &JobWatcher::events, m_launch.get(),
        [this](const std::vector<JobEvent>& events) {
            for (const JobEvent& event : events)
                m_launch->onJobEvent(event);
        });
    return side;
}

Plan TestLaunchFaults::plan() const
{
    Plan plan;
    plan.spec = m_launch->run().spec;
    plan.tag = QString::fromLatin1(playedTag);
    plan.steps = {{QStringLiteral("run"), QStringLiteral("Run"), QStringLiteral("running"), {},
        "true\n", {}, false, RecipeStep::Expect::Success}};
    return plan;
}

void TestLaunchFaults::slowSubmission_isWaitedFor_andNeverDisowned()
{
    const PlayedCluster first = side();
    first.shell->onStream(
        "sbatch --parsable", [shell = first.shell.get()](ScriptedProcess&) { shell->loseLink(); });
    QVERIFY(!begin(first).ok());
    m_launch->detach();
    m_state.clear(); // sbatch has not reached the scheduler yet
    const PlayedCluster second = side();
    second.shell->on("echo $w $n $a $h", {0, "busy 1 7 login1\n", {}});
    m_launch->attach(second.cluster);
    QTRY_VERIFY(second.shell->count("echo $w $n $a $h") > 20); // three looks were the end before
    QVERIFY(!isTerminal(phase()));
    QVERIFY2(m_launch->run().sentence.contains(u"still in progress"),
        qPrintable(m_launch->run().sentence));
    QCOMPARE(second.shell->count("echo closed; else echo newer"), qsizetype(0));
    second.shell->on("echo $w $n $a $h", {0, "known 1\n77\n", {}});
    QTRY_COMPARE(m_launch->run().job.text, QStringLiteral("77"));
    m_state = "R";
    QTRY_COMPARE(phase(), RunPhase::Running);
    QCOMPARE(m_endings, 0);
}

void TestLaunchFaults::slowSubmission_canBeCancelled()
{
    const PlayedCluster first = side();
    first.shell->onStream(
        "sbatch --parsable", [shell = first.shell.get()](ScriptedProcess&) { shell->loseLink(); });
    QVERIFY(!begin(first).ok());
    m_launch->detach();
    m_state.clear();
    const PlayedCluster second = side();
    second.shell->on("echo $w $n $a $h", {0, "busy 1 7 login1\n", {}});
    second.shell->on("scancel 77", [this](const QByteArray&) {
        m_state = "CA";
        return CommandOutput{};
    });
    m_launch->attach(second.cluster);
    auto cancelling = m_launch->cancel(second.cluster);
    QTRY_VERIFY2(m_launch->run().sentence.contains(u"cancelled as soon as"),
        qPrintable(m_launch->run().sentence));
    m_state = "PD";
    second.shell->on("echo $w $n $a $h", {0, "known 1\n77\n", {}});
    QVERIFY(awaited(std::move(cancelling)).ok());
    QTRY_COMPARE_WITH_TIMEOUT(phase(), RunPhase::Cancelled, 15000);
}

void TestLaunchFaults::endedRun_isOpenedAgainForALiveJob()
{
    const PlayedCluster first = side();
    first.shell->onStream(
        "sbatch --parsable", [shell = first.shell.get()](ScriptedProcess&) { shell->loseLink(); });
    QVERIFY(!begin(first).ok());
    m_launch->detach();
    m_state.clear();
    const PlayedCluster second = side();
    m_launch->attach(second.cluster);
    QTRY_COMPARE(phase(), RunPhase::Failed);
    // It was there after all.
    m_state = "R";
    m_launch->reopen(JobId{QStringLiteral("77")});
    QVERIFY(!isTerminal(phase()));
    const PlayedCluster third = side();
    m_launch->attach(third.cluster);
    QTRY_COMPARE(phase(), RunPhase::Running);
    QVERIFY(!m_launch->run().error.has_value());
    QVERIFY(!m_launch->run().ended.isValid());
}

/// The phase that was stored last is that of the upload, and nothing was submitted.
void TestLaunchFaults::killedUpload_isSearchedForOnce()
{
    Run run = m_launch->run();
    run.folder = QStringLiteral("/scratch/me/slipway/r-k3f9");
    m_launch = std::make_unique<RunHandle>(
        run, m_folder->filePath(QStringLiteral("run")), m_store.get(), QStringList());
    m_launch->setTimeouts({5ms, 3, 10ms, 5ms, 20ms});
    m_state.clear();
    const PlayedCluster there = side();
    m_launch->attach(there.cluster);
    QTRY_COMPARE(phase(), RunPhase::Failed);
    QVERIFY2(m_launch->run().sentence.contains(u"while files were uploaded. Nothing was submitted"),
        qPrintable(m_launch->run().sentence));
    // From now on no late effect of that launch can submit it.
    QCOMPARE(there.shell->count("echo closed; else echo newer"), qsizetype(1));
    QCOMPARE(there.shell->count("sbatch --parsable"), qsizetype(0));
}

/// The folder cannot be closed for a submission that began meanwhile: it is waited for.
void TestLaunchFaults::lateJob_bringsItsRunBack()
{
    Run run = m_launch->run();
    run.folder = QStringLiteral("/scratch/me/slipway/r-k3f9");
    m_launch = std::make_unique<RunHandle>(
        run, m_folder->filePath(QStringLiteral("run")), m_store.get(), QStringList());
    m_launch->setTimeouts({5ms, 3, 10ms, 5ms, 20ms});
    m_state.clear();
    const PlayedCluster there = side();
    there.shell->on("echo closed; else echo newer", {0, "newer\n", {}});
    m_launch->attach(there.cluster);
    QTRY_VERIFY(there.shell->count("echo closed; else echo newer") > 2);
    QVERIFY(!isTerminal(phase()));
    m_state = "R";
    QTRY_COMPARE(m_launch->run().job.text, QStringLiteral("77"));
    QTRY_COMPARE(phase(), RunPhase::Running);
}

void TestLaunchFaults::cutLog_isSaid_data()
{
    QTest::addColumn<QByteArray>("times");
    QTest::addColumn<int>("restarts"); // of the log, as they were seen
    QTest::addColumn<int>("attempts"); // of the job, after the first
    QTest::addColumn<QString>("said");
    QTest::newRow("whole") << QByteArray("9 1700000060\n18 1700000125\n") << 0 << 0 << QString();
    QTest::newRow("its end is gone") << QByteArray("9 1700000060\n918 1700000125\n") << 0 << 0
                                     << QStringLiteral("it had 918 bytes");
    QTest::newRow("it was truncated and has grown again") << QByteArray(
        "918 1700000060\n18 1700000125\n") << 0 << 0 << QStringLiteral("it had 918 bytes");
    QTest::newRow("it was replaced")
        << QByteArray() << 1 << 0 << QStringLiteral("truncated or replaced while the job was");
    QTest::newRow("a requeue began it again")
        << QByteArray() << 1 << 1 << QStringLiteral("when Slurm started the job again");
}

void TestLaunchFaults::cutLog_isSaid()
{
    QFETCH(QByteArray, times);
    QFETCH(int, restarts);
    QFETCH(int, attempts);
    QFETCH(QString, said);
    const QByteArray log = "took 3 s\ntook 4 s\n";
    const PlayedCluster there = side();
    there.shell->onStream(
        "SLPL", [log, times](ScriptedProcess& loop) { playLog(loop, log, times); });
    const QByteArray number = QByteArray::number(attempts);
    there.shell->on("exit.json", {0, "{\"code\":0,\"t\":1,\"restart\":" + number + '}', {}});
    QVERIFY(begin(there).ok());
    for (int i = 0; i < restarts; ++i)
        m_launch->local().restartLog();
    m_restarts = attempts;
    m_state = "CD";
    QTRY_VERIFY_WITH_TIMEOUT(isTerminal(phase()), 15000);
    const QString sentence = m_launch->run().sentence;
    QCOMPARE(phase(), RunPhase::Done); // its program ended well
    QVERIFY2(sentence.contains(said), qPrintable(sentence));
    QCOMPARE(sentence == u"Done.", said.isEmpty());
    if (attempts > 0)
        noteTarget("T15", QStringLiteral("requeue without append: said with the run's end"));
}

/// What the job noted of its log is read to its end beside it, and a moment earlier.
void TestLaunchFaults::deletedLog_isSaid()
{
    const QByteArray log = "took 3 s\ntook 4 s\n";
    const PlayedCluster there = side();
    there.shell->onStream("SLPL", [log](ScriptedProcess& loop) {
        playLog(loop, log, "18 1700000060\n", LogsEnd::IsDeleted);
    });
    there.shell->on("exit.json", {0, "{\"code\":0,\"t\":1}", {}});
    QVERIFY(begin(there).ok());
    m_state = "R";
    QTRY_COMPARE_WITH_TIMEOUT(m_launch->run().logBytes, qint64(log.size()), 15000);
    m_state = "CD";
    QTRY_VERIFY_WITH_TIMEOUT(isTerminal(phase()), 15000);
    const QString sentence = m_launch->run().sentence;
    QVERIFY2(sentence.contains(u"was deleted on the cluster"), qPrintable(sentence));
    QVERIFY2(!sentence.startsWith(u"Done."), qPrintable(sentence));
    QCOMPARE(m_launch->local().logTail(100), log);
}

/// As many as are kept were read; the cluster is asked for no more of them.
void TestLaunchFaults::marksWithoutEnd_areBounded()
{
    const PlayedCluster there = side();
    QVERIFY(begin(there).ok());
    QVERIFY(m_launch->local().appendEvents("{}\n").ok());
    QVERIFY(QFile::resize(
        m_launch->local().filePath(QStringLiteral("events.ndjson")), LocalRun::mostRows - 20));
    there.shell->on(
        "events.ndjson", {0, "\n{\"t\":1,\"stage\":\"node\",\"state\":\"begin\"}\n", {}});
    m_state = "R";
    QTRY_COMPARE(phase(), RunPhase::Running);
    m_state = "CD";
    QTRY_VERIFY_WITH_TIMEOUT(isTerminal(phase()), 30000);
    QCOMPARE(m_launch->local().eventsSize(), LocalRun::mostRows);
}

void TestLaunchFaults::lostOutput_isNoSuccess_data()
{
    QTest::addColumn<CommandOutput>("note");
    QTest::addColumn<QString>("why");
    QTest::newRow("the run folder was purged")
        << CommandOutput{3, {}, {}} << QStringLiteral("no longer exists");
    QTest::newRow("the disk was full")
        << CommandOutput{4, {}, {}} << QStringLiteral("exit record is empty");
    QTest::newRow("the note was cut")
        << CommandOutput{0, "{\"co", {}} << QStringLiteral("exit record is empty");
    QTest::newRow("no note") << CommandOutput{0, {}, {}} << QStringLiteral("no exit record");
}

void TestLaunchFaults::lostOutput_isNoSuccess()
{
    QFETCH(CommandOutput, note);
    QFETCH(QString, why);
    const PlayedCluster there = side();
    there.shell->onEach("events.ndjson",
        {{0, "{\"t\":1,\"stage\":\"node\",\"state\":\"begin\"}\n", {}}, {0, {}, {}}});
    QVERIFY(begin(there).ok());
    m_state = "R";
    QTRY_COMPARE(phase(), RunPhase::Running);
    there.shell->on("exit.json", note);
    m_state = "CD";
    QTRY_VERIFY_WITH_TIMEOUT(isTerminal(phase()), 15000);
    QCOMPARE(phase(), RunPhase::Unknown);
    QVERIFY2(m_launch->run().sentence.contains(why), qPrintable(m_launch->run().sentence));
    QVERIFY(m_launch->run().error.has_value());
}

void TestLaunchFaults::fullDiskHere_pausesTheLog()
{
    const QByteArray log = longLog();
    const PlayedCluster there = side();
    there.shell->onStream("SLPL", [log](ScriptedProcess& loop) { playLog(loop, log); });
    QVERIFY(begin(there).ok());
    const auto size = [this] { return QFileInfo(m_launch->local().logFile()).size(); };
    const FileSizeLimit disk(400'000);
    m_state = "R";
    QTRY_VERIFY2(m_launch->run().sentence.contains(u"log here is not complete"),
        qPrintable(m_launch->run().sentence));
    QVERIFY(size() < log.size());
    // There is space again: the log continues where it stopped, by itself.
    disk.lift();
    QTRY_COMPARE(size(), qint64(log.size()));
    QFile here(m_launch->local().logFile());
    QVERIFY(here.open(QIODevice::ReadOnly));
    QCOMPARE(here.readAll(), log);
    QTRY_VERIFY(!m_launch->run().sentence.contains(u"not complete"));
}

void TestLaunchFaults::timesOfTheLog_areKept()
{
    const QByteArray log = "took 3 s\ntook 4 s\n", times = "9 1700000060\n18 1700000125\n";
    const PlayedCluster there = side();
    there.shell->onStream(
        "SLPL", [log, times](ScriptedProcess& loop) { playLog(loop, log, times); });
    there.shell->on("exit.json", {0, "{\"code\":0,\"t\":1}", {}});
    QVERIFY(begin(there).ok());
    m_state = "R";
    const auto kept = [this] {
        QFile file(logTimesFile(m_launch->local().logFile()));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QTRY_COMPARE(kept(), times);
    m_state = "CD";
    QTRY_COMPARE(phase(), RunPhase::Done);
    QCOMPARE(kept(), times);
}

void TestLaunchFaults::fullDiskHere_isSaidAtTheEnd()
{
    const QByteArray log = longLog();
    const PlayedCluster there = side();
    there.shell->onStream("SLPL", [log](ScriptedProcess& loop) { playLog(loop, log); });
    there.shell->on("exit.json", {0, "{\"code\":0,\"t\":1}", {}});
    QVERIFY(begin(there).ok());
    const FileSizeLimit disk(400'000);
    m_state = "CD";
    QTRY_COMPARE_WITH_TIMEOUT(phase(), RunPhase::Done, 15000);
    disk.lift();
    QVERIFY2(
        m_launch->run().sentence.contains(u"not complete"), qPrintable(m_launch->run().sentence));
    QVERIFY(!m_launch->run().explanations.empty());
    QCOMPARE(m_launch->run().explanations.front().id, QStringLiteral("log.incomplete"));
}

SLIPWAY_TEST(TestLaunchFaults, runs_faults)
#include "tst_launchfaults.moc"
