// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/files.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "tests/support/testsites.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <utility>

using namespace slipway;

/// Scripts are held byte by byte: tests/data/golden/<recipe>-<site>-<mode>.sh is what will be
/// submitted. SLIPWAY_UPDATE_GOLDEN=1 writes them again; read the difference before you commit it.
class TestRender : public QObject {
    Q_OBJECT

private slots:
    void scripts_areTheGoldenOnes_data();
    void scripts_areTheGoldenOnes();
    void scripts_pleaseBashAndShellcheck_data() { scripts_areTheGoldenOnes_data(); }
    void scripts_pleaseBashAndShellcheck();
    void matmul_staysShortEnoughToRead();
    void image_isKeyedByItsWholeName();
    void tag_isInTheComment();
    void sweepSlot_runsOneJobAtATime();
    void edited_isSentAsItIs();
    void cache_isSaidToBeWhereItIs();
    void overlays_haveAKeeperWithKeptNodes();
    void stepsInSteps_doNotWaitForEachOther_data();
    void stepsInSteps_doNotWaitForEachOther();

private:
    static Plan rowPlan();
};

namespace {

QString goldenFile(const QString& name)
{
    return slipway::sourcePath(QStringLiteral("/tests/data/golden/")) + name;
}

/// Runs a program; its exit code, and what it printed.
std::pair<int, QByteArray> runProgram(
    const QString& program, const QStringList& arguments, const QString& folder)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    if (!process.waitForStarted() || !process.waitForFinished(60'000))
        return {-1, process.errorString().toUtf8()};
    return {process.exitCode(), process.readAll()};
}

} // namespace

void TestRender::scripts_areTheGoldenOnes_data()
{
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("site");
    QTest::addColumn<bool>("interactive");
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<QString>("runtime");
    const QStringList none;
    const QStringList account{QStringLiteral("account=csc000")};
    struct Row {
        const char* name;
        const char* recipe;
        const char* site;
        bool interactive;
        QStringList settings;
        const char* runtime;
    };
    const Row rows[] = {
        {"matmul-scaling-demo-batch", "matmul-scaling", "demo", false, none, ""},
        {"matmul-scaling-demo-interactive", "matmul-scaling", "demo", true, none, ""},
        {"matmul-scaling-kestrel-batch", "matmul-scaling", "kestrel", false, account, ""},
        {"matmul-scaling-frontera-rtx-batch", "matmul-scaling", "frontera-rtx", false, none, ""},
        {"matmul-scaling-ls6-batch", "matmul-scaling", "ls6", false, none, ""},
        {"matmul-scaling-kestrel-singularity", "matmul-scaling", "kestrel", false, account,
            "singularity"},
        {"matmul-scaling-kestrel-enroot", "matmul-scaling", "kestrel", false, account, "enroot"},
        {"matmul-scaling-kestrel-pyxis", "matmul-scaling", "kestrel", false, account, "pyxis"},
        {"run-a-command-demo-batch", "run-a-command", "demo", false, none, ""},
        {"run-a-command-kestrel-batch", "run-a-command", "kestrel", false,
            {QStringLiteral("account=csc000"), QStringLiteral("gpus=1"),
                QStringLiteral("command=nvidia-smi | head -n 5; echo 'it''s done'")},
            ""},
        {"run-a-command-demo-host", "run-a-command", "demo", false,
            {QStringLiteral("image="), QStringLiteral("command=hostname")}, ""},
        {"run-a-command-demo-file", "run-a-command", "demo", false,
            {QStringLiteral("image=$SCRATCH/my images/x.sif")}, ""},
    };
    for (const Row& row : rows)
        QTest::newRow(row.name) << QString::fromLatin1(row.recipe) << QString::fromLatin1(row.site)
                                << row.interactive << row.settings
                                << QString::fromLatin1(row.runtime);
}

Plan TestRender::rowPlan()
{
    const auto text = [](const char* column) {
        return *static_cast<QString*>(QTest::qData(column, qMetaTypeId<QString>()));
    };
    LaunchSpec spec;
    spec.recipeId = text("recipe");
    spec.siteId = text("site");
    if (*static_cast<bool*>(QTest::qData("interactive", qMetaTypeId<bool>())))
        spec.mode = LaunchMode::Interactive;
    for (const QString& setting :
        *static_cast<QStringList*>(QTest::qData("settings", qMetaTypeId<QStringList>())))
        spec.values.insert(setting.section(u'=', 0, 0), setting.section(u'=', 1));
    Site site = builtInSite(spec.siteId.toLatin1().constData());
    const QString runtime = text("runtime");
    if (runtime == u"singularity")
        site.runtime = RuntimeKind::Singularity;
    else if (runtime == u"enroot")
        site.runtime = RuntimeKind::Enroot;
    else if (runtime == u"pyxis")
        site.runtime = RuntimeKind::Pyxis;
    return makePlan(spec, builtInRecipe(spec.recipeId.toLatin1().constData()), site, {});
}

void TestRender::scripts_areTheGoldenOnes()
{
    const Plan plan = rowPlan();
    QVERIFY2(!plan.hasErrors(), problemsText(plan));
    QMap<QString, QByteArray> files;
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    files.insert(name + QStringLiteral(".sh"), renderScript(plan));
    if (plan.spec.mode == LaunchMode::Interactive) {
        files.insert(name + QStringLiteral("/env.sh"), renderEnvironment(plan));
        for (const StepScript& step : renderStepScripts(plan))
            files.insert(name + u'/' + step.name, step.bytes);
    }
    for (auto it = files.begin(); it != files.end(); ++it) {
        if (qEnvironmentVariableIsSet("SLIPWAY_UPDATE_GOLDEN"))
            putFile(goldenFile(it.key()), it.value());
        QFile golden(goldenFile(it.key()));
        QVERIFY2(golden.open(QIODevice::ReadOnly), qPrintable(golden.fileName()));
        // Line by line, so that a failure shows the line.
        const QList<QByteArray> found = it.value().split('\n'),
                                expected = golden.readAll().split('\n');
        for (qsizetype i = 0; i < std::max(found.size(), expected.size()); ++i)
            QCOMPARE(QString::fromUtf8(found.value(i)), QString::fromUtf8(expected.value(i)));
        QCOMPARE(found.size(), expected.size());
    }
}

void TestRender::scripts_pleaseBashAndShellcheck()
{
    const QString shellcheck = QStandardPaths::findExecutable(QStringLiteral("shellcheck"));
    QVERIFY2(!shellcheck.isEmpty(), "shellcheck is not installed; this test needs it");
    const Plan plan = rowPlan();
    const Result<std::vector<LaunchFile>> files = launchFiles(plan);
    QVERIFY2(files.ok(), files.ok() ? "" : files.error().text().toUtf8());
    // slipway.sh is the same in all of them, and takes most of the time: it is checked once, and is
    // empty where the others read it.
    static bool isHelperChecked = false;
    const QString helper = QStringLiteral("slipway.sh");
    QTemporaryDir folder;
    QStringList scripts;
    for (const LaunchFile& file : *files) {
        putFile(folder.filePath(file.name), file.bytes);
        if (file.name.endsWith(u".sh"))
            scripts << file.name;
    }
    QVERIFY(scripts.removeOne(helper) && !scripts.isEmpty());
    const auto check = [&](const QStringList& names, const QStringList& options) {
        for (const QString& name : names) {
            const auto [code, text] =
                runProgram(QStringLiteral("bash"), {QStringLiteral("-n"), name}, folder.path());
            QVERIFY2(code == 0, text);
        }
        const auto [code, text] = runProgram(shellcheck,
            QStringList{QStringLiteral("-x"), QStringLiteral("-P"), folder.path()} + options
                + names,
            folder.path());
        QVERIFY2(code == 0, text);
    };
    if (!std::exchange(isHelperChecked, true))
        check({helper}, {});
    putFile(folder.filePath(helper), "# shellcheck shell=bash\n");
    // env.sh is read by the steps, which is where its variables are used.
    if (scripts.removeOne(QStringLiteral("env.sh")))
        check({QStringLiteral("env.sh")}, {QStringLiteral("-e"), QStringLiteral("SC2034")});
    check(scripts, {});
}

void TestRender::matmul_staysShortEnoughToRead()
{
    LaunchSpec spec;
    const Plan plan = makePlan(spec, builtInRecipe("matmul-scaling"), builtInSite("demo"), {});
    const QByteArray script = renderScript(plan);
    QVERIFY2(script.count('\n') <= 70, QByteArray::number(script.count('\n')));
    for (const QByteArray& line : script.split('\n'))
        QVERIFY2(QString::fromUtf8(line).size() <= 110, line);
}

void TestRender::image_isKeyedByItsWholeName()
{
    const auto imageLine = [](const char* image) {
        LaunchSpec spec;
        spec.values.insert(QStringLiteral("image"), QString::fromLatin1(image));
        const QByteArray script =
            renderScript(makePlan(spec, builtInRecipe("matmul-scaling"), builtInSite("demo"), {}));
        const qsizetype at = script.indexOf("\nimage=");
        return script.mid(at + 1, script.indexOf('\n', at + 1) - at - 1);
    };
    QCOMPARE(imageLine("docker://a/pytorch:1"),
        QByteArray("image=\"$SCRATCH/slipway/images/docker.io/a/pytorch_1.sif\""));
    QCOMPARE(imageLine("docker://b/pytorch:1"),
        QByteArray("image=\"$SCRATCH/slipway/images/docker.io/b/pytorch_1.sif\""));
    QCOMPARE(imageLine("docker://login:5000/a/pytorch:1"),
        QByteArray("image=\"$SCRATCH/slipway/images/login_5000/a/pytorch_1.sif\""));
    QCOMPARE(imageLine("~/x.sif"), QByteArray("image=\"$HOME/x.sif\""));
}

void TestRender::tag_isInTheComment()
{
    Plan plan = makePlan({}, builtInRecipe("run-a-command"), builtInSite("demo"), {});
    QVERIFY(renderScript(plan).contains("#SBATCH --comment=slipway:{tag}"));
    plan.tag = QStringLiteral("0f2c");
    QVERIFY(renderScript(plan).contains("#SBATCH --comment=slipway:0f2c"));
}

void TestRender::sweepSlot_runsOneJobAtATime()
{
    LaunchSpec spec;
    spec.sweep = QStringLiteral("1a2b3c4d");
    const auto script = [&spec] {
        return renderScript(
            makePlan(spec, builtInRecipe("run-a-command"), builtInSite("demo"), {}));
    };
    QVERIFY(!script().contains("--dependency"));
    spec.sweepSlot = 2;
    QVERIFY2(script().contains("#SBATCH --job-name=run-a-command-1a2b3c4d-2\n"), script());
    QVERIFY2(script().contains("#SBATCH --dependency=singleton"), script());
    spec.values.insert(QStringLiteral("job_name"), QString(64, u'x'));
    const QByteArray longest = "--job-name=" + QByteArray(48, 'x') + "-1a2b3c4d-2\n";
    QVERIFY2(script().contains(longest), script());
}

void TestRender::edited_isSentAsItIs()
{
    LaunchSpec spec;
    spec.editedScript = "#!/bin/sh\n# mine {tag}\n";
    Plan plan = makePlan(spec, builtInRecipe("run-a-command"), builtInSite("demo"), {});
    plan.tag = QStringLiteral("0f2c");
    QCOMPARE(renderScript(plan), QByteArray("#!/bin/sh\n# mine 0f2c\n"));
}

void TestRender::cache_isSaidToBeWhereItIs()
{
    const auto line = [](const char* cache) {
        LaunchSpec spec;
        spec.values.insert(QStringLiteral("cache"), QLatin1String(cache));
        const QByteArray script =
            renderScript(makePlan(spec, builtInRecipe("matmul-scaling"), builtInSite("demo"), {}));
        const qsizetype at = script.indexOf("export APPTAINER_CACHEDIR=");
        return script.mid(at, script.indexOf('\n', at) - at);
    };
    for (const char* home : {"$HOME/c", "${HOME}/c"})
        QVERIFY2(line(home).contains("# image layers: large, and in $HOME, which has a quota"),
            line(home));
    for (const char* node : {"/tmp/${USER}_c", "$TMPDIR/c"})
        QVERIFY2(line(node).endsWith("# image layers: large, so on the node itself"), line(node));
    QVERIFY2(line("$SCRATCH/c").endsWith("so not in $HOME"), line("$SCRATCH/c"));
    QVERIFY2(line("/home/me/c").endsWith("# image layers: large"), line("/home/me/c"));
}

void TestRender::overlays_haveAKeeperWithKeptNodes()
{
    LaunchSpec spec;
    spec.mode = LaunchMode::Interactive;
    const Plan plan = makePlan(spec, builtInRecipe("overlay-prototype"), builtInSite("demo"), {});
    const std::optional<StepScript> keeper = renderOverlayKeeper(plan);
    QVERIFY(keeper);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("keeper.sh"));
    putFile(path, keeper->bytes);
    const auto [code, text] = runProgram(QStringLiteral("shellcheck"), {path}, folder.path());
    QVERIFY2(code == 0, text);
    // Steps and keeper name one folder.
    const QByteArray named = "\noverlays=${TMPDIR:-/tmp}/slipway-$SLURM_JOB_ID\n";
    QVERIFY2(renderEnvironment(plan).contains(named), renderEnvironment(plan));
    QVERIFY2(keeper->bytes.contains(named), keeper->bytes);
    // Nothing of it where there is no overlay, or where a script of its own removes them.
    const Site demo = builtInSite("demo");
    QVERIFY(!renderOverlayKeeper(makePlan(spec, builtInRecipe("matmul-scaling"), demo, {})));
    QVERIFY(!renderOverlayKeeper(makePlan({}, builtInRecipe("overlay-prototype"), demo, {})));
}

