// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/testmain.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTest>

using namespace slipway;

/// Runs on the real demo cluster: real sshd, real Slurm, real containers.
class TestRuns : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void matmul_endsWithCurvesAndACapsule();
    void failingCommand_namesStepExitCodeAndItsOutput();
    void cancel_whilePending();
    void cancel_whileRunning();
    void allocation_keepsNodesUntilReleased();
    void overlay_staysOnTheNodeUntilItIsReleased();
    void restart_findsTheRunAgainAndLosesNoByte();
    void hostileNames_changeNothing();
    void cleanupTestCase();

private:
    QString launched(Engine& engine, const LaunchSpec& spec);
    QString squeue(const QString& arguments)
    {
        return QString::fromUtf8(m_cluster.ssh(u"squeue " + arguments).out).trimmed();
    }

    DemoClusterFixture m_cluster;
    std::unique_ptr<Engine> m_engine;
    QStringList m_tags;
};

void TestRuns::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    m_engine = m_cluster.engine();
    const auto connected =
        awaited(m_engine->sessions()->connectSite(QStringLiteral("demo"), &m_cluster.prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
}

QString TestRuns::launched(Engine& engine, const LaunchSpec& spec)
{
    const auto id = awaited(engine.runs()->launch(spec));
    if (!id.ok()) {
        qWarning().noquote() << id.error().text();
        return {};
    }
    m_tags.append(engine.runs()->run(*id)->tag);
    return *id;
}

void TestRuns::matmul_endsWithCurvesAndACapsule()
{
    LaunchSpec spec{QStringLiteral("demo"), QStringLiteral("matmul-scaling"), LaunchMode::Batch,
        {{QStringLiteral("sizes"), QStringLiteral("64,128")},
            {QStringLiteral("lanes"), QStringLiteral("cpu,cpu-1")},
            {QStringLiteral("repeats"), QStringLiteral("3")},
            {QStringLiteral("gpus"), QStringLiteral("0")}},
        {}};
    const QString id = launched(*m_engine, spec);
    QVERIFY(!id.isEmpty());
    RunFeed* const feed = m_engine->runs()->feed(id);
    QVERIFY(waitForEnd(*m_engine, id, 600)); // the first launch on a cluster pulls the image
    const Run run = *m_engine->runs()->run(id);
    QVERIFY2(
        run.phase == RunPhase::Done, qPrintable(run.sentence + u'\n' + feed->lines().join(u'\n')));
    QCOMPARE(run.exitCode, std::optional(0));
    for (const RunStage& stage : run.stages)
        QVERIFY2(stage.state == StageState::Done || stage.state == StageState::Skipped,
            qPrintable(stage.id));
    // The digest that was recorded is that of the file which the job's script names.
    const QByteArray sum = m_cluster
                               .ssh(u"bash -lc 'eval \"$(grep ^image= " + run.folder
                                   + u"/job.sh)\"; sha256sum <\"$image\"'")
                               .out.trimmed();
    QVERIFY2(sum.endsWith("  -"), sum);
    QCOMPARE(run.imageDigest, u"sha256:" + QString::fromLatin1(sum.chopped(3).right(64)));
    QTRY_VERIFY(feed->series().all().size() >= 2);
    QVERIFY(!feed->live());

    const auto capsule = awaited(m_engine->runs()->fetch(id, m_cluster.home() + u"/capsules"));
    QVERIFY2(capsule.ok(), qPrintable(capsule.ok() ? QString() : capsule.error().text()));
    QVERIFY(QFile::exists(*capsule + u"/job.sh"));
    QVERIFY(QFile::exists(*capsule + u"/exit.json"));
    const QJsonObject json = QJsonDocument::fromJson(contentOf(*capsule + u"/run.json")).object();
    QVERIFY(!json.value(u"metrics").toArray().isEmpty());
    QCOMPARE(json.value(u"image_digest").toString(), run.imageDigest);
    QCOMPARE(m_engine->runs()->run(id)->fetchedTo, *capsule);
    QVERIFY(m_engine->runs()->commands(id).contains(u"scancel " + run.job.text));
}

void TestRuns::failingCommand_namesStepExitCodeAndItsOutput()
{
    const QString id = launched(
        *m_engine, commandSpec(QStringLiteral("sh -c 'echo the reason is here >&2; exit 3'")));
    QVERIFY(waitForEnd(*m_engine, id, 60));
    const Run run = *m_engine->runs()->run(id);
    QCOMPARE(run.phase, RunPhase::Failed);
    QCOMPARE(run.exitCode, std::optional(3));
    // Where it took no second: "ended at once, with exit code 3".
    QVERIFY2(run.sentence.startsWith(QStringLiteral("Failed: step “Run the command” ended "))
            && run.sentence.contains(QStringLiteral("with exit code 3")),
        qPrintable(run.sentence));
    QVERIFY(run.error && run.error->detail.contains("the reason is here"));
}

void TestRuns::cancel_whilePending()
{
    LaunchSpec spec = commandSpec(QStringLiteral("sleep 600"));
    spec.values.insert(QStringLiteral("job_name"), QStringLiteral("pends"));
    // Both nodes whole: with anything else running it waits; with nothing, a hold does.
    m_cluster.root(
        QStringLiteral("login"), QStringLiteral("scontrol update PartitionName=debug State=DOWN"));
    spec.values.insert(QStringLiteral("partition"), QStringLiteral("debug"));
    const QString id = launched(*m_engine, spec);
    const bool waits = !id.isEmpty()
        && waitForRun(
            *m_engine, id,
            [](const Run& run) {
                return run.phase == RunPhase::Queued && run.sentence.contains(u"since");
            },
            60);
    const QString sentence = id.isEmpty() ? QString() : m_engine->runs()->run(id)->sentence;
    const auto cancelled = awaited(m_engine->runs()->cancel(id));
    m_cluster.root(
        QStringLiteral("login"), QStringLiteral("scontrol update PartitionName=debug State=UP"));
    QVERIFY2(waits, qPrintable(sentence));
    QVERIFY2(cancelled.ok(), qPrintable(cancelled.ok() ? QString() : cancelled.error().text()));
    QVERIFY(waitForEnd(*m_engine, id, 30));
    QCOMPARE(m_engine->runs()->run(id)->phase, RunPhase::Cancelled);
    QCOMPARE(m_engine->runs()->run(id)->sentence, QStringLiteral("Cancelled by you."));
}

void TestRuns::cancel_whileRunning()
{
    const QString id = launched(*m_engine, commandSpec(QStringLiteral("sleep 600")));
    QVERIFY(waitForPhase(*m_engine, id, RunPhase::Running, 60));
    QSignalSpy changes(m_engine->runs(), &Runs::runChanged);
    const auto cancelled = awaited(m_engine->runs()->cancel(id));
    QVERIFY2(cancelled.ok(), qPrintable(cancelled.ok() ? QString() : cancelled.error().text()));
    QVERIFY(waitForEnd(*m_engine, id, 30));
    QCOMPARE(m_engine->runs()->run(id)->phase, RunPhase::Cancelled);
    QVERIFY(squeue(u"-h -t R,PD -j " + m_engine->runs()->run(id)->job.text).isEmpty());
    QVERIFY(!awaited(m_engine->runs()->cancel(id)).ok());
}

void TestRuns::allocation_keepsNodesUntilReleased()
{
    LaunchSpec spec = commandSpec(QStringLiteral("echo value: 42"));
    spec.mode = LaunchMode::Interactive;
    const QString id = launched(*m_engine, spec);
    QVERIFY(waitForPhase(*m_engine, id, RunPhase::Allocated, 60));
    const Run run = *m_engine->runs()->run(id);
    QCOMPARE(squeue(u"-h -o %T -j " + run.job.text), QStringLiteral("RUNNING"));
    RunFeed* const feed = m_engine->runs()->feed(id);
    QTRY_VERIFY_WITH_TIMEOUT(feed->lines().contains(QStringLiteral("value: 42")), 60000);
    const auto released = awaited(m_engine->runs()->release(id));
    QVERIFY2(released.ok(), qPrintable(released.ok() ? QString() : released.error().text()));
    QVERIFY(waitForEnd(*m_engine, id, 30));
    QVERIFY2(m_engine->runs()->run(id)->phase == RunPhase::Done,
        qPrintable(m_engine->runs()->run(id)->sentence));
    QVERIFY(squeue(u"-h -t R,PD -j " + run.job.text).isEmpty());
}

void TestRuns::overlay_staysOnTheNodeUntilItIsReleased()
{
    LaunchSpec spec;
    spec.siteId = QStringLiteral("demo");
    spec.recipeId = QStringLiteral("overlay-prototype");
    spec.mode = LaunchMode::Interactive;
    const QString id = launched(*m_engine, spec);
    QVERIFY(waitForPhase(*m_engine, id, RunPhase::Allocated, 120));
    const QString folder = u"/tmp/slipway-" + m_engine->runs()->run(id)->job.text;
    const auto onNodes = [&] {
        QByteArray found;
        for (const char* node : {"gpu01", "gpu02"})
            found += m_cluster
                         .root(QLatin1String(node),
                             u"stat -c '%a %U' " + folder + u" 2>/dev/null || true")
                         .out;
        return found.trimmed();
    };
    QCOMPARE(onNodes(), QByteArray("700 demo"));
    const auto released = awaited(m_engine->runs()->release(id));
    QVERIFY2(released.ok(), qPrintable(released.ok() ? QString() : released.error().text()));
    QTRY_VERIFY_WITH_TIMEOUT(onNodes().isEmpty(), 30000);
}

void TestRuns::restart_findsTheRunAgainAndLosesNoByte()
{
    const QString command = QStringLiteral("sh -c 'for i in $(seq 1 240); do echo line $i of a "
                                           "log; [ $((i % 20)) = 0 ] && sleep 0.5; done'");
    const QString id = launched(*m_engine, commandSpec(command));
    QVERIFY(waitForRun(
        *m_engine, id, [](const Run& run) { return run.logBytes > 500; }, 60));
    m_engine.reset(); // as if the program ended; the job goes on
    QTest::qWait(2000);
    m_engine = m_cluster.engine();
    QVERIFY(m_engine->runs()->run(id).has_value());
    QVERIFY(!isTerminal(m_engine->runs()->run(id)->phase));
    QVERIFY(awaited(m_engine->sessions()->connectSite(QStringLiteral("demo"), &m_cluster.prompter))
                .ok());
    QVERIFY(waitForEnd(*m_engine, id, 60));
    const Run run = *m_engine->runs()->run(id);
    QVERIFY2(run.phase == RunPhase::Done, qPrintable(run.sentence));
    const QByteArray there = m_cluster.ssh(u"sha256sum < " + run.logFile).out.left(64);
    const QByteArray here =
        QCryptographicHash::hash(contentOf(m_cluster.dataFolder() + u"/runs/" + id + u"/log.bin"),
            QCryptographicHash::Sha256)
            .toHex();
    QCOMPARE(here, there);
}

void TestRuns::hostileNames_changeNothing()
{
    // Foreign jobs with names that try to forge rows, in the same queue.
    m_cluster.ssh(QStringLiteral(
        "cd /tmp && sbatch -J \"$(printf 'a\\nb\\036c\\0371|2')\" -o /dev/null --wrap 'sleep 20'; "
        "sbatch -J '../<img src=x>$(touch /tmp/pwned)' -o /dev/null --wrap 'sleep 20'"));
    LaunchSpec spec =
        commandSpec(QStringLiteral("printf '%s\\n' '$(touch /tmp/pwned)' \"; exit 9\" '<b>&'"));
    const QString id = launched(*m_engine, spec);
    QVERIFY(waitForEnd(*m_engine, id, 60));
    QVERIFY2(m_engine->runs()->run(id)->phase == RunPhase::Done,
        qPrintable(m_engine->runs()->run(id)->sentence));
    QTRY_VERIFY_WITH_TIMEOUT(
        m_engine->runs()->feed(id)->lines().contains(QStringLiteral("$(touch /tmp/pwned)")), 60000);
    QVERIFY(m_cluster.ssh(QStringLiteral("test -e /tmp/pwned")).code != 0);
    LaunchSpec bad = spec;
    bad.values.insert(QStringLiteral("job_name"), QStringLiteral("a\n#SBATCH --uid=0"));
    QVERIFY(!awaited(m_engine->runs()->launch(bad)).ok());
    m_cluster.ssh(QStringLiteral("scancel -n '../<img src=x>$(touch /tmp/pwned)'; scancel -n "
                                 "\"$(printf 'a\\nb\\036c\\0371|2')\""));
}

void TestRuns::cleanupTestCase()
{
    m_engine.reset();
    const QString left = squeue(QStringLiteral("-h -t R,PD,S -O Comment:80"));
    for (const QString& tag : m_tags)
        QVERIFY2(!left.contains(tag), qPrintable(left));
}

SLIPWAY_TEST(TestRuns, cluster_runs)
#include "tst_runs.moc"
