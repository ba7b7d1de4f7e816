// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/recipefile.h"
#include "tests/support/testsites.h"

#include "app/catalogue/names.h"
#include "app/catalogue/placeholders.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace slipway;

/// Site and recipe files: what is read, what is refused, and that every error names its place.
class TestFiles : public QObject {
    Q_OBJECT

private slots:
    void site_isReadWhole();
    void site_saysWhatItOffers();
    void site_thatCannotBeLaunchedOn_needsNoLogin();
    void site_errorsNameLineAndField_data();
    void site_errorsNameLineAndField();
    void recipe_errorsNameLineAndField_data();
    void recipe_errorsNameLineAndField();
    void recipe_saysWhatToTryNext();
    void exercise_ofAnotherRecipe_isHeldAgainstItsFields();
    void placeholders_mayNotStandInQuotes_data();
    void placeholders_mayNotStandInQuotes();
    void pathExpressions_runNothing_data();
    void pathExpressions_runNothing();
    void resources_areAllReadWithoutErrors();
    void resources_areDescribedByTheSchema_data();
    void resources_areDescribedByTheSchema();
    void ownFiles_winAndBrokenOnesAreNamed();
};

namespace {

QByteArray minimalSite(const QByteArray& more)
{
    return "{\n  \"id\": \"x\", \"name\": \"X\",\n  \"logins\": [{\"host\": \"x.org\"}]"
        + (more.isEmpty() ? QByteArray() : ",\n  " + more) + "\n}\n";
}

QByteArray minimalRecipe(const QByteArray& command, const QByteArray& more = {})
{
    return "{\n  \"id\": \"x\", \"title\": \"X\", \"group\": \"G\", \"summary\": \"S\",\n"
           "  \"parameters\": [{\"key\": \"word\", \"label\": \"Word\"}],\n"
           "  \"steps\": [{\"id\": \"run\", \"title\": \"Run\", \"command\": \""
        + command + "\"}]" + (more.isEmpty() ? QByteArray() : ",\n  " + more) + "\n}\n";
}

void writeFile(const QString& path, const QByteArray& bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

QJsonObject jsonFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

/// The part of JSON Schema that our two files use: type, properties, additionalProperties,
/// required, items, enum, anyOf. Returns the first disagreement.
QString disagreement(const QJsonValue& value, const QJsonObject& schema, const QString& path)
{
    if (const QJsonArray kinds = schema.value(u"anyOf").toArray(); !kinds.isEmpty()) {
        QString why;
        for (const QJsonValue& kind : kinds) {
            why = disagreement(value, kind.toObject(), path);
            if (why.isEmpty())
                break;
        }
        return why;
    }
    const QString type = schema.value(u"type").toString();
    const bool fits = (type == u"object" && value.isObject())
        || (type == u"array" && value.isArray()) || (type == u"string" && value.isString())
        || (type == u"boolean" && value.isBool()) || (type == u"number" && value.isDouble())
        || (type == u"integer" && value.isDouble()
            && value.toDouble() == double(value.toInteger()));
    if (!fits)
        return path + u": is not of type " + type;
    if (schema.contains(u"enum") && !schema.value(u"enum").toArray().contains(value))
        return path + u": is not in the list";
    for (const QJsonValue& item : value.toArray()) {
        if (const QString why = disagreement(item, schema.value(u"items").toObject(), path + u"[]");
            !why.isEmpty())
            return why;
    }
    const QJsonObject object = value.toObject(),
                      properties = schema.value(u"properties").toObject();
    for (const QJsonValue& name : schema.value(u"required").toArray()) {
        if (!object.contains(name.toString()))
            return path + u": lacks " + name.toString();
    }
    for (auto it = object.begin(); it != object.end(); ++it) {
        const QJsonValue known = properties.contains(it.key())
            ? properties.value(it.key())
            : schema.value(u"additionalProperties");
        if (!known.isObject())
            return path + u": does not know " + it.key();
        if (const QString why = disagreement(it.value(), known.toObject(), path + u'.' + it.key());
            !why.isEmpty())
            return why;
    }
    return {};
}

} // namespace

void TestFiles::site_isReadWhole()
{
    const Site kestrel = builtInSite("kestrel");
    QCOMPARE(kestrel.partitions.front().name, QStringLiteral("gpu-h100"));
    QCOMPARE(kestrel.partitions.front().gpusPerNode, 4);
    QCOMPARE(kestrel.partitions.front().timeLimit.slurmText(), QStringLiteral("2-00:00:00"));
    QCOMPARE(kestrel.account, AccountRule::Required);
    QCOMPARE(kestrel.logins.front().host, QStringLiteral("kestrel-gpu.hpc.nrel.gov"));
    QCOMPARE(kestrel.modules, QStringList{QStringLiteral("apptainer")});
    QCOMPARE(kestrel.defaultMemoryPerCpu, MemorySize(1024));
    QCOMPARE(kestrel.purgeDays, 28);
    const Site frontera = builtInSite("frontera-rtx");
    QCOMPARE(frontera.gpuRequest, GpuRequestStyle::WholeNode);
    QCOMPARE(frontera.launcher, LauncherKind::Ibrun);
    QCOMPARE(frontera.interactive, InteractiveStyle::Idev);
    QCOMPARE(frontera.environment.value(QStringLiteral("FI_PROVIDER")), QStringLiteral("tcp"));
    for (const Site& site : builtInResources().sites)
        QVERIFY2(!site.sources.empty(), qPrintable(site.id + u" names no source"));
}

void TestFiles::site_saysWhatItOffers()
{
    const Result<Site> read = parseSite(
        minimalSite(R"("runtimes": ["singularity", "enroot", "pyxis"], "runtime": "enroot",
  "singularity_major": 2, "runtime_on_login": false, "builds": "fakeroot", )"
                    R"("driver": "550.54.15", "cuda": "12.4",
  "architecture": "x86_64", "outbound_network": false, "binds": ["/nopt", "$SCRATCH/data"], )"
                    R"("image_folder": "/img/$USER",
  "gpu_request": "gpus", "partitions": [{"name": "ml", "most_nodes": 16, "cpus_per_gpu": 6, )"
                    R"("cuda": "11.2",
  "architecture": "ppc64le", "compute_capability": "7.0", "purpose": "interactive"}])"),
        QStringLiteral("x.json"));
    QVERIFY2(read.ok(), read.ok() ? "" : qPrintable(read.error().text()));
    const Site& site = *read;
    QCOMPARE(site.runtime, RuntimeKind::Enroot);
    QVERIFY((site.runtimes
        == std::vector{RuntimeKind::Singularity, RuntimeKind::Enroot, RuntimeKind::Pyxis}));
    QCOMPARE(site.singularityMajor, 2);
    QCOMPARE(site.runtimeOnLogin, std::optional(false));
    QCOMPARE(site.builds, BuildRule::Fakeroot);
    QCOMPARE(site.driver, QStringLiteral("550.54.15"));
    QCOMPARE(site.cuda, QStringLiteral("12.4"));
    QCOMPARE(site.architecture, QStringLiteral("x86_64"));
    QCOMPARE(site.outboundNetwork, std::optional(false));
    QCOMPARE(site.binds, (QStringList{QStringLiteral("/nopt"), QStringLiteral("$SCRATCH/data")}));
    QCOMPARE(site.imageFolder, QStringLiteral("/img/$USER"));
    QVERIFY(site.gpuRequestKnown);
    const SitePartition& partition = site.partitions.front();
    QCOMPARE(partition.mostNodes, 16);
    QCOMPARE(partition.cpusPerGpu, 6);
    QCOMPARE(partition.cuda, QStringLiteral("11.2"));
    QCOMPARE(partition.architecture, QStringLiteral("ppc64le"));
    QCOMPARE(partition.computeCapability, QStringLiteral("7.0"));
    QCOMPARE(partition.purpose, PartitionPurpose::Interactive);

    const Result<Site> bare = parseSite(minimalSite({}), QStringLiteral("x.json"));
    QVERIFY(bare.ok());
    QVERIFY((bare->runtimes == std::vector{RuntimeKind::Apptainer}));
    QCOMPARE(bare->builds, BuildRule::Unknown);
    QVERIFY(!bare->outboundNetwork && !bare->runtimeOnLogin && !bare->gpuRequestKnown
        && bare->launchable());
    const Result<Site> one =
        parseSite(minimalSite("\"runtimes\": [\"singularity\"]"), QStringLiteral("x.json"));
    QVERIFY(one.ok());
    QCOMPARE(one->runtime, RuntimeKind::Singularity);
}

