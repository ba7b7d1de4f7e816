// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/ignorerules.h"
#include "tests/support/cputime.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QMap>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRandomGenerator>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace slipway;

namespace {

/// A tree without a disk: paths (folders end with '/'), and the ignore file of each folder.
struct Tree {
    QList<QByteArray> paths;
    QMap<QByteArray, QByteArray> ignoreFiles;
};

/// What the rules ignore, walking from the top as a snapshot does.
bool isIgnored(const Tree& tree, QByteArray path)
{
    const bool isFolder = path.endsWith('/');
    if (isFolder)
        path.chop(1);
    IgnoreRules rules;
    rules.add({}, tree.ignoreFiles.value({}));
    const auto parts = path.split('/');
    QByteArray at;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        at += i > 0 ? '/' + parts[i] : parts[i];
        const bool folder = isFolder || i + 1 < parts.size();
        if (rules.isIgnored(at, folder))
            return true;
        rules.add(at, tree.ignoreFiles.value(at));
    }
    return false;
}

const QList<QByteArray> atoms{"a", "b", "foo", "*", "?", "**", "/", "**/", "/**", "[ab]", "[!a]",
    "[^b]", "[a-c]", "[]a]", "[a-]", "[[:alpha:]]", "[[:x:]]", "[[:]", "\\*", "\\", "\\ ", " ",
    ".py", "bar", "o", "#", "!", "[", "x", "-", "[\\]a]", "[a/b]", "\\/", "[[:upper:][:digit:]]",
    "[z-a]", "[-a]", "\xc3\xa9"};
const QList<QByteArray> names{"a", "b", "ab", "a b", "foo", "bar", "foo.py", "x.o", "[a]", "a]",
    "!n", "#h", "-d", "\xc3\xa9", "A", "a*b", "z\\q", "a-b", "foobar", "b "};

template <typename List> auto oneOf(QRandomGenerator& random, const List& list)
{
    return list[qsizetype(random.bounded(quint32(list.size())))];
}

QByteArray randomRule(QRandomGenerator& random)
{
    QByteArray rule = random.bounded(4) == 0 ? "!" : "";
    for (int left = int(random.bounded(1, 6)); left > 0; --left)
        rule += oneOf(random, atoms);
    if (random.bounded(5) == 0)
        rule += '/';
    return random.bounded(10) == 0 ? QByteArray(rule + '\r') : rule;
}

Tree randomTree(QRandomGenerator& random)
{
    Tree tree;
    QList<QByteArray> folders{{}};
    QSet<QByteArray> taken;
    for (int i = 0; i < 60; ++i) {
        const QByteArray folder = oneOf(random, folders);
        const QByteArray path = folder.isEmpty() ? oneOf(random, names)
                                                 : QByteArray(folder + '/' + oneOf(random, names));
        if (taken.contains(path))
            continue;
        taken.insert(path);
        const bool isFolder = random.bounded(5) < 2;
        if (isFolder)
            folders << path;
        tree.paths << (isFolder ? QByteArray(path + '/') : path);
    }
    for (const auto& folder : folders.mid(0, 4)) {
        QByteArray text;
        for (int left = int(random.bounded(1, 6)); left > 0; --left)
            text += randomRule(random) + '\n';
        tree.ignoreFiles.insert(folder, text);
    }
    return tree;
}

/// Writes the tree below `top`.
bool make(const Tree& tree, const QString& top)
{
    const auto local = [&](const QByteArray& path) {
        return QString(top + u'/' + QFile::decodeName(path));
    };
    const auto write = [](const QString& path, const QByteArray& bytes) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    bool good = true;
    for (const auto& path : tree.paths)
        good = (path.endsWith('/') ? QDir().mkpath(local(path)) : write(local(path), {})) && good;
    for (auto it = tree.ignoreFiles.cbegin(); it != tree.ignoreFiles.cend(); ++it)
        good = write(local(it.key()) + QStringLiteral("/.gitignore"), it.value()) && good;
    return good;
}

/// Runs git with no configuration but the repository's.
QByteArray git(const QString& folder, const QStringList& arguments, const QByteArray& input)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("GIT_CONFIG_GLOBAL"), QStringLiteral("/dev/null"));
    environment.insert(QStringLiteral("GIT_CONFIG_NOSYSTEM"), QStringLiteral("1"));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    process.start(QStringLiteral("git"), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished() || process.exitCode() > 1)
        qFatal("git: %s", process.readAllStandardError().constData());
    return process.readAllStandardOutput();
}

} // namespace

class TestIgnoreRules : public QObject {
    Q_OBJECT

private slots:
    void rule_decides_data();
    void rule_decides();
    void git_saysTheSame();
    void patterns_doNotExplode();
    void tooMuch_isRefused();
};

