// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/largeupload.h"
#include "remote/cluster/uploaderrors.h"
#include "remote/cluster/uploadtalk.h"
#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/testmain.h"

#include <QCryptographicHash>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace slipway;

/// Uploads of large files into this computer's own shell, and into one that answers badly.
class TestLargeUpload : public QObject {
    Q_OBJECT

private slots:
    void init();
    void file_arrivesWhole_data();
    void file_arrivesWhole();
    void cutUpload_isContinued();
    void completeFile_isNotSentAgain();
    void otherBeginning_isReplaced_data();
    void otherBeginning_isReplaced();
    void changedSource_isNoticed();
    void twoUploads_doNotMix();
    void fullDisk_keepsThePart_data();
    void fullDisk_keepsThePart();
    void usedUpQuota_isSaid_data();
    void usedUpQuota_isSaid();
    void farAway_piecesMakeTheFile();
    void farAway_aCancelledUploadIsContinued();
    void link_isNotWritten();
    void missingFolder_isAnError();
    void lostLink_saysSo();
    void silentCluster_canBeLeft();
    void hostileAnswers_areErrors_data();
    void hostileAnswers_areErrors();
    void moreThanWasAsked_isNotKept();

private:
    QString path(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
    QString there() const { return path("there/image.tar"); }
    Result<LargeUploadSummary> upload(std::function<bool(qint64, qint64)> progress = {}) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<Shell> m_shell;
};

namespace {

QByteArray noise(qsizetype bytes)
{
    QByteArray content((bytes + 3) / 4 * 4, '\0');
    QRandomGenerator generator(quint32(bytes) + 7);
    generator.generate(reinterpret_cast<quint32*>(content.data()),
        reinterpret_cast<quint32*>(content.data() + content.size()));
    return content.left(bytes);
}

/// A shell of this computer that runs `opening` before each script.
class PreparedShell : public LocalShell {
public:
    explicit PreparedShell(QByteArray opening)
        : m_opening(std::move(opening))
    {
    }
    std::unique_ptr<Process> start(Invocation invocation) override
    {
        invocation.script.prepend(m_opening);
        return LocalShell::start(std::move(invocation));
    }

private:
    QByteArray m_opening;
};

/// Each line takes as long as a round trip to a machine far away.
constexpr char slowRead[] = "read() { sleep 0.02; command read \"$@\"; }\n";
constexpr char filesOfThreeMiB[] = "trap '' XFSZ\nulimit -f 6144\n";

constexpr qsizetype sourceBytes = 5 * 1024 * 1024 + 123;

} // namespace

void TestLargeUpload::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("there")));
    putFile(path("image.tar"), noise(sourceBytes));
    m_shell = std::make_shared<LocalShell>();
}

Result<LargeUploadSummary> TestLargeUpload::upload(
    std::function<bool(qint64, qint64)> progress) const
{
    return awaited(uploadLargeFile(m_shell, path("image.tar"), there(), std::move(progress)));
}

void TestLargeUpload::file_arrivesWhole_data()
{
    QTest::addColumn<int>("bytes");
    QTest::newRow("empty") << 0;
    QTest::newRow("one byte") << 1;
    QTest::newRow("a piece exactly") << 256 * 1024;
    QTest::newRow("many pieces") << int(sourceBytes);
}

void TestLargeUpload::file_arrivesWhole()
{
    QFETCH(int, bytes);
    const QByteArray content = noise(bytes);
    putFile(path("image.tar"), content);
    qint64 last = -1;
    bool isOrdered = true;
    const auto done = upload([&](qint64 now, qint64 total) {
        isOrdered = isOrdered && now >= last && now <= total && total == bytes;
        last = now;
        return true;
    });
    QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
    QCOMPARE(done->sent, qint64(bytes));
    QCOMPARE(done->kept, qint64(0));
    QCOMPARE(last, qint64(bytes));
    QVERIFY(isOrdered);
    QVERIFY(contentOf(there()) == content);
    QVERIFY(!QFile::exists(there() + u".part"));
    struct stat info = {};
    QCOMPARE(::stat(QFile::encodeName(there()).constData(), &info), 0);
    QCOMPARE(int(info.st_mode & 0777), 0600);
}

