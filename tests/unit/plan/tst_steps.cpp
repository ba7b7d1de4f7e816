// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "app/catalogue/recipefile.h"
#include "tests/support/testsites.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace slipway;

/// Recipes with builds, several images, sweeps, lessons and launchers, as plans and as shell text.
class TestSteps : public QObject {
    Q_OBJECT

private slots:
    void build_isRenamedAndRunIn();
    void build_isNothingForEnroot();
    void sweep_isOneStepAValue();
    void lesson_endsAsExpected();
    void launchers_startTheRequestedTasks_data();
    void launchers_startTheRequestedTasks();
    void ranksInEnroot_areStartedOnlyWithTheHook();
    void containerOptions_standBeforeTheImage();
    void severalImages_arePulledOnce();
    void runtime_isAChoiceWhereThereAreSeveral();
    void template_takesValues();
    void values_haveAnOrder();
    void mistakes_areNamed_data();
    void mistakes_areNamed();

private:
    static Recipe recipe(const QByteArray& rest, const QByteArray& parameters = "[]");
    static Plan plan(
        const Recipe& recipe, const char* site = "demo", const QMap<QString, QString>& values = {});
    static QByteArray body(const Plan& plan, const char* id);
};

Recipe TestSteps::recipe(const QByteArray& rest, const QByteArray& parameters)
{
    const Result<Recipe> recipe = parseRecipe(
        "{\"id\": \"x\", \"title\": \"X\", \"group\": \"G\", \"summary\": \"S\", \"parameters\": "
            + parameters + ", " + rest + "}",
        QStringLiteral("/tmp/x"));
    if (!recipe.ok())
        qWarning("%s", qPrintable(recipe.error().text()));
    return recipe.ok() ? *recipe : Recipe();
}

Plan TestSteps::plan(const Recipe& recipe, const char* site, const QMap<QString, QString>& values)
{
    LaunchSpec spec;
    spec.values = values;
    return makePlan(spec, recipe, builtInSite(site), {});
}

QByteArray TestSteps::body(const Plan& plan, const char* id)
{
    for (const PlanStep& step : plan.steps) {
        if (step.id == QLatin1String(id))
            return step.body;
    }
    return "no such step";
}

static const QByteArray onePicture = R"([{"key": "image", "label": "Image", "type": "image", )"
                                     R"("value": "docker://login:5000/demo/python:3.13"}])";

void TestSteps::build_isRenamedAndRunIn()
{
    const Recipe built = recipe(R"("templates": ["Definition.x"], "steps": [
        {"id": "build", "title": "Build", "kind": "build", "definition": "Definition.x", )"
                                R"("output": "my-x.sif", "base": "image", "fakeroot": true},
        {"id": "run", "title": "Run", "image": "my-x.sif", "command": "x --fast"}])",
        onePicture);
    const Plan onDemo = plan(built);
    QCOMPARE(body(onDemo, "build"),
        QByteArray("mkdir -p \"${built_my_x%/*}\" &&\n    one_build \"$built_my_x\" &&\n"
                   "    slipway_with_login apptainer build --force --fakeroot --no-https "
                   "\"$built_my_x.part\" \\\n    Definition.x &&\n"
                   "    mv \"$built_my_x.part\" \"$built_my_x\" &&\n    ls -lh \"$built_my_x\" &&\n"
                   "    image_digest \"$built_my_x\" keep\n"));
    QCOMPARE(body(onDemo, "run"),
        QByteArray("srun --cpus-per-task=2 apptainer exec \"$built_my_x\" \\\n    x --fast\n"));
    const QByteArray script = renderScript(onDemo);
    QVERIFY2(script.contains("\nbuilt_my_x=\"$SCRATCH/slipway/images/built/my-x.sif\"\n"), script);
    QVERIFY2(!script.contains("pull_once \""), script); // nothing runs in the base itself
}

