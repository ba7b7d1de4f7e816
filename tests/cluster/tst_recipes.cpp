// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/comparison.h"
#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

using namespace slipway;

/// Every recipe that says that it runs on the demo cluster is launched there with its values for
/// it, all at once, and ends as it says: in that state, with those series, explained by those
/// hints. Those that build images or train take longer than all the others together:
/// TestLongRecipes has them.
class RecipesOnDemo : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void recipe_doesWhatItSays_data();
    void recipe_doesWhatItSays();
    void nodes_areLeftWithoutOverlays();
    void cleanupTestCase();

protected:
    virtual bool isMine(const Recipe& recipe) const = 0;
    bool takesLong(const Recipe& recipe) const;
    static LaunchSpec specOf(const Recipe& recipe);
    QString story(const QString& recipe) const;

    DemoClusterFixture m_cluster;
    std::unique_ptr<Engine> m_engine;
    QMap<QString, QString> m_runs; ///< by recipe
    QMap<QString, QString> m_refusals; ///< by recipe: why it was not launched
};

/// All recipes but the long ones, and what the race says in the end.
class TestRecipes : public RecipesOnDemo {
    Q_OBJECT

private slots:
    void race_isComparedFromTheRowsThatItFetched();

protected:
    bool isMine(const Recipe& recipe) const override;
};

/// The recipes that build images or start PyTorch, which keep every processor of the machine busy.
class TestLongRecipes : public RecipesOnDemo {
    Q_OBJECT

protected:
    bool isMine(const Recipe& recipe) const override;
};

namespace {

// On an idle machine of two cores these take a minute and a half, the long ones two and a half;
// beside a compiler and other tests ten times as long.
constexpr int longestSeconds = 1200;
constexpr int longestReading = 60'000; ///< ms, of what is read once a run has ended

/// SLIPWAY_RECIPES="a b" runs only these, for work on a recipe.
QStringList wantedRecipes()
{
    return qEnvironmentVariable("SLIPWAY_RECIPES").split(u' ', Qt::SkipEmptyParts);
}

bool runsOnDemo(const Recipe& recipe)
{
    const QStringList wanted = wantedRecipes();
    return recipe.demo.how != DemoRun::How::No && (wanted.isEmpty() || wanted.contains(recipe.id));
}

/// How a run ended, in the words of a recipe's demo.state.
QString stateOf(const Run& run)
{
    if (run.phase == RunPhase::Done)
        return QStringLiteral("done");
    if (run.phase != RunPhase::Failed)
        return QStringLiteral("phase %1").arg(int(run.phase));
    if (run.sentence.contains(QStringLiteral("time limit")))
        return QStringLiteral("timeout");
    // Slurm's own word for it, OUT_OF_MEMORY, needs cgroups, which the demo cluster does without.
    return run.sentence.contains(QStringLiteral("more memory")) ? QStringLiteral("out-of-memory")
                                                                : QStringLiteral("failed");
}

/// What needs the whole cluster goes first, before anything keeps a part of it; then what takes
/// longest, so that the rest runs beside it.
int eagerness(const Plan& plan, const Recipe& recipe)
{
    if (plan.job.nodes > 1)
        return 0;
    if (recipe.demo.state == u"timeout" || recipe.id == u"requeue")
        return 1;
    return recipe.demo.state == u"done" ? 3 : 2;
}

} // namespace

LaunchSpec RecipesOnDemo::specOf(const Recipe& recipe)
{
    LaunchSpec spec;
    spec.siteId = QStringLiteral("demo");
    spec.recipeId = recipe.id;
    return spec;
}

bool RecipesOnDemo::takesLong(const Recipe& recipe) const
{
    const bool builds = std::any_of(recipe.steps.begin(), recipe.steps.end(),
        [](const RecipeStep& step) { return step.kind == RecipeStep::Kind::Build; });
    const Plan plan = m_engine->runs()->plan(specOf(recipe));
    return builds || plan.values.value(QStringLiteral("image")).contains(u"/pytorch:");
}

