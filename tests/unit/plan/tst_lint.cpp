// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"
#include "app/plan/filledspec.h"
#include "tests/support/testmain.h"

#include "tests/support/testsites.h"

#include <QRegularExpression>
#include <QSet>

using namespace slipway;

/// Every rule of lint: when it reports, on which field, with which fix; and that the fix works.
class TestLint : public QObject {
    Q_OBJECT

private slots:
    void rule_isReported_data();
    void rule_isReported();
    void rule_isResolvedByItsFix_data() { rule_isReported_data(); }
    void rule_isResolvedByItsFix();
    void inner_srunIsReportedOnlyWhereItWaits_data();
    void inner_srunIsReportedOnlyWhereItWaits();
    void defaults_areCleanEverywhere();
    void standIns_leaveTheGpuLaneOut();
    void realGpus_offerTheGpuLane();
    void cluster_overridesTheSiteFile();
    void account_isTakenWhenThereIsOne();
    void example_isNamedWhereAValueIsNeeded();
    void placeholders_neverLaunch_data();
    void placeholders_neverLaunch();
    void examples_launchOnlyAfterTheyAreChanged();
    void edited_scriptIsLookedAt_data();
    void edited_scriptIsLookedAt();
    void errors_comeFirst();

private:
    static Plan rowPlan(const QMap<QString, QString>& more = {});
};

namespace {

using Values = QMap<QString, QString>;

Values values(std::initializer_list<std::pair<const char*, const char*>> items)
{
    Values result;
    for (const auto& [key, value] : items)
        result.insert(QLatin1String(key), QString::fromUtf8(value));
    return result;
}

/// What a cluster with the demo's partitions would say of itself.
ClusterInfo demoInfo()
{
    ClusterInfo info;
    info.homeFolder = QStringLiteral("/home/demo");
    PartitionInfo gpu;
    gpu.name = QStringLiteral("gpu");
    gpu.isDefault = true;
    gpu.timeLimit = WallTime(std::chrono::hours(4));
    gpu.nodes = 2;
    gpu.cpusPerNode = 2;
    gpu.memoryPerNode = MemorySize(4096);
    gpu.gpuType = QStringLiteral("demo");
    gpu.gpusPerNode = 4;
    gpu.gpusFree = 0;
    PartitionInfo down = gpu;
    down.name = QStringLiteral("down");
    down.isDefault = false;
    down.available = false;
    PartitionInfo cpu = gpu;
    cpu.name = QStringLiteral("cpu");
    cpu.isDefault = false;
    cpu.gpusPerNode = 0;
    cpu.gpusFree = {};
    info.partitions = {gpu, down, cpu};
    return info;
}

const Problem* find(const Plan& plan, const QString& field, const QString& text)
{
    for (const Problem& problem : plan.problems) {
        if (problem.field == field && problem.text.contains(text))
            return &problem;
    }
    return nullptr;
}

} // namespace

