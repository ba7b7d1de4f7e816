// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/folderlist.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// The folders of a cluster, to complete a path: the script, and what is made of its answer.
class TestFolderList : public QObject {
    Q_OBJECT

private slots:
    void folder_isWhatIsBeforeTheLastSlash_data();
    void folder_isWhatIsBeforeTheLastSlash();
    void noPath_isNotAsked();
    void script_listsFoldersAlone();
    void script_listsNoMoreThanItsBound();
    void unsetVariable_listsNothing();
    void hostileNames_areLeftOut();
    void answerThatIsCutOff_losesItsLastName();

private:
    static QStringList list(const QString& folder, const QString& top);
};

/// What bash makes of the script.
QStringList TestFolderList::list(const QString& folder, const QString& top)
{
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("SLIPWAY_TEST_TOP"), top);
    environment.insert(QStringLiteral("HOME"), top);
    shell.setProcessEnvironment(environment);
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-s")});
    shell.write("echo 'Welcome to the cluster.'\n" + folderListScript(folder));
    shell.closeWriteChannel();
    if (!shell.waitForFinished(30'000) || shell.exitCode() != 0)
        return {QStringLiteral("failed")};
    return readFolderNames(shell.readAllStandardOutput());
}

void TestFolderList::folder_isWhatIsBeforeTheLastSlash_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("folder");
    const auto row = [](const char* path, const char* folder) {
        QTest::newRow(path) << QString::fromUtf8(path) << QString::fromUtf8(folder);
    };
    row("/data/im", "/data/");
    row("/data/", "/data/");
    row("/da", "/");
    row("$SCRATCH/x", "$SCRATCH/");
    row("$SCRATCH", "");
    row("data/im", "");
    row("", "");
    row("$(reboot)/x", "");
    row("/a`id`/x", "");
    row("/a\"/x", "");
}

void TestFolderList::folder_isWhatIsBeforeTheLastSlash()
{
    QFETCH(QString, path);
    QFETCH(QString, folder);
    QCOMPARE(folderPart(path), folder);
}

void TestFolderList::noPath_isNotAsked()
{
    for (const char* folder : {"", "data/", "/a\"; reboot; \"/", "/$(x)/", "/a\nb/"})
        QVERIFY2(folderListScript(QString::fromUtf8(folder)).isEmpty(), folder);
}

void TestFolderList::script_listsFoldersAlone()
{
    const QTemporaryDir top;
    for (const char* name : {"b c", "a", ".hidden", "-rf", "x$HOME", "q'q", "c,d", "e:f", "ü"})
        QVERIFY(QDir().mkpath(top.filePath(QString::fromUtf8(name))));
    QVERIFY(QDir().mkpath(top.filePath(QStringLiteral("line\nbreak"))));
    QVERIFY(QDir().mkpath(top.filePath(QStringLiteral("esc\x1b[31m"))));
    QFile file(top.filePath(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(QFile::link(QStringLiteral("a"), top.filePath(QStringLiteral("link"))));
    const QStringList expected{QStringLiteral("-rf"), QStringLiteral(".hidden"),
        QStringLiteral("a"), QStringLiteral("b c"), QStringLiteral("link"), QStringLiteral("ü")};
    QCOMPARE(list(top.path() + u'/', top.path()), expected);
    QCOMPARE(list(QStringLiteral("$SLIPWAY_TEST_TOP/"), top.path()), expected);
    QCOMPARE(list(top.filePath(QStringLiteral("none/")), top.path()), QStringList());
}

void TestFolderList::script_listsNoMoreThanItsBound()
{
    const QTemporaryDir top;
    for (int i = 0; i < mostFolderNames + 20; ++i)
        QVERIFY(QDir(top.path()).mkdir(QString::number(i)));
    QCOMPARE(list(top.path() + u'/', top.path()).size(), mostFolderNames);
}

void TestFolderList::unsetVariable_listsNothing()
{
    // Else it would list another folder, the root.
    QCOMPARE(list(QStringLiteral("$SLIPWAY_TEST_NONE/"), QDir::tempPath()), QStringList());
}

void TestFolderList::hostileNames_areLeftOut()
{
    QByteArray answer("noise ./no\0", 11);
    answer += QByteArray("\0\0./good\0./bad\xff\0./bi\xe2\x80\xae"
                         "di\0./..\0./a/b\0./\0./x\\y\0",
        46);
    answer += "./" + QByteArray(300, 'l') + '\0' + "./last" + '\0';
    QCOMPARE(
        readFolderNames(answer), (QStringList{QStringLiteral("good"), QStringLiteral("last")}));
    QCOMPARE(readFolderNames("no list at all"), QStringList());
    QCOMPARE(readFolderNames({}), QStringList());
}

void TestFolderList::answerThatIsCutOff_losesItsLastName()
{
    QCOMPARE(readFolderNames(QByteArray("\0\0./a\0./bcd", 11)), QStringList{QStringLiteral("a")});
}

SLIPWAY_TEST(TestFolderList, sessions_folderlist)
#include "tst_folderlist.moc"