void TestFiles::site_thatCannotBeLaunchedOn_needsNoLogin()
{
    const Result<Site> site =
        parseSite("{\"id\": \"x\", \"name\": \"X\", \"unsupported\": \"It is not Slurm.\"}",
            QStringLiteral("x.json"));
    QVERIFY(site.ok());
    QCOMPARE(site->unsupported, QStringLiteral("It is not Slurm."));
    QVERIFY(!site->launchable());
}

void TestFiles::site_errorsNameLineAndField_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("expected");
    QTest::newRow("broken JSON") << QByteArray("{\n  \"id\": \"x\",\n  \"name\" \"X\"\n}\n")
                                 << QStringLiteral("x.json, line 3, column 12");
    QTest::newRow("cut off") << QByteArray("{\n  \"id\": \"x\",\n")
                             << QStringLiteral("x.json, line 3");
    QTest::newRow("not an object")
        << QByteArray("[1]") << QStringLiteral("x.json, line 1: expected an object");
    QTest::newRow("bytes that are no UTF-8")
        << QByteArray("{\n\"id\": \"\xff\"}") << QStringLiteral("x.json, line 2");
    QTest::newRow("unknown field") << minimalSite("\"scrach\": \"/s\"")
                                   << QStringLiteral("x.json, line 4: scrach: unknown field");
    QTest::newRow("missing name") << QByteArray("{\"id\": \"x\", \"logins\": [{\"host\": \"h\"}]}")
                                  << QStringLiteral("line 1: name: missing");
    QTest::newRow("wrong type") << minimalSite("\"purge_days\": \"28\"")
                                << QStringLiteral("line 4: purge_days: expected a whole number");
    QTest::newRow("negative count")
        << minimalSite("\"purge_days\": -1")
        << QStringLiteral("line 4: purge_days: expected a whole number from 0");
    QTest::newRow("unknown word")
        << minimalSite("\"launcher\": \"aprun\"")
        << QStringLiteral(
               "line 4: launcher: “aprun” is not known; expected one of: srun, ibrun, mpirun");
    QTest::newRow("inside a list") << minimalSite(
        "\"partitions\": [\n    {\"name\": \"a\"},\n    {\"name\": \"b\", \"nodes\": 1.5}\n  ]")
                                   << QStringLiteral(
                                          "line 6: partitions[1].nodes: expected a whole number");
    QTest::newRow("time limit") << minimalSite(
        "\"partitions\": [{\"name\": \"a\", \"time_limit\": \"soon\"}]")
                                << QStringLiteral(
                                       "partitions[0].time_limit: “soon” is not a time limit");
    QTest::newRow("memory") << minimalSite("\"default_memory_per_cpu\": \"much\"")
                            << QStringLiteral("default_memory_per_cpu: “much” is not an amount");
    QTest::newRow("scratch that runs something")
        << minimalSite("\"scratch\": \"/s/$(id)\"")
        << QStringLiteral("line 4: scratch: expected an absolute path");
    QTest::newRow("module that runs something") << minimalSite(
        "\"modules\": [\"a; id\"]") << QStringLiteral("line 4: modules: “a; id” is not a module");
    QTest::newRow("variable name")
        << minimalSite("\"environment\": {\"A B\": \"1\"}")
        << QStringLiteral("line 4: environment: “A B” is not a variable");
    QTest::newRow("id") << QByteArray(
        "{\"id\": \"X Y\", \"name\": \"X\", \"logins\": [{\"host\": \"h\"}]}")
                        << QStringLiteral("line 1: id: expected a word");
    QTest::newRow("given twice") << minimalSite("\"mpi\": \"pmix\",\n  \"mpi\": \"pmi2\"")
                                 << QStringLiteral("line 5: mpi: given twice");
    QTest::newRow("no login") << QByteArray("{\"id\": \"x\", \"name\": \"X\"}")
                              << QStringLiteral("logins: missing");
    QTest::newRow("runtime") << minimalSite("\"runtimes\": [\n    \"podman\"]")
                             << QStringLiteral(
                                    "line 4: runtimes: “podman” is not known; expected some of");
    QTest::newRow("runtime that is not offered")
        << minimalSite("\"runtimes\": [\"enroot\"],\n  \"runtime\": \"apptainer\"")
        << QStringLiteral("line 5: runtime: it is not listed in runtimes");
    QTest::newRow("singularity of the future") << minimalSite(
        "\"singularity_major\": 5") << QStringLiteral("line 4: singularity_major: expected 2 or 3");
    QTest::newRow("driver") << minimalSite("\"driver\": \"the new one\"")
                            << QStringLiteral("line 4: driver: expected a version: 550.54.15");
    QTest::newRow("CUDA as a number") << minimalSite(
        "\"cuda\": 12.4") << QStringLiteral("line 4: cuda: expected a string in quotes");
    QTest::newRow("architecture") << minimalSite("\"architecture\": \"x86\"")
                                  << QStringLiteral("line 4: architecture: “x86” is not known");
    QTest::newRow("architecture of a partition")
        << minimalSite("\"partitions\": [{\"name\": \"a\",\n\"architecture\": \"power9\"}]")
        << QStringLiteral("line 5: partitions[0].architecture: “power9” is not known");
    QTest::newRow("purpose")
        << minimalSite("\"partitions\": [{\"name\": \"a\", \"purpose\": \"fun\"}]")
        << QStringLiteral(
               "partitions[0].purpose: “fun” is not known; expected one of: interactive, batch");
    QTest::newRow("builds")
        << minimalSite("\"builds\": \"root\"")
        << QStringLiteral("line 4: builds: “root” is not known; expected one of: fakeroot, none");
    QTest::newRow("bind that runs something")
        << minimalSite("\"binds\": [\"/a\", \"/b$(id)\"]")
        << QStringLiteral("line 4: binds: “/b$(id)” is not a folder");
    QTest::newRow("bind of two paths") << minimalSite("\"binds\": [\"/a:/b\"]")
                                       << QStringLiteral("line 4: binds: “/a:/b” is not a folder");
    QTest::newRow("image folder") << minimalSite("\"image_folder\": \"images\"")
                                  << QStringLiteral(
                                         "line 4: image_folder: expected an absolute path");
    QTest::newRow("login that is perhaps there")
        << minimalSite("\"runtime_on_login\": \"no\"")
        << QStringLiteral("line 4: runtime_on_login: expected true or false");
    QTest::newRow("date of a fact") << minimalSite(
        "\"sources\": [{\"fact\": \"f\", \"source\": \"s\",\n\"date\": \"last year\"}]")
                                    << QStringLiteral("line 5: sources[0].date: expected 2026");
    QTest::newRow("port") << QByteArray(
        "{\"id\": \"x\", \"name\": \"X\", \"logins\": [{\"host\": \"h\", \"port\": 70000}]}")
                          << QStringLiteral("logins[0].port: expected a port");
}