void TestLint::rule_isReported_data()
{
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("site");
    QTest::addColumn<Values>("settings");
    QTest::addColumn<bool>("connected");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("error");
    const QString matmul = QStringLiteral("matmul-scaling"),
                  command = QStringLiteral("run-a-command");
    const QString demo = QStringLiteral("demo"), kestrel = QStringLiteral("kestrel"),
                  frontera = QStringLiteral("frontera-rtx");
    const auto row = [](const char* name, const QString& recipe, const QString& site,
                         const Values& settings, bool connected, const char* field,
                         const char* text, bool error) {
        QTest::newRow(name) << recipe << site << settings << connected << QString::fromUtf8(field)
                            << QString::fromUtf8(text) << error;
    };
    row("account missing", matmul, kestrel, {}, false, "account", "refuses jobs without an account",
        true);
    row("partition unknown, site file only", matmul, demo, values({{"partition", "gpux"}}), false,
        "partition", "has no partition “gpux”", false);
    row("partition unknown to the cluster", matmul, demo, values({{"partition", "debug"}}), true,
        "partition", "has no partition “debug”", true);
    row("partition down", matmul, demo, values({{"partition", "down"}}), true, "partition",
        "is down", false);
    row("value in place of the name of a secret", command, demo,
        values({{"secrets", "HF_TOKEN=hf_x, NGC_API_KEY"}}), false, "secrets", "takes names only",
        true);
    row("secret with the name of a variable of the loader", command, demo,
        values({{"secrets", "HF_TOKEN, LD_PRELOAD"}}), false, "secrets",
        "“LD_PRELOAD” cannot be the name", true);
    row("variable that is a secret as well", command, demo,
        values({{"secrets", "HF_TOKEN"}, {"environment", "HF_TOKEN=hf_x"}}), false, "environment",
        "HF_TOKEN is a secret as well", true);
    row("time over the limit", matmul, demo, values({{"time", "9:00:00"}, {"partition", "gpu"}}),
        false, "time", "longer than the partition gpu allows (04:00:00)", true);
    row("invalid time", matmul, demo, values({{"time", "soon"}}), false, "time",
        "is not a time limit", true);
    row("time of zero", matmul, demo, values({{"time", "0"}}), false, "time", "zero", true);
    row("no GPU asked for the GPU lane", matmul, kestrel,
        values({{"account", "a"}, {"lanes", "gpu,cpu"}, {"gpus", "0"}}), false, "gpus",
        "needs a GPU", true);
    row("GPU lane where there are none", matmul, demo,
        values({{"partition", "cpu"}, {"lanes", "gpu,cpu"}}), false, "lanes", "have none", true);
    row("GPU in a partition without", command, demo, values({{"partition", "cpu"}, {"gpus", "1"}}),
        false, "gpus", "have no GPU", true);
    row("more GPUs than a node has", matmul, kestrel, values({{"account", "a"}, {"gpus", "8"}}),
        false, "gpus", "8 is more than 4", true);
    row("GPU that nothing uses", matmul, kestrel,
        values({{"account", "a"}, {"lanes", "cpu"}, {"gpus", "1"}}), false, "gpus", "leave it idle",
        false);
    row("no GPU free", command, demo, values({{"gpus", "1"}}), true, "gpus",
        "No GPU of gpu is free", false);
    row("GPU image without a GPU", command, kestrel,
        values({{"account", "a"}, {"image", "docker://nvidia/cuda:12.4.1-base-ubuntu22.04"}}),
        false, "gpus", "built for GPUs", false);
    row("GPUs at a site of whole nodes", matmul, frontera, values({{"gpus", "2"}}), false, "gpus",
        "whole nodes", false);
    row("memory at a site of whole nodes", matmul, frontera, values({{"memory", "8G"}}), false,
        "memory", "whole nodes", false);
    row("data that is no absolute path", command, demo, values({{"data", "data/mnist"}}), false,
        "data", "is not a folder on the cluster", true);
    row("data with a colon too many", command, demo, values({{"data", "/a:/b:ro:/c"}}), false,
        "data", "more than two colons", true);
    row("data to be written", command, demo, values({{"data", "/a:/b:rw"}}), false, "data",
        "data is only read", true);
    row("data with a command in it", command, demo, values({{"data", "/a/$(id)"}}), false, "data",
        "is not a folder on the cluster", true);
    row("data at one place twice", command, demo, values({{"data", "/a/, /b:/a"}}), false, "data",
        "the same path in the container: /a", true);
    row("all of the node as data", command, demo, values({{"data", "/"}}), false, "data",
        "root folder", true);
    row("data of one node", command, demo, values({{"data", "/tmp/mnist"}}), false, "data",
        "Each node has a /tmp/mnist of its own", false);
    row("invalid image", matmul, demo, values({{"image", "docker://UPPER/x:1"}}), false, "image",
        "lower case", true);
    row("image of another world", matmul, demo, values({{"image", "ftp://x/y"}}), false, "image",
        "", true);
    row("image missing", matmul, demo, values({{"image", ""}}), false, "image",
        "A value is required", true);
    row("registry of another cluster", matmul, kestrel,
        values({{"account", "a"}, {"image", "docker://login:5000/demo/pytorch:2.6"}}), false,
        "image", "The registry login:5000 has no domain name", false);
    row("GPU recipe without a GPU", QStringLiteral("bert-train"), kestrel,
        values({{"account", "a"}, {"gpus", "0"}}), false, "gpus", "requests none", false);
    row("memory without a unit", matmul, kestrel, values({{"account", "a"}, {"memory", "9"}}),
        false, "memory", "“9” without a unit means 9 MB", false);
    row("memory without a unit, more than there is", matmul, demo, values({{"memory", "90"}}), true,
        "memory", "“90” without a unit means 90 MB", false);
    row("memory for no container", matmul, kestrel, values({{"account", "a"}, {"memory", "100M"}}),
        false, "memory", "100M is too little to start a container", false);
    row("tag that moves", matmul, demo, values({{"image", "docker://pytorch/pytorch"}}), false,
        "image", "latest", false);
    row("cache in home", matmul, demo, values({{"cache", "$HOME/.apptainer"}}), false, "cache",
        "home folder", false);
    row("cache in home by its path", matmul, demo, values({{"cache", "/home/demo/c"}}), true,
        "cache", "home folder", false);
    row("cache that runs something", matmul, demo, values({{"cache", "/x/$(id)"}}), false, "cache",
        "is not a path", true);
    row("hostile job name", matmul, demo, values({{"job_name", "a b\n#SBATCH --x"}}), false,
        "job_name", "1 to 64 letters", true);
    row("job name with a path", matmul, demo, values({{"job_name", "../x"}}), false, "job_name",
        "1 to 64 letters", true);
    row("empty job name", matmul, demo, values({{"job_name", ""}}), false, "job_name",
        "1 to 64 letters", true);
    row("size of zero", matmul, demo, values({{"sizes", "512,0"}}), false, "sizes", "less than 1",
        true);
    row("size that is no number", matmul, demo, values({{"sizes", "512,big"}}), false, "sizes",
        "whole number", true);
    row("no sizes", matmul, demo, values({{"sizes", ","}}), false, "sizes", "whole numbers", true);
    row("size beyond the memory", matmul, demo, values({{"sizes", "512,65536"}}), false, "sizes",
        "needs 48.0 GiB of memory; the job has 2G", true);
    row("memory beyond the node", matmul, demo, values({{"memory", "64G"}}), true, "memory",
        "more memory than a node", true);
    row("memory that is none", matmul, demo, values({{"memory", "much"}}), false, "memory",
        "not an amount", true);
    row("memory by default", matmul, kestrel, values({{"account", "a"}, {"memory", ""}}), false,
        "memory", "gets 1G per CPU", false);
    row("CPUs beyond the node", matmul, demo, values({{"cpus", "64"}}), true, "cpus",
        "64 is more than 2", true);
    row("nodes of a recipe for one", matmul, demo, values({{"nodes", "2"}}), false, "nodes",
        "runs on one node", true);
    row("no command", command, demo, values({{"command", "  "}}), false, "command",
        "A value is required", true);
    row("srun in the job step of srun", command, demo,
        values({{"image", ""}, {"command", "srun hostname"}}), false, "command",
        "the inner one waits for the CPUs", false);
    row("srun later in the command, twice", command, demo,
        values({{"image", ""}, {"command", "cd /tmp && A=1 srun hostname; srun -n1 date"}}), false,
        "command", "the inner one waits for the CPUs", false);
    row("srun before the image's own command", command, demo,
        values({{"command", "srun hostname"}}), false, "command", "Leave out “srun”", false);
    row("command with an escape", command, demo, values({{"command", "echo \x1b[2J"}}), false,
        "command", "control character", true);
    row("GPU against one thread", matmul, kestrel,
        values({{"account", "a"}, {"lanes", "gpu,cpu-1"}}), false, "lanes", "is not fair", false);
    row("a lane alone", matmul, kestrel, values({{"account", "a"}, {"lanes", "gpu"}}), false,
        "lanes", "not a race", false);
    row("two CPU lanes on one CPU", matmul, demo, values({{"lanes", "cpu,cpu-1"}, {"cpus", "1"}}),
        false, "cpus", "are identical", false);
    row("too few repeats", matmul, demo, values({{"repeats", "4"}}), false, "repeats", "unreliable",
        false);
    row("no warm-up", matmul, demo, values({{"warmup", "0"}}), false, "warmup", "load libraries",
        false);
    row("one size", matmul, demo, values({{"sizes", "512"}}), false, "sizes", "One size", false);
    row("lane that is none", matmul, demo, values({{"lanes", "cpu,tpu"}}), false, "lanes",
        "“tpu” is not offered", true);
    row("no lane", matmul, demo, values({{"lanes", " , "}}), false, "lanes", "Choose at least one",
        true);
    row("choice that is none", matmul, demo, values({{"dtype", "int4"}}), false, "dtype",
        "not offered", true);
    row("field that is none", matmul, demo, values({{"sises", "1"}}), false, "sises",
        "There is no field", true);
    row("account with a space", matmul, kestrel, values({{"account", "a b"}}), false, "",
        "The account", true);
}

