// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

/// The catalogue in the terminal: every workflow of the documents has a recipe, the README has the
/// table that the program prints, and a recipe of the user is only a folder.
class TestCatalogue : public QObject {
    Q_OBJECT

private slots:
    void init();
    void everyWorkflow_hasARecipe();
    void everyRecipe_hasAPurposeAndADemoState();
    void readme_hasTheTableOfTheProgram();
    void formerKey_hasTheValueOfTheNewOne();
    void unreadableDocument_isNotCorrect();
    void newRecipe_isOnlyAFolder();
    void brokenRecipe_isReportedAndTheRestWorks();

private:
    int run(const QStringList& words, const QByteArray& input = {});
    QList<QJsonObject> objects() const;
    void put(const QString& name, const QByteArray& bytes);

    std::unique_ptr<QTemporaryDir> m_home;
    QByteArray m_out;
    QByteArray m_err;
};

void TestCatalogue::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QVERIFY(m_home->isValid());
}

int TestCatalogue::run(const QStringList& words, const QByteArray& input)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), m_home->path());
    for (const char* name : {"CONFIG", "DATA", "STATE"})
        environment.insert(QStringLiteral("XDG_%1_HOME").arg(QLatin1String(name)),
            m_home->filePath(QString::fromLatin1(name).toLower()));
    environment.insert(
        QStringLiteral("SLIPWAY_RESOURCES"), slipway::sourcePath(QStringLiteral("/resources")));
    process.setProcessEnvironment(environment);
    process.start(slipway::buildPath(QStringLiteral("/bin/slipway-cli")), words);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000))
        return -1;
    m_out = process.readAllStandardOutput();
    m_err = process.readAllStandardError();
    return process.exitCode();
}

QList<QJsonObject> TestCatalogue::objects() const
{
    QList<QJsonObject> objects;
    for (const QByteArray& line : m_out.split('\n')) {
        if (!line.isEmpty())
            objects << QJsonDocument::fromJson(line).object();
    }
    return objects;
}

