// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/recipefile.h"
#include "app/runs/keeprecipe.h"
#include "app/runs/proposalvalues.h"
#include "app/runs/taughtreading.h"
#include "tests/support/testmain.h"
#include "tests/support/testsites.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// A launch that is kept as a recipe of one's own: its values, its files, its place.
class TestKeepRecipe : public QObject {
    Q_OBJECT

private slots:
    void values_areDefaults();
    void taughtNumber_isReadAndDrawn();
    void taughtNumber_isReadFromTheWholeLog();
    void proposal_isOnlyForAProgramThatIsOpen();
    void valuesOfOneSite_areItsOwn();
    void siteFile_saysTheSameOfTheNewRecipe();
    void byGpus_leavesWhatWasEntered();
    void rest_isThatOfTheOriginal();
    void secretsAndLocalPaths_stayOut_data();
    void secretsAndLocalPaths_stayOut();
    void harmlessWords_areKept_data();
    void harmlessWords_areKept();
    void hostileTitle_isOneLine();
    void id_isProposedFromTheTitle_data();
    void id_isProposedFromTheTitle();
    void wrongId_isRefused();
    void folder_isCopiedByItsRules();
    void secretFiles_areKnown();
    void takenId_isRefusedUnlessReplaced();
    void kept_isLaunchedWithItsFolder();
    void removal_staysInside();

private:
    static KeepRequest request(const char* recipe, const QMap<QString, QString>& values,
        const QString& project = {}, const char* site = "demo");
    static Recipe kept(const KeepRequest& request);
    static void put(const QString& path, const QByteArray& bytes);
};

KeepRequest TestKeepRecipe::request(const char* recipe, const QMap<QString, QString>& values,
    const QString& project, const char* site)
{
    KeepRequest request;
    request.id = QStringLiteral("mine");
    request.title = QStringLiteral("Mine");
    request.recipe = builtInRecipe(recipe);
    request.site = builtInSite(site);
    request.spec.recipeId = request.recipe.id;
    request.spec.siteId = request.site.id;
    request.spec.values = values;
    request.spec.project = project;
    request.home = QStringLiteral("/home/ada");
    return request;
}

/// What parseRecipe() makes of the bytes.
Recipe TestKeepRecipe::kept(const KeepRequest& request)
{
    QFile original(request.recipe.folder + u"/recipe.json");
    if (!original.open(QIODevice::ReadOnly))
        return {};
    const Result<KeptRecipe> bytes = keptRecipe(request, original.readAll());
    if (!bytes.ok()) {
        qWarning("%s", qPrintable(bytes.error().text()));
        return {};
    }
    const Result<Recipe> recipe = parseRecipe(bytes->json, QStringLiteral("/r/mine"));
    return recipe.ok() ? *recipe : Recipe();
}

void TestKeepRecipe::put(const QString& path, const QByteArray& bytes)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

namespace {

QMap<QString, QString> some(std::initializer_list<std::pair<const char*, const char*>> items)
{
    QMap<QString, QString> values;
    for (const auto& [key, value] : items)
        values.insert(QLatin1String(key), QString::fromUtf8(value));
    return values;
}

QString valueOf(const Recipe& recipe, const char* key)
{
    for (const Parameter& parameter : recipe.parameters) {
        if (parameter.key == QLatin1String(key))
            return parameter.value;
    }
    return QStringLiteral("no such field");
}

} // namespace

