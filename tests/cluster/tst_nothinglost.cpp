// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QRegularExpression>

using namespace slipway;

namespace {

const QString scratch = QStringLiteral("/scratch/demo/nothing-lost");
const QString slowSite = QStringLiteral("slow");

constexpr int submissionTakes = 30; ///< seconds, of sbatch and salloc

/// The job names of eleven people who try to forge rows, escape from a folder or run something.
const QByteArrayList hostileNames{"a\\nb", "a\\036b\\037c", "\\033[2Jcleared", "\\377\\376bytes",
    "../../../tmp/escaped", "<img src=http://127.0.0.1:9/x>", "$(touch /tmp/slipway-pwned)",
    "`touch /tmp/slipway-pwned`", "; touch /tmp/slipway-pwned", "%%s%%n|1|R|slipway:x",
    "'\\042\\\\ \\t end"};

} // namespace

/// Submissions and allocations whose program is killed while Slurm takes its time, output that is
/// lost, and foreign jobs with hostile names; on the real demo cluster.
class TestNothingLost : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_cluster.renewCalls(); }
    void killedInASubmission_oneJobIsFound_data();
    void killedInASubmission_oneJobIsFound();
    void unknownSubmission_canBeCancelled();
    void killedInAnAllocation_itsIntentIsKept();
    void ownerlessAllocation_isReported();
    void cleanupTestCase();

private:
    void putBack();
    QString killedWhileItSubmits(const QStringList& more, int after);
    std::unique_ptr<Engine> engineOn(const QString& site, const QString& data = {});
    QStringList jobsOf(const QString& tag, const QString& states);

    DemoClusterFixture m_cluster;
};

void TestNothingLost::putBack()
{
    m_cluster.ssh(
        u"[ ! -e ~/.bashrc.before-nothing-lost ] || mv ~/.bashrc.before-nothing-lost ~/.bashrc; "
        "rm -rf "
        + scratch);
}

void TestNothingLost::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    m_cluster.prompter.accept = true;
    putBack(); // of a test that was ended
    const QString bin = scratch + u"/bin";
    QString script = u"mkdir -p " + bin + u" && cd " + bin;
    for (const QString& name : {QStringLiteral("sbatch"), QStringLiteral("salloc")}) {
        script += u" && printf '%s\\n' '#!/bin/sh' 'case $PWD in " + scratch + u"/*) sleep "
            + QString::number(submissionTakes) + u" ;; esac' 'exec /usr/bin/" + name + u" \"$@\"' >"
            + name + u" && chmod +x " + name;
    }
    const auto prepared =
        m_cluster.ssh(script + u" && cp ~/.bashrc ~/.bashrc.before-nothing-lost && { echo PATH="
            + bin + u":\\$PATH; cat ~/.bashrc.before-nothing-lost; } >~/.bashrc");
    QVERIFY2(prepared.code == 0, prepared.out);
    m_cluster.addSite(
        slowSite, m_cluster.connection().value(u"port").toInt(), QStringLiteral("demo"), scratch);
}

void TestNothingLost::cleanupTestCase()
{
    putBack();
}

std::unique_ptr<Engine> TestNothingLost::engineOn(const QString& site, const QString& data)
{
    auto engine = m_cluster.engine(data);
    const auto connected = awaited(engine->sessions()->connectSite(site, &m_cluster.prompter));
    if (!connected.ok())
        qWarning("%s", qPrintable(connected.error().text()));
    return connected.ok() ? std::move(engine) : nullptr;
}

QStringList TestNothingLost::jobsOf(const QString& tag, const QString& states)
{
    QStringList jobs;
    const QString rows =
        QString::fromUtf8(m_cluster.ssh(u"squeue -h -t " + states + u" -o '%i %k'").out);
    for (const QString& row : rows.split(u'\n'))
        if (row.endsWith(QString(u":" + tag)))
            jobs << row.section(u' ', 0, 0);
    return jobs;
}