/// Cut at several places, once by the person, and continued each time.
void TestLargeUpload::cutUpload_isContinued()
{
    QRandomGenerator generator(13);
    qint64 kept = 0;
    for (int cut = 0; cut < 4; ++cut) {
        const qint64 until = kept + 1 + qint64(generator.bounded(int(sourceBytes - kept) / 2));
        const auto done = upload([until](qint64 now, qint64) { return now < until; });
        QVERIFY(!done.ok());
        QCOMPARE(done.error().kind, ErrorKind::Cancelled);
        QVERIFY(!QFile::exists(there()));
        // Its script has ended when the lock is free.
        const QStringList waiting{QString(there() + u".part"), QStringLiteral("true")};
        QCOMPARE(QProcess::execute(QStringLiteral("flock"), waiting), 0);
        const qint64 now = QFileInfo(QString(there() + u".part")).size();
        QVERIFY2(now >= kept, "what had arrived was lost");
        kept = now;
    }
    // A cut may leave any number of bytes.
    kept = std::max<qint64>(kept, 1) - generator.bounded(int(std::min<qint64>(kept, 1000)) + 1);
    QVERIFY(QFile::resize(there() + u".part", kept));
    const auto done = upload();
    QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
    QCOMPARE(done->kept, kept);
    QCOMPARE(done->sent, qint64(sourceBytes) - kept);
    QVERIFY(contentOf(there()) == contentOf(path("image.tar")));
}

void TestLargeUpload::completeFile_isNotSentAgain()
{
    QVERIFY(upload().ok());
    const auto again = upload();
    QVERIFY(again.ok());
    QCOMPARE(again->sent, qint64(0));
    QCOMPARE(again->kept, qint64(sourceBytes));
    QVERIFY(!QFile::exists(there() + u".part"));
    // Another file of the same size replaces it.
    QByteArray other = noise(sourceBytes);
    other[17] = char(~other[17]);
    putFile(path("image.tar"), other);
    const auto replaced = upload();
    QVERIFY(replaced.ok());
    QCOMPARE(replaced->sent, qint64(sourceBytes));
    QVERIFY(contentOf(there()) == other);
}

void TestLargeUpload::otherBeginning_isReplaced_data()
{
    QTest::addColumn<QByteArray>("part");
    QByteArray damaged = noise(sourceBytes).left(1'000'000);
    damaged[999'999] = char(~damaged[999'999]);
    QTest::newRow("a byte is wrong") << damaged;
    QTest::newRow("another file") << QByteArray(300'000, 'x');
    QTest::newRow("longer than the file") << QByteArray(noise(sourceBytes) + "more");
}

void TestLargeUpload::otherBeginning_isReplaced()
{
    QFETCH(QByteArray, part);
    putFile(there() + u".part", part);
    const auto done = upload();
    QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
    QCOMPARE(done->kept, qint64(0));
    QVERIFY(contentOf(there()) == contentOf(path("image.tar")));
}

void TestLargeUpload::changedSource_isNoticed()
{
    bool isChanged = false;
    const auto done = upload([&](qint64, qint64) {
        if (!isChanged) {
            QFile file(path("image.tar"));
            isChanged = file.open(QIODevice::Append) && file.write("more") == 4;
        }
        return true;
    });
    QVERIFY(isChanged);
    QVERIFY(!done.ok());
    QVERIFY2(done.error().summary.contains(u"has changed"), qPrintable(done.error().text()));
    QVERIFY(!QFile::exists(there()));
}

void TestLargeUpload::twoUploads_doNotMix()
{
    QProcess other;
    other.start(QStringLiteral("flock"),
        {QString(there() + u".part"), QStringLiteral("sh"), QStringLiteral("-c"),
            QStringLiteral("echo held; read x")});
    QVERIFY(other.waitForReadyRead());
    const auto done = upload();
    other.closeWriteChannel();
    QVERIFY(other.waitForFinished());
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::Refused);
    QVERIFY2(done.error().summary.contains(u"Another upload"), qPrintable(done.error().text()));
    QVERIFY(upload().ok());
}

void TestLargeUpload::fullDisk_keepsThePart_data()
{
    QTest::addColumn<int>("bytes");
    QTest::addColumn<QByteArray>("opening");
    QTest::addColumn<int>("least");
    QTest::newRow("nearby") << int(sourceBytes) << QByteArray(filesOfThreeMiB) << 2 * 1024 * 1024;
    QTest::newRow("in pieces") << 2 * int(sourceBytes) << QByteArray(filesOfThreeMiB) + slowRead
                               << 2 * 1024 * 1024;
}

