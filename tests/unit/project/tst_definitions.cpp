// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/definitionlint.h"
#include "app/project/definitiontemplates.h"
#include "app/project/proposeddefinition.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace slipway;

/// Definition files before they are built: what is wrong with them, those to begin with, and the
/// one that is written for a person's folder.
class TestDefinitions : public QObject {
    Q_OBJECT

private slots:
    void problem_isFound_data();
    void problem_isFound();
    void scripts_mayHoldAnything();
    void sources_areLookedForInTheFolder();
    void hostileText_staysBounded();
    void templates_areClean();
    void templates_areAllInTheIndex();
    void brokenIndex_namesItsPlace();
    void proposal_becomesADefinition_data();
    void proposal_becomesADefinition();
    void proposalWithoutImage_isRefused();
};

namespace {

QString problemLines(const std::vector<DefinitionProblem>& problems)
{
    QStringList lines;
    for (const DefinitionProblem& one : problems)
        lines << QStringLiteral("%1%2: %3")
                     .arg(one.line)
                     .arg(one.isError ? QString() : QStringLiteral(" (warning)"), one.text);
    return lines.join(u'\n');
}

} // namespace

void TestDefinitions::problem_isFound_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("words");
    QTest::addColumn<bool>("error");
    const auto row = [](const char* name, const char* text, int line, const char* words,
                         bool error = true) {
        QTest::newRow(name) << QString::fromUtf8(text) << line << QString::fromUtf8(words) << error;
    };
    row("empty", " \n", 0, "is empty");
    row("no bootstrap", "# a comment\n", 0, "There is no line “Bootstrap");
    row("header out of order", "From: debian:12\nBootstrap: docker\nFrom: debian:12\n", 1,
        "must begin with Bootstrap");
    row("unknown agent", "Bootstrap: podman\nFrom: debian:12\n", 1, "“podman” is no source");
    row("from missing", "# one\nBootstrap: docker\n\n%post\n    true\n", 2, "From: is missing");
    row("from of the first stage missing",
        "Bootstrap: docker\nStage: one\nBootstrap: docker\nFrom: debian:12\n", 1,
        "From: is missing");
    row("from with a scheme", "Bootstrap: docker\nFrom: docker://debian:12\n", 2,
        "without docker://");
    row("unknown section", "Bootstrap: docker\nFrom: debian:12\n%install\n    true\n", 3,
        "%install is no section");
    row("section before the header", "%post\n    true\nBootstrap: docker\nFrom: debian:12\n", 1,
        "%post comes before the header");
    row("command without a section", "Bootstrap: docker\nFrom: debian:12\napt-get update\n", 3,
        "belongs to no section");
    row("windows", "Bootstrap: docker\r\nFrom: debian:12\r\n", 1, "Windows line endings");
    row("setup", "Bootstrap: docker\nFrom: debian:12\n%setup\n    true\n", 3,
        "runs on the node itself", false);
    row("no such stage", "Bootstrap: docker\nFrom: debian:12\n%files from builder\n    /a /b\n", 3,
        "no earlier stage “builder”");
    row("source outside", "Bootstrap: docker\nFrom: debian:12\n%files\n    ../a.txt /a\n", 4,
        "outside the folder");
    row("source of the node", "Bootstrap: docker\nFrom: debian:12\n%files\n    /etc/hosts /a\n", 4,
        "on the compute node", false);
    row("missing source", "Bootstrap: docker\nFrom: debian:12\n%files\n    # a note\n    b.txt\n",
        5, "There is no b.txt");
}

void TestDefinitions::problem_isFound()
{
    QFETCH(QString, text);
    QFETCH(int, line);
    QFETCH(QString, words);
    QFETCH(bool, error);
    const auto none = [](const QString&) { return false; };
    const std::vector<DefinitionProblem> found = lintDefinition(text, none);
    QVERIFY2(found.size() == 1, qPrintable(problemLines(found)));
    QCOMPARE(found.front().line, line);
    QCOMPARE(found.front().isError, error);
    QVERIFY2(found.front().text.contains(words), qPrintable(found.front().text));
}

void TestDefinitions::scripts_mayHoldAnything()
{
    const QString text = QStringLiteral(R"(bootstrap: Docker
from: login:5000/demo/python:3.13
Stage: one

%post
    cat >x <<'END'
    From: nothing
    %not a section, because it is indented
END
    date +%s

%files from nowhere
)");
    const std::vector<DefinitionProblem> found = lintDefinition(text);
    QVERIFY2(found.size() == 1 && found.front().line == 12, qPrintable(problemLines(found)));
}

void TestDefinitions::sources_areLookedForInTheFolder()
{
    const QString text = QStringLiteral("Bootstrap: docker\nFrom: debian:12\n%files\n"
                                        "    a.txt /a.txt\n    \"two words.txt\" /b\n"
                                        "    three\\ words.txt /c\n    data/*.csv /data/\n");
    QStringList asked;
    const auto there = [&asked](const QString& path) {
        asked << path;
        return true;
    };
    QVERIFY(lintDefinition(text, there).empty());
    QCOMPARE(asked, // a pattern is looked at by the build
        (QStringList{QStringLiteral("a.txt"), QStringLiteral("two words.txt"),
            QStringLiteral("three words.txt")}));
}

