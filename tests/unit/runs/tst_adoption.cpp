// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/makeplan.h"
#include "app/runs/runadoption.h"
#include "app/runs/runstore.h"
#include "tests/support/paths.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// Runs that were called ended although their job lives, and launches whose program was ended.
class TestAdoption : public QObject {
    Q_OBJECT

private slots:
    void init();
    void lateJob_bringsItsRunBack_data();
    void lateJob_bringsItsRunBack();
    void interruptedLaunch_isUnknown_data();
    void interruptedLaunch_isUnknown();
    void newRun_isThisProgramsAlone();
    void abandonedRun_hasFailed();

private:
    Plan commandPlan() const;
    void store(const Run& run) const;
    RunContext context();
    static Run launch(RunPhase phase);

    std::unique_ptr<QTemporaryDir> m_folder;
    ScriptedConnector m_connector;
    std::unique_ptr<Catalogue> m_catalogue;
    std::unique_ptr<Sessions> m_sessions;
};

void TestAdoption::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    const QString resources = sourcePath(QStringLiteral("/resources"));
    m_sessions.reset();
    m_catalogue =
        std::make_unique<Catalogue>(resources, m_folder->filePath(QStringLiteral("config")));
    m_sessions = std::make_unique<Sessions>(
        &m_connector, m_catalogue.get(), resources + QStringLiteral("/demo-cluster"));
}

RunContext TestAdoption::context()
{
    RunContext context;
    context.catalogue = m_catalogue.get();
    context.sessions = m_sessions.get();
    context.dataFolder = m_folder->path();
    return context;
}

void TestAdoption::store(const Run& run) const
{
    RunStore store(m_folder->filePath(QStringLiteral("runs.sqlite")));
    QVERIFY(store.open().ok());
    QVERIFY(store.insert(run).ok());
}

Run TestAdoption::launch(RunPhase phase)
{
    Run run;
    run.id = QStringLiteral("k3f9");
    run.tag = QStringLiteral("tag-k3f9");
    run.spec.siteId = QStringLiteral("demo");
    run.spec.recipeId = QStringLiteral("run-a-command");
    run.folder = QStringLiteral("/scratch/demo/slipway/x-k3f9");
    run.created = QDateTime::currentDateTime();
    run.phase = phase;
    run.sentence = QStringLiteral("As it was stored.");
    return run;
}

void TestAdoption::lateJob_bringsItsRunBack_data()
{
    QTest::addColumn<RunPhase>("phase");
    QTest::addColumn<QString>("known"); // the job that the run had
    QTest::addColumn<QString>("site"); // of the answer
    QTest::addColumn<QString>("comment");
    QTest::addColumn<JobState>("state");
    QTest::addColumn<bool>("isBack");
    const QString demo = QStringLiteral("demo"), tag = QStringLiteral("slipway:tag-k3f9");
    QTest::newRow("called failed, and its job waits")
        << RunPhase::Failed << QString() << demo << tag << JobState::Pending << true;
    QTest::newRow("called unknown, and its job is running")
        << RunPhase::Unknown << QStringLiteral("77") << demo << tag << JobState::Running << true;
    QTest::newRow("done, with another job")
        << RunPhase::Done << QStringLiteral("70") << demo << tag << JobState::Running << false;
    QTest::newRow("its job has ended")
        << RunPhase::Failed << QString() << demo << tag << JobState::Cancelled << false;
    QTest::newRow("another run's job")
        << RunPhase::Failed << QString() << demo << QStringLiteral("slipway:other")
        << JobState::Running << false;
    QTest::newRow("another site's answer")
        << RunPhase::Failed << QString() << QStringLiteral("kestrel") << tag << JobState::Running
        << false;
}