Plan TestLint::rowPlan(const QMap<QString, QString>& more)
{
    LaunchSpec spec;
    spec.recipeId = *static_cast<QString*>(QTest::qData("recipe", qMetaTypeId<QString>()));
    spec.siteId = *static_cast<QString*>(QTest::qData("site", qMetaTypeId<QString>()));
    spec.values = *static_cast<Values*>(QTest::qData("settings", qMetaTypeId<Values>()));
    for (auto it = more.begin(); it != more.end(); ++it)
        spec.values.insert(it.key(), it.value());
    const bool connected = *static_cast<bool*>(QTest::qData("connected", qMetaTypeId<bool>()));
    return makePlan(spec, builtInRecipe(spec.recipeId.toLatin1()),
        builtInSite(spec.siteId.toLatin1()), connected ? std::optional(demoInfo()) : std::nullopt);
}

void TestLint::rule_isReported()
{
    QFETCH(QString, field);
    QFETCH(QString, text);
    QFETCH(bool, error);
    const Plan plan = rowPlan();
    const Problem* problem = find(plan, field, text);
    QVERIFY2(problem, problemsText(plan));
    QCOMPARE(problem->severity == Problem::Severity::Error, error);
    QVERIFY(problem->text.endsWith(u'.'));
    QVERIFY(!problem->text.contains(u'!'));
}

