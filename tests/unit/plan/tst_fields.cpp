// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/formdefaults.h"
#include "app/plan/launchlists.h"
#include "tests/support/testmain.h"

#include "tests/support/testsites.h"

using namespace slipway;

/// The fields that every launch has: what they stand at where nobody said anything, what becomes of
/// them in the script, and what is said of a value that cannot be meant.
class TestFields : public QObject {
    Q_OBJECT

private slots:
    void modules_areWords();
    void binds_haveTwoPlacesAndAMode();
    void environment_isAssignments();
    void environment_isReadBackAsItWas();
    void siteValues_standInTheFields();
    void script_takesWhatThePersonSays_data();
    void script_takesWhatThePersonSays();
    void values_thatCannotBeMeant_areNamed_data();
    void values_thatCannotBeMeant_areNamed();
    void exclusive_bringsNoMemory();
    void wholeNodes_haveNoSuchFields();
    void cpusAndMemory_growWithTheGpus_data();
    void cpusAndMemory_growWithTheGpus();
    void withoutGpus_thePartitionHasNone();
};

namespace {

Plan planAt(const Recipe& recipe, const char* site, QMap<QString, QString> values,
    LaunchMode mode = LaunchMode::Batch)
{
    LaunchSpec spec;
    spec.recipeId = recipe.id;
    spec.siteId = QLatin1String(site);
    spec.mode = mode;
    spec.values = std::move(values);
    spec.values.insert(QStringLiteral("account"), QStringLiteral("csc000"));
    return makePlan(spec, recipe, builtInSite(site), {});
}

/// The script with continued lines joined.
QString scriptOf(const Plan& plan)
{
    QString text = QString::fromUtf8(renderScript(plan));
    static const QRegularExpression continued(QStringLiteral(R"(\\\n#?\s*)"));
    return text.replace(continued, QString());
}

/// A site with nodes of both kinds; the ones with GPUs are the default.
Site mixedSite()
{
    Site site = builtInSite("kestrel");
    SitePartition gpu, cpu, debug;
    gpu.name = QStringLiteral("gpus");
    gpu.isDefault = true;
    gpu.gpusPerNode = 4;
    cpu.name = QStringLiteral("cpus");
    debug.name = QStringLiteral("try");
    debug.purpose = PartitionPurpose::Interactive;
    site.partitions = {gpu, debug, cpu};
    return site;
}

} // namespace

void TestFields::modules_areWords()
{
    QCOMPARE(*parseModules(QStringLiteral(" apptainer  cuda/12.3")),
        (QStringList{QStringLiteral("apptainer"), QStringLiteral("cuda/12.3")}));
    QCOMPARE(*parseModules(QString()), QStringList());
    for (const char* hostile : {"a;rm", "$(id)", "-l", "a`b`", "mod\x01ule", "\"x\""})
        QVERIFY2(!parseModules(QLatin1String(hostile)).ok(), hostile);
}

void TestFields::binds_haveTwoPlacesAndAMode()
{
    const auto binds = parseBinds(QStringLiteral("/projects, $SCRATCH/data:/data:ro,/a:/b"));
    QVERIFY(binds.ok());
    QCOMPARE(binds->size(), std::size_t(3));
    QCOMPARE((*binds)[0].source, QStringLiteral("/projects"));
    QCOMPARE((*binds)[0].destination, QString());
    QCOMPARE((*binds)[1].source, QStringLiteral("$SCRATCH/data"));
    QCOMPARE((*binds)[1].destination, QStringLiteral("/data"));
    QVERIFY((*binds)[1].readOnly && !(*binds)[2].readOnly);
    for (const char* wrong : {"projects", "/a:b", "/a:/b:maybe", "/a:/b:ro:/c", "/a\"b", "/$(id)"})
        QVERIFY2(!parseBinds(QLatin1String(wrong)).ok(), wrong);
}

void TestFields::environment_isAssignments()
{
    const auto environment = parseEnvironment(
        QStringLiteral("FI_PROVIDER=tcp  LABEL=\"two words\" CACHE=$SCRATCH/c EMPTY="));
    QVERIFY(environment.ok());
    QCOMPARE(environment->value(QStringLiteral("FI_PROVIDER")), QStringLiteral("tcp"));
    QCOMPARE(environment->value(QStringLiteral("LABEL")), QStringLiteral("two words"));
    QCOMPARE(environment->value(QStringLiteral("CACHE")), QStringLiteral("$SCRATCH/c"));
    QVERIFY(environment->contains(QStringLiteral("EMPTY")));
    for (const char* wrong : {"tcp", "1A=x", "A-B=x", "A=\"x", "A=it's", "A=`id`"})
        QVERIFY2(!parseEnvironment(QLatin1String(wrong)).ok(), wrong);
}