void TestFiles::site_errorsNameLineAndField()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, expected);
    const Result<Site> site = parseSite(json, QStringLiteral("x.json"));
    QVERIFY(!site.ok());
    QCOMPARE(site.error().kind, ErrorKind::Invalid);
    QVERIFY2(site.error().summary.contains(expected), qPrintable(site.error().text()));
}

void TestFiles::recipe_errorsNameLineAndField_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("expected");
    QTest::newRow("unknown placeholder") << minimalRecipe(
        "echo {wrod}") << QStringLiteral("line 4: steps: {wrod} in “run” is not a parameter");
    QTest::newRow("placeholder in quotes") << minimalRecipe(
        "echo '{word}'") << QStringLiteral("line 4: steps[0].command: {word} is inside quotes");
    QTest::newRow("no steps") << QByteArray(
        "{\"id\": \"x\", \"title\": \"X\", \"group\": \"G\", \"summary\": \"S\"}")
                              << QStringLiteral("steps: missing");
    QTest::newRow("file outside") << minimalRecipe("true", "\"files\": [\"../secret\"]")
                                  << QStringLiteral(
                                         "line 5: files: “../secret” is not a plain path");
    QTest::newRow("code outside") << minimalRecipe(
        "true", "\"own_folder\": true, \"code\": \"../x\"")
                                  << QStringLiteral("line 5: code: expected the name of a folder");
    QTest::newRow("code without an own folder") << minimalRecipe(
        "true", "\"code\": \"code\"") << QStringLiteral("code: only a recipe with own_folder");
    QTest::newRow("unknown resource") << minimalRecipe("true", "\"resources\": {\"gpu\": \"1\"}")
                                      << QStringLiteral("resources: “gpu” is not a field of a job");
    QTest::newRow("default that does not fit")
        << minimalRecipe("true", "\"lanes\": []")
               .replace("\"label\": \"Word\"",
                   "\"label\": \"Word\", \"type\": \"integer\", \"value\": \"many\"")
        << QStringLiteral("parameters[0].value: expected a whole number");
    const auto build = [](const char* definition, const char* output, const char* more) {
        const QByteArray step = QByteArray("\"Run\", \"kind\": \"build\", \"definition\": \"")
            + definition + "\", \"output\": \"" + output + '"';
        return minimalRecipe("true", more).replace("\"Run\"", step);
    };
    QTest::newRow("definition of a person without a folder")
        << build("{word}", "a.sif", "\"own_folder\": false")
        << QStringLiteral("“run” builds from “{word}”, which is not listed in files or templates");
    QTest::newRow("definition from an unknown field") << build("{wrod}", "a.sif",
        "\"own_folder\": true") << QStringLiteral("{wrod} in “run” is not a parameter");
    QTest::newRow("image with more than a placeholder")
        << build("{word}", "{word}/a.sif", "\"own_folder\": true")
        << QStringLiteral(
               "steps[0].output: expected a plain file name, nbody.sif, or one placeholder");
    QTest::newRow("condition on nothing")
        << minimalRecipe("true").replace("\"Run\"", "\"Run\", \"if\": \"wrod\"")
        << QStringLiteral("steps: “run” depends on “wrod”, which is not a parameter");
    QTest::newRow("resource as parameter") << minimalRecipe("true").replace("\"word\"",
        "\"time\"") << QStringLiteral("parameters[0].key: “time” is a field of every job");
    QTest::newRow("lanes without a field")
        << minimalRecipe("true", "\"lanes\": [{\"id\": \"a\", \"label\": \"A\"}]")
        << QStringLiteral("lanes: lanes require a parameter of type lanes");
    QTest::newRow("reference without source") << minimalRecipe("true",
        "\"charts\": [{\"id\": \"c\", \"title\": \"C\", \"references\": [{\"label\": \"r\"}]}]")
                                              << QStringLiteral(
                                                     "charts[0].references[0].source: missing");
    QTest::newRow("same step twice") << minimalRecipe("true").replace(
        "}]\n}", "}, {\"id\": \"run\", \"title\": \"R\", \"command\": \"true\"}]\n}")
                                     << QStringLiteral("steps: the id “run” is used twice");
    const auto next = [](const QByteArray& entries) {
        return minimalRecipe(
            "true", "\"teaching\": {\"purpose\": \"P\",\n  \"next\": [" + entries + "]}");
    };
    QTest::newRow("exercise of no field")
        << next(R"("Read.", {"text": "T", "values": {"wrod": "1"}})")
        << QStringLiteral("line 6: teaching.next[1]: “wrod” is not a field of x.");
    QTest::newRow("exercise that points at no field")
        << next(R"({"text": "T", "field": "wrod"})")
        << QStringLiteral("teaching.next[0]: “wrod” is not a field of x.");
    QTest::newRow("exercise with a value that does not fit")
        << next(R"({"text": "T", "values": {"word": "a\tb"}})")
        << QStringLiteral("teaching.next[0]: word: it contains a control character");
    QTest::newRow("exercise with nothing to do")
        << next(R"({"text": "T"})")
        << QStringLiteral("teaching.next[0].values: an exercise needs values, a recipe or a field");
    QTest::newRow("exercise without words")
        << next(R"({"values": {"word": "1"}})") << QStringLiteral("teaching.next[0].text: missing");
    QTest::newRow("exercise that is a number")
        << next("3") << QStringLiteral("teaching.next[0]: expected a string, or an object");
    QTest::newRow("example that does not fit")
        << minimalRecipe("true").replace("\"label\": \"Word\"",
               "\"label\": \"Word\", \"type\": \"integer\", \"example\": \"many\"")
        << QStringLiteral("parameters[0].example: expected a whole number");
}

