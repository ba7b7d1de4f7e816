// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

/// The built program: what it prints to which stream, and its exit codes. These tests require no
/// cluster; tests/cluster runs the commands that do.
class TestCommands : public QObject {
    Q_OBJECT

private slots:
    void init();
    void help_printsTheUsage_data();
    void help_printsTheUsage();
    void manual_namesEveryCommand();
    void completion_offersWhatFits_data();
    void completion_offersWhatFits();
    void completion_printsTheScripts();
    void formerName_stillWorksAndIsNotListed_data();
    void formerName_stillWorksAndIsNotListed();
    void misuse_exitsWithTwoAndAHint_data();
    void misuse_exitsWithTwoAndAHint();
    void sites_areListed();
    void site_isShownUnchanged();
    void unsupportedSite_isRefusedWithAReason();
    void newSite_isOnlyAFile();
    void recipes_areListed();
    void recipe_isShownWithItsExercises();
    void exercise_setsItsValues();
    void exercise_ofAnotherRecipe_launchesThatRecipe();
    void exercise_withOwnValue_requiresTheValue();
    void render_isTheGoldenScript();
    void render_takesValues();
    void lint_printsOneProblemPerLine();
    void metrics_areOneObjectPerLine();
    void metrics_readStdin();
    void explain_findsOnlyKnownFailures();
    void json_isOneObjectPerLine_data();
    void json_isOneObjectPerLine();
    void runs_areEmptyAtFirst();
    void brokenOwnFile_isReportedAndTheRestWorks();
    void failedConnection_exitsWithThree();

private:
    void writeRecipes();
    int run(const QString& line, const QByteArray& input = {});
    int run(const QStringList& words, const QByteArray& input = {});
    QList<QJsonObject> objects() const; ///< stdout, one object per line

    std::unique_ptr<QTemporaryDir> m_home;
    QString m_resources = slipway::sourcePath() + u"/resources";
    QByteArray m_out, m_err;
};

namespace {

const QString source = slipway::sourcePath();

QByteArray fileContent(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The manual page that was made in this build, without the marks that keep its hyphens.
QByteArray manual()
{
    return fileContent(slipway::buildPath(QStringLiteral("/share/slipway-cli.1")))
        .replace("\\-", "-");
}

} // namespace

void TestCommands::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QVERIFY(m_home->isValid());
}

int TestCommands::run(const QString& line, const QByteArray& input)
{
    return run(line.split(u' ', Qt::SkipEmptyParts), input);
}

int TestCommands::run(const QStringList& words, const QByteArray& input)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), m_home->path());
    environment.insert(
        QStringLiteral("XDG_CONFIG_HOME"), m_home->filePath(QStringLiteral("config")));
    environment.insert(QStringLiteral("XDG_DATA_HOME"), m_home->filePath(QStringLiteral("data")));
    environment.insert(QStringLiteral("XDG_STATE_HOME"), m_home->filePath(QStringLiteral("state")));
    environment.insert(QStringLiteral("SLIPWAY_RESOURCES"), m_resources);
    process.setProcessEnvironment(environment);
    process.start(slipway::buildPath(QStringLiteral("/bin/slipway-cli")), words);
    if (!process.waitForStarted())
        return -1;
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000))
        return -2;
    m_out = process.readAllStandardOutput();
    m_err = process.readAllStandardError();
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -3;
}

QList<QJsonObject> TestCommands::objects() const
{
    QList<QJsonObject> objects;
    for (const QByteArray& line : m_out.split('\n')) {
        if (!line.isEmpty())
            objects << QJsonDocument::fromJson(line).object();
    }
    return objects;
}

void TestCommands::help_printsTheUsage_data()
{
    QTest::addColumn<QString>("expected");
    QTest::newRow("--help") << QStringLiteral("Exit codes: 0 done");
    QTest::newRow("help") << QStringLiteral("Usage: slipway-cli COMMAND");
    for (const char* command : {"sites", "recipes", "render", "lint", "run", "runs", "label",
             "show", "log", "cancel", "fetch", "compare", "report", "metrics", "explain", "node",
             "cleanup", "image", "secret", "connections", "demo", "workflows", "completion"})
        QTest::newRow(qPrintable(QLatin1String(command) + QStringLiteral(" --help")))
            << QStringLiteral("Usage: slipway-cli %1").arg(QLatin1String(command));
}