void TestSteps::build_isNothingForEnroot()
{
    const Recipe built =
        recipe(R"("files": ["d"], "steps": [{"id": "build", "title": "B", "kind": "build", )"
               R"("definition": "d", "output": "x.sif"}])");
    QCOMPARE(
        recipeRuntimes(built), (std::vector{RuntimeKind::Apptainer, RuntimeKind::Singularity}));
    Site site = builtInSite("demo");
    site.runtime = RuntimeKind::Enroot;
    site.runtimes = {RuntimeKind::Enroot};
    QVERIFY(offeredRuntimes(built, site).empty());
}

void TestSteps::sweep_isOneStepAValue()
{
    const Recipe swept =
        recipe(R"("sweep": {"parameter": "ranks", "as": "steps"}, "resources": {"nodes": "2", )"
               R"("tasks_per_node": "2"}, "most_nodes": 2, "steps": [
        {"id": "pi", "title": "{each} ranks", "per_sweep": true, "tasks": "{each}", )"
               R"("command": "python3 pi.py --ranks {each}"}])",
            R"([{"key": "image", "label": "Image", "type": "image", "value": "a.sif"}, )"
            R"({"key": "ranks", "label": "Ranks", "type": "integer-list", "value": "1, 4"}])");
    const Plan onDemo = plan(swept);
    QCOMPARE(body(onDemo, "pi-1"),
        QByteArray("srun -n 1 --mpi=pmix --cpus-per-task=2 apptainer exec \"$image\" \\\n    "
                   "python3 pi.py --ranks 1\n"));
    QCOMPARE(body(onDemo, "pi-4"),
        QByteArray("srun -n 4 --mpi=pmix --cpus-per-task=2 apptainer exec \"$image\" \\\n    "
                   "python3 pi.py --ranks 4\n"));
    QCOMPARE(onDemo.steps.back().title, QStringLiteral("4 ranks"));
    QVERIFY(renderScript(onDemo).contains("end || failed=$?"));
    QCOMPARE(body(plan(swept, "frontera-rtx"), "pi-4"),
        QByteArray("ibrun -n 4 apptainer exec \"$image\" \\\n    python3 pi.py --ranks 4\n"));
}

void TestSteps::lesson_endsAsExpected()
{
    const Recipe lessons =
        recipe(R"("steps": [{"id": "a", "title": "A", "kind": "host", "command": "false", )"
               R"("expect": "failure"},
        {"id": "b", "title": "B", "kind": "host", "command": "false", "expect": "either"}, )"
               R"({"id": "c", "title": "C", "kind": "host", "command": "true"}])");
    const QByteArray script = renderScript(plan(lessons));
    QVERIFY2(script.contains("begin a \"A\"\nfalse\nend failure || exit\n"), script);
    QVERIFY2(script.contains("begin b \"B\"\nfalse\nend either\n"), script);
    QVERIFY2(script.contains("begin c \"C\"\ntrue\nend || exit\n"), script);
}

void TestSteps::launchers_startTheRequestedTasks_data()
{
    QTest::addColumn<QByteArray>("step");
    QTest::addColumn<QByteArray>("demo");
    QTest::addColumn<QByteArray>("tacc");
    QTest::newRow("tasks") << QByteArray(R"("start": "tasks")")
                           << QByteArray(
                                  "srun --mpi=pmix --cpus-per-task=2 apptainer exec \"$image\"")
                           << QByteArray("ibrun -n 4 apptainer exec \"$image\"");
    QTest::newRow("once") << QByteArray(R"("start": "once")")
                          << QByteArray("apptainer exec \"$image\"")
                          << QByteArray("apptainer exec \"$image\"");
    QTest::newRow("nodes")
        << QByteArray(R"("start": "nodes")")
        << QByteArray(
               "srun -N 2 -n 2 --ntasks-per-node=1 --cpus-per-task=2 apptainer exec \"$image\"")
        << QByteArray(
               "srun -N 2 -n 2 --ntasks-per-node=1 --cpus-per-task=16 apptainer exec \"$image\"");
    QTest::newRow("mpi") << QByteArray(R"("mpi": "pmi2")")
                         << QByteArray(
                                "srun --mpi=pmi2 --cpus-per-task=2 apptainer exec \"$image\"")
                         << QByteArray("ibrun -n 4 apptainer exec \"$image\"");
    QTest::newRow("run script") << QByteArray(R"("run_script": true)")
                                << QByteArray(
                                       "srun --mpi=pmix --cpus-per-task=2 apptainer run \"$image\"")
                                << QByteArray("ibrun -n 4 apptainer run \"$image\"");
}