void TestFiles::recipe_errorsNameLineAndField()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, expected);
    const Result<Recipe> recipe = parseRecipe(json, QStringLiteral("/r/x"));
    QVERIFY(!recipe.ok());
    QVERIFY2(recipe.error().text().contains(expected), qPrintable(recipe.error().text()));
    QVERIFY(recipe.error().summary.contains(u"/r/x/recipe.json, line "));
}

void TestFiles::recipe_saysWhatToTryNext()
{
    const Result<Recipe> recipe =
        parseRecipe(minimalRecipe("true",
                        R"("teaching": {"purpose": "P", "next": ["Read.", {"text": "Other", )"
                        R"("values": {"word": "b", "time": "1:00:00"}},
  {"text": "Elsewhere", "recipe": "y", "values": {"its": "1"}}, {"text": "Your own", )"
                        R"("field": "word"}]})"),
            QStringLiteral("/r/x"));
    QVERIFY2(recipe.ok(), recipe.ok() ? "" : qPrintable(recipe.error().text()));
    const Teaching& teaching = recipe->teaching;
    QCOMPARE(teaching.next.size(), std::size_t(4));
    QVERIFY(teaching.next.front().isAdvice());
    QVERIFY(teaching.text().endsWith(u"Read.\n\nOther\n\nElsewhere\n\nYour own"));
    const std::vector<Exercise> exercises = teaching.exercises();
    QCOMPARE(exercises.size(), std::size_t(3));
    QCOMPARE(exercises[0].values.value(QStringLiteral("word")), QStringLiteral("b"));
    QCOMPARE(exercises[1].recipe, QStringLiteral("y"));
    QCOMPARE(exercises[2].field, QStringLiteral("word"));
}