void TestCommands::help_printsTheUsage()
{
    QFETCH(QString, expected);
    QCOMPARE(run(QString::fromUtf8(QTest::currentDataTag())), 0);
    QVERIFY2(m_out.contains(expected.toUtf8()), m_out);
    QVERIFY(m_err.isEmpty());
    // The manual page is made of these texts.
    const QByteArray page = manual();
    static const QRegularExpression option(QStringLiteral("(?m)^  (--[a-z-]+)"));
    for (const auto& match : option.globalMatch(QString::fromUtf8(m_out)))
        QVERIFY2(page.contains(QByteArray("\\fB" + match.captured(1).toUtf8())), m_out);
    // Explanations begin below each other, however long an option is.
    const QStringList lines = QString::fromUtf8(m_out).split(u'\n');
    qsizetype column = -1;
    for (const QString& line : lines)
        if (line.startsWith(u"  --json "))
            column = line.indexOf(QStringLiteral("print one JSON"));
    for (const QString& line : lines)
        if (line.startsWith(u"  --"))
            QVERIFY2(line.mid(column - 2, 2) == u"  " && line.at(column) != u' ', qPrintable(line));
}

void TestCommands::manual_namesEveryCommand()
{
    QCOMPARE(run(QStringLiteral("--help")), 0);
    static const QRegularExpression command(QStringLiteral("(?m)^  ([a-z]+) "));
    int count = 0;
    for (const auto& match : command.globalMatch(QString::fromUtf8(m_out))) {
        const QByteArray name = match.captured(1).toUtf8();
        QVERIFY2(manual().contains(QByteArray("\n.SS " + name + "\nslipway-cli " + name)), name);
        ++count;
    }
    QVERIFY(count >= 18);
}

void TestCommands::completion_offersWhatFits_data()
{
    QTest::addColumn<QStringList>("line");
    QTest::addColumn<QByteArray>("words"); // of the first column of the output, in any order
    QTest::addColumn<QByteArray>("others"); // that do not fit
    const auto row = [](const char* name, const QStringList& line, const char* words,
                         const char* others) {
        QTest::newRow(name) << line << QByteArray(words) << QByteArray(others);
    };
    const auto words = [](const char* text) { return QString::fromUtf8(text).split(u' '); };
    row("commands", words("r"), "recipes render run runs", "show --help");
    row("options that are given", words("run --site demo --set gpus=1 -"),
        "--set --plot --json --help", "--site --again --save");
    row("site after a sign", words("run --site=k"), "--site=kestrel", "kestrel");
    row("site after a sign in bash", words("run --site = k"), "kestrel", "--site=kestrel demo");
    row("fields", words("run matmul-scaling --site demo --set s"), "sizes=", "memory= kestrel");
    row("file", words("run matmul-scaling --plot ma"), ":files", "matmul-scaling");
    row("folder", words("fetch k3f9 /tm"), ":folders", ":files");
    row("verbs", words("demo "), "up down status reset", "--as");
    row("verb and its word", words("sites show k"), "kestrel", "show accounts discover");
    row("site of the accounts", words("sites accounts k"), "kestrel", "show discover");
    row("nothing of an unknown command", words("rendr "), "", "--json --help");
    row("--json and -- are words like others", words("run --json -- matmul"), "matmul-scaling",
        "--json");
}

void TestCommands::completion_offersWhatFits()
{
    QFETCH(QStringList, line);
    QFETCH(QByteArray, words);
    QFETCH(QByteArray, others);
    QCOMPARE(
        run(QStringList{QStringLiteral("completion"), QStringLiteral("words"), QStringLiteral("--")}
            + line),
        0);
    QList<QByteArray> offered;
    for (const QByteArray& row : m_out.split('\n'))
        offered << row.left(row.indexOf('\t'));
    for (const QByteArray& word : words.split(' '))
        QVERIFY2(word.isEmpty() || offered.contains(word), m_out);
    for (const QByteArray& word : others.split(' '))
        QVERIFY2(!offered.contains(word), m_out);
    QVERIFY2(!words.isEmpty() || m_out.isEmpty(), m_out);
}

void TestCommands::completion_printsTheScripts()
{
    QCOMPARE(run(QStringLiteral("completion zsh")), 0);
    QVERIFY2(m_out.startsWith("#compdef slipway-cli\n"), m_out);
    QCOMPARE(run(QStringLiteral("completion bash --json")), 0);
    QVERIFY(objects().value(0).value(u"script").toString().contains(u"complete -F"));
    QCOMPARE(run(QStringLiteral("completion ksh")), 2);
    QVERIFY2(m_err.contains("Use bash, zsh or fish"), m_err);
}