bool TestRecipes::isMine(const Recipe& recipe) const
{
    return runsOnDemo(recipe) && !takesLong(recipe);
}

bool TestLongRecipes::isMine(const Recipe& recipe) const
{
    return runsOnDemo(recipe) && takesLong(recipe);
}

void RecipesOnDemo::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    m_engine = m_cluster.engine();
    for (const Error& error : m_engine->errors())
        QFAIL(qPrintable(error.text()));
    const auto connected =
        awaited(m_engine->sessions()->connectSite(QStringLiteral("demo"), &m_cluster.prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));

    struct Wanted {
        LaunchSpec spec;
        int eagerness = 0;
    };
    std::vector<Wanted> wanted;
    for (const Recipe& recipe : m_engine->catalogue()->recipes()) {
        if (!isMine(recipe))
            continue;
        const LaunchSpec spec = specOf(recipe);
        wanted.push_back({spec, eagerness(m_engine->runs()->plan(spec), recipe)});
    }
    QVERIFY(!wanted.empty() || !wantedRecipes().isEmpty());
    std::stable_sort(wanted.begin(), wanted.end(),
        [](const Wanted& a, const Wanted& b) { return a.eagerness < b.eagerness; });
    QElapsedTimer clock;
    clock.start();
    for (const Wanted& one : wanted) {
        const auto id = awaited(m_engine->runs()->launch(one.spec));
        if (id.ok()) {
            m_runs.insert(one.spec.recipeId, *id);
            m_engine->runs()->feed(*id); // it reads from now on
        } else {
            m_refusals.insert(one.spec.recipeId, id.error().text());
        }
    }
    for (const QString& id : std::as_const(m_runs)) {
        const int left = int(std::max<qint64>(1, longestSeconds - clock.elapsed() / 1000));
        waitForEnd(*m_engine, id, left);
    }
    qInfo("%d recipes in %lld s", int(m_runs.size()), clock.elapsed() / 1000);
}

/// The run for a person who reads a failed test: its sentence and the end of its log.
QString RecipesOnDemo::story(const QString& recipe) const
{
    const QString id = m_runs.value(recipe);
    const auto run = m_engine->runs()->run(id);
    QString text = recipe + u": " + (run ? run->sentence : QString());
    if (RunFeed* const feed = m_engine->runs()->feed(id))
        text += u'\n'
            + feed->lines().mid(std::max<qsizetype>(0, feed->lines().size() - 60)).join(u'\n');
    return text;
}

void RecipesOnDemo::recipe_doesWhatItSays_data()
{
    QTest::addColumn<QString>("id");
    for (const Recipe& recipe : m_engine->catalogue()->recipes()) {
        if (isMine(recipe))
            QTest::newRow(qPrintable(recipe.id)) << recipe.id;
    }
}

void RecipesOnDemo::recipe_doesWhatItSays()
{
    QFETCH(QString, id);
    const Recipe recipe = *m_engine->catalogue()->recipe(id);
    if (recipe.demo.state == u"refused") {
        QVERIFY2(m_refusals.contains(id), "it was meant to be refused, and was taken");
        return;
    }
    QVERIFY2(!m_refusals.contains(id), qPrintable(m_refusals.value(id)));
    const std::optional<Run> run = m_engine->runs()->run(m_runs.value(id));
    QVERIFY(run.has_value());
    QVERIFY2(stateOf(*run) == recipe.demo.state, qPrintable(story(id)));

    RunFeed* const feed = m_engine->runs()->feed(run->id);
    const auto seen = [feed] {
        QStringList names;
        for (const auto& series : feed->series().all()) {
            if (!series->empty())
                names << series->series();
        }
        return names;
    };
    for (const QString& series : recipe.demo.series) {
        const bool came = QTest::qWaitFor([&] { return seen().contains(series); }, longestReading);
        QVERIFY2(came,
            qPrintable(
                series + u" did not come; there are: " + seen().join(u' ') + u'\n' + story(id)));
    }
    // A lesson that went well says what it shows in its log; a failure says it of the whole run.
    const auto explained = [this, &run, feed] {
        QStringList ids;
        const std::vector<Explanation> ofRun = m_engine->runs()->run(run->id)->explanations;
        const std::vector<Explanation> ofLog = feed->explanations();
        for (const Explanation& one : ofRun)
            ids << one.id;
        for (const Explanation& one : ofLog)
            ids << one.id;
        return ids;
    };
    for (const QString& hint : recipe.demo.hints) {
        const bool said =
            QTest::qWaitFor([&] { return explained().contains(hint); }, longestReading);
        QVERIFY2(said,
            qPrintable(
                hint + u" was not said; there are: " + explained().join(u' ') + u'\n' + story(id)));
    }
}