void TestLint::rule_isResolvedByItsFix()
{
    QFETCH(QString, field);
    QFETCH(QString, text);
    const Plan plan = rowPlan();
    const Problem* problem = find(plan, field, text);
    QVERIFY(problem);
    if (!problem->fixValue)
        return;
    QVERIFY(!problem->fix.isEmpty());
    const Plan fixed = rowPlan({{field, *problem->fixValue}});
    QVERIFY2(!find(fixed, field, text), problemsText(fixed));
}

void TestLint::inner_srunIsReportedOnlyWhereItWaits_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<LauncherKind>("launcher");
    QTest::addColumn<bool>("reported");
    const auto row = [](const char* name, const char* command, LauncherKind launcher,
                         bool reported) {
        QTest::newRow(name) << QString::fromUtf8(command) << launcher << reported;
    };
    row("alone", "srun hostname", LauncherKind::Srun, true);
    row("in a subshell", "echo $(srun hostname)", LauncherKind::Srun, true);
    row("with --overlap", "srun -n1 --overlap hostname", LauncherKind::Srun, false);
    row("one of two with --overlap", "srun --overlap a; srun b", LauncherKind::Srun, true);
    row("a word of another command", "echo srun", LauncherKind::Srun, false);
    row("another program", "srun-report", LauncherKind::Ibrun, false);
    row("the script itself is no step", "srun hostname", LauncherKind::Mpirun, false);
}

void TestLint::inner_srunIsReportedOnlyWhereItWaits()
{
    QFETCH(QString, command);
    QFETCH(LauncherKind, launcher);
    QFETCH(bool, reported);
    const Recipe recipe = builtInRecipe("run-a-command");
    Site site = builtInSite("demo");
    site.launcher = launcher;
    LaunchSpec spec = filledSpec(recipe, site);
    spec.values.insert(QStringLiteral("image"), QString());
    spec.values.insert(QStringLiteral("command"), command);
    const Plan plan = makePlan(spec, recipe, site, {});
    QCOMPARE(
        find(plan, QStringLiteral("command"), QStringLiteral("the inner one waits")) != nullptr,
        reported);
}