/// What a person has marked in a log is a pattern of the kept recipe, with a chart where none shows
/// it.
void TestKeepRecipe::taughtNumber_isReadAndDrawn()
{
    const PatternSpec pattern{QStringLiteral("it (?<step>\\d+): (?<flux>\\S+)"),
        QStringLiteral("step"), {{QStringLiteral("flux"), QStringLiteral("W")}}, {}};
    KeepRequest one = request("train-digits", {}, {}, "demo");
    const auto charts = one.recipe.charts.size();
    one.taught = {pattern};
    const Recipe recipe = kept(one);
    QVERIFY(!recipe.patterns.empty());
    QCOMPARE(recipe.patterns.front(), pattern);
    QCOMPARE(recipe.charts.size(), charts + 1);
    QCOMPARE(recipe.charts.back().series, QStringLiteral("flux"));
    QCOMPARE(recipe.charts.back().x.name, QStringLiteral("step"));
    QCOMPARE(recipe.charts.back().y.unit, QStringLiteral("W"));
    one.taught = {{QStringLiteral("own (?<train_loss>\\S+)")}};
    QCOMPARE(kept(one).charts.size(), charts); // one shows it already
    KeepRequest any = request("run-a-command", {}, {}, "demo"); // its charts show everything
    any.taught = {pattern};
    QCOMPARE(kept(any).charts.size(), any.recipe.charts.size());
    QCOMPARE(kept(any).patterns.size(), size_t(1));
}

