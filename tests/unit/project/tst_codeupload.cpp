// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/codeupload.h"
#include "app/project/storescript.h"
#include "app/project/tarstream.h"
#include "app/project/uploadplan.h"
#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/testmain.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace slipway;

namespace {

/// This computer as the cluster: counts what is started, and can put programs before those of the
/// system, or lose the line once some bytes have gone out.
class TestShell : public LocalShell {
public:
    std::unique_ptr<Process> start(Invocation invocation) override
    {
        ++starts;
        if (!programs.isEmpty())
            invocation.script.prepend("PATH='" + programs.toUtf8() + "':$PATH\nexport PATH\n");
        auto process = LocalShell::start(std::move(invocation));
        if (starts == cutAt)
            connect(process.get(), &Process::bytesWritten, this, &TestShell::close,
                Qt::QueuedConnection);
        return process;
    }
    int starts = 0;
    int cutAt = 0; ///< the process during which the line is lost
    QString programs;
};

/// A project here, and a run folder and a store “there”.
class Upload {
public:
    Upload() { QDir().mkpath(here({})); }

    QString here(const QString& name) const { return m_folder.filePath(QString(u"here/" + name)); }
    QString store() const { return m_folder.filePath(QStringLiteral("it's scratch/store")); }
    QString code() const
    {
        return m_folder.filePath(QStringLiteral("it's scratch/run %1/code").arg(m_run));
    }
    QString code(const QString& name) const { return code() + u'/' + name; }
    void nextRun() { ++m_run; }
    QString aside(const QString& name) const { return m_folder.filePath(name); }

    void write(const QString& path, const QByteArray& bytes, bool executable = false) const
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("%s cannot be written", qPrintable(path));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner
            | (executable ? QFile::ExeOwner : QFile::Permissions()));
    }
    Snapshot snapshot() const
    {
        const auto taken = takeSnapshot({here({})});
        if (!taken.ok())
            qFatal("%s", qPrintable(taken.error().text()));
        return *taken;
    }
    Result<CodeUploadSummary> send() { return send(snapshot()); }
    Result<CodeUploadSummary> send(const Snapshot& what)
    {
        shell = std::make_shared<TestShell>();
        shell->programs = programs;
        shell->cutAt = cutAt;
        progress.clear();
        return awaited(
            uploadSnapshot(shell, what, store(), code(), [this](qint64 sent, qint64 total) {
                progress.append({sent, total});
                return progress.size() != giveUpAt;
            }));
    }
    /// The store's own file for that content.
    QString object(const QString& name) const
    {
        for (const auto& entry : snapshot().entries)
            if (entry.path == name)
                return store() + u'/'
                    + QString::fromLatin1(StoreScripts::pathOf(contentKey(entry)));
        return {};
    }
    /// What is not complete.
    QStringList leftovers() const
    {
        QStringList left = QDir(store() + QStringLiteral("/tmp"))
                               .entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
        if (QFile::exists(code() + QStringLiteral(".part")))
            left << code() + QStringLiteral(".part");
        return left;
    }
    /// A program that is found before the system's.
    void place(const QString& name, const QByteArray& script)
    {
        programs = m_folder.filePath(QStringLiteral("programs"));
        write(programs + u'/' + name, "#!/bin/sh\n" + script, true);
    }
    /// From now on each start of one of the system's programs by its name is noted.
    void countPrograms()
    {
        const QString system = QStringLiteral("/usr/bin");
        place(QStringLiteral("note"),
            "printf '%s\\n' \"${0##*/}\" >>'" + QFile::encodeName(aside(QStringLiteral("counted")))
                + "'\nexec " + QFile::encodeName(system) + "/\"${0##*/}\" \"$@\"\n");
        for (const auto& name : QDir(system).entryList(QDir::Files | QDir::Executable))
            QFile::link(QStringLiteral("note"), programs + u'/' + name);
    }
    QByteArrayList counted() const
    {
        QFile file(aside(QStringLiteral("counted")));
        if (!file.open(QIODevice::ReadOnly))
            return {};
        return file.readAll().trimmed().split('\n');
    }

    std::shared_ptr<TestShell> shell;
    QString programs;
    int cutAt = 0;
    int giveUpAt = 0; ///< the report of the progress that answers no
    QList<std::pair<qint64, qint64>> progress;

