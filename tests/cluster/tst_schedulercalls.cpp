// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/sharingconnector.h"
#include "tests/cluster/centrefixture.h"
#include "tests/cluster/terminal.h"
#include "tests/support/awaited.h"
#include "tests/support/paths.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <algorithm>

using namespace slipway;

namespace {

constexpr int shortJobs = 10;
constexpr int watched = 75; ///< seconds

/// The most calls that `isCounted` in any 60 seconds.
template <typename Counted>
int mostInAMinute(const QList<CentreFixture::Call>& calls, const Counted& isCounted)
{
    QList<double> times;
    for (const auto& call : calls)
        if (isCounted(call))
            times << call.time;
    std::sort(times.begin(), times.end());
    int most = 0;
    for (qsizetype first = 0, last = 0; last < times.size(); ++last) {
        while (times[last] - times[first] >= 60)
            ++first;
        most = std::max(most, int(last - first + 1));
    }
    return most;
}

QByteArray listed(const QList<CentreFixture::Call>& calls)
{
    QByteArray text;
    for (const auto& call : calls)
        text += QByteArray::number(call.time - calls.first().time, 'f', 1) + ' ' + call.program
            + ' ' + call.what + '\n';
    return text;
}

} // namespace

/// What three programs of a person ask of a scheduler, counted where they ask it: on the cluster's
/// side of the connection.
class TestSchedulerCalls : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void threePrograms_stayInTheBudgetOfOne();
    void cleanupTestCase();

private:
    DemoClusterFixture m_cluster;
    CentreFixture m_centre{&m_cluster};
};

void TestSchedulerCalls::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    const QString failed = m_centre.start();
    QVERIFY2(failed.isEmpty(), qPrintable(failed));
}

void TestSchedulerCalls::cleanupTestCase()
{
    QVERIFY(m_centre.endBrokers());
}

void TestSchedulerCalls::threePrograms_stayInTheBudgetOfOne()
{
    const QString lines = QStringLiteral("for i in $(seq %1); do echo line $i; sleep 1; done");
    Terminal one(m_cluster.terminal(runWords(centre, lines.arg(watched - 5))));
    one.process->write(m_centre.answers());
    QVERIFY2(one.prints("\nline 2\n"), one.all());
    Terminal two(m_cluster.terminal(runWords(centre, lines.arg(watched - 10))));
    QVERIFY2(two.prints("\nline 2\n"), two.all());

    SshConnector::Settings settings;
    settings.configFile = m_cluster.home() + u"/.ssh/config";
    SshConnector direct(settings);
    SharingConnector connector(&direct, {true, buildPath(QStringLiteral("/bin/slipway-cli")), {}});
    Engine engine(&connector,
        EnginePaths{sourcePath(QStringLiteral("/resources")), m_cluster.home() + u"/config",
            m_cluster.home() + u"/window-data"});
    ListPrompter nobody;
    const auto connected = awaited(engine.sessions()->connectSite(centre, &nobody));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    QVERIFY(nobody.rounds.isEmpty());
    QCOMPARE(m_centre.brokers().size(), 1);

    QStringList ids;
    for (int i = 0; i < shortJobs; ++i) {
        const auto id = awaited(engine.runs()->launch(
            commandSpec(QStringLiteral("sh -c 'echo short; sleep 2'"), centre)));
        QVERIFY2(id.ok(), qPrintable(id.ok() ? QString() : id.error().text()));
        ids << *id;
    }
    engine.runs()->setShownRuns({ids.first()});
    const double begin = m_cluster.ssh(QStringLiteral("date +%s.%N")).out.trimmed().toDouble();
    QTest::qWait(watched * 1000);
    QList<CentreFixture::Call> calls = m_centre.calls();
    QCOMPARE(m_centre.codesAccepted(), 1);

    // Submissions, and what a login asks, are a person's doing. They pass, and are counted.
    const auto isPersons = [](const CentreFixture::Call& call) {
        return call.program == "sbatch" || call.program == "sinfo"
            || (call.program == "scontrol" && call.what == "show config");
    };
    const auto byTimers = [&](const CentreFixture::Call& call) { return !isPersons(call); };
    const auto later = [&](const CentreFixture::Call& call) { return call.time >= begin; };
    const auto submissions = std::count_if(calls.begin(), calls.end(),
        [](const CentreFixture::Call& call) { return call.program == "sbatch"; });
    QCOMPARE(int(submissions), shortJobs + 2);
    const int timers = mostInAMinute(calls, byTimers), all = mostInAMinute(calls, later);
    qInfo().noquote() << listed(calls);
    QVERIFY2(timers >= 2, listed(calls)); // they did watch
    QVERIFY2(timers <= 12, listed(calls));
    QVERIFY2(all <= 12, listed(calls));
    for (const QString& id : ids)
        QVERIFY(waitForEnd(engine, id, 60));
    QVERIFY2(one.ended() == 0, one.all());
    QVERIFY2(two.ended() == 0, two.all());
    noteTarget("T19",
        QStringLiteral("three programs, %1 jobs, %2 s, counted on the cluster: at most %3 calls by "
                       "timers in any minute, %4 of any kind after the last submission")
            .arg(shortJobs + 2)
            .arg(watched)
            .arg(timers)
            .arg(all));
}

SLIPWAY_TEST(TestSchedulerCalls, cluster_schedulercalls)
#include "tst_schedulercalls.moc"