void TestSteps::launchers_startTheRequestedTasks()
{
    QFETCH(QByteArray, step);
    QFETCH(QByteArray, demo);
    QFETCH(QByteArray, tacc);
    const Recipe many =
        recipe(R"("resources": {"nodes": "2", "tasks_per_node": "2"}, "most_nodes": 2, )"
               R"("steps": [{"id": "go", "title": "Go", "command": "x", )"
                + step + "}]",
            onePicture);
    QCOMPARE(body(plan(many), "go"), demo + " \\\n    x\n");
    const QByteArray there = body(plan(many, "frontera-rtx"), "go");
    // Whole nodes: the job asks for no CPUs, so a step does not either.
    QCOMPARE(there, QByteArray(tacc).replace(" --cpus-per-task=16", "") + " \\\n    x\n");
}

void TestSteps::ranksInEnroot_areStartedOnlyWithTheHook()
{
    const auto bodyAt = [](const QByteArray& step, RuntimeKind runtime, const char* nodes) {
        Site site = builtInSite("demo");
        site.runtime = runtime;
        site.runtimes = {runtime};
        const Recipe many = recipe(R"("resources": {"nodes": ")" + QByteArray(nodes)
                + R"("}, "most_nodes": 2, "steps": [{"id": "go", "title": "Go", "command": "x", )"
                + step + "}]",
            onePicture);
        return body(makePlan({}, many, site, {}), "go");
    };
    const QByteArray ranks = R"("ranks": true)";
    QVERIFY2(bodyAt(ranks, RuntimeKind::Enroot, "2").startsWith("mpi_hook &&\nsrun --mpi=pmix "),
        bodyAt(ranks, RuntimeKind::Enroot, "2"));
    QVERIFY2(bodyAt(ranks + R"(, "mpi": "pmi2")", RuntimeKind::Enroot, "2")
                 .startsWith("mpi_hook pmi2 &&\nsrun --mpi=pmi2 "),
        bodyAt(ranks + R"(, "mpi": "pmi2")", RuntimeKind::Enroot, "2"));
    // A single process, one without MPI, and runtimes that pass everything on.
    for (const QByteArray& other : {bodyAt(ranks, RuntimeKind::Enroot, "1"),
             bodyAt(ranks + R"(, "tasks": "1")", RuntimeKind::Enroot, "2"),
             bodyAt(R"("nv": true)", RuntimeKind::Enroot, "2"),
             bodyAt(ranks, RuntimeKind::Pyxis, "2"), bodyAt(ranks, RuntimeKind::Apptainer, "2")})
        QVERIFY2(other.startsWith("srun ") && !other.contains("mpi_hook"), other);
}