private:
    QTemporaryDir m_folder;
    int m_run = 1;
};

quint64 inodeOf(const QString& path)
{
    struct stat status = {};
    return ::stat(QFile::encodeName(path).constData(), &status) == 0 ? status.st_ino : 0;
}

mode_t modeOf(const QString& path)
{
    struct stat status = {};
    return ::stat(QFile::encodeName(path).constData(), &status) == 0 ? status.st_mode & 07777 : 0;
}

QByteArray noise(qsizetype size, quint32 seed)
{
    QRandomGenerator random(seed);
    QByteArray bytes(size - size % 4, Qt::Uninitialized);
    random.generate(reinterpret_cast<quint32*>(bytes.data()),
        reinterpret_cast<quint32*>(bytes.data() + bytes.size()));
    return bytes;
}

} // namespace

#define VERIFY_SENT(SENT)                                                                          \
    QVERIFY2((SENT).ok(), (SENT).ok() ? "" : qPrintable((SENT).error().text()))

class TestCodeUpload : public QObject {
    Q_OBJECT

private slots:
    void firstUpload_isComplete();
    void unchangedFolder_sendsNothing();
    void changedFile_travelsAlone();
    void modesAndLinks_areKept();
    void names_areTakenAsTheyAre();
    void deletedContent_isSentAgain();
    void damagedContent_isReplaced_data();
    void damagedContent_isReplaced();
    void writtenFile_isTheRunsOwn();
    void compiledFiles_areOlderThanSources();
    void sameFolder_twice_isDone();
    void otherFolder_isRefused();
    void cut_isContinued();
    void cutInALargeFile_isContinued();
    void cancelledUpload_keepsWhatHasArrived();
    void changedMeanwhile_isNoticed();
    void fullDisk_leavesNothing_data();
    void fullDisk_leavesNothing();
    void noHardLinks_areCopies();
    void hostileSnapshot_isRefused_data();
    void hostileSnapshot_isRefused();
    void linkedStore_isRefused();
    void thousandsOfFiles_takeFewProcesses();
    void emptyFolder_isMade();
    void archives_areReadByTar();
};

void TestCodeUpload::firstUpload_isComplete()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("train.py")), "print(1)\n");
    upload.write(upload.here(QStringLiteral("a/b/net.py")), noise(100'000, 1));
    upload.write(upload.here(QStringLiteral("a/copy.py")), "print(1)\n");
    upload.write(upload.here(QStringLiteral("empty.py")), "");
    const auto sent = upload.send();
    VERIFY_SENT(sent);
    QCOMPARE(sent->filesSent, 3);
    QCOMPARE(sent->filesLinked, 1);
    QCOMPARE(sent->bytesSent, 100'009);
    for (const char* name : {"train.py", "a/b/net.py", "a/copy.py", "empty.py"}) {
        const QString file = QLatin1String(name);
        QVERIFY2(QFile::exists(upload.code(file)), name);
        QCOMPARE(contentOf(upload.code(file)), contentOf(upload.here(file)));
        QCOMPARE(modeOf(upload.code(file)), mode_t(0600));
    }
    QCOMPARE(modeOf(upload.store()), mode_t(0700));
    QCOMPARE(modeOf(upload.code()), mode_t(0700));
    QCOMPARE(modeOf(upload.code(QStringLiteral("a/b"))), mode_t(0700));
    QVERIFY2(upload.leftovers().isEmpty(), qPrintable(upload.leftovers().join(u' ')));
    QCOMPARE(upload.progress.front().first, 0);
    QCOMPARE(upload.progress.back(), (std::pair<qint64, qint64>(100'009, 100'009)));
}

void TestCodeUpload::unchangedFolder_sendsNothing()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("train.py")), "print(1)\n");
    VERIFY_SENT(upload.send());
    upload.nextRun();
    const auto again = upload.send();
    VERIFY_SENT(again);
    QCOMPARE(again->filesSent, 0);
    QCOMPARE(again->filesLinked, 1);
    QCOMPARE(again->bytesSent, 0);
    QCOMPARE(upload.shell->starts, 2);
    QCOMPARE(contentOf(upload.code(QStringLiteral("train.py"))), QByteArray("print(1)\n"));
}