void TestCommands::formerName_stillWorksAndIsNotListed_data()
{
    QTest::addColumn<QString>("renamed");
    QTest::addColumn<QString>("hint"); // the command or option does what its new name does
    QTest::addColumn<QString>("help");
    QTest::addColumn<QString>("formerName");
    const QString cleanup = QStringLiteral("“guests” is now called “cleanup”.\n");
    const QString relaunch = QStringLiteral("“--again” is now called “--relaunch”.\n");
    QTest::newRow("guests dmo") << cleanup << QStringLiteral("Did you mean demo?")
                                << QStringLiteral("--help") << QStringLiteral("guests");
    QTest::newRow("guests demo --yes")
        << cleanup << QStringLiteral("--yes requires --remove") << QStringLiteral("cleanup --help")
        << QStringLiteral("guests");
    QTest::newRow("run --again zzzz") << relaunch << QStringLiteral("There is no run “zzzz”")
                                      << QStringLiteral("run --help") << QStringLiteral("--again");
    QTest::newRow("run --again=zzzz --site demo")
        << relaunch << QStringLiteral("There is no run “zzzz”") << QStringLiteral("run --help")
        << QStringLiteral("--again");
}

void TestCommands::formerName_stillWorksAndIsNotListed()
{
    QFETCH(QString, renamed);
    QFETCH(QString, hint);
    QFETCH(QString, help);
    QFETCH(QString, formerName);
    QCOMPARE(run(QString::fromUtf8(QTest::currentDataTag())), 2);
    QVERIFY2(m_err.startsWith(renamed.toUtf8()), m_err);
    QVERIFY2(m_err.contains(hint.toUtf8()), m_err);
    QCOMPARE(run(help), 0);
    QVERIFY2(!m_out.contains(formerName.toUtf8()), m_out);
}