void TestLint::defaults_areCleanEverywhere()
{
    for (const Site& site : builtInResources().sites) {
        if (!site.launchable())
            continue;
        for (const Recipe& recipe : builtInResources().recipes) {
            if (!recipeBelongs(recipe, site))
                continue;
            LaunchSpec spec = filledSpec(recipe, site);
            if (site.scratch.isEmpty()) // then the person must say where the cache lies, and lint
                                        // asks for it
                spec.values.insert(QStringLiteral("cache"), QStringLiteral("/projects/abc/cache"));
            if (!site.modulesKnown) // likewise the module
                spec.values.insert(QStringLiteral("modules"), QStringLiteral("singularity"));
            const Plan plan = makePlan(spec, recipe, site, {});
            const QByteArray where = (site.id + u' ' + recipe.id + u'\n').toUtf8();
            QVERIFY2(!plan.hasErrors(), QByteArray(where + problemsText(plan)));
            // Where a site says where things lie and what it allows, the first recipes speak of
            // nothing.
            const bool first = recipe.group == u"Start here" && recipe.sites.isEmpty();
            const bool usual = !site.scratch.isEmpty()
                && (site.architecture.isEmpty() || site.architecture == u"x86_64");
            // If nothing is known about the driver, only that is reported.
            const bool unknown =
                site.driver.isEmpty() && site.cuda.isEmpty() && site.cudaSeen.isEmpty();
            const bool silent = std::all_of(
                plan.problems.begin(), plan.problems.end(), [&](const Problem& problem) {
                    return unknown
                        && problem.text.startsWith(u"Neither the driver nor the CUDA version of ");
                });
            QVERIFY2(!first || !usual || silent, QByteArray(where + problemsText(plan)));
        }
    }
}

void TestLint::standIns_leaveTheGpuLaneOut()
{
    Site site = builtInSite("demo");
    site.gpusAreReal = false;
    site.gpusNote = QStringLiteral("This machine has no NVIDIA driver: the GPUs are stand-ins.");
    site.recipeValues[QStringLiteral("matmul-scaling")].remove(QStringLiteral("lanes"));
    const Recipe recipe = builtInRecipe("matmul-scaling");
    const Plan plain = makePlan({}, recipe, site, {});
    QCOMPARE(plain.values.value(QStringLiteral("lanes")), QStringLiteral("cpu,cpu-1"));
    QCOMPARE(plain.job.gpus, 0);
    QVERIFY2(plain.problems.empty(), problemsText(plain));
    LaunchSpec spec;
    spec.values.insert(QStringLiteral("lanes"), QStringLiteral("gpu,cpu"));
    const Plan asked = makePlan(spec, recipe, site, {});
    const Problem* problem = find(asked, QStringLiteral("lanes"), QStringLiteral("stand-ins"));
    QVERIFY2(problem, problemsText(asked));
    QCOMPARE(problem->severity, Problem::Severity::Warning);
    QCOMPARE(*problem->fixValue, QStringLiteral("cpu"));
    QVERIFY(!asked.hasErrors()); // it may be tried: the lane then says what is missing
    QVERIFY(!renderScript(asked).contains("nvidia-smi"));
}

void TestLint::realGpus_offerTheGpuLane()
{
    const Plan plan = makePlan({}, builtInRecipe("matmul-scaling"), builtInSite("kestrel"), {});
    QCOMPARE(plan.values.value(QStringLiteral("lanes")), QStringLiteral("gpu,cpu,cpu-1"));
    QCOMPARE(plan.job.gpus, 1);
    QVERIFY(renderScript(plan).contains("--nv"));
}