void TestCodeUpload::changedFile_travelsAlone()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("train.py")), "print(1)\n");
    upload.write(upload.here(QStringLiteral("net.py")), "net\n");
    VERIFY_SENT(upload.send());
    const QString before = upload.code(QStringLiteral("train.py"));
    upload.nextRun();
    upload.write(upload.here(QStringLiteral("train.py")), "print(22)\n");
    const auto again = upload.send();
    VERIFY_SENT(again);
    QCOMPARE(again->filesSent, 1);
    QCOMPARE(again->bytesSent, 10);
    QCOMPARE(upload.shell->starts, 3);
    QCOMPARE(contentOf(upload.code(QStringLiteral("train.py"))), QByteArray("print(22)\n"));
    QCOMPARE(contentOf(before), QByteArray("print(1)\n"));
}

void TestCodeUpload::modesAndLinks_areKept()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("plain")), "same");
    upload.write(upload.here(QStringLiteral("bin/run")), "same", true);
    const QString longName(180, u'n');
    upload.write(upload.here(QString(u"deep/" + longName)), "long");
    const auto link = [&](const QString& target, const char* name) {
        QVERIFY(::symlink(QFile::encodeName(target).constData(),
                    QFile::encodeName(upload.here(QLatin1String(name))).constData())
            == 0);
    };
    link(QStringLiteral("bin"), "folder");
    link(QStringLiteral("../plain"), "bin/up");
    link(QStringLiteral("missing"), "dangling");
    link(QString(u"deep/" + longName), "far");
    const auto sent = upload.send();
    VERIFY_SENT(sent);
    QCOMPARE(sent->filesSent, 3);
    QCOMPARE(modeOf(upload.code(QStringLiteral("plain"))), mode_t(0600));
    QCOMPARE(modeOf(upload.code(QStringLiteral("bin/run"))), mode_t(0700));
    QCOMPARE(contentOf(upload.code(QStringLiteral("bin/up"))), QByteArray("same"));
    QCOMPARE(contentOf(upload.code(QStringLiteral("folder/run"))), QByteArray("same"));
    QCOMPARE(contentOf(upload.code(QStringLiteral("far"))), QByteArray("long"));
    QVERIFY(QFileInfo(upload.code(QStringLiteral("dangling"))).isSymbolicLink());
    // The mode alone has changed.
    upload.nextRun();
    upload.write(upload.here(QStringLiteral("plain")), "same", true);
    const auto again = upload.send();
    VERIFY_SENT(again);
    QCOMPARE(again->filesSent, 0);
    QCOMPARE(modeOf(upload.code(QStringLiteral("plain"))), mode_t(0700));
}

void TestCodeUpload::names_areTakenAsTheyAre()
{
    Upload upload;
    const QStringList names{QStringLiteral("two words"), QStringLiteral("it's \"quoted\""),
        QStringLiteral("$(touch ran)"), QStringLiteral("`touch ran`"),
        QStringLiteral("a;touch ran"), QStringLiteral("d/-rf"), QStringLiteral("*"),
        QStringLiteral(" spaces "), QStringLiteral("ünïcode/日本"), QStringLiteral("%s%n"),
        QStringLiteral("#x"), QStringLiteral("tmp/x"), QStringLiteral("{a,b}"), QStringLiteral("~"),
        QStringLiteral("C:x")};
    for (const auto& name : names)
        upload.write(upload.here(name), name.toUtf8());
    VERIFY_SENT(upload.send());
    for (const auto& name : names)
        QCOMPARE(contentOf(upload.code(name)), name.toUtf8());
    QCOMPARE(QDir(upload.code()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 15);
}

void TestCodeUpload::deletedContent_isSentAgain()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("a.py")), "a");
    upload.write(upload.here(QStringLiteral("b.py")), "b");
    VERIFY_SENT(upload.send());
    QVERIFY(QFile::remove(upload.object(QStringLiteral("a.py"))));
    upload.nextRun();
    const auto again = upload.send();
    VERIFY_SENT(again);
    QCOMPARE(again->filesSent, 1);
    QCOMPARE(contentOf(upload.code(QStringLiteral("a.py"))), QByteArray("a"));
}