void TestCatalogue::put(const QString& name, const QByteArray& bytes)
{
    const QString path = m_home->filePath(QStringLiteral("config/slipway/") + name);
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

void TestCatalogue::everyWorkflow_hasARecipe()
{
    QCOMPARE(run({QStringLiteral("workflows"), QStringLiteral("--json")}), 0);
    QStringList covered;
    for (const QJsonObject& one : objects())
        covered << one.value(u"workflow").toString();
    for (int number = 1; number <= 33; ++number)
        QVERIFY2(covered.contains(QStringLiteral("W%1").arg(number)),
            qPrintable(QStringLiteral("W%1 has no recipe").arg(number)));
    QCOMPARE(run({QStringLiteral("workflows")}), 0);
    QVERIFY2(!m_out.contains("No recipe covers it"), m_out);
}

void TestCatalogue::everyRecipe_hasAPurposeAndADemoState()
{
    QCOMPARE(run({QStringLiteral("recipes"), QStringLiteral("--json")}), 0);
    QVERIFY(objects().size() >= 30);
    for (const QJsonObject& recipe : objects()) {
        const QByteArray id = recipe.value(u"id").toString().toUtf8();
        QVERIFY2(!recipe.value(u"purpose").toString().isEmpty(), id);
        QVERIFY2(!recipe.value(u"expect").toString().isEmpty(), id);
        QVERIFY2(!recipe.value(u"demo").toString().isEmpty(), id);
    }
}

void TestCatalogue::readme_hasTheTableOfTheProgram()
{
    QCOMPARE(run({QStringLiteral("workflows"), QStringLiteral("--markdown")}), 0);
    QFile readme(slipway::sourcePath(QStringLiteral("/README.md")));
    QVERIFY(readme.open(QIODevice::ReadOnly));
    const QByteArray text = readme.readAll();
    const QByteArray begin("<!-- slipway-cli workflows --markdown -->\n"),
        end("<!-- end of workflows -->");
    const qsizetype from = text.indexOf(begin) + begin.size(), to = text.indexOf(end);
    QVERIFY2(from > begin.size() && to > from,
        "The README has no table of workflows between its two marks.");
    QVERIFY2(text.mid(from, to - from).trimmed() == m_out.trimmed(),
        "The README's table is not what slipway-cli workflows --markdown prints: put that there.");
}

/// “problems” was called “complaints” in the previous version.
void TestCatalogue::formerKey_hasTheValueOfTheNewOne()
{
    QCOMPARE(
        run({QStringLiteral("workflows"), QStringLiteral("--steps"), QStringLiteral("--json")}), 0);
    QVERIFY(!objects().isEmpty());
    const QJsonObject row = objects().first();
    QVERIFY(row.value(u"problems").isArray());
    QCOMPARE(row.value(u"complaints"), row.value(u"problems"));
}

void TestCatalogue::unreadableDocument_isNotCorrect()
{
    const QStringList check{QStringLiteral("workflows"), QStringLiteral("--check"),
        QStringLiteral("--document"), QStringLiteral("zih")};
    QCOMPARE(run(check), 0);
    QVERIFY2(m_out.startsWith("All "), m_out);
    put(QStringLiteral("documents/broken.json"), "{\n");
    QCOMPARE(run(check), 1);
    QVERIFY2(m_err.contains("documents/broken.json"), m_err);
    QVERIFY2(m_out.isEmpty(), m_out);
    QCOMPARE(run(check + QStringList{QStringLiteral("--json")}), 1);
    QVERIFY2(m_err.contains("documents/broken.json"), m_err);
    QVERIFY(!objects().isEmpty());
    for (const QJsonObject& row : objects())
        QVERIFY2(row.contains(u"row"), m_out);
}

void TestCatalogue::newRecipe_isOnlyAFolder()
{
    put(QStringLiteral("recipes/throughput/recipe.json"),
        R"({"id": "throughput", "title": "Throughput", "group": "Mine", )"
        R"("summary": "Lines of my own form",
 "parameters": [{"key": "image", "label": "Image", "type": "image", )"
        R"("value": "docker://login:5000/demo/python:3.13"}, {"key": "rounds", )"
        R"("label": "Rounds", "type": "integer", "value": "3"}],
 "steps": [{"id": "go", "title": "Go", "command": "python3 go.py {rounds}"}], "files": ["go.py"],
 "patterns": [{"match": "^round (?<round>\\d+) moved (?<throughput>[\\d.]+) MB/s$", )"
        R"("x": "round", "units": {"throughput": "MB/s"}}]})");
    put(QStringLiteral("recipes/throughput/go.py"), "print('round 1 moved 5.5 MB/s')\n");
    QCOMPARE(run({QStringLiteral("recipes")}), 0);
    QVERIFY2(m_out.contains("\nthroughput "), m_out);
    QCOMPARE(run({QStringLiteral("render"), QStringLiteral("throughput"), QStringLiteral("--site"),
                 QStringLiteral("demo"), QStringLiteral("--set"), QStringLiteral("rounds=7")}),
        0);
    QVERIFY2(m_out.contains("python3 go.py 7\n"), m_out);
    QCOMPARE(run({QStringLiteral("metrics"), QStringLiteral("--recipe"),
                     QStringLiteral("throughput"), QStringLiteral("--json"), QStringLiteral("-")},
                 "hello\nround 2 moved 5.5 MB/s\n"),
        0);
    QCOMPARE(objects().size(), 1);
    QCOMPARE(objects().first().value(u"series").toString(), QStringLiteral("throughput"));
    QCOMPARE(objects().first().value(u"x").toDouble(), 2.0);
    QCOMPARE(objects().first().value(u"y").toDouble(), 5.5e6); // stored in base units
    QCOMPARE(objects().first().value(u"unit").toString(), QStringLiteral("B/s"));
}

void TestCatalogue::brokenRecipe_isReportedAndTheRestWorks()
{
    put(QStringLiteral("recipes/broken/recipe.json"),
        "{\"id\": \"broken\", \"title\": \"B\", \"group\": \"G\", \"summary\": \"S\",\n \"steps\": "
        "[{\"id\": \"a\", \"title\": \"A\",\n  \"command\": \"x {nothing}\"}]}\n");
    put(QStringLiteral("recipes/worse/recipe.json"), "{\"id\": \"worse\",\n \"title\": }");
    QCOMPARE(run({QStringLiteral("recipes")}), 0);
    QVERIFY2(m_out.contains("matmul-scaling"), m_out);
    QVERIFY2(m_err.contains("broken/recipe.json")
            && m_err.contains("{nothing} in “a” is not a parameter"),
        m_err);
    QVERIFY2(m_err.contains("worse/recipe.json, line 2"), m_err);
}

SLIPWAY_TEST(TestCatalogue, cli_catalogue)
#include "tst_catalogue.moc"