void TestLint::cluster_overridesTheSiteFile()
{
    const Plan plan =
        makePlan({}, builtInRecipe("matmul-scaling"), builtInSite("demo"), demoInfo());
    QStringList choices;
    for (const Parameter& field : plan.fields) {
        if (field.key == u"partition")
            choices = field.choices;
    }
    QCOMPARE(choices,
        (QStringList{QStringLiteral("gpu"), QStringLiteral("down"), QStringLiteral("cpu")}));
    Site big = builtInSite("demo");
    big.recipeValues.clear(); // the recipe asks for 16 CPUs and 32G; the nodes have 2 and 4G
    const Plan capped = makePlan({}, builtInRecipe("matmul-scaling"), big, demoInfo());
    QCOMPARE(capped.job.cpusPerTask, 2);
    QCOMPARE(capped.job.memory->slurmText(), QStringLiteral("4G"));
}

void TestLint::account_isTakenWhenThereIsOne()
{
    ClusterInfo info;
    info.accounts = {QStringLiteral("only")};
    Plan plan = makePlan({}, builtInRecipe("run-a-command"), builtInSite("kestrel"), info);
    QCOMPARE(plan.job.account, QStringLiteral("only"));
    // Where none is needed, it can be chosen, and the script names none by itself.
    const Plan unneeded = makePlan({}, builtInRecipe("run-a-command"), builtInSite("demo"), info);
    QVERIFY(unneeded.values.contains(QStringLiteral("account")));
    QCOMPARE(unneeded.job.account, QString());
    info.accounts << QStringLiteral("other");
    plan = makePlan({}, builtInRecipe("run-a-command"), builtInSite("frontera-rtx"), info);
    QVERIFY(find(plan, QStringLiteral("account"), QStringLiteral("You have several accounts")));
    LaunchSpec spec;
    spec.values.insert(QStringLiteral("account"), QStringLiteral("third"));
    plan = makePlan(spec, builtInRecipe("run-a-command"), builtInSite("kestrel"), info);
    QVERIFY(find(plan, QStringLiteral("account"), QStringLiteral("no account “third”")));
    Site retired = builtInSite("kestrel");
    retired.archived = true;
    QVERIFY(find(makePlan(spec, builtInRecipe("run-a-command"), retired, info), {},
        QStringLiteral("is archived")));
    Site other = builtInSite("kestrel");
    other.unsupported = QStringLiteral("It is not Slurm: there is no login node.");
    const Plan refused = makePlan(spec, builtInRecipe("run-a-command"), other, info);
    QVERIFY(find(refused, {},
        QStringLiteral(
            "Slipway cannot launch jobs on Kestrel. It is not Slurm: there is no login node.")));
    QVERIFY(refused.hasErrors());
}

void TestLint::example_isNamedWhereAValueIsNeeded()
{
    Recipe recipe = builtInRecipe("matmul-scaling");
    for (Parameter& parameter : recipe.parameters) {
        if (parameter.key == u"image")
            parameter.example = QStringLiteral("docker://your-name/pi:0.1");
    }
    // A site where only the person knows it.
    recipe.siteValues[QStringLiteral("demo")].insert(QStringLiteral("image"), {});
    Site site = builtInSite("demo");
    site.recipeValues.remove(recipe.id);
    const Plan empty = makePlan({}, recipe, site, {});
    const Problem* problem = find(empty, QStringLiteral("image"),
        QStringLiteral("A value is required, such as docker://your-name/pi:0.1."));
    QVERIFY2(problem && problem->severity == Problem::Severity::Error, problemsText(empty));
    LaunchSpec spec;
    spec.values.insert(QStringLiteral("image"), QStringLiteral("docker://ada/pi:0.1"));
    const Plan filled = makePlan(spec, recipe, site, {});
    QVERIFY2(!filled.hasErrors(), problemsText(filled));
    QVERIFY(!makePlan(filledSpec(recipe, site), recipe, site, {}).hasErrors());
}