void TestCodeUpload::damagedContent_isReplaced_data()
{
    QTest::addColumn<QByteArray>("job");
    QTest::newRow("other bytes, as many") << QByteArray("printf BBBB >\"$object\"");
    QTest::newRow("more bytes") << QByteArray("echo more >>\"$object\"");
    QTest::newRow("another mode") << QByteArray("chmod +x \"$object\"");
    QTest::newRow("a link in its place")
        << QByteArray("rm \"$object\"; ln -s /etc/passwd \"$object\"");
}

/// Someone has written to a file of the store.
void TestCodeUpload::damagedContent_isReplaced()
{
    QFETCH(QByteArray, job);
    Upload upload;
    upload.write(upload.here(QStringLiteral("a.py")), "AAAA");
    VERIFY_SENT(upload.send());
    const QString object = upload.object(QStringLiteral("a.py"));
    qputenv("object", QFile::encodeName(object));
    QProcess shell;
    shell.setWorkingDirectory(upload.code());
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QString::fromUtf8(job)});
    QVERIFY(shell.waitForFinished() && shell.exitCode() == 0);
    const QString first = upload.code(QStringLiteral("a.py"));
    upload.nextRun();
    const auto again = upload.send();
    VERIFY_SENT(again);
    QCOMPARE(again->filesSent, 1);
    QCOMPARE(contentOf(upload.code(QStringLiteral("a.py"))), QByteArray("AAAA"));
    QVERIFY(!QFileInfo(object).isSymLink());
    QCOMPARE(contentOf(object), QByteArray("AAAA"));
    QCOMPARE(modeOf(upload.code(QStringLiteral("a.py"))), mode_t(0600));
    QCOMPARE(contentOf(first), QByteArray("AAAA"));
}

/// Neither files of the same content, nor the store, nor another run have what a program writes.
void TestCodeUpload::writtenFile_isTheRunsOwn()
{
    Upload upload;
    const QStringList empty{QStringLiteral("train.log"), QStringLiteral("net/__init__.py"),
        QStringLiteral("d/-rf"), QStringLiteral("*"), QStringLiteral(" x ")};
    for (const QString& name : empty)
        upload.write(upload.here(name), "");
    upload.write(upload.here(QStringLiteral("run.sh")), "exit\n", true);
    upload.write(upload.here(QStringLiteral("largest")), noise(largeContentBytes, 1));
    upload.write(upload.here(QStringLiteral("model.pt")), noise(largeContentBytes + 4, 2));
    QVERIFY(QFile::link(QStringLiteral("train.log"), upload.here(QStringLiteral("link"))));
    VERIFY_SENT(upload.send());
    for (const char* name : {"run.sh", "largest"})
        QVERIFY(inodeOf(upload.code(QLatin1String(name)))
            != inodeOf(upload.object(QLatin1String(name))));
    QCOMPARE(inodeOf(upload.code(QStringLiteral("model.pt"))),
        inodeOf(upload.object(QStringLiteral("model.pt"))));
    const QString log = upload.code(empty.front());
    QCOMPARE(QFileInfo(log).lastModified().toSecsSinceEpoch(), StoreScripts::sourceTime);
    QVERIFY(QFileInfo(log).lastRead().secsTo(QDateTime::currentDateTime()) < 600);
    QCOMPARE(modeOf(upload.code(QStringLiteral("run.sh"))), mode_t(0700));
    QVERIFY(QFileInfo(upload.code(QStringLiteral("link"))).isSymbolicLink());
    upload.write(log, "loss 0.5\n");
    for (const QString& name : empty.mid(1))
        QCOMPARE(contentOf(upload.code(name)), QByteArray());
    upload.nextRun();
    const auto again = upload.send();
    VERIFY_SENT(again);
    QCOMPARE(again->filesSent, 0);
    QCOMPARE(contentOf(upload.code(empty.front())), QByteArray());
    QCOMPARE(contentOf(log), QByteArray("loss 0.5\n"));
    QVERIFY2(upload.leftovers().isEmpty(), qPrintable(upload.leftovers().join(u' ')));
}