/// The id of a run whose program was killed (SIGKILL) so many milliseconds after it began to
/// submit; empty after a message.
QString TestNothingLost::killedWhileItSubmits(const QStringList& more, int after)
{
    const auto run = m_cluster.terminal(
        QStringList{QStringLiteral("run"), QStringLiteral("run-a-command"),
            QStringLiteral("--site"), slowSite}
        + QStringList{QStringLiteral("--set"), QStringLiteral("image="), QStringLiteral("--set"),
            QStringLiteral("cpus=1"), QStringLiteral("--set"), QStringLiteral("memory=200M"),
            QStringLiteral("--set"), QStringLiteral("command=echo came late")}
        + more);
    run->write("yes\n");
    const auto locks = [this] {
        const QString names = QString::fromUtf8(
            m_cluster.ssh(u"cd " + scratch + u"/slipway 2>/dev/null && ls -d */submit.lock").out);
        return names.split(u'\n');
    };
    static const QRegularExpression form(QStringLiteral("-(\\w{4})/submit\\.lock\\z"));
    QString id;
    const QStringList before = locks();
    const bool began = QTest::qWaitFor(
        [&] {
            for (const QString& name : locks())
                if (!before.contains(name) && form.match(name).hasMatch())
                    id = form.match(name).captured(1);
            return !id.isEmpty() || run->state() == QProcess::NotRunning;
        },
        60'000);
    if (began)
        QTest::qWait(after);
    const bool wasRunning = run->state() == QProcess::Running;
    run->kill();
    run->waitForFinished();
    if (id.isEmpty() || !wasRunning)
        qWarning().noquote() << run->readAllStandardOutput() << run->readAllStandardError();
    return wasRunning ? id : QString();
}

void TestNothingLost::killedInASubmission_oneJobIsFound_data()
{
    QTest::addColumn<int>("after");
    QTest::newRow("as sbatch begins") << 0;
    QTest::newRow("while sbatch waits") << 1500;
}

void TestNothingLost::killedInASubmission_oneJobIsFound()
{
    QFETCH(int, after);
    const QString id = killedWhileItSubmits({}, after);
    QVERIFY(!id.isEmpty());
    {
        const auto offline = m_cluster.engine();
        const auto run = offline->runs()->run(id);
        QVERIFY(run && !isTerminal(run->phase));
        QVERIFY2(run->sentence.contains(u"not known"), qPrintable(run->sentence));
    }
    const auto engine = engineOn(slowSite);
    QVERIFY(engine);
    const QString tag = engine->runs()->run(id)->tag;
    QVERIFY(waitForRun(
        *engine, id, [](const Run& run) { return run.job.isValid() || isTerminal(run.phase); },
        submissionTakes + 60));
    const Run run = *engine->runs()->run(id);
    QVERIFY2(run.job.isValid(), qPrintable(run.sentence));
    QVERIFY(waitForEnd(*engine, id, 90));
    QVERIFY2(engine->runs()->run(id)->phase == RunPhase::Done,
        qPrintable(engine->runs()->run(id)->sentence));
    QCOMPARE(jobsOf(tag, QStringLiteral("all")), QStringList{run.job.text});
    noteTarget("T11",
        QStringLiteral("an sbatch of %1 s, its program killed: one job, found again")
            .arg(submissionTakes));
}

void TestNothingLost::unknownSubmission_canBeCancelled()
{
    const QString id =
        killedWhileItSubmits({QStringLiteral("--set"), QStringLiteral("command=sleep 120")}, 0);
    QVERIFY(!id.isEmpty());
    const auto engine = engineOn(slowSite);
    QVERIFY(engine);
    const auto cancelled = awaited(engine->runs()->cancel(id));
    QVERIFY2(cancelled.ok(), qPrintable(cancelled.ok() ? QString() : cancelled.error().text()));
    QVERIFY(waitForEnd(*engine, id, 90));
    const Run run = *engine->runs()->run(id);
    QVERIFY2(run.phase == RunPhase::Cancelled, qPrintable(run.sentence));
    QTRY_COMPARE_WITH_TIMEOUT(jobsOf(run.tag, QStringLiteral("PD,R,CF")), QStringList(), 30'000);
}

void TestNothingLost::killedInAnAllocation_itsIntentIsKept()
{
    const QString id = killedWhileItSubmits({QStringLiteral("--interactive")}, 500);
    QVERIFY(!id.isEmpty());
    const auto engine = engineOn(slowSite);
    QVERIFY(engine);
    // The steps are run, and the nodes are given back, as the killed program would have done.
    QVERIFY(waitForEnd(*engine, id, submissionTakes + 120));
    const Run run = *engine->runs()->run(id);
    QVERIFY2(run.phase == RunPhase::Done, qPrintable(run.sentence));
    QTRY_COMPARE_WITH_TIMEOUT(jobsOf(run.tag, QStringLiteral("PD,R,CF")), QStringList(), 30'000);
    QVERIFY(jobsOf(run.tag, QStringLiteral("all")).size() <= 1);
}

/// With the list of runs lost as well, the next login finds the allocation by its tag.
void TestNothingLost::ownerlessAllocation_isReported()
{
    const QString id = killedWhileItSubmits({QStringLiteral("--interactive")}, 500);
    QVERIFY(!id.isEmpty());
    const QString tag = m_cluster.engine()->runs()->run(id)->tag;
    QTRY_COMPARE_WITH_TIMEOUT(
        jobsOf(tag, QStringLiteral("PD,R,CF")).size(), qsizetype(1), (submissionTakes + 60) * 1000);
    QElapsedTimer clock;
    clock.start();
    const auto engine = engineOn(slowSite, m_cluster.home() + u"/empty-data");
    QVERIFY(engine);
    const auto found = [&]() -> std::optional<Run> {
        for (const Run& run : engine->runs()->all())
            if (run.tag == tag)
                return run;
        return std::nullopt;
    };
    QTRY_VERIFY_WITH_TIMEOUT(found().has_value(), 60'000);
    const qint64 took = clock.elapsed();
    QVERIFY2(found()->sentence.contains(u"Found on the cluster") || found()->job.isValid(),
        qPrintable(found()->sentence));
    QVERIFY(waitForRun(
        *engine, found()->id, [](const Run& run) { return run.job.isValid(); }, 30));
    QVERIFY(awaited(engine->runs()->cancel(found()->id)).ok());
    QTRY_COMPARE_WITH_TIMEOUT(jobsOf(tag, QStringLiteral("PD,R,CF")), QStringList(), 30'000);
    noteTarget("T20",
        QStringLiteral("killed during salloc, and its list of runs lost: the allocation was shown "
                       "%1 s after the next login began")
            .arg(double(took) / 1000, 0, 'f', 1));
}

/// Output that is lost while a job runs, and jobs of others with names that are no names.
class TestLostOutput : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void purgedFolder_isSaidAndWhatIsHereIsGiven();
    void fullDiskInTheRun_isSaid();
    void cutLog_isSaid_data();
    void cutLog_isSaid();
    void hostileNames_areOneRowEach();
    void cleanupTestCase();

private:
    QString running(const QString& command, const QString& site);

    DemoClusterFixture m_cluster;
    std::unique_ptr<Engine> m_engine;
};

void TestLostOutput::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    m_cluster.prompter.accept = true;
    m_cluster.addSite(QStringLiteral("tiny"), m_cluster.connection().value(u"port").toInt(),
        QStringLiteral("demo"), m_cluster.connection().value(u"tiny_scratch").toString());
    m_engine = m_cluster.engine();
    for (const QString& site : {demoSite, QStringLiteral("tiny")})
        QVERIFY(awaited(m_engine->sessions()->connectSite(site, &m_cluster.prompter)).ok());
}

void TestLostOutput::cleanupTestCase()
{
    m_engine.reset();
    m_cluster.ssh(QStringLiteral("rm -rf /scratch-tiny/slipway"));
}

/// Launches, and waits until some of its output is here; empty after a message.
QString TestLostOutput::running(const QString& command, const QString& site)
{
    const auto id = awaited(m_engine->runs()->launch(commandSpec(command, site)));
    if (!id.ok()) {
        qWarning("%s", qPrintable(id.error().text()));
        return {};
    }
    const bool writes = waitForRun(
        *m_engine, *id, [](const Run& run) { return run.logBytes > 0; }, 60);
    return writes ? *id : QString();
}

void TestLostOutput::purgedFolder_isSaidAndWhatIsHereIsGiven()
{
    const QString id = running(
        QStringLiteral("sh -c 'echo the first line; for i in $(seq 12); do sleep 0.5; done'"),
        demoSite);
    QVERIFY(!id.isEmpty());
    const QString folder = m_engine->runs()->run(id)->folder;
    QVERIFY(folder.startsWith(u"/scratch/"));
    QVERIFY(waitForRun(
        *m_engine, id, [](const Run& run) { return run.phase == RunPhase::Running; }, 60));
    QTest::qWait(1000);
    QCOMPARE(m_cluster.ssh(u"rm -rf " + folder).code, 0);
    QVERIFY(waitForEnd(*m_engine, id, 90));
    const Run run = *m_engine->runs()->run(id);
    QVERIFY2(run.phase != RunPhase::Done, qPrintable(run.sentence));
    QVERIFY2(run.sentence.contains(u"no longer exists"), qPrintable(run.sentence));
    const auto fetched = awaited(m_engine->runs()->fetch(id, m_cluster.home() + u"/fetched"));
    QVERIFY2(fetched.ok(), qPrintable(fetched.ok() ? QString() : fetched.error().text()));
    QFile log(*fetched + u"/slurm-" + run.job.text + u".out");
    QVERIFY2(log.open(QIODevice::ReadOnly), qPrintable(log.fileName()));
    QVERIFY(log.readAll().contains("the first line"));
}

void TestLostOutput::fullDiskInTheRun_isSaid()
{
    m_cluster.ssh(QStringLiteral("rm -rf /scratch-tiny/slipway"));
    // Both sites are one account on one host, and share its calls: the demo cluster's, which asks
    // every two seconds while a job runs, would leave the other none for two minutes.
    m_engine->sessions()->disconnectSite(demoSite);
    const auto id = awaited(m_engine->runs()->launch(commandSpec(
        QStringLiteral("sh -c 'seq 1 600000 || true; sleep 1'"), QStringLiteral("tiny"))));
    QVERIFY2(id.ok(), qPrintable(id.ok() ? QString() : id.error().text()));
    QVERIFY(waitForEnd(*m_engine, *id, 120));
    const Run run = *m_engine->runs()->run(*id);
    m_cluster.ssh(QStringLiteral("rm -rf /scratch-tiny/slipway"));
    QVERIFY(awaited(m_engine->sessions()->connectSite(demoSite, &m_cluster.prompter)).ok());
    QVERIFY2(run.phase != RunPhase::Done, qPrintable(run.sentence));
    QVERIFY2(run.sentence.contains(u"exit record"), qPrintable(run.sentence));
    noteTarget("T16", QStringLiteral("disk full in the run: said, and not done"));
}

void TestLostOutput::cutLog_isSaid_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("said");
    QTest::newRow("truncated") << QStringLiteral("truncate -s 0 ")
                               << QStringLiteral("log is not complete");
    QTest::newRow("deleted") << QStringLiteral("rm ")
                             << QStringLiteral("was deleted on the cluster");
}

void TestLostOutput::cutLog_isSaid()
{
    QFETCH(QString, how);
    QFETCH(QString, said);
    const QString id = running(
        QStringLiteral(
            "sh -c 'for i in $(seq 24); do echo line $i of a log that is cut; sleep 0.2; done'"),
        demoSite);
    QVERIFY(!id.isEmpty());
    QVERIFY(waitForRun(
        *m_engine, id, [](const Run& run) { return run.logBytes > 300; }, 60));
    QCOMPARE(m_cluster.ssh(QString(how + m_engine->runs()->run(id)->logFile)).code, 0);
    QVERIFY(waitForEnd(*m_engine, id, 90));
    const Run run = *m_engine->runs()->run(id);
    QVERIFY2(run.sentence.contains(said), qPrintable(run.sentence));
    QVERIFY2(!run.sentence.startsWith(u"Done."), qPrintable(run.sentence));
}

void TestLostOutput::hostileNames_areOneRowEach()
{
    QString script = QStringLiteral("cd /tmp");
    for (const QByteArray& name : hostileNames)
        script +=
            QString::fromLatin1("; sbatch --parsable -o /dev/null --wrap 'sleep 60' -J \"$(printf "
                + QByteArray("'") + QByteArray(name).replace('\'', "'\\''") + "')\"");
    const auto submitted = m_cluster.ssh(script);
    static const QRegularExpression number(QStringLiteral("^\\d+$"));
    const QStringList ids =
        QString::fromUtf8(submitted.out).split(u'\n', Qt::SkipEmptyParts).filter(number);
    QVERIFY2(ids.size() == hostileNames.size(), submitted.out);
    JobWatcher* const watcher = m_engine->sessions()->cluster(demoSite)->watcher();
    const auto row = [watcher](const QString& id) { return watcher->job(JobId{id}); };
    for (const QString& id : ids) {
        QTRY_VERIFY2_WITH_TIMEOUT(row(id).has_value(), qPrintable(id), 60'000);
        QCOMPARE(row(id)->workDir, QStringLiteral("/tmp"));
        QVERIFY(row(id)->comment.isEmpty());
    }
    QCOMPARE(watcher->oddRows(), 0);
    for (const Run& run : m_engine->runs()->all())
        QVERIFY(!ids.contains(run.job.text)); // none is taken for a run
    m_cluster.ssh(u"scancel " + ids.join(u' '));
    QVERIFY(m_cluster.ssh(QStringLiteral("ls /tmp/slipway-pwned /tmp/escaped*")).code != 0);
    noteTarget("T14", QStringLiteral("11 hostile job names: one row each, nothing executed"));
}

SLIPWAY_TEST(TestNothingLost, cluster_nothinglost)
SLIPWAY_TEST(TestLostOutput, cluster_lostoutput)
#include "tst_nothinglost.moc"