void TestDefinitions::hostileText_staysBounded()
{
    const QString many = QStringLiteral("%nothing\n").repeated(5000);
    QVERIFY(lintDefinition(many).size() <= 100);
    const QString large = QStringLiteral("Bootstrap: docker\nFrom: debian:12\n")
        + QStringLiteral("# x\n").repeated(300'000);
    const std::vector<DefinitionProblem> found = lintDefinition(large);
    QVERIFY2(found.size() == 1 && found.front().text.contains(u"larger than 1 MiB"),
        qPrintable(problemLines(found)));
    const QString wide = u"Bootstrap: " + QString(100'000, u'x');
    QVERIFY(lintDefinition(wide).front().text.size() < 300);
}

void TestDefinitions::templates_areClean()
{
    const auto templates = loadDefinitionTemplates(sourcePath(QStringLiteral("/resources")));
    QVERIFY2(templates.ok(), templates.ok() ? "" : qPrintable(templates.error().text()));
    QVERIFY(templates->size() >= 6);
    for (const DefinitionTemplate& one : *templates) {
        QStringList asked;
        const auto there = [&one, &asked](const QString& path) {
            asked << path;
            return one.sources.contains(path);
        };
        const auto found = lintDefinition(one.text, there);
        QVERIFY2(found.empty(), qPrintable(one.file + u'\n' + problemLines(found)));
        QCOMPARE(asked, one.sources);
        QVERIFY2(one.purpose.endsWith(u'.') && !one.title.endsWith(u'.'), qPrintable(one.file));
        QVERIFY2(!one.text.contains(u'\t') && one.text.endsWith(u'\n'), qPrintable(one.file));
        QVERIFY(!one.name().isEmpty());
    }
}

void TestDefinitions::templates_areAllInTheIndex()
{
    const auto templates = loadDefinitionTemplates(sourcePath(QStringLiteral("/resources")));
    QVERIFY(templates.ok());
    QStringList named;
    for (const DefinitionTemplate& one : *templates)
        named << one.file;
    named.sort();
    const QStringList files = QDir(sourcePath(QStringLiteral("/resources/definitions")))
                                  .entryList({QStringLiteral("*.def")}, QDir::Files, QDir::Name);
    QCOMPARE(named, files);
}

void TestDefinitions::brokenIndex_namesItsPlace()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("definitions")));
    QVERIFY(!loadDefinitionTemplates(folder.path()).ok());
    QFile file(folder.filePath(QStringLiteral("definitions/index.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"definitions": [{"file": "../x.def", "title": "T", "purpose": "P.",
"source": "S", "colour": "red"}]})");
    file.close();
    const auto templates = loadDefinitionTemplates(folder.path());
    QVERIFY(!templates.ok());
    QVERIFY2(templates.error().text().contains(u"definitions[0].file"),
        qPrintable(templates.error().text()));
    QVERIFY2(templates.error().text().contains(u"colour"), qPrintable(templates.error().text()));
}

void TestDefinitions::proposal_becomesADefinition_data()
{
    QTest::addColumn<QString>("image");
    QTest::addColumn<QString>("packages");
    QTest::addColumn<QStringList>("lines");
    const QString python = QStringLiteral("docker://python:3.13-slim");
    QTest::newRow("image alone") << python << QString()
                                 << QStringList{QStringLiteral("Bootstrap: docker"),
                                        QStringLiteral("From: python:3.13-slim")};
    QTest::newRow("requirements")
        << python << QStringLiteral("conf/requirements.txt")
        << QStringList{QStringLiteral("    conf/requirements.txt /opt/project/requirements.txt"),
               QStringLiteral("    python3 -m pip install --no-cache-dir -c /opt/constraints.txt "
                              "-r /opt/project/requirements.txt")};
    QTest::newRow("project")
        << python << QStringLiteral("pyproject.toml")
        << QStringList{QStringLiteral("    . /opt/project"),
               QStringLiteral("    python3 -m pip install --no-cache-dir -c /opt/constraints.txt "
                              "/opt/project")};
    QTest::newRow("file of the cluster") << QStringLiteral("/scratch/ada/x.sif") << QString()
                                         << QStringList{QStringLiteral("Bootstrap: localimage"),
                                                QStringLiteral("From: /scratch/ada/x.sif")};
    QTest::newRow("hostile file name")
        << python << QStringLiteral("a b;rm.txt")
        << QStringList{QStringLiteral("    # Commands that install what the image lacks.")};
}

void TestDefinitions::proposal_becomesADefinition()
{
    QFETCH(QString, image);
    QFETCH(QString, packages);
    QFETCH(QStringList, lines);
    Proposal proposal;
    proposal.title = QStringLiteral("my\nproject");
    proposal.values.insert(QStringLiteral("image"), image);
    proposal.values.insert(QStringLiteral("packages"), packages);
    const Result<QString> text = proposedDefinition(proposal);
    QVERIFY(text.ok());
    const QStringList written = text->split(u'\n');
    for (const QString& line : lines)
        QVERIFY2(written.contains(line), qPrintable(line + u"\n---\n" + *text));
    QVERIFY(!text->contains(u"rm.txt"));
    const auto there = [](const QString&) { return true; };
    const auto found = lintDefinition(*text, there);
    QVERIFY2(found.empty(), qPrintable(problemLines(found)));
}

void TestDefinitions::proposalWithoutImage_isRefused()
{
    const Result<QString> text = proposedDefinition({});
    QVERIFY(!text.ok());
    QVERIFY(!text.error().remedy.isEmpty());
}

SLIPWAY_TEST(TestDefinitions, project_definitions)
#include "tst_definitions.moc"