void TestFields::environment_isReadBackAsItWas()
{
    const QMap<QString, QString> environment{{QStringLiteral("A"), QStringLiteral("x")},
        {QStringLiteral("B"), QStringLiteral("two words")}, {QStringLiteral("C"), QString()}};
    QCOMPARE(*parseEnvironment(environmentText(environment)), environment);
}

void TestFields::siteValues_standInTheFields()
{
    const Plan plan = planAt(builtInRecipe("run-a-command"), "frontera-rtx",
        {{QStringLiteral("image"), QStringLiteral("docker://python:3.13")},
            {QStringLiteral("command"), QStringLiteral("true")}});
    QCOMPARE(plan.values.value(QStringLiteral("modules")), QStringLiteral("tacc-apptainer"));
    QCOMPARE(plan.values.value(QStringLiteral("environment")), QStringLiteral("FI_PROVIDER=tcp"));
    QVERIFY(scriptOf(plan).contains(u"module load tacc-apptainer\n"));
    QVERIFY(scriptOf(plan).contains(u"export FI_PROVIDER=tcp"));
}

void TestFields::script_takesWhatThePersonSays_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("without");
    const auto row = [](const char* name, const char* key, const char* value, const char* line,
                         const char* without) {
        QTest::newRow(name) << QString::fromUtf8(key) << QString::fromUtf8(value)
                            << QString::fromUtf8(line) << QString::fromUtf8(without);
    };
    row("modules", "modules", "apptainer cuda/12.3",
        "module load apptainer\nmodule load cuda/12.3\n", "");
    row("no module", "modules", "", "export APPTAINER_CACHEDIR", "module load");
    row("a folder", "binds", "/projects", "-B /projects:/projects ", "");
    row("a folder elsewhere, to be read", "binds", "$SCRATCH/my data:/data:ro",
        "-B \"$SCRATCH\"'/my data':/data:ro ", "");
    row("a variable", "environment", "OMP_NUM_THREADS=4 CACHE=$SCRATCH/c",
        "export OMP_NUM_THREADS=4\n", "");
    row("a variable with another in it", "environment", "CACHE=$SCRATCH/c",
        "export CACHE=\"$SCRATCH/c\"\n", "");
    row("no code in a variable", "environment", "A=$(id)", "export A='$(id)'\n", "");
    row("memory by CPU", "memory_per_cpu", "8G", "#SBATCH --mem-per-cpu=8G\n", "--mem=");
    row("the whole node", "exclusive", "true", "#SBATCH --exclusive\n", "");
}

void TestFields::script_takesWhatThePersonSays()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, line);
    QFETCH(QString, without);
    const Plan plan = planAt(builtInRecipe("matmul-scaling"), "kestrel", {{key, value}});
    QVERIFY2(!plan.hasErrors(), problemsText(plan));
    const QString script = scriptOf(plan);
    QVERIFY2(script.contains(line), qPrintable(script));
    QVERIFY2(without.isEmpty() || !script.contains(without), qPrintable(script));
}

void TestFields::values_thatCannotBeMeant_areNamed_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::newRow("modules") << QStringLiteral("modules") << QStringLiteral("a;b");
    QTest::newRow("binds") << QStringLiteral("binds") << QStringLiteral("projects");
    QTest::newRow("environment") << QStringLiteral("environment") << QStringLiteral("two words");
    QTest::newRow("memory_per_cpu") << QStringLiteral("memory_per_cpu") << QStringLiteral("lots");
    QTest::newRow("exclusive") << QStringLiteral("exclusive") << QStringLiteral("perhaps");
}

void TestFields::values_thatCannotBeMeant_areNamed()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    const Plan plan = planAt(builtInRecipe("matmul-scaling"), "kestrel", {{key, value}});
    const auto named = [&](const Problem& problem) {
        return problem.severity == Problem::Severity::Error && problem.field == key;
    };
    QVERIFY2(std::any_of(plan.problems.begin(), plan.problems.end(), named), problemsText(plan));
}