void TestFiles::exercise_ofAnotherRecipe_isHeldAgainstItsFields()
{
    QTemporaryDir own;
    const auto write = [&own](const QByteArray& id, const QByteArray& next) {
        writeFile(own.filePath(QStringLiteral("recipes/") + QString::fromUtf8(id)
                      + QStringLiteral("/recipe.json")),
            minimalRecipe("true", "\"teaching\": {\"purpose\": \"P\", \"next\": [" + next + "]}")
                .replace("\"id\": \"x\"", QByteArray("\"id\": \"" + id + "\"")));
    };
    write("a",
        R"({"text": "Good", "recipe": "b", "values": {"word": "1", "gpus": "2"}},
  {"text": "No such recipe", "recipe": "c"}, {"text": "No such field", "recipe": "b", )"
        R"("field": "wrod"})");
    write("b", R"({"text": "Back", "recipe": "a"})");
    const Resources resources = loadResources({}, own.path());
    QCOMPARE(resources.recipes.size(), std::size_t(2));
    // Exercises that cannot be opened are reported and not offered.
    QCOMPARE(resources.errors.size(), std::size_t(2));
    QVERIFY(resources.errors[0].summary.endsWith(
        u"/a/recipe.json: teaching.next: there is no recipe “c”."));
    QVERIFY(resources.errors[1].summary.endsWith(u"teaching.next: “wrod” is not a field of b."));
    QCOMPARE(resources.recipes[0].teaching.exercises().size(), std::size_t(1));
    QCOMPARE(resources.recipes[1].teaching.exercises().size(), std::size_t(1));
}