void TestCommands::misuse_exitsWithTwoAndAHint_data()
{
    QTest::addColumn<QString>("hint");
    QTest::newRow("run --continue zzzz") << QStringLiteral("There is no run “zzzz”");
    QTest::newRow("run run-a-command --site demo --set command=true --times 0")
        << QStringLiteral("--times takes a number from 1 to 100");
    QTest::newRow("run run-a-command --site demo --set command=true --times 2")
        << QStringLiteral("--times needs a checkpoint folder");
    QTest::newRow("run own-code --site demo --set command=true --set checkpoints=c --times 2 "
                  "--interactive")
        << QStringLiteral("--times is for one batch job after the other");
    QTest::newRow("cleanup demo --checkpoints")
        << QStringLiteral("--checkpoints requires --remove");
    QTest::newRow("rendr") << QStringLiteral("Did you mean render?");
    QTest::newRow("render") << QStringLiteral("Usage: slipway-cli render RECIPE");
    QTest::newRow("render matmul-scaling") << QStringLiteral("--site is required");
    QTest::newRow("render matmul-scaling --site dmo") << QStringLiteral("Did you mean demo?");
    QTest::newRow("render matmul --site demo") << QStringLiteral("Did you mean matmul-scaling?");
    QTest::newRow("render matmul-scaling --site demo --sett a=b")
        << QStringLiteral("Did you mean --set?");
    QTest::newRow("render matmul-scaling --site demo --set sises=1")
        << QStringLiteral("Did you mean sizes?");
    QTest::newRow("render matmul-scaling --site demo --set sizes")
        << QStringLiteral("--set takes KEY=VALUE");
    QTest::newRow("run matmul-scaling --site demo --keep")
        << QStringLiteral("--keep requires --interactive");
    QTest::newRow("recipes sideways") << QStringLiteral("Use “recipes show RECIPE”");
    QTest::newRow("recipes show") << QStringLiteral("requires a recipe");
    QTest::newRow("recipes show matmul-scalin") << QStringLiteral("Did you mean matmul-scaling?");
    QTest::newRow("render matmul-scaling --site demo --exercise 99")
        << QStringLiteral("recipes show matmul-scaling");
    QTest::newRow("sites show too many words") << QStringLiteral("Unexpected argument “words”");
    QTest::newRow("sites sideways x") << QStringLiteral("Use “sites show SITE”");
    QTest::newRow("sites show") << QStringLiteral("requires one more argument");
    QTest::newRow("sites show kestral") << QStringLiteral("Did you mean kestrel?");
    QTest::newRow("node") << QStringLiteral("Usage: slipway-cli node RUN");
    QTest::newRow("node zz99") << QStringLiteral("There is no run");
    QTest::newRow("cleanup") << QStringLiteral("Usage: slipway-cli cleanup SITE");
    QTest::newRow("cleanup dmo") << QStringLiteral("Did you mean demo?");
    QTest::newRow("cleanup demo --yes") << QStringLiteral("--yes requires --remove");
    QTest::newRow("image list") << QStringLiteral("--site is required");
    QTest::newRow("image list --site dmo") << QStringLiteral("Did you mean demo?");
    QTest::newRow("image pull --site demo") << QStringLiteral("“image pull” takes one image");
    QTest::newRow("image pull ubuntu:24.04") << QStringLiteral("--site is required");
    QTest::newRow("image pull ubuntu:24.04 --site dmo") << QStringLiteral("Did you mean demo?");
    QTest::newRow("image pull /scratch/x.sif --site demo") << QStringLiteral("nothing to pull");
    QTest::newRow("image list --site demo --time 1") << QStringLiteral("--time is an option of");
    QTest::newRow("image list x --site demo") << QStringLiteral("Unexpected argument “x”");
    QTest::newRow("image remove --site demo") << QStringLiteral("requires the path or the name");
    QTest::newRow("image cache --site demo --yes") << QStringLiteral("--yes requires --clear");
    QTest::newRow("image convert a b --yes") << QStringLiteral("takes one Dockerfile");
    QTest::newRow("image login") << QStringLiteral("This takes one registry.");
    QTest::newRow("image login nvcr.io/nvidia") << QStringLiteral("is not the name of a registry");
    QTest::newRow("image login login:5001") << QStringLiteral("known only inside a cluster");
    QTest::newRow("image logout nvcr.io") << QStringLiteral("No login is kept for nvcr.io.");
    QTest::newRow("image logins x") << QStringLiteral("Unexpected argument “x”");
    QTest::newRow("image list --site demo --check") << QStringLiteral("--check is an option of");
    QTest::newRow("image compare a") << QStringLiteral("takes two images");
    QTest::newRow("image compare a.sif b.sif") << QStringLiteral("--site is required");
    QTest::newRow("image build a b --site demo") << QStringLiteral("takes one definition file");
    QTest::newRow("image build a.def") << QStringLiteral("--site is required");
    QTest::newRow("image build a.def --site demo") << QStringLiteral("There is no file a.def");
    QTest::newRow("image list --site demo --local") << QStringLiteral("--local is an option of");
    QTest::newRow("image list --site demo --yes") << QStringLiteral("--yes is an option of");
    QTest::newRow("run --relaunch zzzz") << QStringLiteral("There is no run “zzzz”");
    QTest::newRow("run --relaunch zzzz --again zzzz") << QStringLiteral("is given twice");
    QTest::newRow("sites --save x") << QStringLiteral("--save is an option of “sites discover”");
    QTest::newRow("sites discover h --save ../x") << QStringLiteral("is not a valid id");
    QTest::newRow("sites discover h --force") << QStringLiteral("--force requires --save");
    QTest::newRow("sites discover h --port 70000")
        << QStringLiteral("--port takes a number from 1 to 65535");
    QTest::newRow("runs --search is:brokn") << QStringLiteral("There is no state “brokn”");
    QTest::newRow("label zzzz --name x") << QStringLiteral("There is no run");
    QTest::newRow("show zzzz") << QStringLiteral("There is no run");
    QTest::newRow("log zzzz --follow") << QStringLiteral("There is no run");
    QTest::newRow("cancel zzzz") << QStringLiteral("There is no run");
    QTest::newRow("fetch zzzz /tmp") << QStringLiteral("There is no run");
    QTest::newRow("fetch zzzz") << QStringLiteral("Missing argument");
    QTest::newRow("demo sideways") << QStringLiteral("Use up, down");
    QTest::newRow("metrics /no/such/file") << QStringLiteral("cannot be read");
    QTest::newRow("explain /no/such/file") << QStringLiteral("cannot be read");
    QTest::newRow("metrics - --recipe nothing") << QStringLiteral("There is no recipe");
    QTest::newRow("run matmul-scaling --site demo --plot x.bmp")
        << QStringLiteral("must end with .png");
    QTest::newRow("run matmul-scaling --site demo --csv /no/such/folder/x.csv")
        << QStringLiteral("does not exist");
    QTest::newRow("run matmul-scaling --site demo --detach --fetch /tmp")
        << QStringLiteral("--detach does not wait");
}

