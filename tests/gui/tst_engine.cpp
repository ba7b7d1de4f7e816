// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/localrun.h"
#include "app/runs/runhandle.h"
#include "app/runs/runstore.h"
#include "app/runs/sweep.h"
#include "nodeexamples.h"
#include "rig.h"
#include "tests/support/testmain.h"
#include "ui/launch/launchpage.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/window/runlauncher.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTest>

#include <algorithm>

using namespace slipway;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// What the window and its engine do together over time: how often a site is asked, what is kept of
/// many runs, what a saved site leaves of the others, and where a sweep ends.
class TestEngine : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void activeRuns_areCounted();
    void sweep_endsWithTheFirstRefusal();
    void refusedSweep_isReportedOnce();
    void savedSite_leavesTheDemoClusterEmulated();
    void listThatWasSetAside_isSaidInTheWindow();
    void attention_endsWithTheRun();
    void attention_restsWhileTheWindowIsMinimised();
    void manyRuns_areKeptAsRows();
    void droppedRun_opensAgainAsItWas();
};

void TestEngine::activeRuns_areCounted()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done));
    rig.addRun(Rig::sampleRun(u"runs"_s, RunPhase::Running));
    rig.addRun(Rig::sampleRun(u"wait"_s, RunPhase::Queued));
    rig.start();
    QCOMPARE(rig.engine().runs()->activeCount(), 2);
}

void TestEngine::sweep_endsWithTheFirstRefusal()
{
    Rig rig;
    rig.setDemoRunning();
    rig.start();
    rig.connectTo(u"demo"_s);
    LaunchPage* page = rig.window().launchPage();
    page->selectRecipe(u"pi-nodes"_s);
    page->selectSite(u"demo"_s);
    rig.window().showPage(MainWindow::LaunchIndex);
    page->planNow();
    QVERIFY(!page->plan().hasErrors());
    // Of this far side every folder is refused.
    emit page->sweepRequested(sweepSpecs(page->spec(), u"nodes"_s, {u"1"_s, u"2"_s}, u"sweep"_s));
    QTRY_VERIFY(page->hasError());
    QCOMPARE(rig.engine().runs()->all().size(), size_t(1));
    QCOMPARE(rig.engine().runs()->all().front().phase, RunPhase::Failed);
    QTRY_VERIFY(page->isVisible());
    const QString text = page->findChild<QLabel*>(u"errorSummary"_s)->text();
    QVERIFY2(text.startsWith(u"nodes 1 was not launched: "_s), qPrintable(text));
    QVERIFY2(text.endsWith(u"Also not launched: nodes 2."_s), qPrintable(text));
}

void TestEngine::refusedSweep_isReportedOnce()
{
    Rig rig;
    rig.start();
    auto* launcher = rig.window().findChild<RunLauncher*>();
    QVERIFY(launcher);
    QSignalSpy refused(launcher, &RunLauncher::refused);
    LaunchSpec spec;
    spec.siteId = u"kestrel"_s; // nobody is logged in there
    spec.recipeId = u"pi-nodes"_s;
    launcher->launchSweep(sweepSpecs(spec, u"nodes"_s, {u"1"_s, u"2"_s}, u"sweep"_s));
    QTRY_VERIFY(refused.count() > 0);
    QTest::qWait(50);
    QCOMPARE(refused.count(), 1);
    QVERIFY(rig.engine().runs()->all().empty());
}