void TestFiles::placeholders_mayNotStandInQuotes_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>("good");
    QTest::newRow("a word") << QStringLiteral("run {a}") << true;
    QTest::newRow("part of a word") << QStringLiteral("run --a={a}/x") << true;
    QTest::newRow("after quotes") << QStringLiteral("run 'x y' {a} \"z\"") << true;
    QTest::newRow("single quotes") << QStringLiteral("run 'x {a}'") << false;
    QTest::newRow("double quotes") << QStringLiteral("run \"{a}\"") << false;
    QTest::newRow("escaped") << QStringLiteral("run \\{a}") << false;
    QTest::newRow("back-quotes") << QStringLiteral("run `echo {a}`") << false;
    QTest::newRow("comment") << QStringLiteral("run # {a}") << false;
    QTest::newRow("here-document") << QStringLiteral("run <<E\n{a}\nE") << false;
    QTest::newRow("quote left open") << QStringLiteral("run 'x") << false;
    QTest::newRow("the shell's own") << QStringLiteral("run \"${a}\"") << true;
}

void TestFiles::placeholders_mayNotStandInQuotes()
{
    QFETCH(QString, command);
    QFETCH(bool, good);
    QCOMPARE(placeholderProblem(command).isEmpty(), good);
}

void TestFiles::pathExpressions_runNothing_data()
{
    QTest::addColumn<bool>("good");
    for (const char* path :
        {"/scratch/$USER", "$SCRATCH", "${SCRATCH}/x", "$SCRATCH/my images/a:b.sif", "/a/${U}_x"})
        QTest::newRow(path) << true;
    for (const char* path : {"", "scratch", "~/x", "$(id)", "/a/$(id)", "/a/`id`", "/a\"b", "/a\\b",
             "/a\nb", "$", "/a/$", "/a/${U", "/a/${U:-$(id)}", "/a/$1", "/a\x1b"})
        QTest::newRow(path) << false;
}