void TestCommands::misuse_exitsWithTwoAndAHint()
{
    QFETCH(QString, hint);
    QCOMPARE(run(QString::fromUtf8(QTest::currentDataTag())), 2);
    QVERIFY2(m_err.contains(hint.toUtf8()), m_err);
    QVERIFY2(m_out.isEmpty(), m_out);
}

void TestCommands::sites_areListed()
{
    QCOMPARE(run(QStringLiteral("sites")), 0);
    QVERIFY2(m_out.startsWith("SITE") && m_out.contains("\ndemo ") && m_out.contains("\nkestrel "),
        m_out);
    QCOMPARE(run(QStringLiteral("sites --json")), 0);
    QCOMPARE(objects().first().value(u"id").toString(), QStringLiteral("demo"));
    QCOMPARE(run(QStringLiteral("sites")), 0);
    for (const char* id : {"swift", "vermilion", "frontera-rtx", "ls6", "nv-slurm", "quest",
             "zih-alpha", "zih-gpu2", "zih-ml"})
        QVERIFY2(m_out.contains(QByteArray("\n").append(id).append(' ')), id);
    const QList<QByteArray> lines = m_out.split('\n');
    const auto about = [&](const char* id) {
        for (const QByteArray& line : lines) {
            if (line.startsWith(QByteArray(id).append(' ')))
                return line;
        }
        return QByteArray();
    };
    QVERIFY2(about("comet").contains("(archived)"), m_out);
    QVERIFY2(about("bcp").contains("(not supported)"), m_out);
}