void TestIgnoreRules::rule_decides_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<QByteArray>("path"); // folders end with '/'
    QTest::addColumn<bool>("isIgnored");
    const auto row = [](const char* name, const QByteArray& rules, const QByteArray& path,
                         bool ignored) { QTest::newRow(name) << rules << path << ignored; };
    row("a name at the top", "data", "data", true);
    row("a name anywhere", "data", "a/b/data", true);
    row("in an ignored folder", "data", "data/x/y", true);
    row("only a part of the name", "data", "mydata", false);
    row("anchored, at the top", "/data", "data", true);
    row("anchored, below", "/data", "a/data", false);
    row("a slash within anchors", "a/data", "b/a/data", false);
    row("folders only: a folder", "out/", "x/out/", true);
    row("folders only: a file", "out/", "x/out", false);
    row("suffix", "*.pt", "runs/1/best.pt", true);
    row("star stops at a slash", "a/*.pt", "a/b/x.pt", false);
    row("two stars in front", "**/cache", "a/b/cache", true);
    row("two stars, no folder", "**/cache", "cache", true);
    row("two stars between", "a/**/b", "a/x/y/b", true);
    row("two stars between, none", "a/**/b", "a/b", true);
    row("two stars at the end", "a/**", "a/x", true);
    row("two stars at the end, itself", "a/**", "a/", false);
    row("two stars in a name are one", "x/a**b", "x/a/b", false);
    row("negated later", "*.log\n!keep.log", "keep.log", false);
    row("negated before", "!keep.log\n*.log", "keep.log", true);
    row("negated in an ignored folder", "out/\n!out/keep", "out/keep", true);
    row("everything but", "/*\n!/src/", "src/a.py", false);
    row("everything but: the others", "/*\n!/src/", "data.bin", true);
    row("comment", "#a", "#a", false);
    row("escaped comment", "\\#a", "#a", true);
    row("escaped mark", "\\!a", "!a", true);
    row("spaces at the end", "a  ", "a", true);
    row("escaped space at the end", "a\\ ", "a ", true);
    row("a tab at the end stays", "a\t", "a", false);
    row("carriage return", "a\r\nb\r\n", "a", true);
    row("byte order mark",
        "\xef\xbb\xbf"
        "a",
        "a", true);
    row("empty lines", "\n\n/\n\n", "a", false);
    row("class", "[a-c]x", "bx", true);
    row("negated class", "[!a-c]x", "bx", false);
    row("bracket first in a class", "[]]x", "]x", true);
    row("named class", "[[:digit:]]x", "7x", true);
    row("unknown class", "[[:seven:]]x", "7x", false);
    row("open class", "[ab", "[ab", false);
    row("question mark", "?.py", "a.py", true);
    row("question mark is no slash", "x/a?b", "x/a/b", false);
    row("backslash at the end", "a\\", "a", false);
}

void TestIgnoreRules::rule_decides()
{
    QFETCH(QByteArray, rules);
    QFETCH(QByteArray, path);
    QFETCH(bool, isIgnored);
    QCOMPARE(::isIgnored({{}, {{QByteArray(), rules}}}, path), isIgnored);
}

/// The oracle is Git itself, on trees and rules made at random from what is special in them.
void TestIgnoreRules::git_saysTheSame()
{
    QRandomGenerator random(20261123);
    qsizetype compared = 0, ignored = 0;
    for (int round = 0; round < 30; ++round) {
        const Tree tree = randomTree(random);
        QTemporaryDir folder;
        QVERIFY(make(tree, folder.path()));
        if (round == 0)
            git(folder.path(), {QStringLiteral("--version")}, {});
        git(folder.path(), {QStringLiteral("init"), QStringLiteral("-q")}, {});
        QByteArray input;
        QList<QByteArray> ours;
        for (QByteArray path : tree.paths) {
            const bool is = isIgnored(tree, path);
            if (path.endsWith('/'))
                path.chop(1);
            input += path + '\0';
            if (is)
                ours << path;
        }
        const QStringList ask{QStringLiteral("check-ignore"), QStringLiteral("-z"),
            QStringLiteral("--stdin"), QStringLiteral("--no-index")};
        auto theirs = git(folder.path(), ask, input).split('\0');
        theirs.removeAll(QByteArray());
        std::sort(theirs.begin(), theirs.end());
        std::sort(ours.begin(), ours.end());
        const QByteArray both = "ours: " + ours.join('|') + "\ntheirs: " + theirs.join('|')
            + "\nrules: " + tree.ignoreFiles.values().join("---\n");
        QVERIFY2(ours == theirs, both.constData());
        compared += tree.paths.size();
        ignored += ours.size();
    }
    QVERIFY(ignored > 100 && compared > ignored + 100);
}

/// A pattern that takes time beyond measure where each star tries all that follows.
void TestIgnoreRules::patterns_doNotExplode()
{
    IgnoreRules rules;
    QByteArray stars;
    for (int i = 0; i < 40; ++i)
        stars += "*a";
    QVERIFY(rules.add({}, stars + "b\n" + QByteArray("**/a/").repeated(40) + "b\n"));
    const QByteArray name(250, 'a');
    const CpuTime timer;
    QVERIFY(!rules.isIgnored(name, false));
    QVERIFY(!rules.isIgnored(QByteArray("a/").repeated(300) + 'a', false));
    QVERIFY2(timer.elapsed() < 10'000, QByteArray::number(timer.elapsed()).constData());
    QVERIFY(rules.steps() < 1'000'000);
}

void TestIgnoreRules::tooMuch_isRefused()
{
    IgnoreRules rules;
    QVERIFY(rules.add({}, QByteArray("a\n").repeated(10'000)));
    QVERIFY(!rules.add({}, "b\n"));
    rules.cut(0);
    QVERIFY(!rules.add({}, QByteArray(1024 * 1024 + 1, 'a')));
    QVERIFY(rules.add({}, "a\n"));
    QVERIFY(rules.isIgnored("a", false));
    rules.cut(0);
    QVERIFY(!rules.isIgnored("a", false));
}

SLIPWAY_TEST(TestIgnoreRules, project_ignorerules)
#include "tst_ignorerules.moc"