void TestSteps::containerOptions_standBeforeTheImage()
{
    const Recipe rich = recipe(
        R"("resources": {"gpus": "1"}, "steps": [{"id": "go", "title": "Go", )"
        R"("command": "x {data}", "nv": true, "contain": true, "fakeroot": true, "overlay": "over",
        "binds": [{"source": "{data}", "destination": "/data", "read_only": true}], )"
        R"("work_dir": "/data", "environment": {"PYTHONNOUSERSITE": "1"}}])",
        R"([{"key": "image", "label": "Image", "type": "image", "value": "a.sif"}, )"
        R"({"key": "data", "label": "Data", "type": "path", "value": "$SCRATCH/set"}])");
    const QByteArray text =
        body(plan(rich, "kestrel", {{QStringLiteral("account"), QStringLiteral("a")}}), "go");
    QCOMPARE(QString::fromUtf8(text).replace(
                 QRegularExpression(QStringLiteral("\\s+\\\\?\\s*")), QStringLiteral(" ")),
        QStringLiteral(
            "mkdir -p \"$overlays\"/over && PYTHONNOUSERSITE=\"1\" srun apptainer exec --nv "
            "--fakeroot --contain -B /nopt:/nopt -B \"$SCRATCH\"/set:/data:ro "
            "--overlay \"$overlays\"/over --pwd /data \"$image\" x \"$SCRATCH/set\" "));
}

void TestSteps::severalImages_arePulledOnce()
{
    const Recipe two =
        recipe(R"("steps": [{"id": "a", "title": "A", "command": "x"}, {"id": "b", "title": "B", )"
               R"("command": "x", "image": "other"},
        {"id": "c", "title": "C", "kind": "host", "image": "other", "command": "ls"}])",
            R"([{"key": "image", "label": "Image", "type": "image", "value": "docker://a:1"}, )"
            R"({"key": "other", "label": "Other", "type": "image", "value": "docker://b:2"}])");
    const QByteArray script = renderScript(plan(two));
    QCOMPARE(script.count("pull_once \""), 2);
    QVERIFY2(
        script.contains("begin image-2 \"Pull the image (Other)\"\npull_once \"$image_other\""),
        script);
    QVERIFY2(
        script.contains("\nimage=\"$SCRATCH/slipway/images/docker.io/"
                        "a_1.sif\"\nimage_other=\"$SCRATCH/slipway/images/docker.io/b_2.sif\"\n"),
        script);
}

void TestSteps::runtime_isAChoiceWhereThereAreSeveral()
{
    const Recipe plain =
        recipe(R"("steps": [{"id": "go", "title": "Go", "command": "x"}])", onePicture);
    Site site = builtInSite("demo");
    site.runtimes = {RuntimeKind::Apptainer, RuntimeKind::Pyxis};
    LaunchSpec spec;
    QVERIFY(
        makePlan(spec, plain, site, {}).values.value(QStringLiteral("runtime")) == u"apptainer");
    spec.values.insert(QStringLiteral("runtime"), QStringLiteral("pyxis"));
    const Plan pyxis = makePlan(spec, plain, site, {});
    QVERIFY2(body(pyxis, "go").contains("--container-image=\"$image\""), body(pyxis, "go"));
    spec.values.insert(QStringLiteral("runtime"), QStringLiteral("docker"));
    QVERIFY(makePlan(spec, plain, site, {}).hasErrors());
}

void TestSteps::template_takesValues()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("Definition.x")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("Bootstrap: {{image.bootstrap}}\nFrom: {{image.from}}\n# {{word}} {{unknown}}\n");
    file.close();
    Recipe built = recipe(
        R"("templates": ["Definition.x"], "steps": [{"id": "b", "title": "B", "kind": "build",)"
        R"( "definition": "Definition.x", "output": "x.sif", "base": "image"}])",
        R"([{"key": "image", "label": "I", "type": "image", )"
        R"("value": "docker://login:5000/demo/python:3.13"}, {"key": "word", "label": "W", )"
        R"("value": "a {{b}}"}])");
    built.folder = folder.path();
    const auto files = launchFiles(plan(built));
    QVERIFY(files.ok());
    QCOMPARE(files->at(1).name, QStringLiteral("Definition.x"));
    QCOMPARE(files->at(1).bytes,
        QByteArray(
            "Bootstrap: docker\nFrom: login:5000/demo/python:3.13\n# a {{b}} {{unknown}}\n"));
}