void TestFiles::pathExpressions_runNothing()
{
    QFETCH(bool, good);
    QCOMPARE(isPathExpression(QString::fromUtf8(QTest::currentDataTag())), good);
}

void TestFiles::resources_areAllReadWithoutErrors()
{
    const Resources resources = builtInResources();
    QVERIFY(resources.errors.empty());
    QVERIFY(resources.sites.size() >= 4);
    QVERIFY(resources.recipes.size() >= 2);
    QCOMPARE(resources.sites.front().id, QStringLiteral("demo"));
}

void TestFiles::resources_areDescribedByTheSchema_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("schema");
    const QString root = slipway::sourcePath(QStringLiteral("/resources/"));
    for (const auto& [folder, schema] : {std::pair{"sites", "site"}, std::pair{"recipes", "recipe"},
             std::pair{"documents", "document"}}) {
        QDirIterator files(root + QLatin1String(folder), {QStringLiteral("*.json")}, QDir::Files,
            QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString file = files.next();
            if (file.contains(u"/recipes/") && !file.endsWith(u"/recipe.json"))
                continue; // files of recipes are of another kind
            const QLatin1String rules(file.contains(u"/sites/emulate/")
                    ? "emulate"
                    : schema); // how the demo cluster plays a site
            QTest::newRow(qPrintable(file.mid(root.size())))
                << file << root + u"schema/" + rules + u".schema.json";
        }
    }
    QTest::newRow("hints.json") << root + u"hints.json" << root + u"schema/hints.schema.json";
    QTest::newRow("gpu-references.json")
        << root + u"gpu-references.json" << root + u"schema/gpu-references.schema.json";
    QTest::newRow("metric-names.json")
        << root + u"metric-names.json" << root + u"schema/metric-names.schema.json";
    QTest::newRow("translations.json")
        << root + u"translations.json" << root + u"schema/translations.schema.json";
    QTest::newRow("own-code.json")
        << root + u"own-code.json" << root + u"schema/own-code.schema.json";
    QTest::newRow("definitions/index.json")
        << root + u"definitions/index.json" << root + u"schema/definitions.schema.json";
}