void TestFields::exclusive_bringsNoMemory()
{
    const Plan plan = planAt(builtInRecipe("matmul-scaling"), "kestrel",
        {{QStringLiteral("exclusive"), QStringLiteral("true")},
            {QStringLiteral("memory"), QString()}});
    QVERIFY2(problemsText(plan).contains(
                 "--exclusive gives the job all CPUs of the node, but no additional memory"),
        problemsText(plan));
    const Plan both = planAt(builtInRecipe("matmul-scaling"), "kestrel",
        {{QStringLiteral("memory_per_cpu"), QStringLiteral("8G")},
            {QStringLiteral("memory"), QStringLiteral("8G")}});
    QVERIFY(both.hasErrors());
}

void TestFields::wholeNodes_haveNoSuchFields()
{
    const Plan plan = planAt(builtInRecipe("matmul-scaling"), "frontera-rtx",
        {{QStringLiteral("memory_per_cpu"), QStringLiteral("8G")}});
    QVERIFY2(!plan.hasErrors(), problemsText(plan));
    QVERIFY(!scriptOf(plan).contains(u"--mem-per-cpu"));
    QVERIFY2(problemsText(plan).contains("“memory_per_cpu” is left out"), problemsText(plan));
}

void TestFields::cpusAndMemory_growWithTheGpus_data()
{
    QTest::addColumn<QString>("gpus");
    QTest::addColumn<QString>("cpus");
    QTest::addColumn<QString>("memory");
    QTest::newRow("1") << QStringLiteral("1") << QStringLiteral("6") << QStringLiteral("50000M");
    QTest::newRow("2, in proportion")
        << QStringLiteral("2") << QStringLiteral("12") << QStringLiteral("100000M");
    QTest::newRow("8, its own word")
        << QStringLiteral("8") << QStringLiteral("40") << QStringLiteral("500000M");
    QTest::newRow("none: what the recipe wants")
        << QStringLiteral("0") << QStringLiteral("3") << QStringLiteral("7G");
}

void TestFields::cpusAndMemory_growWithTheGpus()
{
    QFETCH(QString, gpus);
    QFETCH(QString, cpus);
    QFETCH(QString, memory);
    Recipe recipe = builtInRecipe("ngc-resnet50");
    recipe.resources.insert(QStringLiteral("cpus"), QStringLiteral("3"));
    recipe.resources.insert(QStringLiteral("memory"), QStringLiteral("7G"));
    recipe.byGpus = {{1,
                         {{QStringLiteral("cpus"), QStringLiteral("6")},
                             {QStringLiteral("memory"), QStringLiteral("50000M")}}},
        {8,
            {{QStringLiteral("cpus"), QStringLiteral("40")},
                {QStringLiteral("memory"), QStringLiteral("500000M")}}}};
    const Plan plan = planAt(recipe, "zih-alpha", {{QStringLiteral("gpus"), gpus}});
    QCOMPARE(plan.values.value(QStringLiteral("cpus")), cpus);
    QCOMPARE(plan.values.value(QStringLiteral("memory")), memory);
}

void TestFields::withoutGpus_thePartitionHasNone()
{
    const Site site = mixedSite();
    const auto partition = [&site](const char* recipe, const QMap<QString, QString>& values,
                               LaunchMode mode = LaunchMode::Batch) {
        LaunchSpec spec;
        spec.mode = mode;
        spec.values = values;
        return defaultPartition(builtInRecipe(recipe), site, {}, spec);
    };
    QCOMPARE(partition("matmul-scaling", {}), QStringLiteral("gpus"));
    QCOMPARE(partition("matmul-scaling", {{QStringLiteral("gpus"), QStringLiteral("0")}}),
        QStringLiteral("cpus"));
    QCOMPARE(partition("matmul-scaling", {{QStringLiteral("lanes"), QStringLiteral("cpu")}}),
        QStringLiteral("cpus"));
    QCOMPARE(partition("pull-image", {}), QStringLiteral("cpus"));
    QCOMPARE(partition("pull-image", {}, LaunchMode::Interactive), QStringLiteral("try"));
    // Where all nodes have GPUs, the default one is taken.
    const Recipe recipe = builtInRecipe("pull-image");
    QCOMPARE(defaultPartition(recipe, builtInSite("frontera-rtx"), {}, {}), QStringLiteral("rtx"));
}

SLIPWAY_TEST(TestFields, plan_fields)
#include "tst_fields.moc"