void TestLint::placeholders_neverLaunch_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("word"); // empty: none
    const auto row = [](const char* key, const char* value, const char* word) {
        QTest::newRow(value) << QString::fromUtf8(key) << QString::fromUtf8(value)
                             << QString::fromUtf8(word);
    };
    row("cache", "/scratch/ws/0/your-workspace/cache", "your-workspace");
    row("image", "docker://your-name/matmul:1", "your-name");
    row("image", "docker://ghcr.io/YOU/matmul:1", "YOU");
    row("account", "your-project", "your-project");
    row("binds", "/work/your-group/data", "your-group");
    row("image", "docker://ada/your-names:1", "");
    row("image", "docker://yours/not-your-name:1", "");
    row("cache", "/scratch/YOUNG/cache", "");
}

void TestLint::placeholders_neverLaunch()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, word);
    LaunchSpec spec;
    spec.values.insert(key, value);
    const Plan plan = makePlan(spec, builtInRecipe("matmul-scaling"), builtInSite("kestrel"), {});
    const Problem* problem = find(plan, key, u'“' + word + QStringLiteral("” is a placeholder"));
    if (word.isEmpty())
        problem = find(plan, key, QStringLiteral("placeholder"));
    QVERIFY2((problem != nullptr) == !word.isEmpty(), problemsText(plan));
    QVERIFY(!problem || problem->severity == Problem::Severity::Error);
}

/// Whatever the recipes give as an example: taken as it is, it is refused wherever it stands for
/// something of the person's own.
void TestLint::examples_launchOnlyAfterTheyAreChanged()
{
    static const QRegularExpression looksLikeOne(
        QStringLiteral("\\b(?:your|my)[-_ ]|YOU\\b|<[a-z]|\\.\\.\\.|…"));
    for (const Recipe& recipe : builtInResources().recipes) {
        for (const Parameter& parameter : recipe.parameters) {
            const QByteArray where = (recipe.id + u' ' + parameter.key).toUtf8();
            QVERIFY2(!looksLikeOne.match(parameter.example).hasMatch()
                    || !placeholderIn(parameter.example).isEmpty(),
                where);
            QVERIFY2(placeholderIn(withoutPlaceholders(parameter.example, QStringLiteral("ada")))
                         .isEmpty(),
                where);
            QVERIFY2(placeholderIn(parameter.value).isEmpty(), where);
        }
    }
}

void TestLint::edited_scriptIsLookedAt_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("error");
    const QByteArray good = "#!/bin/bash\n#SBATCH --output=slurm-%j.out\n. ./slipway.sh\n";
    QTest::newRow("good") << good << QString() << false;
    QTest::newRow("no shebang") << good.mid(12) << QStringLiteral("does not begin with #!") << true;
    QTest::newRow("DOS line breaks")
        << QByteArray(good).replace("\n", "\r\n") << QStringLiteral("Windows line endings") << true;
    QTest::newRow("no ending") << QByteArray(good).replace(". ./slipway.sh", "true")
                               << QStringLiteral("no longer records how it ended") << false;
    QTest::newRow("no output") << QByteArray(good).replace("#SBATCH", "#")
                               << QStringLiteral("--output") << false;
}

void TestLint::edited_scriptIsLookedAt()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, text);
    QFETCH(bool, error);
    LaunchSpec spec;
    spec.editedScript = script;
    const Plan plan = makePlan(spec, builtInRecipe("run-a-command"), builtInSite("demo"), {});
    if (text.isEmpty()) {
        QVERIFY2(plan.problems.empty(), problemsText(plan));
        return;
    }
    const Problem* problem = find(plan, {}, text);
    QVERIFY2(problem, problemsText(plan));
    QCOMPARE(problem->severity == Problem::Severity::Error, error);
}

void TestLint::errors_comeFirst()
{
    LaunchSpec spec;
    spec.values =
        values({{"cache", "$HOME/x"}, {"time", "soon"}, {"image", "docker://a/b"}, {"sizes", "0"}});
    const Plan plan = makePlan(spec, builtInRecipe("matmul-scaling"), builtInSite("demo"), {});
    bool warned = false;
    for (const Problem& problem : plan.problems) {
        QVERIFY(!(warned && problem.severity == Problem::Severity::Error));
        warned = warned || problem.severity == Problem::Severity::Warning;
    }
    QVERIFY(warned && plan.hasErrors());
}

SLIPWAY_TEST(TestLint, plan_lint)
#include "tst_lint.moc"