void TestEngine::savedSite_leavesTheDemoClusterEmulated()
{
    Rig rig;
    rig.setDemoRunning(R"({"host":"127.0.0.1","port":2222,"user":"demo","emulates":"kestrel",)"
                       R"("site_file":"/x.json",)"
                       R"("accounts":["rehearsal"],"gpu":{"real":false,"reason":"stand-ins"},)"
                       R"("partitions":[{"name":"gpu-h100","default":true,"nodes":2,)"
                       R"("gpus_per_node":4,"max_time":"2:00:00"}]})");
    rig.start();
    const auto demo = [&] { return rig.engine().catalogue()->site(u"demo"_s); };
    QTRY_COMPARE(demo()->name, u"Demo cluster, emulating Kestrel"_s);
    const QString partition = demo()->partitions.front().name;
    for (const QString& id : {u"mine"_s, u"other"_s}) {
        const QByteArray json = R"({"id":")" + id.toUtf8()
            + R"(","name":"Mine","institution":"Here","logins":[{"host":"login.example.org"}]})";
        const auto saved = rig.engine().catalogue()->saveSite(id, json, false);
        QVERIFY2(saved.ok(), saved.ok() ? "" : qPrintable(saved.error().text()));
        QCOMPARE(demo()->name, u"Demo cluster, emulating Kestrel"_s);
        QCOMPARE(demo()->partitions.front().name, partition);
        QVERIFY(demo()->gpusAreReal == false);
        QCOMPARE(demo()->gpusNote, u"stand-ins"_s);
    }
}

void TestEngine::listThatWasSetAside_isSaidInTheWindow()
{
    Rig rig;
    QDir().mkpath(rig.paths().data);
    QFile store(rig.paths().data % u"/runs.sqlite"_s);
    QVERIFY(store.open(QIODevice::WriteOnly));
    store.write(QByteArray(8192, 'x'));
    store.close();
    rig.start();
    const auto isSaid = [&rig] {
        const auto labels = rig.window().findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains(u"a new list was created"_s);
        });
    };
    QTRY_VERIFY(isSaid());
    // Saving a site reads the resources again, but not the list of runs.
    const auto saved = rig.engine().catalogue()->saveSite(
        u"mine"_s, R"({"id":"mine","name":"Mine","logins":[{"host":"login.example.org"}]})", false);
    QVERIFY2(saved.ok(), saved.ok() ? "" : qPrintable(saved.error().text()));
    QTest::qWait(0);
    QVERIFY(isSaid());
}

void TestEngine::attention_endsWithTheRun()
{
    Rig rig;
    Run run = Rig::sampleRun(u"live"_s, RunPhase::Running);
    run.spec.siteId = u"kestrel"_s;
    rig.addRun(run);
    // Another program drives it: here nothing is asked on its account but what is shown.
    LocalRun driver(rig.paths().data % u"/runs/live"_s);
    QVERIFY(driver.lock());
    rig.start();
    rig.connectTo(u"kestrel"_s);
    const auto nextIn = [&] { return rig.engine().sessions()->connection(u"kestrel"_s).nextIn; };
    QTRY_VERIFY(rig.engine().sessions()->connection(u"kestrel"_s).lastAsked.isValid());
    QTRY_VERIFY(nextIn() > 12s);
    rig.window().openRun(run.id);
    QTRY_VERIFY(nextIn() > 0s && nextIn() < 12s);
    rig.window().showPage(MainWindow::SitesIndex); // its page is out of sight
    QTRY_VERIFY(nextIn() > 12s);
    rig.window().openRun(run.id);
    QTRY_VERIFY(nextIn() < 12s);
    RunStore other(rig.paths().data % u"/runs.sqlite"_s);
    QVERIFY(other.open().ok());
    run.phase = RunPhase::Done;
    QVERIFY(other.save(run).ok());
    QTRY_COMPARE(rig.engine().runs()->run(run.id)->phase, RunPhase::Done);
    QTRY_VERIFY(nextIn() > 12s); // though its page is still open
}

void TestEngine::attention_restsWhileTheWindowIsMinimised()
{
    Rig rig;
    rig.start();
    rig.connectTo(u"kestrel"_s);
    const auto nextIn = [&] { return rig.engine().sessions()->connection(u"kestrel"_s).nextIn; };
    QTRY_VERIFY(nextIn() > 12s && nextIn() < 40s);
    rig.window().showMinimized();
    QTRY_VERIFY(nextIn() > 90s);
    rig.window().showNormal();
    QTRY_VERIFY(nextIn() < 40s);
    rig.window().hide();
    QTRY_VERIFY(nextIn() > 90s);
    rig.window().show();
    QTRY_VERIFY(nextIn() < 40s);
}

