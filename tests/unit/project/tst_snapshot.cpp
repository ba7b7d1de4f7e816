// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/gitstate.h"
#include "app/project/hashkeeper.h"
#include "app/project/snapshot.h"
#include "tests/support/files.h"
#include "tests/support/testmain.h"

#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace slipway;

namespace {

/// A project in a temporary folder.
class Project {
public:
    QString path(const QString& name = {}) const
    {
        return name.isEmpty() ? m_folder.filePath(QStringLiteral("project"))
                              : m_folder.filePath(QString(u"project/" + name));
    }
    QString beside(const QString& name) const { return m_folder.filePath(name); }

    void write(const QString& name, const QByteArray& bytes, bool executable = false) const
    {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("%s cannot be written", qPrintable(file.fileName()));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner
            | (executable ? QFile::ExeOwner : QFile::Permissions()));
    }
    void link(const char* target, const QString& name) const
    {
        if (::symlink(target, QFile::encodeName(path(name)).constData()) != 0)
            qFatal("%s cannot be linked", qPrintable(name));
    }
    /// As if it had been written an hour ago. (The inode's own time cannot be set.)
    void age(const QString& name) const
    {
        const struct timespec times[2] = {{::time(nullptr) - 3600, 0}, {::time(nullptr) - 3600, 0}};
        ::utimensat(AT_FDCWD, QFile::encodeName(path(name)).constData(), times, 0);
    }
    QByteArray git(const QStringList& arguments) const
    {
        QProcess process;
        process.setWorkingDirectory(path());
        process.start(QStringLiteral("git"),
            QStringList{QStringLiteral("-c"), QStringLiteral("user.name=A"), QStringLiteral("-c"),
                QStringLiteral("user.email=a@example.org")}
                + arguments);
        if (!process.waitForFinished() || process.exitCode() != 0)
            qFatal("git: %s", process.readAllStandardError().constData());
        return process.readAllStandardOutput().trimmed();
    }

private:
    QTemporaryDir m_folder;
};

Snapshot taken(const SnapshotRequest& request)
{
    const auto snapshot = takeSnapshot(request);
    if (!snapshot.ok())
        qFatal("%s", qPrintable(snapshot.error().text()));
    return *snapshot;
}

QStringList pathsOf(const Snapshot& snapshot)
{
    QStringList paths;
    for (const auto& entry : snapshot.entries)
        paths << entry.path;
    return paths;
}

QString reasonOf(const Snapshot& snapshot, const QString& path)
{
    for (const auto& omission : snapshot.omissions)
        if (omission.path == path)
            return omission.reason;
    return {};
}

} // namespace

class TestSnapshot : public QObject {
    Q_OBJECT

private slots:
    void folder_isReadInOrder();
    void rules_areRead_ofBothFiles();
    void links_stayInside_data();
    void links_stayInside();
    void whatCannotGo_isNamed();
    void largeFiles_areAskedAbout();
    void tooManyFiles_areAnError();
    void changingFile_isAnError();
    void hashes_areKept();
    void freshFiles_areNotTrusted();
    void brokenHashFile_isIgnored_data();
    void brokenHashFile_isIgnored();
    void manifest_isReadAgain();
    void manifest_isChecked_data();
    void manifest_isChecked();
    void difference_namesFiles();
    void git_isNoted();
    void hostileRepository_runsNothing();
    void noRepository_isEmpty();
};

void TestSnapshot::folder_isReadInOrder()
{
    const Project project;
    project.write(QStringLiteral("train.py"), "print(1)\n");
    project.write(QStringLiteral("src/net.py"), "");
    project.write(QStringLiteral("run.sh"), "#!/bin/sh\n", true);
    project.write(QStringLiteral("src-old/ä b'\"$.py"), "x");
    project.write(QStringLiteral(".git/config"), "never");
    project.write(QStringLiteral("src/.git"), "gitdir: elsewhere");
    QVERIFY(QDir().mkpath(project.path(QStringLiteral("empty"))));
    const auto snapshot = taken({project.path()});
    QCOMPARE(pathsOf(snapshot),
        (QStringList{QStringLiteral("run.sh"), QStringLiteral("src-old/ä b'\"$.py"),
            QStringLiteral("src/net.py"), QStringLiteral("train.py")}));
    QVERIFY(snapshot.omissions.empty());
    QVERIFY(snapshot.entries[0].isExecutable && !snapshot.entries[3].isExecutable);
    QCOMPARE(snapshot.entries[3].sha256,
        QCryptographicHash::hash("print(1)\n", QCryptographicHash::Sha256).toHex());
    QCOMPARE(snapshot.bytes(), 20);
    QCOMPARE(taken({project.path()}).manifest(), snapshot.manifest());
    QCOMPARE(
        takeSnapshot({project.path(QStringLiteral("none"))}).error().kind, ErrorKind::NotFound);
    QCOMPARE(takeSnapshot({QStringLiteral("/")}).error().kind, ErrorKind::Invalid);
}