void TestRender::stepsInSteps_doNotWaitForEachOther_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<bool>("shares"); // a step with --overlap takes nothing from the others
    for (const char* version : {"20.11.4", "21.08.8", ""})
        QTest::newRow(*version ? version : "unknown") << QString::fromLatin1(version) << false;
    for (const char* version : {"22.05.8", "24.11.5", "26.05.5"})
        QTest::newRow(version) << QString::fromLatin1(version) << true;
}

void TestRender::stepsInSteps_doNotWaitForEachOther()
{
    QFETCH(QString, version);
    QFETCH(bool, shares);
    ClusterInfo cluster;
    cluster.slurmVersion = version;
    LaunchSpec spec;
    spec.mode = LaunchMode::Interactive;
    spec.values.insert(QStringLiteral("gpus"), QStringLiteral("1"));
    static const Recipe recipe = builtInRecipe("matmul-scaling");
    static const Site site = builtInSite("demo");
    const Plan plan = makePlan(spec, recipe, site, cluster);
    QCOMPARE(renderEnvironment(plan).contains("\nexport SLURM_OVERLAP=1\n"), !shares);
    for (const PlanStep& step : plan.steps) {
        const bool starts = step.body.startsWith("srun ");
        QVERIFY2(starts == step.id.startsWith(u"run-"), step.body);
        QVERIFY2(leavesGpus(plan, step) == (starts && !shares), step.body);
    }
    spec.values.insert(QStringLiteral("gpus"), QStringLiteral("0"));
    const Plan plain = makePlan(spec, recipe, site, cluster);
    for (const PlanStep& step : plain.steps)
        QVERIFY2(!leavesGpus(plain, step), step.body);
}

SLIPWAY_TEST(TestRender, plan_render)
#include "tst_render.moc"