void TestEngine::manyRuns_areKeptAsRows()
{
    constexpr int runs = 60;
    constexpr int mostKept = 10;
    Rig rig;
    std::vector<Run> done;
    for (int i = 0; i < runs; ++i) {
        done.push_back(Rig::sampleRun(u"r%1"_s.arg(i), RunPhase::Done));
    }
    rig.addRuns(done, "a line\nloss: 1\n");
    rig.start();
    Engine& engine = rig.engine();
    const auto kept = [](const auto& list) {
        return std::count_if(
            list.begin(), list.end(), [](const auto& one) { return !one.isNull(); });
    };
    rig.window().openRun(u"r0"_s);
    std::vector<QPointer<RunFeed>> feeds;
    const std::shared_ptr<RunFeed> held = engine.runs()->holdFeed(u"r1"_s);
    for (int i = 0; i < runs; ++i) {
        feeds.emplace_back(engine.runs()->feed(u"r%1"_s.arg(i)));
        QVERIFY(feeds.back());
        QVERIFY(engine.runs()->nodeSamples(u"r%1"_s.arg(i)).empty());
    }
    QTRY_VERIFY_WITH_TIMEOUT(kept(feeds) <= mostKept, 20'000);
    QTRY_VERIFY(engine.findChildren<RunHandle*>().size() <= mostKept);
    QCOMPARE(engine.runs()->all().size(), size_t(runs));
    QVERIFY(feeds[0] && feeds[1]); // one is shown, the other held
    QCOMPARE(held->lines().size(), 2);
    QCOMPARE(rig.window().runsPage()->page()->log()->view()->blockCount(), 2);
}

void TestEngine::droppedRun_opensAgainAsItWas()
{
    Rig rig;
    const double begin = double(QDateTime::currentSecsSinceEpoch()) - 60;
    QByteArray samples;
    for (int second = 0; second < 30; ++second) {
        samples += R"({"id":"sample","t":)" + QByteArray::number(begin + second, 'f', 1)
            + R"(,"node":"gpu01","gpus":[{"uuid":"GPU-1","name":"H100","index":0,)"
              R"("utilization":87}]})"
              "\n";
    }
    for (int i = 0; i < 20; ++i) {
        rig.addRun(Rig::sampleRun(u"r%1"_s.arg(i), RunPhase::Done), Rig::sampleLog());
        QFile file(rig.paths().data % u"/runs/r%1/samples.ndjson"_s.arg(i));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(samples) == samples.size());
    }
    rig.start();
    Engine& engine = rig.engine();
    const auto whole = [&](const QString& id) {
        const RunFeed* feed = engine.runs()->feed(id);
        return feed && feed->bytes() == Rig::sampleLog().size() && !feed->series().empty();
    };
    const QPointer<RunFeed> first(engine.runs()->feed(u"r0"_s));
    QTRY_VERIFY(whole(u"r0"_s));
    const QStringList lines = first->lines();
    QCOMPARE(engine.runs()->nodeSamples(u"r0"_s).size(), size_t(30));
    for (int i = 1; i < 20; ++i) {
        QVERIFY(engine.runs()->feed(u"r%1"_s.arg(i)));
    }
    QTRY_VERIFY_WITH_TIMEOUT(!first, 20'000);
    QTRY_VERIFY(whole(u"r0"_s));
    QCOMPARE(engine.runs()->feed(u"r0"_s)->lines(), lines);
    QCOMPARE(engine.runs()->nodeSamples(u"r0"_s).size(), size_t(30));
    QCOMPARE(engine.runs()->run(u"r0"_s)->phase, RunPhase::Done);
}

SLIPWAY_GUI_TEST(TestEngine, gui_engine)
#include "tst_engine.moc"