void TestFiles::resources_areDescribedByTheSchema()
{
    QFETCH(QString, file);
    QFETCH(QString, schema);
    const QJsonObject rules = jsonFile(schema);
    QVERIFY2(!rules.isEmpty(), qPrintable(schema));
    const QString why = disagreement(jsonFile(file), rules, {});
    QVERIFY2(why.isEmpty(), qPrintable(why));
}

void TestFiles::ownFiles_winAndBrokenOnesAreNamed()
{
    QTemporaryDir own;
    writeFile(own.filePath(QStringLiteral("sites/mine.json")), minimalSite({}));
    writeFile(own.filePath(QStringLiteral("sites/kestrel.json")),
        minimalSite({})
            .replace("\"id\": \"x\"", "\"id\": \"kestrel\"")
            .replace("\"X\"", "\"My Kestrel\""));
    writeFile(own.filePath(QStringLiteral("sites/broken.json")), "{\n \"id\": }");
    writeFile(
        own.filePath(QStringLiteral("recipes/hello/recipe.json")), minimalRecipe("echo {word}"));
    writeFile(own.filePath(QStringLiteral("recipes/empty/recipe.json")),
        minimalRecipe("true", "\"files\": [\"gone.py\"]")
            .replace("\"id\": \"x\"", "\"id\": \"empty\""));
    const Resources resources =
        loadResources(slipway::sourcePath(QStringLiteral("/resources")), own.path());
    const auto site = [&](const char* id) {
        return std::find_if(resources.sites.begin(), resources.sites.end(),
            [id](const Site& one) { return one.id == QLatin1String(id); });
    };
    QVERIFY(site("x") != resources.sites.end());
    QCOMPARE(site("kestrel")->name, QStringLiteral("My Kestrel"));
    QCOMPARE(std::count_if(resources.sites.begin(), resources.sites.end(),
                 [](const Site& one) { return one.id == u"kestrel"; }),
        1);
    QCOMPARE(int(resources.errors.size()), 2);
    QVERIFY(resources.errors[0].summary.contains(u"broken.json, line 2"));
    QVERIFY(resources.errors[1].summary.contains(u"“gone.py” does not exist"));
}

SLIPWAY_TEST(TestFiles, catalogue_files)
#include "tst_files.moc"