void TestSteps::values_haveAnOrder()
{
    const Recipe valued = recipe(
        R"("site_values": {"demo": {"word": "recipe", "time": "0:01:00"}}, )"
        R"("steps": [{"id": "go", "title": "Go", "kind": "host", "command": "echo {word}"}])",
        R"([{"key": "word", "label": "Word", "value": "default"}])");
    QCOMPARE(plan(valued).values.value(QStringLiteral("word")), QStringLiteral("recipe"));
    QCOMPARE(plan(valued).values.value(QStringLiteral("time")),
        QStringLiteral("0:01:00")); // before the site's word on all recipes
    QCOMPARE(
        plan(valued, "kestrel").values.value(QStringLiteral("word")), QStringLiteral("default"));
    QCOMPARE(plan(valued, "demo", {{QStringLiteral("word"), QStringLiteral("mine")}})
                 .values.value(QStringLiteral("word")),
        QStringLiteral("mine"));
}

void TestSteps::mistakes_areNamed_data()
{
    QTest::addColumn<QByteArray>("rest");
    QTest::addColumn<QString>("words");
    QTest::newRow("definition missing") << QByteArray(
        R"("steps": [{"id": "b", "title": "B", "kind": "build", "definition": "d", )"
        R"("output": "x.sif"}])") << QStringLiteral("not listed in files or templates");
    QTest::newRow("image unknown")
        << QByteArray(R"("steps": [{"id": "b", "title": "B", "command": "x", "image": "other"}])")
        << QStringLiteral("neither an image parameter nor an earlier build");
    QTest::newRow("sweep of nothing") << QByteArray(
        R"("sweep": {"parameter": "ranks"}, "steps": [{"id": "b", "title": "B", "command": "x"}])")
                                      << QStringLiteral("requires");
    QTest::newRow("each outside") << QByteArray(
        R"("steps": [{"id": "b", "title": "B", "command": "x {each}"}])")
                                  << QStringLiteral("{each}");
    QTest::newRow("overlay outside")
        << QByteArray(R"("steps": [{"id": "b", "title": "B", "command": "x", "overlay": "../x"}])")
        << QStringLiteral("below the job's own");
    QTest::newRow("runtime") << QByteArray(
        R"("runtimes": ["docker"], "steps": [{"id": "b", "title": "B", "command": "x"}])")
                             << QStringLiteral("“docker” is not a container runtime");
    QTest::newRow("demo state") << QByteArray(
        R"("demo": {"runs": "whole", "why": "w", "state": "odd"}, "steps": [{"id": "b", )"
        R"("title": "B", "command": "x"}])")
                                << QStringLiteral("expected one of");
    QTest::newRow("variable") << QByteArray(
        R"("environment": [{"name": "a b", "value": "1"}], "steps": [{"id": "b", "title": "B",)"
        R"( "command": "x"}])")
                              << QStringLiteral("not a variable name");
    QTest::newRow("pattern") << QByteArray(
        R"("patterns": [{"match": "("}], "steps": [{"id": "b", "title": "B", "command": "x"}])")
                             << QStringLiteral("patterns[0].match");
}

void TestSteps::mistakes_areNamed()
{
    QFETCH(QByteArray, rest);
    QFETCH(QString, words);
    const Result<Recipe> broken = parseRecipe(
        "{\"id\": \"x\", \"title\": \"X\", \"group\": \"G\", \"summary\": \"S\",\n" + rest + "}",
        QStringLiteral("/tmp/x"));
    QVERIFY(!broken.ok());
    QVERIFY2(broken.error().text().contains(words), qPrintable(broken.error().text()));
    QVERIFY2(broken.error().text().contains(QStringLiteral("/tmp/x/recipe.json")),
        qPrintable(broken.error().text()));
}

SLIPWAY_TEST(TestSteps, plan_steps)
#include "tst_steps.moc"
