// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/logfollower.h"
#include "remote/cluster/runtail.h"
#include "remote/ssh/sessionbudget.h"
#include "tests/support/sshdlogin.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

const QByteArray ticking = "while :; do echo tick; sleep 0.1; done";

/// As every long-lived stream does, it ends with its standard input.
Invocation stream(const QByteArray& script)
{
    return {"exec 3<&0; { cat <&3 >/dev/null; kill -TERM 0; } & exec 3<&- </dev/null; " + script,
        Invocation::Place::Argument, true};
}

/// A long-lived stream with what was heard of it.
struct Heard {
    explicit Heard(std::unique_ptr<Process> started)
        : process(std::move(started))
        , output(process.get(), &Process::output)
        , finished(process.get(), &Process::finished)
    {
    }
    std::unique_ptr<Process> process;
    QSignalSpy output;
    QSignalSpy finished;
};

} // namespace

class TestChannels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();

    void fullOfStreams_commandsAndUploadsStillGetThrough_data();
    void fullOfStreams_commandsAndUploadsStillGetThrough();
    void followedLogs_loseNothingWhereSessionsAreFew_data();
    void followedLogs_loseNothingWhereSessionsAreFew();
    void thirtyRuns_areFollowedInThreeSessions();
    void streamInLine_beginsWhenAnotherEnds();
    void cancelledStream_leavesNoSessionBehind();
    void streamsDroppedAsTheyBegin_areNotCalledBack();
    void timeInLine_isNotTheCommandsOwn();
    void temporaryRefusal_theBudgetRecovers();
    void budget_shrinksIsMeasuredAndGrows();
    void budget_isMeasuredEverLessOften();

private:
    std::shared_ptr<Shell> connectedWith(SshdFixture& sshd, int maxSessions);
};

void TestChannels::initTestCase()
{
    qunsetenv("SSH_AUTH_SOCK");
}

std::shared_ptr<Shell> TestChannels::connectedWith(SshdFixture& sshd, int maxSessions)
{
    const auto missing = sshd.start({QStringLiteral("MaxSessions %1").arg(maxSessions)});
    if (!missing.isEmpty())
        qWarning("%s", qPrintable(missing));
    return missing.isEmpty() ? connected(sshd) : nullptr;
}

void TestChannels::fullOfStreams_commandsAndUploadsStillGetThrough_data()
{
    QTest::addColumn<int>("maxSessions");
    QTest::addColumn<int>("atLeast"); // streams that go on meanwhile
    QTest::newRow("MaxSessions 2") << 2 << 1;
    QTest::newRow("MaxSessions 4") << 4 << 1;
    QTest::newRow("MaxSessions 10") << 10 << 5;
}