void TestAdoption::lateJob_bringsItsRunBack()
{
    QFETCH(RunPhase, phase);
    QFETCH(QString, known);
    QFETCH(QString, site);
    QFETCH(QString, comment);
    QFETCH(JobState, state);
    QFETCH(bool, isBack);
    Run run = launch(phase);
    run.job.text = known;
    store(run);
    RunRegistry registry(context());
    QVERIFY(registry.open().empty());
    RunAdoption adoption(context(), &registry);
    JobEvent event;
    event.after.id.text = QStringLiteral("77");
    event.after.state = state;
    event.after.comment = comment;
    adoption.routeEvents(site, {event});
    const Run now = *registry.run(run.id);
    QCOMPARE(!isTerminal(now.phase), isBack);
    QCOMPARE(now.job.text, isBack ? QStringLiteral("77") : known);
}

void TestAdoption::interruptedLaunch_isUnknown_data()
{
    QTest::addColumn<RunPhase>("phase");
    QTest::addColumn<QString>("job");
    QTest::addColumn<bool>("isDriven"); // by another program
    QTest::addColumn<bool>("isUnknown");
    QTest::newRow("submitting") << RunPhase::Submitting << QString() << false << true;
    QTest::newRow("uploading, as it was stored")
        << RunPhase::Preparing << QString() << false << true;
    QTest::newRow("another program submits it")
        << RunPhase::Submitting << QString() << true << false;
    QTest::newRow("queued") << RunPhase::Queued << QStringLiteral("77") << false << false;
}

void TestAdoption::interruptedLaunch_isUnknown()
{
    QFETCH(RunPhase, phase);
    QFETCH(QString, job);
    QFETCH(bool, isDriven);
    QFETCH(bool, isUnknown);
    Run run = launch(phase);
    run.job.text = job;
    store(run);
    LocalRun other(context().localFolder(run.id));
    if (isDriven)
        QVERIFY(other.lock());
    RunRegistry registry(context());
    QVERIFY(registry.open().empty());
    const Run now = *registry.run(run.id);
    QCOMPARE(now.phase, phase);
    QCOMPARE(now.sentence.contains(u"not known whether the job was submitted"), isUnknown);
    QCOMPARE(now.sentence == run.sentence, !isUnknown);
}

Plan TestAdoption::commandPlan() const
{
    LaunchSpec spec;
    spec.siteId = QStringLiteral("demo");
    spec.recipeId = QStringLiteral("run-a-command");
    return makePlan(
        spec, *m_catalogue->recipe(spec.recipeId), *m_catalogue->site(spec.siteId), std::nullopt);
}

void TestAdoption::newRun_isThisProgramsAlone()
{
    RunRegistry registry(context());
    QVERIFY(registry.open().empty());
    const auto run = registry.create(commandPlan());
    QVERIFY(run.ok());
    // From here on another program sees it in the list, and may have a connection to its site.
    const auto canBeDriven = [&] { return LocalRun(context().localFolder(run->id)).lock(); };
    QVERIFY(!canBeDriven());
    RunRegistry other(context());
    QVERIFY(other.open().empty());
    QCOMPARE(other.run(run->id)->sentence, run->sentence);
    QVERIFY(registry.add(*run));
    QVERIFY(!canBeDriven());
    registry.drop(run->id);
    QTRY_VERIFY(canBeDriven());
}

/// Of an array whose later points could not be created.
void TestAdoption::abandonedRun_hasFailed()
{
    RunRegistry registry(context());
    QVERIFY(registry.open().empty());
    const auto run = registry.create(commandPlan());
    QVERIFY(run.ok());
    registry.abandon(*run, Error{ErrorKind::Io, QStringLiteral("The disk is full.")});
    QVERIFY(LocalRun(context().localFolder(run->id)).lock());
    RunRegistry other(context());
    QVERIFY(other.open().empty());
    for (RunRegistry* const each : {&registry, &other}) {
        const auto known = each->run(run->id);
        QVERIFY(known);
        QCOMPARE(known->phase, RunPhase::Failed);
        QCOMPARE(known->sentence, QStringLiteral("Nothing was submitted: The disk is full."));
        QVERIFY(known->ended.isValid());
    }
}

SLIPWAY_TEST(TestAdoption, runs_adoption)
#include "tst_adoption.moc"