void TestLargeUpload::fullDisk_keepsThePart()
{
    QFETCH(int, bytes);
    QFETCH(QByteArray, opening);
    QFETCH(int, least);
    putFile(path("image.tar"), noise(bytes));
    m_shell = std::make_shared<PreparedShell>(opening);
    const auto done = upload();
    QVERIFY(!done.ok());
    QVERIFY2(done.error().kind == ErrorKind::DiskFull, qPrintable(done.error().text()));
    QVERIFY(done.error().remedy.contains(there() + u".part"));
    QVERIFY(!QFile::exists(there()));
    const qint64 left = QFileInfo(QString(there() + u".part")).size();
    QVERIFY2(left >= least, qPrintable(QString::number(left)));
    m_shell = std::make_shared<LocalShell>(); // there is space now
    const auto continued = upload();
    QVERIFY2(continued.ok(), continued.ok() ? "" : qPrintable(continued.error().text()));
    QCOMPARE(continued->kept, left);
    QVERIFY(contentOf(there()) == contentOf(path("image.tar")));
    QVERIFY(!QFile::exists(there() + u".part.pieces"));
}

void TestLargeUpload::usedUpQuota_isSaid_data()
{
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("reason");
    QTest::newRow("quota") << QByteArray("dd: error writing 'x': Disk quota exceeded\n")
                           << ErrorKind::DiskFull << QStringLiteral("your disk quota on kestrel");
    QTest::newRow("disk") << QByteArray("dd: error writing 'x': No space left on device\n")
                          << ErrorKind::DiskFull << QStringLiteral("the disk of kestrel is full");
    QTest::newRow("other") << QByteArray("dd: error writing 'x': Input/output error\n")
                           << ErrorKind::Io << QStringLiteral("uploaded to kestrel");
}

void TestLargeUpload::usedUpQuota_isSaid()
{
    QFETCH(QByteArray, said);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, reason);
    const UploadEnds ends{QStringLiteral("kestrel"), QStringLiteral("/scratch/image.tar"),
        QStringLiteral("/home/me/image.tar")};
    const Error error = uploadEnded(ends, CommandOutput{1, {}, said});
    QCOMPARE(error.kind, kind);
    QVERIFY2(error.summary.contains(reason) && error.summary.contains(ends.remotePath),
        qPrintable(error.summary));
    QCOMPARE(error.remedy.contains(QStringLiteral("Free some space there")),
        kind == ErrorKind::DiskFull);
    QCOMPARE(error.detail, said);
}

void TestLargeUpload::farAway_piecesMakeTheFile()
{
    m_shell = std::make_shared<PreparedShell>(slowRead);
    const QByteArray content = noise(3 * sourceBytes);
    putFile(path("image.tar"), content);
    qint64 last = -1;
    bool isOrdered = true;
    const auto done = upload([&](qint64 now, qint64 total) {
        isOrdered = isOrdered && now >= last && now <= total;
        last = now;
        return true;
    });
    QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
    QVERIFY(done->sessions > 1);
    QVERIFY(isOrdered);
    QCOMPARE(last, qint64(content.size()));
    QVERIFY(contentOf(there()) == content);
    const QStringList names = QFileInfo(there()).dir().entryList(QDir::Files | QDir::Hidden);
    QCOMPARE(names, QStringList{QStringLiteral("image.tar")});
    QVERIFY(!QFile::exists(there() + u".part.pieces"));
}

void TestLargeUpload::farAway_aCancelledUploadIsContinued()
{
    m_shell = std::make_shared<PreparedShell>(slowRead);
    // Sixteen pieces of a MiB may be under way, and a cut may lose them.
    putFile(path("image.tar"), noise(6 * sourceBytes));
    const auto cancelled = upload([](qint64 now, qint64) { return now < 5 * sourceBytes; });
    QVERIFY(!cancelled.ok());
    QCOMPARE(cancelled.error().kind, ErrorKind::Cancelled);
    const QStringList waiting{QString(there() + u".part"), QStringLiteral("true")};
    QCOMPARE(QProcess::execute(QStringLiteral("flock"), waiting), 0);
    const auto done = upload();
    QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
    QVERIFY2(done->kept >= qint64(sourceBytes), qPrintable(QString::number(done->kept)));
    QVERIFY(contentOf(there()) == contentOf(path("image.tar")));
    QVERIFY(!QFile::exists(there() + u".part.pieces"));
}