void TestChannels::fullOfStreams_commandsAndUploadsStillGetThrough()
{
    QFETCH(int, maxSessions);
    QFETCH(int, atLeast);
    SshdFixture sshd;
    const auto shell = connectedWith(sshd, maxSessions);
    QVERIFY(shell);
    std::vector<std::unique_ptr<Heard>> streams;
    for (int i = 0; i < 12; ++i)
        streams.push_back(std::make_unique<Heard>(shell->start(stream(ticking))));
    QTRY_VERIFY_WITH_TIMEOUT(streams.front()->output.count() > 0, 20'000);
    for (int i = 0; i < 3; ++i) {
        const auto path = sshd.path(QStringLiteral("upload%1").arg(i));
        const auto written = awaited(shell->writeFile(path, QByteArray(300'000, 'x')));
        QVERIFY2(written.ok(), written.ok() ? "" : qPrintable(written.error().text()));
        const auto done = awaited(shell->run("echo here", {.timeout = 30s}));
        QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
        QCOMPARE(done->out, QByteArray("here\n"));
    }
    // Those that had to make room know why; the others go on.
    for (const auto& one : streams)
        if (one->finished.count() > 0)
            QCOMPARE(exitOf(one->finished).error().kind, ErrorKind::Refused);
    const auto live = [&streams] {
        return int(std::count_if(streams.begin(), streams.end(),
            [](const auto& one) { return one->finished.count() == 0 && one->output.count() > 0; }));
    };
    QTRY_VERIFY2_WITH_TIMEOUT(live() >= atLeast, qPrintable(QString::number(live())), 20'000);
}

void TestChannels::followedLogs_loseNothingWhereSessionsAreFew_data()
{
    QTest::addColumn<int>("maxSessions");
    for (const int sessions : {1, 2, 4})
        QTest::newRow(qPrintable(QStringLiteral("MaxSessions %1").arg(sessions))) << sessions;
}

void TestChannels::followedLogs_loseNothingWhereSessionsAreFew()
{
    QFETCH(int, maxSessions);
    SshdFixture sshd;
    const auto shell = connectedWith(sshd, maxSessions);
    QVERIFY(shell);
    constexpr int logs = 4;
    const auto tail = std::make_shared<RunTail>(shell); // one a site, as Cluster has it
    tail->setPace({20ms, 50ms, 200ms});
    std::vector<std::unique_ptr<LogFollower>> followers;
    std::vector<QByteArray> read(logs);
    std::vector<std::optional<Result<void>>> ends(logs);
    for (size_t i = 0; i < logs; ++i) {
        followers.push_back(
            std::make_unique<LogFollower>(tail, sshd.path(QStringLiteral("log%1").arg(i))));
        auto* follower = followers.back().get();
        connect(follower, &LogFollower::bytes, this,
            [&read, i](const QByteArray& bytes) { read[i] += bytes; });
        connect(follower, &LogFollower::ended, this,
            [&ends, i](const Result<void>& how) { ends[i] = how; });
        follower->start();
    }
    QByteArray expected;
    for (int line = 0; line < 5; ++line) {
        const QByteArray text = "line " + QByteArray::number(line) + '\n';
        expected += text;
        for (int i = 0; i < logs; ++i) {
            const auto done = awaited(shell->run("echo line " + QByteArray::number(line) + " >>"
                + shellQuoted(sshd.path(QStringLiteral("log%1").arg(i)))));
            QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
        }
    }
    for (const auto& follower : followers)
        follower->finish();
    for (size_t i = 0; i < logs; ++i) {
        QTRY_VERIFY_WITH_TIMEOUT(ends[i], 60'000);
        QVERIFY2(ends[i]->ok(), ends[i]->ok() ? "" : qPrintable(ends[i]->error().text()));
        QCOMPARE(read[i], expected);
    }
}

/// What thirty running jobs write comes through one session, so three are enough for everything:
/// the server refuses a fourth.
void TestChannels::thirtyRuns_areFollowedInThreeSessions()
{
    SshdFixture sshd;
    const auto shell = connectedWith(sshd, 3);
    QVERIFY(shell);
    constexpr int runs = 30;
    const QStringList names{QStringLiteral("slurm.out"), QStringLiteral("events.ndjson"),
        QStringLiteral("probe.ndjson"), QStringLiteral("exit.json")};
    const auto tail = std::make_shared<RunTail>(shell); // as Cluster has it, at its own pace
    QHash<QString, QByteArray> read;
    std::vector<std::unique_ptr<LogFollower>> followers;
    for (int run = 0; run < runs; ++run) {
        for (const QString& name : names) {
            const QString path = sshd.path(QStringLiteral("run%1-%2").arg(run).arg(name));
            followers.push_back(std::make_unique<LogFollower>(tail, path));
            connect(followers.back().get(), &LogFollower::bytes, this,
                [&read, path](const QByteArray& bytes) { read[path] += bytes; });
            followers.back()->start();
        }
    }
    for (const char* line : {"first", "second"}) {
        const auto done = awaited(shell->run("for r in $(seq 0 29); do for f in "
            + names.join(u' ').toLatin1() + "; do echo " + line + " $r $f >>"
            + shellQuoted(sshd.path(QString())) + "/run$r-$f; done; done"));
        QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
        QCOMPARE(done->exitCode, 0);
        const auto all = [&read, line] {
            return std::count_if(read.begin(), read.end(),
                [line](const QByteArray& text) { return text.contains(line); });
        };
        QTRY_COMPARE_WITH_TIMEOUT(all(), qsizetype(runs * names.size()), 20'000);
    }
    // And there is room for an upload and a command meanwhile.
    QVERIFY(awaited(shell->writeFile(sshd.path(QStringLiteral("upload")), QByteArray(300'000, 'x')))
                .ok());
    QVERIFY(tail->isRunning());
    QVERIFY2(tail->starts() <= 3, qPrintable(QString::number(tail->starts())));
    for (auto it = read.cbegin(); it != read.cend(); ++it)
        QCOMPARE(it->count('\n'), 2); // each byte once
    noteTarget("T19",
        QStringLiteral(
            "%1 runs with %2 files followed by one program where the server allows three "
            "sessions; its channel was opened %3 times")
            .arg(runs)
            .arg(runs * names.size())
            .arg(tail->starts()));
}

void TestChannels::streamInLine_beginsWhenAnotherEnds()
{
    SshdFixture sshd;
    const auto shell = connectedWith(sshd, 10);
    QVERIFY(shell);
    std::vector<std::unique_ptr<Heard>> streams;
    for (size_t i = 0; i < SessionBudget::most; ++i)
        streams.push_back(std::make_unique<Heard>(shell->start(stream(ticking))));
    QTRY_COMPARE_WITH_TIMEOUT(std::count_if(streams.begin(), streams.end(),
                                  [](const auto& one) { return !one->process->isWaiting(); }),
        qsizetype(SessionBudget().streams()), 20'000);
    QVERIFY(streams.back()->process->isWaiting());
    QSignalSpy started(streams.back()->process.get(), &Process::started);
    streams[0]->process->cancel();
    streams[1]->process->cancel();
    QTRY_VERIFY_WITH_TIMEOUT(streams.back()->output.count() > 0, 20'000);
    QCOMPARE(started.count(), 1);
    QVERIFY(!streams.back()->process->isWaiting());
}

void TestChannels::cancelledStream_leavesNoSessionBehind()
{
    SshdFixture sshd;
    const auto shell = connectedWith(sshd, 10);
    QVERIFY(shell);
    // It prints nothing more, so no failed write ends it.
    const auto mark = sshd.path(QStringLiteral("pid"));
    auto silent = shell->start(stream("echo $$ >" + shellQuoted(mark) + "; sleep 600"));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(mark), 20'000);
    silent->cancel();
    const QByteArray gone = "p=$(cat " + shellQuoted(mark)
        + "); n=0; while kill -0 $p 2>/dev/null; do "
        + "n=$((n+1)); [ $n -gt 100 ] && exit 9; sleep 0.1; done";
    const auto done = awaited(shell->run(gone));
    QVERIFY(done.ok());
    QCOMPARE(done->exitCode, 0);
}

/// The caller is gone, and the server has not yet reported how the command ended.
void TestChannels::streamsDroppedAsTheyBegin_areNotCalledBack()
{
    SshdFixture sshd;
    const auto shell = connectedWith(sshd, 10);
    QVERIFY(shell);
    for (int i = 0; i < 60; ++i) {
        const Heard one(shell->start(Invocation{"exit 3", Invocation::Place::Argument, true}));
        QTest::qWait(i % 12);
    }
    const auto done = awaited(shell->run("echo here", {.timeout = 30s}));
    QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
    QTest::qWait(300); // what is still under way arrives
}

void TestChannels::timeInLine_isNotTheCommandsOwn()
{
    SshdFixture sshd;
    const auto shell = connectedWith(sshd, 1);
    QVERIFY(shell);
    auto slow = shell->run("sleep 6; echo slow");
    auto quick = shell->run("echo quick", {.timeout = 5s});
    const auto second = awaited(std::move(quick));
    QVERIFY2(second.ok(), second.ok() ? "" : qPrintable(second.error().text()));
    QCOMPARE(second->out, QByteArray("quick\n"));
    const auto first = awaited(std::move(slow));
    QVERIFY2(first.ok(), first.ok() ? "" : qPrintable(first.error().text()));
    QCOMPARE(first->out, QByteArray("slow\n"));
}

void TestChannels::temporaryRefusal_theBudgetRecovers()
{
    SshdFixture sshd;
    const auto shell = connectedWith(sshd, 4);
    QVERIFY(shell);
    // Commands that are given up keep their sessions at the server until they end there.
    const auto mark = sshd.path(QStringLiteral("held"));
    const QByteArray held = "echo >>" + shellQuoted(mark) + "; until [ -e "
        + shellQuoted(mark + u"-end") + " ]; do sleep 0.1; done";
    {
        std::vector<std::unique_ptr<Process>> given;
        for (int i = 0; i < 3; ++i)
            given.push_back(shell->start({held}));
        QTRY_COMPARE_WITH_TIMEOUT(QFile(mark).size(), qint64(3), 20'000);
    }
    auto first = shell->run("sleep 0.3; echo a");
    auto second = shell->run("echo b"); // refused: only one session is free
    QVERIFY(awaited(std::move(first)).ok());
    QVERIFY(awaited(std::move(second)).ok());
    QFile end(mark + u"-end");
    QVERIFY(end.open(QIODevice::WriteOnly));
    end.close();
    // Each waits until three are there, so they end only when three run side by side.
    const auto meet = sshd.path(QStringLiteral("meet"));
    std::vector<QCoro::Task<Result<CommandOutput>>> runs;
    for (int i = 0; i < 3; ++i)
        runs.push_back(shell->run("echo >>" + shellQuoted(meet) + "; n=0; until [ $(wc -l <"
            + shellQuoted(meet)
            + ") -ge 3 ]; do n=$((n+1)); [ $n -gt 200 ] && exit 9; sleep 0.1; done"));
    for (auto& run : runs) {
        const auto done = awaited(std::move(run));
        QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
        QCOMPARE(done->exitCode, 0);
    }
}

void TestChannels::budget_shrinksIsMeasuredAndGrows()
{
    SessionBudget budget;
    QCOMPARE(budget.total(), size_t(8));
    QCOMPARE(budget.streams(), size_t(6));
    budget.refused(4, 1000ms);
    QCOMPARE(budget.total(), size_t(4));
    QCOMPARE(budget.streams(), size_t(2));
    QVERIFY(!budget.isFew());
    budget.refused(1, 1000ms);
    QCOMPARE(budget.total(), size_t(1));
    QCOMPARE(budget.streams(), size_t(0));
    QVERIFY(budget.isFew());
    QVERIFY(budget.untilMeasuring(1000ms) > 0ms);
    QCOMPARE(budget.untilMeasuring(60'000ms), 0ms);
    budget.measured(5, 60'000ms);
    QCOMPARE(budget.total(), size_t(5));
    budget.measured(12, 70'000ms);
    QCOMPARE(budget.total(), size_t(8));
    QVERIFY(budget.isWhole());
}

void TestChannels::budget_isMeasuredEverLessOften()
{
    SessionBudget budget;
    auto now = 0ms;
    budget.refused(2, now);
    auto last = 0ms;
    for (int i = 0; i < 20; ++i) {
        const auto pause = budget.untilMeasuring(now);
        QVERIFY(pause >= last);
        QVERIFY(pause <= 5min);
        last = pause;
        now += pause;
        budget.measured(2, now);
    }
    QCOMPARE(last, std::chrono::milliseconds(5min));
}

SLIPWAY_TEST(TestChannels, ssh_channels)
#include "tst_channels.moc"
