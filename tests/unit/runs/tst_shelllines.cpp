// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/recipefile.h"
#include "tests/support/testsites.h"

#include "app/runs/shelllines.h"
#include "tests/support/testmain.h"

#include <QProcess>

using namespace slipway;

/// The lines that open a shell in nodes that are kept: for each runtime, for old Slurm, and that a
/// shell takes them apart as they are meant.
class TestShellLines : public QObject {
    Q_OBJECT

private slots:
    void container_isTheRunsOwn_data();
    void container_isTheRunsOwn();
    void oldSlurm_knowsNoOverlap_data();
    void oldSlurm_knowsNoOverlap();
    void severalTasks_giveOneShell();
    void onlyKeptNodes_haveAShell();
    void foundRun_hasAShellOnTheNode();
    void steps_canBeRunAgain();
    void fromHere_isTheLineOnTheLoginNode_data();
    void fromHere_isTheLineOnTheLoginNode();
};

namespace {

Plan planWith(const Site& site, const Recipe& recipe,
    const QString& version = QStringLiteral("24.11.5"), const QMap<QString, QString>& values = {})
{
    ClusterInfo cluster;
    cluster.slurmVersion = version;
    LaunchSpec spec;
    spec.mode = LaunchMode::Interactive;
    spec.values = values;
    return makePlan(spec, recipe, site, version.isEmpty() ? std::nullopt : std::optional(cluster));
}

Site siteWith(RuntimeKind runtime, const QStringList& modules)
{
    Site site;
    site.id = QStringLiteral("x");
    site.runtime = runtime;
    site.runtimes = {runtime};
    site.modules = modules;
    site.scratch = QStringLiteral("$SCRATCH");
    site.binds = QStringList{QStringLiteral("/projects")};
    SitePartition partition;
    partition.name = QStringLiteral("gpu");
    partition.gpusPerNode = 4;
    site.partitions = {partition};
    return site;
}

Recipe recipeWith(const QByteArray& more = {})
{
    const Result<Recipe> recipe = parseRecipe(
        R"({"id": "x", "title": "X", "group": "G", "summary": "S", "resources": {"gpus": "1"},
        "parameters": [{"key": "image", "label": "Image", "type": "image", )"
        R"("value": "docker://ada/pi:1"}],
        "steps": [{"id": "look", "title": "L", "command": "ls"}, {"id": "go", "title": "G", )"
        R"("command": "go", "nv": true, "run_script": true}])"
            + more + '}',
        QStringLiteral("/r/x"));
    if (!recipe.ok())
        qFatal("%s", qPrintable(recipe.error().text()));
    return *recipe;
}

Run keptRun()
{
    Run run;
    run.spec.mode = LaunchMode::Interactive;
    run.phase = RunPhase::Allocated;
    run.job.text = QStringLiteral("42");
    run.folder = QStringLiteral("/scratch/ada/it's here");
    return run;
}

const QString folder = QStringLiteral("cd '/scratch/ada/it'\\''s here' && ");

} // namespace

void TestShellLines::container_isTheRunsOwn_data()
{
    QTest::addColumn<RuntimeKind>("runtime");
    QTest::addColumn<QStringList>("modules");
    QTest::addColumn<QString>("line");
    QTest::newRow("apptainer")
        << RuntimeKind::Apptainer << QStringList()
        << QStringLiteral("srun --jobid=42 --overlap --pty apptainer shell --nv -B "
                          "/projects:/projects \"$SCRATCH/slipway/images/docker.io/ada/pi_1.sif\"");
    QTest::newRow("modules") << RuntimeKind::Apptainer
                             << QStringList{QStringLiteral("gcc/12"), QStringLiteral("apptainer")}
                             << QStringLiteral(
                                    "srun --jobid=42 --overlap --pty bash -lc 'module load gcc/12 "
                                    "apptainer && apptainer shell --nv -B /projects:/projects "
                                    "\"$SCRATCH/slipway/images/docker.io/ada/pi_1.sif\"'");
    QTest::newRow("singularity")
        << RuntimeKind::Singularity << QStringList()
        << QStringLiteral("srun --jobid=42 --overlap --pty singularity shell --nv -B "
                          "/projects:/projects \"$SCRATCH/slipway/images/docker.io/ada/pi_1.sif\"");
    QTest::newRow("enroot") << RuntimeKind::Enroot << QStringList()
                            << QStringLiteral(
                                   "srun --jobid=42 --overlap --pty bash -lc 'enroot start --mount "
                                   "/projects:/projects --mount \"$PWD\":\"$PWD\" "
                                   "${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "
                                   "\"$SCRATCH/slipway/images/docker.io/ada/ada+pi+1.sqsh\" bash'");
    QTest::newRow("pyxis")
        << RuntimeKind::Pyxis << QStringList()
        << QStringLiteral(
               "srun --jobid=42 --overlap "
               "--container-image=\"$SCRATCH/slipway/images/docker.io/ada/ada+pi+1.sqsh\" "
               "--container-mounts=/projects:/projects,\"$PWD\":\"$PWD\" "
               "--container-workdir=\"$PWD\" --pty bash");
}

void TestShellLines::container_isTheRunsOwn()
{
    QFETCH(RuntimeKind, runtime);
    QFETCH(QStringList, modules);
    QFETCH(QString, line);
    const Plan plan = planWith(siteWith(runtime, modules), recipeWith());
    const ShellLines lines = shellLines(keptRun(), {}, shellToJson(plan));
    QCOMPARE(lines.inContainer, folder + line);
    QCOMPARE(lines.onLogin, folder + QStringLiteral("srun --jobid=42 --overlap --pty bash -l"));
    QVERIFY(lines.fromHere.isEmpty()); // nobody knows the login node
}

void TestShellLines::oldSlurm_knowsNoOverlap_data()
{
    QTest::addColumn<bool>("overlap");
    for (const char* version : {"17.11.7", "20.02.6"})
        QTest::newRow(version) << false;
    for (const char* version : {"20.11.0", "23.02.7", ""})
        QTest::newRow(version) << true;
}

void TestShellLines::oldSlurm_knowsNoOverlap()
{
    QFETCH(bool, overlap);
    const Plan plan = planWith(siteWith(RuntimeKind::Singularity, {}), recipeWith(),
        QString::fromUtf8(QTest::currentDataTag()));
    const ShellLines lines = shellLines(keptRun(), {}, shellToJson(plan));
    QCOMPARE(lines.onLogin.contains(u" --overlap "), overlap);
    QCOMPARE(lines.inContainer.contains(u" --overlap "), overlap);
}

void TestShellLines::severalTasks_giveOneShell()
{
    const Plan plan = planWith(siteWith(RuntimeKind::Apptainer, {}),
        recipeWith(", \"most_nodes\": 2"), {}, {{QStringLiteral("nodes"), QStringLiteral("2")}});
    QVERIFY(shellLines(keptRun(), {}, shellToJson(plan))
                .onLogin.endsWith(u"srun --jobid=42 --overlap -N1 -n1 --pty bash -l"));
}

void TestShellLines::onlyKeptNodes_haveAShell()
{
    const QJsonObject kept =
        shellToJson(planWith(siteWith(RuntimeKind::Apptainer, {}), recipeWith()));
    for (const RunPhase phase :
        {RunPhase::Preparing, RunPhase::Submitting, RunPhase::Queued, RunPhase::Running,
            RunPhase::Done, RunPhase::Failed, RunPhase::Cancelled, RunPhase::Unknown}) {
        Run run = keptRun();
        run.phase = phase;
        QVERIFY(shellLines(run, {}, kept).isEmpty());
    }
}

void TestShellLines::foundRun_hasAShellOnTheNode()
{
    const ShellLines lines = shellLines(keptRun(), {}, {});
    QCOMPARE(
        lines.onLogin, folder + QStringLiteral("srun --jobid=42 --overlap -N1 -n1 --pty bash -l"));
    QVERIFY(lines.inContainer.isEmpty());
}

void TestShellLines::steps_canBeRunAgain()
{
    const std::vector<StepCommand> steps{
        {QStringLiteral("steps/01-image.sh")}, {QStringLiteral("steps/02-run.sh"), true}};
    QCOMPARE(shellLines(keptRun(), {}, {}, steps).steps,
        QString(folder
            + QStringLiteral(
                "srun --jobid=42 --overlap --preserve-env -N1 -n1 bash -l steps/01-image.sh && "
                "srun --jobid=42 --overlap --preserve-env -N1 -n1 --gres=none bash -l "
                "steps/02-run.sh")));
    QVERIFY(shellLines(keptRun(), {}, {}).steps.isEmpty());
    Run ended = keptRun();
    ended.phase = RunPhase::Done;
    QVERIFY(shellLines(ended, {}, {}, steps).steps.isEmpty());
}

void TestShellLines::fromHere_isTheLineOnTheLoginNode_data()
{
    QTest::addColumn<QString>("folder");
    QTest::newRow("plain") << QStringLiteral("/scratch/ada/run");
    QTest::newRow("with a blank") << QStringLiteral("/scratch/ada/a run");
    QTest::newRow("with a quote") << QStringLiteral("/scratch/ada/it's");
    QTest::newRow("with a dollar") << QStringLiteral("/scratch/$x/\"a\" \\ `b`!");
}

/// The shell here and the login shell there each take one layer of quotes off.
void TestShellLines::fromHere_isTheLineOnTheLoginNode()
{
    QFETCH(QString, folder);
    Run run = keptRun();
    run.folder = folder;
    ConnectTarget target;
    target.host = QStringLiteral("login.x.org");
    target.user = QStringLiteral("ada");
    target.port = 2222;
    const ShellLines lines = shellLines(run, target, {});
    QVERIFY2(
        lines.fromHere.startsWith(u"ssh -t -p 2222 ada@login.x.org "), qPrintable(lines.fromHere));
    QProcess here;
    here.start(QStringLiteral("bash"),
        {QStringLiteral("-c"),
            QStringLiteral("ssh() { shift 4; sh -c \"$1\"; }\n")
                + QString(lines.fromHere)
                      .replace(QStringLiteral("bash -lc "), QStringLiteral("printf %s "))});
    QVERIFY(here.waitForFinished());
    QCOMPARE(QString::fromUtf8(here.readAllStandardOutput()), lines.onLogin);
}

SLIPWAY_TEST(TestShellLines, runs_shelllines)
#include "tst_shelllines.moc"