void TestKeepRecipe::taughtNumber_isReadFromTheWholeLog()
{
    const PatternSpec pattern{
        QStringLiteral("it (?<step>\\d+): (?<flux>\\S+)"), QStringLiteral("step"), {}, {}};
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("log.bin"));
    QByteArray log("step 1 loss 0.5\n");
    for (int i = 0; i < 100'010; ++i)
        log += "it " + QByteArray::number(i) + ": 0.25\n";
    put(file, log + "it 7: 0.5"); // without a newline
    std::atomic_bool stopped = false;
    const TaughtReading reading = readTaught({file, {}, true}, pattern, stopped);
    QCOMPARE(reading.trouble, QString());
    QCOMPARE(reading.lines, qint64(100'012));
    QCOMPARE(reading.values, qint64(100'011)); // and not the loss, which another reader knows
    QCOMPARE(reading.samples.size(), size_t(100'000));
    stopped = true;
    QVERIFY(readTaught({file, {}, true}, pattern, stopped).values <= 1);
    stopped = false;
    QVERIFY(readTaught({file + u'x', {}, true}, pattern, stopped)
                .trouble.contains(QStringLiteral("cannot be read")));
    put(file, QByteArray(200, 'a').append("!\n").repeated(100));
    QVERIFY(readTaught({file, {}, true}, {QStringLiteral("(?<v>(a+)+)$")}, stopped)
                .trouble.contains(QStringLiteral("too slow")));
}

void TestKeepRecipe::values_areDefaults()
{
    const Recipe recipe = kept(request("own-code",
        some({{"image", "docker://python:3.13"}, {"command", "python3 train.py --lr \"0.1\""},
            {"time", "02:00:00"}, {"gpus", "1"}, {"job_name", "mine"}}),
        QStringLiteral("/home/ada/project")));
    QCOMPARE(recipe.id, QStringLiteral("mine"));
    QCOMPARE(recipe.title, QStringLiteral("Mine"));
    QCOMPARE(recipe.group, QStringLiteral("Your own"));
    QCOMPARE(valueOf(recipe, "command"), QStringLiteral("python3 train.py --lr \"0.1\""));
    QCOMPARE(recipe.resources.value(QStringLiteral("time")), QStringLiteral("02:00:00"));
    QCOMPARE(recipe.resources.value(QStringLiteral("gpus")), QStringLiteral("1"));
    QCOMPARE(recipe.resources.value(QStringLiteral("cpus")), QStringLiteral("4")); // not entered
    QVERIFY(recipe.ownFolder);
    QCOMPARE(recipe.code, QStringLiteral("code"));
    // In the form, at a site that says nothing of its own and at the one that does.
    for (const char* site : {"kestrel", "demo"}) {
        for (const Parameter& field : formFields(recipe, builtInSite(site), {}, {})) {
            if (field.key == u"image")
                QCOMPARE(field.value, QStringLiteral("docker://python:3.13"));
        }
    }
}

void TestKeepRecipe::valuesOfOneSite_areItsOwn()
{
    const Recipe recipe = kept(request("own-code",
        some({{"account", "csc000"}, {"partition", "gpu"}, {"qos", "high"}, {"reservation", "x"},
            {"image", "/scratch/ada/torch.sif"}, {"data", "/datasets/mnist"},
            {"command", "./run"}}),
        QStringLiteral("/home/ada/project"), "kestrel"));
    const auto here = recipe.siteValues.value(QStringLiteral("kestrel"));
    QCOMPARE(here.value(QStringLiteral("account")), QStringLiteral("csc000"));
    QCOMPARE(here.value(QStringLiteral("partition")), QStringLiteral("gpu"));
    QCOMPARE(here.value(QStringLiteral("qos")), QStringLiteral("high"));
    QCOMPARE(here.value(QStringLiteral("reservation")), QStringLiteral("x"));
    QCOMPARE(here.value(QStringLiteral("image")), QStringLiteral("/scratch/ada/torch.sif"));
    QCOMPARE(here.value(QStringLiteral("data")), QStringLiteral("/datasets/mnist"));
    QVERIFY(!here.contains(QStringLiteral("command")));
    QCOMPARE(valueOf(recipe, "image"), QString());
    for (const char* key : {"account", "partition", "qos", "reservation"})
        QVERIFY2(!recipe.resources.contains(QLatin1String(key)), key);
}

void TestKeepRecipe::siteFile_saysTheSameOfTheNewRecipe()
{
    KeepRequest one = request("run-a-command", some({{"command", "true"}}));
    one.site.recipeValues[QStringLiteral("run-a-command")] =
        some({{"image", "docker://login:5000/x"}, {"command", "of the site"}});
    const Recipe recipe = kept(one);
    const auto here = recipe.siteValues.value(QStringLiteral("demo"));
    QCOMPARE(here.value(QStringLiteral("image")), QStringLiteral("docker://login:5000/x"));
    QCOMPARE(here.value(QStringLiteral("command")), QStringLiteral("true"));
    QCOMPARE(valueOf(recipe, "command"), QStringLiteral("true"));
}

void TestKeepRecipe::byGpus_leavesWhatWasEntered()
{
    const QByteArray original = R"({"id": "x", "title": "X", "group": "G", "summary": "S",
"resources": {"gpus": "1", "cpus": "2", "memory_per_cpu": "1G"},
"by_gpus": {"1": {"cpus": "8"}, "2": {"cpus": "16", "memory": "64G"}},
"steps": [{"id": "run", "title": "R", "command": "true"}]})";
    KeepRequest one = request("run-a-command", some({{"cpus", "3"}, {"memory", "5G"}}));
    const Result<KeptRecipe> bytes = keptRecipe(one, original);
    QVERIFY(bytes.ok());
    const Result<Recipe> recipe = parseRecipe(bytes->json, {});
    QVERIFY(recipe.ok());
    QVERIFY(recipe->byGpus.isEmpty());
    QCOMPARE(recipe->resources.value(QStringLiteral("cpus")), QStringLiteral("3"));
    QCOMPARE(recipe->resources.value(QStringLiteral("memory")), QStringLiteral("5G"));
    QVERIFY(!recipe->resources.contains(QStringLiteral("memory_per_cpu")));
}

void TestKeepRecipe::rest_isThatOfTheOriginal()
{
    const Recipe original = builtInRecipe("matmul-scaling");
    const Recipe recipe = kept(request("matmul-scaling", some({{"sizes", "512"}})));
    QCOMPARE(recipe.id, QStringLiteral("mine"));
    QCOMPARE(recipe.steps.size(), original.steps.size());
    QCOMPARE(recipe.steps.front().command, original.steps.front().command);
    QCOMPARE(recipe.files, original.files);
    QCOMPARE(recipe.charts.size(), original.charts.size());
    QCOMPARE(recipe.lanes.size(), original.lanes.size());
    QCOMPARE(recipe.environment.size(), original.environment.size());
    QCOMPARE(recipe.summary, original.summary);
    QCOMPARE(valueOf(recipe, "sizes"), QStringLiteral("512"));
    QVERIFY(recipe.workflows.isEmpty()); // it is not what the documents teach
    QVERIFY(!recipe.ownFolder && recipe.code.isEmpty());
}

void TestKeepRecipe::secretsAndLocalPaths_stayOut_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* name, const char* key, const char* value) {
        QTest::newRow(name) << QString::fromUtf8(key) << QString::fromUtf8(value);
    };
    row("variable", "environment", "WANDB_API_KEY=0123456789abcdef");
    row("lower case", "environment", "db_password=swordfish");
    row("option", "command", "train --api-key=0123456789");
    row("option and word", "command", "train --hf-token abcdef0123");
    row("of Hugging Face", "command", "login hf_abcdefghijklmnopqrst");
    row("of GitHub", "command", "pip install git+https://ghp_abcdefghijklmnopqrstuv@x");
    row("in an address", "command", "curl https://ada:swordfish@host/x");
    row("the folder here", "command", "python3 /home/ada/project/train.py");
    row("the home here", "command", "cat '/home/ada/notes.txt'");
    row("the home as a whole", "environment", "DIR=/home/ada");
}

void TestKeepRecipe::secretsAndLocalPaths_stayOut()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    const QByteArray original = R"({"id": "x", "title": "X", "group": "G", "summary": "S",
"parameters": [{"key": "command", "label": "Command", "type": "command"}],
"steps": [{"id": "run", "title": "R", "command": "{command}"}]})";
    KeepRequest one = request("run-a-command", {{key, value}}, QStringLiteral("/home/ada/project"));
    const Result<KeptRecipe> bytes = keptRecipe(one, original);
    QVERIFY(bytes.ok());
    QCOMPARE(bytes->leftOut.size(), 1);
    for (const char* piece : {"swordfish", "0123456789", "abcdef", "/home/ada"})
        QVERIFY2(!bytes->json.contains(piece), bytes->json);
    QVERIFY(!bytes->leftOut.front().contains(value));
}