/// make must not believe that a program from another computer is up to date.
void TestCodeUpload::compiledFiles_areOlderThanSources()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("hello.c")), "int main() {}\n");
    upload.write(upload.here(QStringLiteral("hello")),
        "\x7f"
        "ELF and more",
        true);
    upload.write(upload.here(QStringLiteral("big")),
        QByteArray("\x7f"
                   "ELF")
            + noise(largeContentBytes, 3),
        true);
    VERIFY_SENT(upload.send());
    const auto time = [&](const char* name) {
        return QFileInfo(upload.code(QLatin1String(name))).lastModified().toSecsSinceEpoch();
    };
    QCOMPARE(time("hello"), StoreScripts::builtTime);
    QCOMPARE(time("big"), StoreScripts::builtTime);
    QCOMPARE(time("hello.c"), StoreScripts::sourceTime);
    upload.nextRun();
    QCOMPARE(upload.send()->filesSent, 0);
}

void TestCodeUpload::sameFolder_twice_isDone()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("a.py")), "a");
    VERIFY_SENT(upload.send());
    const auto before = inodeOf(upload.code());
    VERIFY_SENT(upload.send());
    QCOMPARE(inodeOf(upload.code()), before);
}

void TestCodeUpload::otherFolder_isRefused()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("a.py")), "a");
    upload.write(upload.code(QStringLiteral("results.csv")), "mine");
    const auto sent = upload.send();
    QVERIFY(!sent.ok());
    QCOMPARE(sent.error().kind, ErrorKind::Invalid);
    QCOMPARE(contentOf(upload.code(QStringLiteral("results.csv"))), QByteArray("mine"));
    QVERIFY(upload.leftovers().isEmpty());
}

void TestCodeUpload::cut_isContinued()
{
    Upload upload;
    for (int i = 0; i < 9; ++i)
        upload.write(upload.here(QStringLiteral("%1.bin").arg(i)), noise(1'000'000, 10 + i));
    upload.cutAt = 4; // the store, the question, 4 MiB, and then in the rest
    const auto cut = upload.send();
    QVERIFY(!cut.ok());
    QCOMPARE(cut.error().kind, ErrorKind::LinkLost);
    QVERIFY(!QFile::exists(upload.code()));
    upload.cutAt = 0;
    const auto again = upload.send();
    VERIFY_SENT(again);
    QCOMPARE(again->filesSent, 5);
    QCOMPARE(again->filesLinked, 4);
    for (int i = 0; i < 9; ++i)
        QCOMPARE(contentOf(upload.code(QStringLiteral("%1.bin").arg(i))), noise(1'000'000, 10 + i));
}

void TestCodeUpload::cutInALargeFile_isContinued()
{
    Upload upload;
    const QByteArray content = noise(12 * 1024 * 1024, 5);
    upload.write(upload.here(QStringLiteral("model.pt")), content);
    upload.cutAt = 4;
    QCOMPARE(upload.send().error().kind, ErrorKind::LinkLost);
    upload.cutAt = 0;
    const auto again = upload.send();
    VERIFY_SENT(again);
    QVERIFY2(again->bytesSent <= 8 * 1024 * 1024, QByteArray::number(again->bytesSent).constData());
    QVERIFY(contentOf(upload.code(QStringLiteral("model.pt"))) == content);
    QCOMPARE(modeOf(upload.code(QStringLiteral("model.pt"))), mode_t(0600));
    upload.nextRun();
    QCOMPARE(upload.send()->filesSent, 0);
    // A part that is not of this file is found by its hash, and thrown away.
    const QString object = upload.object(QStringLiteral("model.pt"));
    QVERIFY(QFile::remove(object));
    upload.write(upload.store() + QStringLiteral("/tmp/") + QFileInfo(object).fileName()
            + QStringLiteral(".part"),
        QByteArray(1'000'000, 'x'));
    upload.nextRun();
    const auto damaged = upload.send();
    QVERIFY(!damaged.ok());
    QCOMPARE(damaged.error().kind, ErrorKind::Io);
    QVERIFY(!QFile::exists(upload.code()));
    VERIFY_SENT(upload.send());
}

void TestCodeUpload::cancelledUpload_keepsWhatHasArrived()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("model.pt")), noise(12 * 1024 * 1024, 6));
    upload.giveUpAt = 2; // after the first piece
    const auto cancelled = upload.send();
    QVERIFY(!cancelled.ok());
    QCOMPARE(cancelled.error().kind, ErrorKind::Cancelled);
    QCOMPARE(upload.progress.size(), 2);
    QVERIFY(!QFile::exists(upload.code()));
    QCOMPARE(upload.leftovers().size(), 1); // the piece
    upload.giveUpAt = 0;
    const auto again = upload.send();
    VERIFY_SENT(again);
    QCOMPARE(again->filesSent, 1);
    QVERIFY(again->bytesSent < 12 * 1024 * 1024);
    // It is complete by the time of the last report.
    upload.nextRun();
    upload.write(upload.here(QStringLiteral("b.py")), "b");
    upload.giveUpAt = 2;
    VERIFY_SENT(upload.send());
}