/// Overlays are in the nodes' own /tmp and are removed with their jobs, however those end.
void RecipesOnDemo::nodes_areLeftWithoutOverlays()
{
    const auto left = [this] {
        QStringList folders;
        for (const char* node : {"gpu01", "gpu02"})
            folders += QString::fromUtf8(
                m_cluster
                    .root(QLatin1String(node),
                        QStringLiteral("cd /tmp && ls -d slipway-[0-9]* 2>/dev/null || true"))
                    .out)
                           .split(u'\n', Qt::SkipEmptyParts);
        QStringList ours;
        for (const QString& id : m_runs) {
            const QString folder = u"slipway-" + m_engine->runs()->run(id)->job.text;
            if (folders.contains(folder))
                ours << folder;
        }
        return ours;
    };
    QTRY_VERIFY2_WITH_TIMEOUT(left().isEmpty(), qPrintable(left().join(u' ')), longestReading);
}

/// The race of the processors' lanes, and why there is no lane of a GPU: from results/race.ndjson,
/// which the end of the run brought here.
void TestRecipes::race_isComparedFromTheRowsThatItFetched()
{
    const QString recipe = QStringLiteral("gpu-cpu-race");
    if (!wantedRecipes().isEmpty() && !wantedRecipes().contains(recipe))
        return; // somebody asked for other recipes
    const QString id = m_runs.value(recipe);
    QVERIFY2(!id.isEmpty(), qPrintable(m_refusals.value(recipe)));
    const RaceFile file = m_engine->runs()->race(id);
    QCOMPARE(file.unreadable, 0);
    QVERIFY2(
        file.absent.size() == 1 && file.absent[0].lane == u"gpu" && !file.absent[0].why.isEmpty(),
        qPrintable(story(recipe)));
    const std::vector<CompareLane> lanes = lanesOf({file});
    QStringList keys;
    for (const CompareLane& lane : lanes)
        keys << lane.key.section(u':', 1);
    QCOMPARE(keys.join(u' '), QStringLiteral("cpu:gemm-fp32 cpu-1:gemm-fp32"));
    const Comparison race = compare(lanes[0], lanes[1]);
    QCOMPARE(race.ratios.size(), size_t(3));
    QVERIFY2(race.fair(), qPrintable(race.refusal));
    QVERIFY2(race.ratios.back().hasInterval() && race.ratios.back().ratio > 0,
        qPrintable(race.sentence));
    for (const Measurement& point : lanes[0].points)
        QVERIFY(!point.fromCurve && point.seconds.size() >= 5 && point.verified == true);
    qInfo("%s (%s)", qPrintable(race.sentence), qPrintable(race.detail));
}

void RecipesOnDemo::cleanupTestCase()
{
    for (const QString& id : std::as_const(m_runs)) {
        if (!isTerminal(m_engine->runs()->run(id)->phase))
            Q_UNUSED(awaited(m_engine->runs()->cancel(id)).ok())
    }
    m_engine.reset();
}

SLIPWAY_TEST(TestRecipes, cluster_recipes)
SLIPWAY_TEST(TestLongRecipes, cluster_longrecipes)
#include "tst_recipes.moc"