void TestKeepRecipe::harmlessWords_areKept_data()
{
    QTest::addColumn<QString>("value");
    for (const char* value : {"python3 train.py --tokenizer bert-base-uncased",
             "train --max-tokens 4096", "train --token $HF_TOKEN", "train --token=\"$HF_TOKEN\"",
             "python3 /home/adams/x.py", "ls /home/adalbert", "echo secret santa-claus"})
        QTest::newRow(value) << QString::fromUtf8(value);
}

void TestKeepRecipe::harmlessWords_areKept()
{
    QFETCH(QString, value);
    QCOMPARE(
        valueOf(kept(request("run-a-command", {{QStringLiteral("command"), value}})), "command"),
        value);
}

void TestKeepRecipe::hostileTitle_isOneLine()
{
    KeepRequest one = request("run-a-command", {});
    one.title = QStringLiteral("\x1b[31mA\n\"b\" <i>c</i>\u202e\t d") + QString(500, u'x');
    const Recipe recipe = kept(one);
    QVERIFY2(recipe.title.startsWith(QStringLiteral("[31mA \"b\" <i>c</i> d")),
        qPrintable(recipe.title));
    QVERIFY(recipe.title.size() <= 80);
    one.title = QStringLiteral(" \n\u200b ");
    QVERIFY(!keptRecipe(one, "{}").ok());
}

void TestKeepRecipe::id_isProposedFromTheTitle_data()
{
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("id");
    const auto row = [](const char* title, const char* id) {
        QTest::newRow(title) << QString::fromUtf8(title) << QString::fromUtf8(id);
    };
    row("My U-Net, 2nd try", "my-u-net-2nd-try");
    row("Größe élan", "gro-e-elan");
    row("../../etc", "etc");
    row("日本", "my-recipe");
    row("", "my-recipe");
    row("a very long title that goes on and on and on and on",
        "a-very-long-title-that-goes-on-and-on-an");
}

void TestKeepRecipe::id_isProposedFromTheTitle()
{
    QFETCH(QString, title);
    QFETCH(QString, id);
    QCOMPARE(proposedRecipeId(title), id);
}