void TestSnapshot::rules_areRead_ofBothFiles()
{
    const Project project;
    for (const char* name : {"a.py", "a.log", "keep.log", "data/x.bin", "src/b.py", "src/b.tmp",
             "src/deep/c.tmp", "notes.md"})
        project.write(QLatin1String(name), "x");
    project.write(QStringLiteral(".gitignore"), "*.log\ndata/\n");
    project.write(QStringLiteral(".slipwayignore"), "!keep.log\n*.md\n.*ignore\n");
    project.write(QStringLiteral("src/.gitignore"), "*.tmp\n!deep/c.tmp\n");
    const auto snapshot = taken({project.path()});
    QCOMPARE(pathsOf(snapshot),
        (QStringList{QStringLiteral("a.py"), QStringLiteral("keep.log"), QStringLiteral("src/b.py"),
            QStringLiteral("src/deep/c.tmp")}));
    QVERIFY(snapshot.omissions.empty()); // what is ignored is not news
}

void TestSnapshot::links_stayInside_data()
{
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<bool>("isKept");
    const auto row = [](const char* target, bool kept) {
        QTest::newRow(target) << QByteArray(target) << kept;
    };
    row("file.py", true);
    row("../a.py", true);
    row("../sub/../a.py", true);
    row("missing", true);
    row("..", true);
    row("../../outside", false);
    row("../../project/a.py", false);
    row("/etc/passwd", false);
    row("top/top/../../a.py", false); // top leads to its own folder
    row("top/top/../../missing", false);
    row("top/missing", true);
    row("tab\there", false);
}

void TestSnapshot::links_stayInside()
{
    QFETCH(QByteArray, target);
    QFETCH(bool, isKept);
    const Project project;
    project.write(QStringLiteral("a.py"), "x");
    project.write(QStringLiteral("sub/file.py"), "x");
    project.link(".", QStringLiteral("sub/top"));
    project.link(target.constData(), QStringLiteral("sub/link"));
    QVERIFY(
        QFile(project.path(QStringLiteral("a.py"))).copy(project.beside(QStringLiteral("a.py"))));
    const auto snapshot = taken({project.path()});
    QCOMPARE(pathsOf(snapshot).contains(QStringLiteral("sub/link")), isKept);
    QCOMPARE(reasonOf(snapshot, QStringLiteral("sub/link")).isEmpty(), isKept);
    for (const auto& entry : snapshot.entries)
        if (entry.path == u"sub/link")
            QCOMPARE(entry.linkTarget.toUtf8(), target);
}

void TestSnapshot::whatCannotGo_isNamed()
{
    const Project project;
    project.write(QStringLiteral("a.py"), "x");
    project.write(QStringLiteral("-rf"), "x");
    project.write(QStringLiteral("two\nlines"), "x");
    project.write(QStringLiteral("back\\slash/x"), "x");
    const auto fifo = QFile::encodeName(project.path(QStringLiteral("pipe")));
    QCOMPARE(::mkfifo(fifo.constData(), 0600), 0);
    const QByteArray latin = QFile::encodeName(project.path()) + "/caf\xe9";
    ::close(::open(latin.constData(), O_CREAT | O_WRONLY, 0600));
    project.write(QStringLiteral("secret"), "x");
    QFile(project.path(QStringLiteral("secret"))).setPermissions(QFile::Permissions());
    const auto snapshot = taken({project.path()});
    for (const char* name : {"-rf", "two\nlines", "back\\slash", "pipe"})
        QVERIFY2(!reasonOf(snapshot, QLatin1String(name)).isEmpty(), name);
    // Root reads everything.
    const bool readable = ::geteuid() == 0;
    QCOMPARE(reasonOf(snapshot, QStringLiteral("secret")).isEmpty(), readable);
    QCOMPARE(snapshot.omissions.size(), readable ? 5U : 6U);
    QCOMPARE(snapshot.entries.size(), readable ? 2U : 1U);
    ::unlink(latin.constData()); // which Qt cannot name
}