void TestCommands::site_isShownUnchanged()
{
    QCOMPARE(run(QStringLiteral("sites show kestrel")), 0);
    QFile file(slipway::sourcePath(QStringLiteral("/resources/sites/kestrel.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(m_out, file.readAll());
    QCOMPARE(run(QStringLiteral("sites show kestrel --json")), 0);
    QCOMPARE(objects().first().value(u"id").toString(), QStringLiteral("kestrel"));
}

void TestCommands::unsupportedSite_isRefusedWithAReason()
{
    QCOMPARE(run(QStringLiteral("lint run-a-command --site bcp")), 1);
    QVERIFY2(m_out.contains("It does not use Slurm"), m_out);
    QVERIFY(run(QStringLiteral("run run-a-command --site bcp")) != 0);
    QVERIFY2(m_err.contains("It does not use Slurm"), m_err);
    QVERIFY(run(QStringLiteral("run run-a-command --site comet")) != 0);
    QVERIFY2(m_err.contains("archived"), m_err);
}

/// A new cluster is one file in the folder of the user.
void TestCommands::newSite_isOnlyAFile()
{
    const QString folder = m_home->filePath(QStringLiteral("config/slipway/sites"));
    QVERIFY(QDir().mkpath(folder));
    const auto put = [&](const char* name, const QByteArray& json) {
        QFile file(folder + u'/' + QLatin1String(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(json);
    };
    put("lab.json",
        R"({"id": "lab", "name": "The lab's cluster", "logins": [{"host": "lab.example.org"}],
 "partitions": [{"name": "volta", "default": true, "gpus_per_node": 2}], )"
        R"("gpu_request": "gpus-per-node",
 "account": "none", "scratch": "/scratch/$USER", "sources": [{"fact": "all", )"
        R"("source": "its admin", "date": "undated"}]})");
    put("typo.json",
        "{\"id\": \"typo\", \"name\": \"T\",\n \"logins\": [{\"host\": \"h\"}],\n \"launcher\": "
        "\"aprun\"}\n");
    QCOMPARE(run(QStringLiteral("sites")), 0);
    QVERIFY2(m_out.contains("\nlab ") && m_out.contains("(your own)"), m_out);
    QVERIFY2(m_err.contains("typo.json, line 3: launcher: “aprun” is not known"), m_err);
    QCOMPARE(run(QStringLiteral("render run-a-command --site lab --set gpus=1")), 0);
    QVERIFY2(m_out.contains("#SBATCH --partition=volta\n")
            && m_out.contains("#SBATCH --gpus-per-node=1 "),
        m_out);
}

void TestCommands::recipes_areListed()
{
    QCOMPARE(run(QStringLiteral("recipes")), 0);
    QVERIFY2(m_out.contains("matmul-scaling") && m_out.contains("sizes"), m_out);
}

/// Two recipes of the user, one with an exercise of each kind.
void TestCommands::writeRecipes()
{
    const auto write = [this](const QString& id, const QByteArray& more) {
        const QString folder = m_home->filePath(QStringLiteral("config/slipway/recipes/") + id);
        QVERIFY(QDir().mkpath(folder));
        QFile file(folder + QStringLiteral("/recipe.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"id\": \"" + id.toUtf8()
            + "\", \"title\": \"T\", \"group\": \"G\", \"summary\": \"S\",\n"
              "\"parameters\": [{\"key\": \"word\", \"label\": \"Word\", \"value\": \"a\", "
              "\"example\": \"ever\"}],\n"
              "\"steps\": [{\"id\": \"go\", \"title\": \"Go\", \"kind\": \"host\", \"command\": "
              "\"say-"
            + id.toUtf8() + " {word}\"}]" + more + "}");
    };
    write(QStringLiteral("first"),
        R"(, "teaching": {"purpose": "To learn.", "expect": "A word.", "next": [
        "Read more.", {"text": "Another word", "values": {"word": "b"}},
        {"text": "Elsewhere", "recipe": "second", "values": {"word": "c"}},
        {"text": "Your own word", "field": "word"}]})");
    write(QStringLiteral("second"), {});
}

void TestCommands::recipe_isShownWithItsExercises()
{
    writeRecipes();
    QCOMPARE(run(QStringLiteral("recipes show first")), 0);
    for (const char* line : {"\nTo learn.\n", "\nA word.\n", "\n – Read more.\n",
             "\n 1. Another word\n    $ slipway-cli run first --site S --exercise 1\n",
             "\n 2. Elsewhere\n",
             "\n 3. Your own word\n    $ slipway-cli run first --site S --exercise 3 --set "
             "word=VALUE\n"})
        QVERIFY2(m_out.contains(line), m_out);
    QCOMPARE(run(QStringLiteral("recipes show first --json")), 0);
    const QJsonArray next = objects().first().value(u"next").toArray();
    QCOMPARE(next.size(), 4);
    QCOMPARE(next.at(0).toObject(),
        (QJsonObject{{QStringLiteral("text"), QStringLiteral("Read more.")}}));
    const QJsonObject elsewhere = next.at(2).toObject();
    QCOMPARE(elsewhere.value(u"exercise").toInt(), 2);
    QCOMPARE(elsewhere.value(u"recipe").toString(), QStringLiteral("second"));
    QCOMPARE(elsewhere.value(u"values").toObject().value(u"word").toString(), QStringLiteral("c"));
    QCOMPARE(next.at(3).toObject().value(u"field").toString(), QStringLiteral("word"));
}

void TestCommands::exercise_setsItsValues()
{
    writeRecipes();
    QCOMPARE(run(QStringLiteral("render first --site demo --exercise 1")), 0);
    QVERIFY2(m_out.contains("\nsay-first b\n"), m_out);
    QVERIFY2(m_err.contains("Exercise 1: Another word") && m_err.contains("word=b"), m_err);
    // --set overrides the exercise.
    QCOMPARE(run(QStringLiteral("render first --site demo --exercise 1 --set word=z")), 0);
    QVERIFY2(m_out.contains("\nsay-first z\n"), m_out);
    QCOMPARE(run(QStringLiteral("lint first --site demo --exercise 1")), 0);
}

void TestCommands::exercise_ofAnotherRecipe_launchesThatRecipe()
{
    writeRecipes();
    QCOMPARE(run(QStringLiteral("render first --site demo --exercise 2")), 0);
    QVERIFY2(m_out.contains("\nsay-second c\n"), m_out);
    QVERIFY2(m_err.contains("It launches second."), m_err);
}

void TestCommands::exercise_withOwnValue_requiresTheValue()
{
    writeRecipes();
    QCOMPARE(run(QStringLiteral("render first --site demo --exercise 3")), 2);
    QVERIFY2(m_err.contains("--set word=VALUE") && m_out.isEmpty(), m_err);
    for (const char* number : {"0", "4", "one", "-1", "1.5"}) {
        QCOMPARE(
            run({QStringLiteral("render"), QStringLiteral("first"), QStringLiteral("--site=demo"),
                QStringLiteral("--exercise=%1").arg(QLatin1String(number))}),
            2);
        QVERIFY2(m_err.contains(QByteArray("1 to 3, but no “" + QByteArray(number))), m_err);
    }
    QCOMPARE(run(QStringLiteral("render first --site demo --exercise 3 --set word=mine")), 0);
    QVERIFY2(m_out.contains("\nsay-first mine\n"), m_out);
}

void TestCommands::render_isTheGoldenScript()
{
    QCOMPARE(run(QStringLiteral("render matmul-scaling --site kestrel --set account=csc000")), 0);
    QCOMPARE(m_out, fileContent(source + u"/tests/data/golden/matmul-scaling-kestrel-batch.sh"));
    QVERIFY(m_err.isEmpty());
}

void TestCommands::render_takesValues()
{
    QCOMPARE(run({QStringLiteral("render"), QStringLiteral("run-a-command"),
                 QStringLiteral("--site=demo"), QStringLiteral("--set"),
                 QStringLiteral("command=echo $HOME; ls | wc")}),
        0);
    QVERIFY2(m_out.contains("sh -c 'echo $HOME; ls | wc'"), m_out);
    QCOMPARE(run(QStringLiteral("render matmul-scaling --site kestrel")), 1);
    QVERIFY2(m_err.contains("would be refused"), m_err);
}

void TestCommands::lint_printsOneProblemPerLine()
{
    QCOMPARE(run(QStringLiteral("lint matmul-scaling --site demo")), 0);
    QCOMPARE(m_out, QByteArray("No problems found.\n"));
    QCOMPARE(run(QStringLiteral("lint matmul-scaling --site kestrel --set time=9-0")), 1);
    QCOMPARE(m_out.count('\n'), 2);
    QVERIFY2(
        m_out.contains("error: account: ") && m_out.contains("--set time=2-00:00:00\n"), m_out);
    QCOMPARE(run(QStringLiteral("lint matmul-scaling --site demo --set cache=$HOME/c --json")), 0);
    QCOMPARE(objects().size(), 1);
    QCOMPARE(objects().first().value(u"severity").toString(), QStringLiteral("warning"));
    QCOMPARE(
        objects().first().value(u"fix_value").toString(), QStringLiteral("$SCRATCH/slipway/cache"));
}

void TestCommands::metrics_areOneObjectPerLine()
{
    const QString log = m_home->filePath(QStringLiteral("log"));
    QFile file(log);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("@slipway {\"event\":\"device\",\"text\":\"A CPU\",\"lane\":\"cpu\"}\nnoise\n"
               "@slipway "
               "{\"sample\":\"flops\",\"lane\":\"cpu\",\"x\":2048,\"x_name\":\"n\",\"y\":8.5e10,"
               "\"unit\":\"FLOP/s\",\"low\":8e10,\"high\":9e10}\n");
    file.close();
    QCOMPARE(run({QStringLiteral("metrics"), log, QStringLiteral("--recipe"),
                 QStringLiteral("matmul-scaling")}),
        0);
    QCOMPARE(objects().size(), 2);
    QCOMPARE(objects().first().value(u"event").toString(), QStringLiteral("device"));
    const QJsonObject sample = objects().last();
    QCOMPARE(sample.value(u"series").toString(), QStringLiteral("flops"));
    QCOMPARE(sample.value(u"lane").toString(), QStringLiteral("cpu"));
    QCOMPARE(sample.value(u"x").toInt(), 2048);
    QCOMPARE(sample.value(u"x_name").toString(), QStringLiteral("n"));
    QCOMPARE(sample.value(u"y").toDouble(), 8.5e10);
    QCOMPARE(sample.value(u"unit").toString(), QStringLiteral("FLOP/s"));
    QCOMPARE(sample.value(u"low").toDouble(), 8e10);
    QCOMPARE(sample.value(u"line").toInt(), 3);
}

void TestCommands::metrics_readStdin()
{
    QCOMPARE(run(QStringLiteral("metrics -"), "@slipway {\"sample\":\"loss\",\"y\":0.5}"), 0);
    QCOMPARE(objects().size(), 1);
    QCOMPARE(objects().first().value(u"x_name").toString(), QStringLiteral("line"));
}

void TestCommands::explain_findsOnlyKnownFailures()
{
    QCOMPARE(run(QStringLiteral("explain ") + source
                 + QStringLiteral("/tests/data/logs/pyxis-import-oom.txt")),
        0);
    QCOMPARE(objects().size(), 1);
    const QJsonObject memory = objects().front();
    QCOMPARE(memory.value(u"id").toString(), QStringLiteral("F22"));
    QCOMPARE(memory.value(u"line").toInt(), 2);
    QCOMPARE(memory.value(u"field").toString(), QStringLiteral("memory"));
    QCOMPARE(memory.value(u"change").toString(), QStringLiteral("double"));
    QVERIFY(!memory.value(u"title").toString().isEmpty()
        && !memory.value(u"cause").toString().isEmpty()
        && !memory.value(u"remedy").toString().isEmpty());
    QVERIFY(memory.value(u"evidence").toString().contains(u"error code: 137"));
    QCOMPARE(run(QStringLiteral("explain -"),
                 "sbatch: error: Batch job submission failed: Requested reservation is invalid"),
        0);
    QCOMPARE(objects().size(), 1);
    QCOMPARE(objects().front().value(u"value").toString(QStringLiteral("none")), QString());
    QCOMPARE(objects().front().value(u"certainty").toString(), QStringLiteral("sure"));
    // Several lines, and the number of the message.
    QCOMPARE(run(QStringLiteral("explain -"),
                 "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
                 "[rank1]: torch.OutOfMemoryError: CUDA out of memory.\n"),
        0);
    const QJsonObject gpu = objects().front();
    QCOMPARE(gpu.value(u"name").toString(), QStringLiteral("gpu-out-of-memory"));
    QVERIFY(gpu.value(u"cause").toString().endsWith(u"It asked for 2.00 GiB more."));
    QCOMPARE(gpu.value(u"further").toArray().first().toObject().value(u"line").toInt(), 2);
    QVERIFY(!gpu.value(u"alternatives").toArray().isEmpty());
    QCOMPARE(run(QStringLiteral("explain -"), "all is well\n"), 1);
    QVERIFY(m_out.isEmpty());
    QCOMPARE(m_err, QByteArray("No known failure was found.\n"));
    m_resources = m_home->path();
    const auto reset = qScopeGuard([this] { m_resources = source + u"/resources"; });
    QCOMPARE(run(QStringLiteral("explain -"), "CUDA out of memory\n"), 1);
    QVERIFY2(m_err.startsWith("The list of known failures was not found in"), m_err);
}

void TestCommands::json_isOneObjectPerLine_data()
{
    QTest::addColumn<int>("code");
    QTest::newRow("sites --json") << 0;
    QTest::newRow("recipes --json") << 0;
    QTest::newRow("render matmul-scaling --site demo --json") << 0;
    QTest::newRow("lint matmul-scaling --site kestrel --json") << 1;
    QTest::newRow("runs --json") << 0;
    QTest::newRow("show zzzz --json") << 2;
    QTest::newRow("nothing --json") << 2;
}

void TestCommands::json_isOneObjectPerLine()
{
    QFETCH(int, code);
    QCOMPARE(run(QString::fromUtf8(QTest::currentDataTag())), code);
    for (const QJsonObject& object : objects())
        QVERIFY2(!object.isEmpty(), m_out);
}

void TestCommands::runs_areEmptyAtFirst()
{
    QCOMPARE(run(QStringLiteral("runs")), 0);
    QVERIFY2(m_out.contains("No runs yet."), m_out);
}

void TestCommands::brokenOwnFile_isReportedAndTheRestWorks()
{
    const QString folder = m_home->filePath(QStringLiteral("config/slipway/sites"));
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + u"/mine.json");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\n  \"id\": \"mine\",\n}\n");
    file.close();
    QCOMPARE(run(QStringLiteral("sites")), 0);
    QVERIFY(m_out.contains("demo"));
    QVERIFY2(m_err.contains("mine.json, line 3"), m_err);
}

void TestCommands::failedConnection_exitsWithThree()
{
    const QString folder = m_home->filePath(QStringLiteral("config/slipway/sites"));
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + u"/nowhere.json");
    QVERIFY(file.open(QIODevice::WriteOnly));
    // Port 1 of this computer: nothing listens there.
    file.write("{\"id\": \"nowhere\", \"name\": \"Nowhere\", \"logins\": [{\"host\": "
               "\"127.0.0.1\", \"port\": 1, \"user\": \"nobody\"}]}");
    file.close();
    QCOMPARE(run(QStringLiteral("run run-a-command --site nowhere")), 3);
    QVERIFY2(m_err.contains("127.0.0.1"), m_err);
}

SLIPWAY_TEST(TestCommands, cli_commands)
#include "tst_commands.moc"