void TestKeepRecipe::wrongId_isRefused()
{
    KeepRequest one = request("run-a-command", {});
    for (const char* id : {"", "..", "a/b", "A", "a b", "-\n"}) {
        one.id = QLatin1String(id);
        QVERIFY2(!keptRecipe(one, "{}").ok(), id);
    }
}

void TestKeepRecipe::folder_isCopiedByItsRules()
{
    const QTemporaryDir folder;
    const QString project = folder.filePath(QStringLiteral("project"));
    put(project + u"/train.py", "print(1)\n");
    put(project + u"/lib/model.py", "x = 1\n");
    put(project + u"/data/big.bin", "x");
    put(project + u"/.env", "HF_TOKEN=1\n");
    put(project + u"/keys/id_ed25519", "secret\n");
    put(project + u"/.gitignore", "data/\n");
    QVERIFY(QFile::setPermissions(
        project + u"/train.py", QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY(QFile::link(QStringLiteral("train.py"), project + u"/main.py"));
    const KeepRequest one = request("own-code", some({{"command", "python3 train.py"}}), project);
    const Result<RecipeDraft> draft = prepareRecipe(one);
    QVERIFY2(draft.ok(), draft.ok() ? "" : qPrintable(draft.error().text()));
    const QString left = draft->recipe.leftOut.join(u'\n');
    QVERIFY2(left.contains(u".env") && left.contains(u"id_ed25519"), qPrintable(left));
    const QString config = folder.filePath(QStringLiteral("config"));
    const Result<QString> saved =
        saveOwnRecipe(config, one.id, draft->recipe.json, draft->files, false);
    QVERIFY2(saved.ok(), saved.ok() ? "" : qPrintable(saved.error().text()));
    QCOMPARE(*saved, config + u"/recipes/mine");
    const QDir code(*saved + u"/code");
    QCOMPARE(code.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name),
        (QStringList{QStringLiteral(".gitignore"), QStringLiteral("lib"), QStringLiteral("main.py"),
            QStringLiteral("train.py")}));
    QVERIFY(QFileInfo(code.filePath(QStringLiteral("train.py"))).isExecutable());
    QVERIFY(!QFileInfo(code.filePath(QStringLiteral("lib/model.py"))).isExecutable());
    QVERIFY(QFileInfo(code.filePath(QStringLiteral("main.py"))).isSymLink());
    QVERIFY(QFile::exists(*saved + u"/in_code.sh"));
    QVERIFY(!QFile::exists(*saved + u"/recipes"));
    // Nothing else is left beside it.
    QCOMPARE(QDir(config + u"/recipes")
                 .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
        QStringList{QStringLiteral("mine")});
}

void TestKeepRecipe::secretFiles_areKnown()
{
    for (const char* name : {".env", "a/.env.local", "x/id_rsa", "cert.PEM", "server.key", ".netrc",
             "secrets.yaml", "conf/credentials.json", ".git-credentials"})
        QVERIFY2(isCredentialsFile(QLatin1String(name)), name);
    for (const char* name : {"env.py", "train.py", "id_rsa.pub", "tokenizer.json", "keys.py",
             "token.py", "environment.yml", ".envrc.md"})
        QVERIFY2(!isCredentialsFile(QLatin1String(name)), name);
}

void TestKeepRecipe::takenId_isRefusedUnlessReplaced()
{
    const QTemporaryDir folder;
    Catalogue catalogue(sourcePath(QStringLiteral("/resources")), folder.path());
    QVERIFY(!catalogue.mayKeepRecipe(QStringLiteral("own-code"), true).ok());
    const auto save = [&folder](const char* title, bool replaces) {
        KeepRequest one = request("run-a-command", some({{"command", "true"}}));
        one.title = QLatin1String(title);
        const Result<RecipeDraft> draft = prepareRecipe(one);
        return saveOwnRecipe(folder.path(), one.id, draft->recipe.json, draft->files, replaces);
    };
    QVERIFY(save("One", false).ok());
    catalogue.readRecipesAgain();
    const QString id = QStringLiteral("mine");
    QVERIFY(catalogue.recipe(id) && catalogue.recipe(id)->own);
    QVERIFY(!catalogue.recipe(QStringLiteral("own-code"))->own);
    QVERIFY(!catalogue.mayKeepRecipe(id, false).ok());
    QVERIFY(catalogue.mayKeepRecipe(id, true).ok());
    QVERIFY(!save("Two", false).ok());
    catalogue.readRecipesAgain();
    QCOMPARE(catalogue.recipe(id)->title, QStringLiteral("One"));
    QVERIFY(save("Two", true).ok());
    catalogue.readRecipesAgain();
    QCOMPARE(catalogue.recipe(id)->title, QStringLiteral("Two"));
    QVERIFY(catalogue.errors().empty());
    QVERIFY(!catalogue.removeRecipe(QStringLiteral("own-code")).ok());
    QVERIFY(catalogue.removeRecipe(id).ok());
    QVERIFY(!catalogue.recipe(id));
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("recipes/mine"))));
}