void TestLargeUpload::link_isNotWritten()
{
    putFile(path("mine"), "mine");
    QVERIFY(QFile::link(path("mine"), there() + u".part"));
    const auto done = upload();
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::Refused);
    QCOMPARE(contentOf(path("mine")), QByteArray("mine"));
}

void TestLargeUpload::missingFolder_isAnError()
{
    const auto done =
        awaited(uploadLargeFile(m_shell, path("image.tar"), path("nowhere/image.tar"), {}));
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::Io);
    const auto missing = awaited(uploadLargeFile(m_shell, path("none"), there(), {}));
    QVERIFY(!missing.ok());
    QCOMPARE(missing.error().kind, ErrorKind::NotFound);
    const auto relative =
        awaited(uploadLargeFile(m_shell, path("image.tar"), QStringLiteral("a/b"), {}));
    QVERIFY(!relative.ok());
    QCOMPARE(relative.error().kind, ErrorKind::Invalid);
}

void TestLargeUpload::lostLink_saysSo()
{
    const auto shell = std::make_shared<ScriptedShell>();
    shell->onStream("continue", [](ScriptedProcess& process) { process.say("part 0 -\n"); });
    bool lost = false;
    const auto progress = [&](qint64, qint64) {
        if (!lost)
            shell->loseLink();
        lost = true;
        return true;
    };
    const auto done =
        awaited(uploadLargeFile(shell, path("image.tar"), QStringLiteral("/x/a.tar"), progress));
    QVERIFY(lost);
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::LinkLost);
    QVERIFY(done.error().remedy.contains(u"continues"));
}

/// It may take minutes for the sum of a large part: the person need not wait for it.
void TestLargeUpload::silentCluster_canBeLeft()
{
    const auto shell = std::make_shared<ScriptedShell>();
    shell->onStream("continue", [](ScriptedProcess&) {});
    int asked = 0;
    const auto progress = [&asked](qint64, qint64) { return ++asked < 3; };
    const auto done =
        awaited(uploadLargeFile(shell, path("image.tar"), QStringLiteral("/x/a.tar"), progress));
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::Cancelled);
    QCOMPARE(asked, 3);
}

void TestLargeUpload::hostileAnswers_areErrors_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("nothing of the kind") << QByteArray("<html>hello</html>\n");
    QTest::newRow("negative") << QByteArray("part -5 -\n");
    QTest::newRow("too large") << QByteArray("part 99999999999999999999 -\n");
    QTest::newRow("beyond the file") << QByteArray("part 99999999 aa\n");
    QTest::newRow("a whole file that is shorter") << QByteArray("file 0 -\n");
    QTest::newRow("too many words") << QByteArray("part 0 - x\n");
    QTest::newRow("without end") << QByteArray(300 * 1024, 'x');
    QTest::newRow("done at once") << QByteArray("complete\n");
}

void TestLargeUpload::hostileAnswers_areErrors()
{
    QFETCH(QByteArray, answer);
    const auto shell = std::make_shared<ScriptedShell>();
    shell->onStream("continue", [answer](ScriptedProcess& process) {
        process.say(answer);
        process.end(0);
    });
    const auto done =
        awaited(uploadLargeFile(shell, path("image.tar"), QStringLiteral("/x/a.tar"), {}));
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::Protocol);
    QVERIFY(done.error().detail.size() <= 1000);
}

/// The upload may be summing a file meanwhile, for minutes.
void TestLargeUpload::moreThanWasAsked_isNotKept()
{
    ScriptedShell shell;
    const QByteArray line = QByteArray(64 * 1024 - 1, 'x') + '\n';
    shell.onStream({}, [line](ScriptedProcess& process) {
        for (int i = 0; i < 40; ++i)
            process.say(line);
    });
    UploadTalk talk(shell, "true\n");
    QTRY_VERIFY(talk.end());
    QVERIFY(!talk.end()->ok());
    QCOMPARE(talk.end()->error().kind, ErrorKind::Protocol);
    qsizetype lines = 0;
    while (talk.takeLine())
        ++lines;
    QVERIFY2(lines <= 5, QByteArray::number(lines).constData());
}

SLIPWAY_TEST(TestLargeUpload, cluster_largeupload)
#include "tst_largeupload.moc"