void TestSnapshot::largeFiles_areAskedAbout()
{
    const Project project;
    project.write(QStringLiteral("a.py"), "x");
    project.write(QStringLiteral("w/model.pt"), QByteArray(2000, 'w'));
    SnapshotRequest request{project.path(), 1999};
    const auto without = taken(request);
    QCOMPARE(without.omissions.size(), 1U);
    QVERIFY(without.omissions[0].isLarge);
    QCOMPARE(without.omissions[0].bytes, 2000);
    QCOMPARE(pathsOf(without), QStringList{QStringLiteral("a.py")});
    request.wanted << QStringLiteral("w/model.pt");
    QCOMPARE(taken(request).bytes(), 2001);
    request.wanted.clear();
    request.largeBytes = 2000;
    QVERIFY(taken(request).omissions.empty());
}

void TestSnapshot::tooManyFiles_areAnError()
{
    const Project project;
    project.write(QStringLiteral("a.py"), "x");
    QVERIFY(QDir().mkpath(project.path(QStringLiteral("env/lib"))));
    for (int i = 0; i < 30; ++i)
        project.write(QStringLiteral("env/lib/%1").arg(i), "x");
    SnapshotRequest request{project.path()};
    QCOMPARE(request.mostEntries, 50'000U);
    request.mostEntries = 30;
    const auto many = takeSnapshot(request);
    QVERIFY(!many.ok());
    QCOMPARE(many.error().kind, ErrorKind::Invalid);
    QVERIFY(many.error().remedy.contains(QStringLiteral(".slipwayignore")));
    QVERIFY2(many.error().remedy.contains(QStringLiteral("env/")), qPrintable(many.error().remedy));
    project.write(QStringLiteral(".slipwayignore"), "env/\n");
    QCOMPARE(taken(request).entries.size(), 2U);
}

void TestSnapshot::changingFile_isAnError()
{
    const Project project;
    project.write(QStringLiteral("log"), QByteArray(8 * 1024 * 1024, 'x'));
    const auto path = QFile::encodeName(project.path(QStringLiteral("log")));
    std::atomic<bool> stop{false};
    std::thread writer([&] {
        const int file = ::open(path.constData(), O_WRONLY);
        while (!stop)
            (void)!::pwrite(file, "y", 1, 0);
        ::close(file);
    });
    const auto snapshot = takeSnapshot({project.path()});
    stop = true;
    writer.join();
    QVERIFY(!snapshot.ok());
    QVERIFY(snapshot.error().summary.startsWith(QStringLiteral("log changes")));
    QVERIFY(takeSnapshot({project.path()}).ok());
}

/// A kept hash that is wrong shows whether the file was read again.
void TestSnapshot::hashes_areKept()
{
    const Project project;
    project.write(QStringLiteral("a.py"), "first");
    QTest::qWait(2100); // younger files are not kept
    SnapshotRequest request{project.path()};
    request.hashFile = project.beside(QStringLiteral("kept/hashes"));
    const auto first = taken(request);
    QVERIFY(!(QFile::permissions(request.hashFile)
        & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
    auto text = contentOf(request.hashFile);
    QVERIFY(text.contains(first.entries[0].sha256));
    text.replace(first.entries[0].sha256, QByteArray(64, 'a'));
    QFile file(request.hashFile);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    QCOMPARE(taken(request).entries[0].sha256, QByteArray(64, 'a'));
    project.write(QStringLiteral("a.py"), "other"); // as long as before
    project.age(QStringLiteral("a.py"));
    QCOMPARE(taken(request).entries[0].sha256,
        QCryptographicHash::hash("other", QCryptographicHash::Sha256).toHex());
}

void TestSnapshot::freshFiles_areNotTrusted()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("hashes"));
    constexpr qint64 second = 1'000'000'000;
    const FileStamp stamp{5, 100 * second, 100 * second, 7, 1};
    HashKeeper keeper(file);
    keeper.keep(QStringLiteral("young"), stamp, QByteArray(64, 'a'), 102 * second);
    keeper.keep(QStringLiteral("old"), stamp, QByteArray(64, 'b'), 102 * second + 1);
    FileStamp turnedBack = stamp;
    turnedBack.modifiedNs = second;
    turnedBack.changedNs = 101 * second;
    keeper.keep(QStringLiteral("turned back"), turnedBack, QByteArray(64, 'c'), 102 * second);
    QVERIFY(keeper.save());
    const HashKeeper again(file);
    QCOMPARE(again.find(QStringLiteral("old"), stamp), QByteArray(64, 'b'));
    QVERIFY(again.find(QStringLiteral("young"), stamp).isEmpty());
    QVERIFY(again.find(QStringLiteral("turned back"), turnedBack).isEmpty());
    for (const auto field : {&FileStamp::bytes, &FileStamp::modifiedNs, &FileStamp::changedNs}) {
        FileStamp other = stamp;
        ++(other.*field);
        QVERIFY(again.find(QStringLiteral("old"), other).isEmpty());
    }
}

void TestSnapshot::brokenHashFile_isIgnored_data()
{
    QTest::addColumn<QByteArray>("text");
    const QByteArray line = QByteArray(64, 'a') + "\t1\t2\t3\t4\t5\ta.py\n";
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("not ours") << QByteArray("hello\n");
    QTest::newRow("cut short") << QByteArray("slipway-hashes 1\n" + line);
    QTest::newRow("another count") << QByteArray("slipway-hashes 1\n" + line + "end 2\n");
    QTest::newRow("no number") << QByteArray(
        "slipway-hashes 1\n" + QByteArray(line).replace("\t1\t", "\tx\t") + "end 1\n");
    QTest::newRow("no hash") << QByteArray("slipway-hashes 1\nA" + line.mid(1) + "end 1\n");
    QTest::newRow("binary") << QByteArray(100'000, '\0');
}

void TestSnapshot::brokenHashFile_isIgnored()
{
    QFETCH(QByteArray, text);
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("hashes")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    const HashKeeper keeper(file.fileName());
    QVERIFY(keeper.find(QStringLiteral("a.py"), {1, 2, 3, 4, 5}).isEmpty());
    QVERIFY(keeper.save());
}

void TestSnapshot::manifest_isReadAgain()
{
    const Project project;
    project.write(QStringLiteral("a b.py"), "x");
    project.write(QStringLiteral("run"), "y", true);
    project.link("run", QStringLiteral("link"));
    const auto snapshot = taken({project.path()});
    const auto entries = Snapshot::readManifest(snapshot.manifest());
    QVERIFY(entries.ok());
    QVERIFY(*entries == snapshot.entries);
    QCOMPARE(entries->size(), 3U);
}

void TestSnapshot::manifest_isChecked_data()
{
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<bool>("isGood");
    const QByteArray hash(64, 'a');
    const auto file = [&](const QByteArray& path) {
        return QByteArray("file\t" + hash + "\t1\t" + path + '\n');
    };
    const auto row = [](const char* name, const QByteArray& lines, bool good = false) {
        QTest::newRow(name) << lines << good;
    };
    row("empty", "", true);
    row("one", file("a"), true);
    row("twice the same", file("a") + file("a"));
    row("another order", file("b") + file("a"));
    row("leads out", file("../a"));
    row("absolute", file("/a"));
    row("an option", file("-a"));
    row("no hash", "file\txyz\t1\ta\n");
    row("a negative size", "file\t" + hash + "\t-1\ta\n");
    row("a link", "link\tb/../c\t0\ta\n", true);
    row("a link that leads out", "link\t../c\t0\ta\n");
    row("an absolute link", "link\t/c\t0\ta\n");
    row("another kind", "device\t" + hash + "\t1\ta\n");
    row("a field too many", "file\t" + hash + "\t1\ta\tb\n");
    row("cut short", file("a").chopped(1));
}

void TestSnapshot::manifest_isChecked()
{
    QFETCH(QByteArray, lines);
    QFETCH(bool, isGood);
    QCOMPARE(Snapshot::readManifest("slipway-manifest 1\n" + lines).ok(), isGood);
    QVERIFY(!Snapshot::readManifest("slipway-manifest 2\n" + lines).ok());
}

void TestSnapshot::difference_namesFiles()
{
    const Project project;
    for (const char* name : {"same", "changes", "goes", "mode"})
        project.write(QLatin1String(name), "x");
    const auto before = taken({project.path()});
    project.write(QStringLiteral("changes"), "xyz");
    project.write(QStringLiteral("mode"), "x", true);
    project.write(QStringLiteral("new"), "12345");
    QVERIFY(QFile::remove(project.path(QStringLiteral("goes"))));
    const auto difference = compareSnapshots(before.entries, taken({project.path()}).entries);
    QCOMPARE(difference.added, QStringList{QStringLiteral("new")});
    QCOMPARE(difference.changed, (QStringList{QStringLiteral("changes"), QStringLiteral("mode")}));
    QCOMPARE(difference.removed, QStringList{QStringLiteral("goes")});
    QCOMPARE(difference.bytes, 9);
    QVERIFY(compareSnapshots(before.entries, before.entries).isEmpty());
}

void TestSnapshot::git_isNoted()
{
    const Project project;
    project.write(QStringLiteral("a.py"), "one\n");
    project.write(QStringLiteral("b.py"), "b\n");
    project.git({QStringLiteral("init"), QStringLiteral("-q"), QStringLiteral("-b"),
        QStringLiteral("topic/ä")});
    QVERIFY(taken({project.path()}).git.commit.isEmpty());
    project.git({QStringLiteral("add"), QStringLiteral(".")});
    project.git({QStringLiteral("commit"), QStringLiteral("-q"), QStringLiteral("-m"),
        QStringLiteral("first")});
    const auto clean = taken({project.path()}).git;
    QCOMPARE(clean.commit.toLatin1(),
        project.git({QStringLiteral("rev-parse"), QStringLiteral("HEAD")}));
    QCOMPARE(clean.branch, QStringLiteral("topic/ä"));
    QCOMPARE(clean.changedFiles, 0);
    QVERIFY(clean.difference.isEmpty());
    project.write(QStringLiteral("a.py"), "two\n");
    project.write(QStringLiteral("new.py"), "n\n");
    project.git({QStringLiteral("mv"), QStringLiteral("b.py"), QStringLiteral("c.py")});
    const auto changed = taken({project.path()}).git;
    QCOMPARE(changed.changedFiles, 3);
    QVERIFY(changed.difference.contains("-one\n+two\n"));
    project.write(QStringLiteral("a.py"), QByteArray("line\n").repeated(400'000));
    QCOMPARE(readGitState(project.path()).difference.size(), 1024 * 1024);
}

/// A folder that came from elsewhere may bring a configuration with commands.
void TestSnapshot::hostileRepository_runsNothing()
{
    const Project project;
    project.write(QStringLiteral("a.py"), "one\n");
    project.write(QStringLiteral(".gitattributes"), "* filter=evil diff=evil\n");
    project.git({QStringLiteral("init"), QStringLiteral("-q")});
    project.git({QStringLiteral("add"), QStringLiteral(".")});
    project.git({QStringLiteral("commit"), QStringLiteral("-q"), QStringLiteral("-m"),
        QStringLiteral("first")});
    const QString ran = project.beside(QStringLiteral("ran"));
    const QString command = QStringLiteral("echo x >>'%1'; cat").arg(ran);
    for (const char* key : {"filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv",
             "diff.evil.command", "diff.external", "core.fsmonitor", "core.pager", "pager.diff",
             "pager.status", "core.sshCommand"})
        project.git({QStringLiteral("config"), QLatin1String(key), command});
    project.write(QStringLiteral(".git/hooks/post-index-change"),
        "#!/bin/sh\n" + command.toUtf8() + '\n', true);
    project.write(QStringLiteral("a.py"), "two\n");
    const auto state = readGitState(project.path());
    QVERIFY2(!QFile::exists(ran), contentOf(ran).constData());
    QVERIFY(state.difference.contains("-one\n+two\n"));
    QCOMPARE(state.changedFiles, 1);
}

void TestSnapshot::noRepository_isEmpty()
{
    const Project project;
    project.write(QStringLiteral("a.py"), "x");
    const auto state = readGitState(project.path());
    QVERIFY(state.commit.isEmpty() && state.branch.isEmpty() && state.changedFiles == 0);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nowhere");
    const auto without = readGitState(project.path());
    qputenv("PATH", path);
    QVERIFY(without.commit.isEmpty());
}

SLIPWAY_TEST(TestSnapshot, project_snapshot)
#include "tst_snapshot.moc"