void TestKeepRecipe::kept_isLaunchedWithItsFolder()
{
    Recipe recipe =
        kept(request("own-code", some({{"command", "./run"}}), QStringLiteral("/home/ada/p")));
    recipe.folder = QStringLiteral("/config/recipes/mine");
    LaunchSpec spec;
    Plan plan = makePlan(spec, recipe, builtInSite("demo"), {});
    QVERIFY2(!plan.hasErrors(), problemsText(plan));
    QCOMPARE(plan.spec.project, QStringLiteral("/config/recipes/mine/code"));
    spec.project = QStringLiteral("/home/ada/other");
    plan = makePlan(spec, recipe, builtInSite("demo"), {});
    QCOMPARE(plan.spec.project, QStringLiteral("/home/ada/other"));
}

void TestKeepRecipe::removal_staysInside()
{
    const QTemporaryDir folder;
    const QString config = folder.filePath(QStringLiteral("config"));
    put(folder.filePath(QStringLiteral("elsewhere/keep.txt")), "x");
    QVERIFY(QDir().mkpath(config + u"/recipes"));
    QVERIFY(QFile::link(folder.filePath(QStringLiteral("elsewhere")), config + u"/recipes/linked"));
    QVERIFY(!removeOwnRecipe(config, folder.filePath(QStringLiteral("elsewhere"))).ok());
    QVERIFY(!removeOwnRecipe(config, config + u"/recipes/").ok());
    QVERIFY(!removeOwnRecipe(config, config).ok());
    QVERIFY(removeOwnRecipe(config, config + u"/recipes/linked").ok());
    QVERIFY(!QFileInfo(config + u"/recipes/linked").isSymLink());
    QVERIFY(QFile::exists(folder.filePath(QStringLiteral("elsewhere/keep.txt"))));
    // A name that leads out is written nowhere.
    const Result<RecipeDraft> draft = prepareRecipe(request("run-a-command", {}));
    QVERIFY(draft.ok());
    QVERIFY(!saveOwnRecipe(config, QStringLiteral("mine"), draft->recipe.json,
        {{QStringLiteral("../out.txt"), folder.filePath(QStringLiteral("elsewhere/keep.txt"))}},
        false)
                 .ok());
    QVERIFY(!QFile::exists(config + u"/recipes/mine"));
    QVERIFY(!QFile::exists(config + u"/recipes/out.txt"));
}

void TestKeepRecipe::proposal_isOnlyForAProgramThatIsOpen()
{
    QVERIFY(takesProposal(builtInRecipe("own-code")));
    QVERIFY(!takesProposal(builtInRecipe("own-image"))); // it builds there
    QVERIFY(!takesProposal(builtInRecipe("run-a-command"))); // it has no folder
    const Recipe mine = kept(request("own-code", some({{"command", "python3 train.py"}}),
        QStringLiteral("/home/ada/p"), "demo"));
    QVERIFY(mine.ownFolder);
    QVERIFY(!takesProposal(mine));
}

SLIPWAY_TEST(TestKeepRecipe, runs_keeprecipe)
#include "tst_keeprecipe.moc"