void TestCodeUpload::changedMeanwhile_isNoticed()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("a.py")), "before");
    const auto snapshot = upload.snapshot();
    upload.write(upload.here(QStringLiteral("a.py")), "after!");
    const auto sent = upload.send(snapshot);
    QVERIFY(!sent.ok());
    QCOMPARE(sent.error().kind, ErrorKind::Invalid);
    QVERIFY(sent.error().summary.contains(QStringLiteral("a.py")));
    QVERIFY(!QFile::exists(upload.code()));
    QVERIFY2(upload.leftovers().isEmpty(), qPrintable(upload.leftovers().join(u' ')));
}

void TestCodeUpload::fullDisk_leavesNothing_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<qint64>("bytes");
    const QByteArray full = "echo 'write error: No space left on device' >&2\nexit 1\n";
    const QByteArray quota = "echo 'write error: Disk quota exceeded' >&2\nexit 1\n";
    const auto row = [](const char* name, const char* program, const QByteArray& script,
                         qint64 bytes) {
        QTest::newRow(name) << QString::fromLatin1(program) << script << bytes;
    };
    row("the question", "head", full, 1000);
    row("contents", "tar", "head -c 2000 >half; " + full, 100'000);
    row("quota", "tar", quota, 100'000);
    row("copies", "cp", full, 1000);
    row("a large file", "cat", "head -c 2000; " + full, largeContentBytes + 4);
    row("links", "tar",
        "echo \"tar: a: Cannot hard link to 'b': No space left on device\" >&2\nexit 2\n", 0);
}

/// A disk that is full cannot be had without being root, so a program says what it would.
void TestCodeUpload::fullDisk_leavesNothing()
{
    QFETCH(QString, program);
    QFETCH(QByteArray, script);
    QFETCH(qint64, bytes);
    Upload upload;
    upload.write(upload.here(QStringLiteral("a.bin")), noise(qsizetype(bytes), 9));
    if (script.contains("hard link")) { // the contents are there already
        VERIFY_SENT(upload.send());
        upload.nextRun();
    }
    upload.place(program, script);
    const auto sent = upload.send();
    QVERIFY(!sent.ok());
    QVERIFY2(sent.error().kind == ErrorKind::DiskFull, qPrintable(sent.error().text()));
    QVERIFY(!sent.error().remedy.isEmpty());
    QVERIFY(!QFile::exists(upload.code()));
    QVERIFY2(upload.leftovers().isEmpty(), qPrintable(upload.leftovers().join(u' ')));
    upload.programs.clear();
    VERIFY_SENT(upload.send());
}

/// Some file systems have no links between folders, or not that many.
void TestCodeUpload::noHardLinks_areCopies()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("d/ a b ")), "one", true);
    upload.write(upload.here(QStringLiteral("c")), "two");
    VERIFY_SENT(upload.send());
    upload.nextRun();
    const QByteArray tar = QFile::encodeName(QStandardPaths::findExecutable(QStringLiteral("tar")));
    upload.place(QStringLiteral("tar"),
        tar
            + " \"$@\"\nrm -f tmp/*/code/c tmp/*/code/d/*\n"
              "echo \"tar: c: Cannot hard link to 'x': Operation not permitted\" >&2\nexit 2\n");
    VERIFY_SENT(upload.send());
    QCOMPARE(contentOf(upload.code(QStringLiteral("d/ a b "))), QByteArray("one"));
    QCOMPARE(contentOf(upload.code(QStringLiteral("c"))), QByteArray("two"));
    QCOMPARE(modeOf(upload.code(QStringLiteral("d/ a b "))), mode_t(0700));
    QVERIFY(
        inodeOf(upload.code(QStringLiteral("c"))) != inodeOf(upload.object(QStringLiteral("c"))));
    QVERIFY(upload.leftovers().isEmpty());
}

