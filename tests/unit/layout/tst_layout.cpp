// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDirIterator>
#include <QFile>
#include <QLibraryInfo>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

/// Keeps the arrows between folders true: reads every include and every CMake link, and fails on
/// one that the design does not draw. A folder that is not in the table fails too, so that a new
/// one is drawn.
class TestLayout : public QObject {
    Q_OBJECT

private slots:
    void includes_followTheArrows();
    void files_doNotIncludeEachOther();
    void links_followTheArrows();
    void libraries_stayInTheirFolders();
    void sources_areFormatted();
    void testHelpers_haveNamesOfTheirOwn();
    void classes_haveOneJob();
    void classSize_isCounted();
    void connector_isNamedByTheMainsOnly();
    void sources_nameTheirLicence();
    void rules_catchWhatTheyShould();
    void words_areThoseThatWereAgreed();
    void oldWords_areFoundHoweverTheyAreWritten_data();
    void oldWords_areFoundHoweverTheyAreWritten();
};

namespace {

const QString root = slipway::sourcePath();

struct Folder {
    const char* path;
    QSet<QString> arrows; ///< names of the folders that it may use directly
};

/// CONTRIBUTING.md, “The floors”. The longest path that fits names the folder.
const QMap<QString, Folder>& floors()
{
    const auto set = [](std::initializer_list<const char*> names) {
        QSet<QString> result;
        for (const char* name : names)
            result << QLatin1String(name);
        return result;
    };
    static const QMap<QString, Folder> folders{
        {QStringLiteral("base"), {"remote/base", {}}},
        {QStringLiteral("shell"), {"remote/shell", set({"base"})}},
        {QStringLiteral("ssh"), {"remote/ssh", set({"shell", "base"})}},
        {QStringLiteral("broker"), {"remote/broker", set({"shell", "base"})}},
        {QStringLiteral("slurm"), {"remote/slurm", set({"base"})}},
        {QStringLiteral("container"), {"remote/container", set({"base"})}},
        {QStringLiteral("cluster"), {"remote/cluster", set({"shell", "slurm", "base"})}},
        {QStringLiteral("registry"), {"remote/registry", set({"container", "shell", "base"})}},
        {QStringLiteral("probe"), {"remote/probe", {}}},
        {QStringLiteral("metrics"), {"plots/metrics", set({"base"})}},
        {QStringLiteral("records"), {"plots/records", set({"metrics", "base"})}},
        {QStringLiteral("figure"), {"plots/figure", set({"metrics", "base"})}},
        {QStringLiteral("charts"), {"plots/charts", set({"figure", "metrics", "base"})}},
        {QStringLiteral("catalogue"),
            {"app/catalogue", set({"slurm", "container", "metrics", "base"})}},
        {QStringLiteral("plan"), {"app/plan", set({"catalogue"})}},
        {QStringLiteral("explain"), {"app/explain", set({"catalogue"})}},
        {QStringLiteral("compare"), {"app/compare", set({"catalogue"})}},
        {QStringLiteral("documents"), {"app/documents", set({"plan", "explain", "compare"})}},
        {QStringLiteral("node"), {"app/node", set({"cluster", "metrics"})}},
        {QStringLiteral("sessions"), {"app/sessions", set({"catalogue", "cluster", "secrets"})}},
        {QStringLiteral("runs"),
            {"app/runs",
                set({"plan", "explain", "compare", "node", "sessions", "project", "secrets",
                    "records"})}},
        {QStringLiteral("project"), {"app/project", set({"catalogue", "cluster"})}},
        {QStringLiteral("secrets"), {"app/secrets", set({"registry", "base"})}},
        {QStringLiteral("images"), {"app/images", set({"registry", "runs", "probe"})}},
        {QStringLiteral("engine"), {"app/engine", set({"runs", "documents", "images", "project"})}},
        {QStringLiteral("report"), {"app/report", set({"engine", "figure"})}},
        {QStringLiteral("cli"), {"app/cli", set({"engine", "report", "ssh", "broker", "figure"})}},
        {QStringLiteral("ui"), {"ui", set({"engine", "report", "charts"})}},
        {QStringLiteral("window"), {"ui/window", set({"ui", "ssh", "broker"})}},
        {QStringLiteral("setup"), {"app/setup", {}}},
    };
    return folders;
}

/// The folder of a path from the top of the tree; empty: in no folder of the table.
QString folderOf(const QString& path)
{
    QString best;
    qsizetype longest = 0;
    for (auto it = floors().begin(); it != floors().end(); ++it) {
        const QString prefix = QLatin1String(it->path) + QStringLiteral("/");
        if (path.startsWith(prefix) && prefix.size() > longest) {
            longest = prefix.size();
            best = it.key();
        }
    }
    return best;
}

/// What a folder may include: itself and all that its arrows lead to.
QSet<QString> reachable(const QString& folder)
{
    QSet<QString> found{folder};
    QStringList open{folder};
    while (!open.isEmpty()) {
        for (const QString& next : floors().value(open.takeLast()).arrows) {
            if (!found.contains(next))
                open << next;
            found << next;
        }
    }
    return found;
}

/// Without the files that tests read: those are examples of what other people write.
QStringList filesBelow(const QStringList& folders, const QStringList& patterns)
{
    QStringList files;
    for (const QString& folder : folders) {
        QDirIterator iterator(
            root + u'/' + folder, patterns, QDir::Files, QDirIterator::Subdirectories);
        while (iterator.hasNext()) {
            const QString file = iterator.next().mid(root.size() + 1);
            if (!file.startsWith(u"tests/data/"))
                files << file;
        }
    }
    return files;
}

const QStringList codeFolders{
    QStringLiteral("remote"), QStringLiteral("plots"), QStringLiteral("app"), QStringLiteral("ui")};
const QStringList codePatterns{
    QStringLiteral("*.h"), QStringLiteral("*.cpp"), QStringLiteral("*.c"), QStringLiteral("*.cu")};

QByteArray contentOf(const QString& path)
{
    QFile file(root + u'/' + path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Include {
    QString name;
    bool own; ///< in quotes
};

QList<Include> includesOf(const QByteArray& content)
{
    static const QRegularExpression form(QStringLiteral(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])"),
        QRegularExpression::MultilineOption);
    QList<Include> includes;
    for (const auto& match : form.globalMatch(QString::fromUtf8(content)))
        includes.append({match.captured(2), match.captured(1) == u"\""});
    return includes;
}

/// Why a file of this path may not include that; empty when it may.
QString includeProblem(const QString& path, const Include& include)
{
    const QString from = folderOf(path), to = folderOf(include.name);
    if (include.own && to.isEmpty() && include.name.contains(u'/'))
        return QStringLiteral("is in no folder of the table");
    if (!to.isEmpty() && !reachable(from).contains(to))
        return QStringLiteral("there is no arrow from %1 to %2").arg(from, to);
    return {};
}

/// Libraries that belong to one place.
QString libraryProblem(const QString& path, const Include& include)
{
    const QString folder = folderOf(path), name = include.name;
    if (name.startsWith(u"libssh/") && folder != u"ssh")
        return QStringLiteral("only remote/ssh knows libssh");
    if (name.contains(u"qcustomplot", Qt::CaseInsensitive) && folder != u"charts")
        return QStringLiteral("only plots/charts knows QCustomPlot");
    static const QString widgets =
        QLibraryInfo::path(QLibraryInfo::HeadersPath) + QStringLiteral("/QtWidgets/");
    const bool widget =
        name.startsWith(u"QtWidgets") || (!include.own && QFile::exists(widgets + name));
    if (widget && folder != u"ui" && folder != u"charts" && folder != u"window"
        && folder != u"setup")
        return QStringLiteral("%1 is a widget, and %2 has none").arg(name, folder);
    static const QString gui =
        QLibraryInfo::path(QLibraryInfo::HeadersPath) + QStringLiteral("/QtGui/");
    static const QSet<QString> painting{QStringLiteral("figure"), QStringLiteral("charts"),
        QStringLiteral("ui"), QStringLiteral("window"), QStringLiteral("cli"),
        QStringLiteral("setup")};
    if (!include.own && QFile::exists(gui + name) && !painting.contains(folder))
        return QStringLiteral("%1 is of QtGui, and %2 draws nothing").arg(name, folder);
    return {};
}

/// What people stumbled over, and what is said instead.
struct OldWords {
    const char* form; ///< a regular expression
    const char* better;
};

const QList<OldWords>& oldWords()
{
    static const QList<OldWords> list{
        {"What the cluster told", "What we found"},
        {"until a job tells", "until a job has run there"},
        {"%1 asks( %2)?:", "Log in to %1 as %2"},
        {"somebody may stand|stand between you", "someone may be intercepting the connection"},
        {"What Slurm gave", "What Slurm allocated"},
        {"Dress (it )?as|\"Itself\"", "Emulate a site…, No site"},
        {"Look at the node", "Check the node"},
        {"Mend the errors", "Fix the errors"},
        {"Python does not find", "Python cannot find"},
        {"Quality of service; empty", "Leave empty for your account's default."},
        {"in no list here", "not in this computer's run list"},
        {"asked (now|%1)\\b|calls a minute", "updated just now"},
        {"[Ww]hat is there…", "Files on the cluster…"},
        {"are the fewest", "at least 5 are needed"},
        {"(?<![%\\d.])1 threads\\b", "1 thread"},
        {"after 0:00(?![:\\d])", "ended at once"},
        {"\"Find out\"", "Connect and look"},
        {"The competitors", "What to compare"},
        {"\"Start again\"", "Requeue if the node fails"},
    };
    return list;
}

/// The old words in a text, each with what is said instead. Literals that stand one after the other
/// are one sentence, and an apostrophe may be typographic.
QStringList oldWordsIn(QString text)
{
    static const QRegularExpression seam(QStringLiteral("\"(_s)?\\s*\\n\\s*(u|u8)?\""));
    text.remove(seam);
    text.replace(QChar(0x2019), u'\'');
    QStringList found;
    static const QList<QRegularExpression> forms = [] {
        QList<QRegularExpression> list;
        for (const OldWords& old : oldWords())
            list << QRegularExpression(QString::fromUtf8(old.form));
        return list;
    }();
    for (qsizetype i = 0; i < forms.size(); ++i) {
        const auto match = forms[i].match(text);
        if (match.hasMatch())
            found << QStringLiteral("“%1”, better: %2")
                         .arg(match.captured(0), QString::fromUtf8(oldWords()[i].better));
    }
    return found;
}

constexpr int mostDeclarations = 45;

/// A class of a header: its comment, and how many functions, signals and members it declares.
struct ClassSize {
    QString name, comment;
    int declarations = 0;
};

/// The text between the brace at `open` and its partner, without what stands in braces itself.
QString outerText(const QString& text, qsizetype open)
{
    QString outer;
    int depth = 0;
    for (qsizetype i = open; i < text.size(); ++i) {
        if (text[i] == u'{')
            ++depth;
        else if (text[i] == u'}' && --depth == 0)
            break;
        else if (text[i] == u'}' && depth == 1)
            outer += u';'; // a body ends a declaration as well
        else if (depth == 1)
            outer += text[i];
    }
    return outer;
}

QList<ClassSize> classesIn(QString text)
{
    static const QRegularExpression head(QStringLiteral(R"(((?:^///.*\n)*)^class (\w+)[^;{]*\{)"),
        QRegularExpression::MultilineOption);
    static const QRegularExpression comments(QStringLiteral("//[^\n]*"));
    static const QRegularExpression access(
        QStringLiteral(R"(\b(public|private|protected|signals)( slots)?:(?!:))"));
    static const QRegularExpression none(QStringLiteral(
        R"(^\s*(Q_OBJECT\s*)?$|^\s*(Q_OBJECT\s*)?(using|enum|friend|struct|class|template)\b|^[\s,)=]*$)"));
    QList<ClassSize> classes;
    for (const auto& match : head.globalMatch(text)) {
        ClassSize one{match.captured(2), match.captured(1)};
        QString body = outerText(text, match.capturedEnd() - 1);
        body.remove(comments)
            .replace(access, QStringLiteral(";"))
            .remove(QStringLiteral("Q_OBJECT"));
        for (const QString& declaration : body.split(u';'))
            one.declarations += !none.match(declaration).hasMatch();
        classes << one;
    }
    return classes;
}

} // namespace

void TestLayout::includes_followTheArrows()
{
    QStringList wrong;
    const QStringList files = filesBelow(codeFolders, codePatterns);
    QVERIFY(files.size() > 50);
    for (const QString& file : files) {
        if (folderOf(file).isEmpty())
            wrong << file + QStringLiteral(" is in no folder of the table");
        for (const Include& include : includesOf(contentOf(file))) {
            const QString why = includeProblem(file, include);
            if (!why.isEmpty())
                wrong << QStringLiteral("%1 includes %2: %3").arg(file, include.name, why);
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void TestLayout::files_doNotIncludeEachOther()
{
    // Two sides of one protocol, and a class whose run() is made of its other functions.
    const QSet<QString> wanted{QStringLiteral("remote/cluster/logfollower remote/cluster/runtail"),
        QStringLiteral("remote/shell/framedrun remote/shell/shell")};
    const auto unitOf = [](const QString& file) { return file.left(file.lastIndexOf(u'.')); };
    QMap<QString, QSet<QString>> included;
    for (const QString& file : filesBelow(codeFolders, codePatterns))
        for (const Include& include : includesOf(contentOf(file)))
            if (include.own)
                included[unitOf(file)] << unitOf(include.name);
    QSet<QString> pairs;
    for (auto it = included.cbegin(); it != included.cend(); ++it)
        for (const QString& other : it.value())
            if (it.key() < other && included.value(other).contains(it.key()))
                pairs << it.key() + u' ' + other;
    QVERIFY2(pairs == wanted, qPrintable((pairs - wanted).values().join(u'\n')));
}

void TestLayout::links_followTheArrows()
{
    QStringList wrong;
    static const QRegularExpression form(QStringLiteral(R"(Slipway::(\w+))"));
    for (const QString& file : filesBelow(codeFolders, {QStringLiteral("CMakeLists.txt")})) {
        const QString from = folderOf(file);
        for (const auto& match : form.globalMatch(QString::fromUtf8(contentOf(file)))) {
            const QString to = match.captured(1);
            if (!floors().contains(to))
                wrong << QStringLiteral("%1 links Slipway::%2, which is in no table").arg(file, to);
            else if (to != from && !floors().value(from).arrows.contains(to))
                wrong << QStringLiteral("%1 links Slipway::%2: there is no arrow from %3")
                             .arg(file, to, from);
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void TestLayout::libraries_stayInTheirFolders()
{
    QStringList wrong;
    for (const QString& file : filesBelow(codeFolders, codePatterns)) {
        for (const Include& include : includesOf(contentOf(file))) {
            const QString why = libraryProblem(file, include);
            if (!why.isEmpty())
                wrong << file + QStringLiteral(": ") + why;
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

/// Debian 12's clang-format decides; other releases break lines elsewhere, so on other systems
/// nothing is checked.
void TestLayout::sources_areFormatted()
{
    QProcess version;
    version.start(QStringLiteral("clang-format"), {QStringLiteral("--version")});
    QVERIFY2(version.waitForFinished(), "clang-format cannot be started");
    const QByteArray said = version.readAll();
    const bool decides = said.contains("version 14.");
    QVERIFY2(decides || QSysInfo::productVersion() != u"12", said.trimmed().constData());
    if (!decides) {
        qInfo("Not checked: %s is not clang-format 14.", said.trimmed().constData());
        return;
    }
    QStringList arguments{QStringLiteral("--dry-run"), QStringLiteral("--Werror"),
        QStringLiteral("--ferror-limit=1")};
    for (const QString& file : filesBelow(codeFolders + QStringList{QStringLiteral("tests")},
             {QStringLiteral("*.h"), QStringLiteral("*.cpp"), QStringLiteral("*.cu")}))
        arguments << file;
    QProcess format;
    format.setWorkingDirectory(root);
    format.setProcessChannelMode(QProcess::MergedChannels);
    format.start(QStringLiteral("clang-format"), arguments);
    QVERIFY(format.waitForFinished(120'000));
    QVERIFY2(format.exitCode() == 0, format.readAll().left(4000).constData());
}

/// The tests of a folder may be compiled as one source, where a function of the same name and other
/// parameters would silently be called instead.
void TestLayout::testHelpers_haveNamesOfTheirOwn()
{
    static const QRegularExpression definition(
        QStringLiteral(
            "^(?!using |return |namespace |#|//)[A-Za-z][\\w:<>,*& ]*[ *&](\\w+)\\([^;]*$"),
        QRegularExpression::MultilineOption);
    QMap<QString, QSet<QString>> folders; // of each name in a folder, the files that define it
    int found = 0;
    for (const QString& file :
        filesBelow({QStringLiteral("tests")}, {QStringLiteral("tst_*.cpp")})) {
        auto names = definition.globalMatch(QString::fromUtf8(contentOf(file)));
        while (names.hasNext()) {
            const QString name = names.next().captured(1);
            folders[QFileInfo(file).path() + u": " + name].insert(QFileInfo(file).fileName());
            ++found;
        }
    }
    QVERIFY2(found > 300, qPrintable(QString::number(found)));
    QStringList wrong;
    for (auto it = folders.constBegin(); it != folders.constEnd(); ++it) {
        if (it->size() > 1)
            wrong << it.key() + u" in " + QStringList(it->begin(), it->end()).join(u", ");
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void TestLayout::classes_haveOneJob()
{
    QStringList wrong;
    for (const QString& file : filesBelow(codeFolders, {QStringLiteral("*.h")})) {
        for (const ClassSize& one : classesIn(QString::fromUtf8(contentOf(file)))) {
            if (one.declarations > mostDeclarations && !one.comment.contains(u"one job"))
                wrong << QStringLiteral("%1: %2 declares %3 functions, signals and members; past "
                                        "%4 its comment says why it is one job")
                             .arg(file, one.name)
                             .arg(one.declarations)
                             .arg(mostDeclarations);
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void TestLayout::classSize_isCounted()
{
    const auto classes = classesIn(QStringLiteral(R"(
/// Small is one job: a reason.
class Small : public QObject {
    Q_OBJECT

public:
    enum class Kind { A, B };
    explicit Small(int a, int b = {});
    int inlined() const { return m_a; } // one; two
    using QObject::QObject;

signals:
    void changed();

private:
    int m_a = 0;
    std::function<void(int)> m_b{};
};
)"));
    QCOMPARE(classes.size(), 1);
    QCOMPARE(classes.front().name, QStringLiteral("Small"));
    QCOMPARE(classes.front().declarations, 5);
    QVERIFY(classes.front().comment.contains(u"one job"));
}

void TestLayout::connector_isNamedByTheMainsOnly()
{
    QStringList users;
    for (const QString& file :
        filesBelow({QStringLiteral("app"), QStringLiteral("ui")}, codePatterns))
        for (const Include& include : includesOf(contentOf(file)))
            if (folderOf(include.name) == u"ssh")
                users << file;
    users.sort();
    QCOMPARE(users,
        (QStringList{QStringLiteral("app/cli/main.cpp"), QStringLiteral("ui/window/main.cpp")}));
}

void TestLayout::sources_nameTheirLicence()
{
    QStringList wrong;
    for (const QString& file :
        filesBelow(codeFolders + QStringList{QStringLiteral("tests")}, codePatterns)) {
        if (!contentOf(file).contains("SPDX-License-Identifier: GPL-3.0-or-later"))
            wrong << file + QStringLiteral(" names no licence");
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void TestLayout::rules_catchWhatTheyShould()
{
    const auto own = [](const char* name) { return Include{QLatin1String(name), true}; };
    const auto other = [](const char* name) { return Include{QLatin1String(name), false}; };
    QVERIFY(includeProblem(QStringLiteral("remote/slurm/x.cpp"), own("remote/base/result.h"))
                .isEmpty());
    QVERIFY(!includeProblem(QStringLiteral("remote/slurm/x.cpp"), own("remote/shell/shell.h"))
                 .isEmpty());
    QVERIFY(!includeProblem(QStringLiteral("app/sessions/x.cpp"), own("remote/ssh/sshshell.h"))
                 .isEmpty());
    QVERIFY(
        !includeProblem(QStringLiteral("plots/metrics/x.cpp"), own("plots/charts/x.h")).isEmpty());
    QVERIFY(!includeProblem(QStringLiteral("app/cli/x.cpp"), own("ui/page.h")).isEmpty());
    QVERIFY(
        !includeProblem(QStringLiteral("remote/base/x.cpp"), own("tests/support/x.h")).isEmpty());
    QVERIFY(!libraryProblem(QStringLiteral("app/cli/x.cpp"), other("QWidget")).isEmpty());
    QVERIFY(!libraryProblem(QStringLiteral("remote/base/x.cpp"), other("QColor")).isEmpty());
    QVERIFY(!libraryProblem(QStringLiteral("ui/x.cpp"), other("qcustomplot.h")).isEmpty());
    QVERIFY(
        !libraryProblem(QStringLiteral("remote/shell/x.cpp"), other("libssh/libssh.h")).isEmpty());
    QVERIFY(libraryProblem(QStringLiteral("remote/ssh/x.cpp"), other("libssh/libssh.h")).isEmpty());
    QCOMPARE(folderOf(QStringLiteral("ui/window/main.cpp")), QStringLiteral("window"));
    QCOMPARE(folderOf(QStringLiteral("app/cli/main.cpp")), QStringLiteral("cli"));
}

void TestLayout::words_areThoseThatWereAgreed()
{
    QStringList wrong;
    const QStringList files =
        filesBelow({QStringLiteral("ui"), QStringLiteral("app"), QStringLiteral("resources")},
            codePatterns
                + QStringList{QStringLiteral("*.json"), QStringLiteral("*.py"),
                    QStringLiteral("*.sh")})
        + QStringList{QStringLiteral("README.md")};
    QVERIFY(files.size() > 200);
    for (const QString& file : files)
        for (const QString& words : oldWordsIn(QString::fromUtf8(contentOf(file))))
            wrong << file + QStringLiteral(": ") + words;
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void TestLayout::oldWords_areFoundHoweverTheyAreWritten_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isOld");
    const auto row = [](const char* text, bool isOld = true) {
        QTest::newRow(text) << QString::fromUtf8(text) << isOld;
    };
    row("tr(\"What the cluster \"\n           \"told\")");
    row("u\"What Slurm \"_s\n    u\"gave\"_s");
    row("tr(\"unknown until a job tells\")");
    row("tr(\"%1 asks %2:\")");
    row("When it is another one, stop: somebody may stand between you and it");
    row("tr(\"Dress as…\")");
    row("tr(\"Itself\")");
    row("tr(\"Look at the node\")");
    row("tr(\"Mend the errors above first.\")");
    row("\"title\": \"Python does not find a module\"");
    row("Quality of service; empty: the account’s own.");
    row("tr(\"a run that is in no list here\")");
    row("tr(\"asked %1 · %2 of %3 calls a minute\")");
    row("tr(\"what is there…\")");
    row("tr(\"5 are the fewest\")");
    row("\"CPU, 1 threads\"");
    row("ended with exit code 2 after 0:00");
    row("tr(\"Find out\")");
    row("\"help\": \"The competitors.\"");
    row("makeField(\"requeue\", \"Start again\",");
    row("tr(\"%1 threads on %2 CPUs\")", false);
    row("11 threads, 2.1 threads", false);
    row("Start again from the image", false);
    row("the job itself", false);
    row("tr(\"Find out why\")", false);
    row("after 0:00:30", false);
}

void TestLayout::oldWords_areFoundHoweverTheyAreWritten()
{
    QFETCH(QString, text);
    QFETCH(bool, isOld);
    QCOMPARE(!oldWordsIn(text).isEmpty(), isOld);
}

SLIPWAY_TEST(TestLayout, layout)
#include "tst_layout.moc"