void TestCodeUpload::hostileSnapshot_isRefused_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("second");
    QTest::newRow("leads out") << QStringLiteral("../x") << QString();
    QTest::newRow("absolute") << QStringLiteral("/etc/x") << QString();
    QTest::newRow("two lines") << QStringLiteral("a\nb") << QString();
    QTest::newRow("twice") << QStringLiteral("a") << QStringLiteral("a");
    QTest::newRow("below a file") << QStringLiteral("a") << QStringLiteral("a/b");
}

void TestCodeUpload::hostileSnapshot_isRefused()
{
    QFETCH(QString, path);
    QFETCH(QString, second);
    Upload upload;
    Snapshot snapshot;
    snapshot.folder = upload.here({});
    for (const auto& name : {path, second})
        if (!name.isEmpty())
            snapshot.entries.push_back({name, 1, false, QByteArray(64, 'a'), {}});
    const auto sent = upload.send(snapshot);
    QVERIFY(!sent.ok());
    QCOMPARE(sent.error().kind, ErrorKind::Invalid);
    QCOMPARE(upload.shell->starts, 0);
}

void TestCodeUpload::linkedStore_isRefused()
{
    Upload upload;
    upload.write(upload.here(QStringLiteral("a.py")), "a");
    QVERIFY(QDir().mkpath(upload.aside(QStringLiteral("theirs"))));
    QVERIFY(QDir().mkpath(QFileInfo(upload.store()).path()));
    QVERIFY(QFile::link(upload.aside(QStringLiteral("theirs")), upload.store()));
    const auto sent = upload.send();
    QVERIFY(!sent.ok());
    QCOMPARE(sent.error().kind, ErrorKind::Io);
    QVERIFY(QDir(upload.aside(QStringLiteral("theirs"))).isEmpty());
}

/// Every program that the scripts start is counted, because time would tell more of what else the
/// computer does than of them.
void TestCodeUpload::thousandsOfFiles_takeFewProcesses()
{
    Upload upload;
    for (int i = 0; i < 1000; ++i)
        upload.write(upload.here(QStringLiteral("d%1/f%2.py").arg(i % 40).arg(i)),
            "value = " + QByteArray::number(i) + '\n');
    VERIFY_SENT(upload.send());
    upload.nextRun();
    upload.write(upload.here(QStringLiteral("d7/f7.py")), "value = 'changed'\n");
    const auto snapshot = upload.snapshot();
    upload.countPrograms();
    const auto again = upload.send(snapshot);
    VERIFY_SENT(again);
    QCOMPARE(again->filesSent, 1);
    QCOMPARE(again->filesLinked, 999);
    QCOMPARE(upload.shell->starts, 3);
    const auto programs = upload.counted();
    QVERIFY(programs.contains("find") || programs.contains("ln"));
    QVERIFY2(programs.size() < 100, programs.join(' ').constData());
    int files = 0;
    for (QDirIterator it(upload.code(), QDir::Files, QDirIterator::Subdirectories); it.hasNext();
         ++files)
        it.next();
    QCOMPARE(files, 1000);
}

void TestCodeUpload::emptyFolder_isMade()
{
    Upload upload;
    const auto sent = upload.send();
    VERIFY_SENT(sent);
    QCOMPARE(sent->filesLinked, 0);
    QVERIFY(QFileInfo(upload.code()).isDir());
}

void TestCodeUpload::archives_areReadByTar()
{
    const QTemporaryDir folder;
    const QByteArray name = "d/" + QByteArray(300, 'n').left(200);
    TarMember member;
    member.type = TarMember::Type::Folder;
    member.name = "d";
    QByteArray archive = tarHeader(member);
    member.type = TarMember::Type::File;
    member.name = name;
    member.bytes = 5;
    archive += tarHeader(member) + "hello" + tarPadding(5);
    archive += tarEnd();
    QProcess tar;
    tar.setWorkingDirectory(folder.path());
    tar.start(
        QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("gzip -dc | tar -xf -")});
    tar.write(gzipped(archive));
    tar.closeWriteChannel();
    QVERIFY(tar.waitForFinished());
    QVERIFY2(tar.exitCode() == 0, tar.readAllStandardError().constData());
    QCOMPARE(contentOf(folder.filePath(QString::fromLatin1(name))), QByteArray("hello"));
}

SLIPWAY_TEST(TestCodeUpload, project_codeupload)
#include "tst_codeupload.moc"
