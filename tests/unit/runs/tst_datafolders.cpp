// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/launchlists.h"
#include "app/runs/datafolders.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// Data folders are looked for on the cluster before a launch is submitted.
class TestDataFolders : public QObject {
    Q_OBJECT

private slots:
    void script_tellsThereFromMissing();
    void answer_isReadAmongNoise();
    void verdict_namesEachFolder();
    void foldersOfANode_areNotAskedFor();
};

namespace {

std::vector<Bind> folders(const QStringList& paths)
{
    std::vector<Bind> binds;
    for (const QString& path : paths)
        binds.push_back({path, {}, true});
    return binds;
}

} // namespace

void TestDataFolders::script_tellsThereFromMissing()
{
    const QTemporaryDir top; // named by a variable: what is in /tmp is not asked for
    const QString odd = QStringLiteral("a b;touch owned&'*?#~ü");
    QVERIFY(QDir().mkpath(top.filePath(odd)));
    QVERIFY(QDir().mkpath(top.filePath(QStringLiteral("folder"))));
    QFile file(top.filePath(QStringLiteral("set.tar")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::vector<Bind> asked =
        folders({u"$SLIPWAY_TEST_DATA/" + odd, QStringLiteral("$SLIPWAY_TEST_DATA/none"),
            QStringLiteral("${SLIPWAY_TEST_DATA}/folder"), QStringLiteral("${SLIPWAY_TEST_NONE}/x"),
            QStringLiteral("$SLIPWAY_TEST_DATA/set.tar"), QStringLiteral("/tmp/x")});
    for (const Bind& one : asked)
        QVERIFY2(parseDataFolders(one.source).ok(), qPrintable(one.source));
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("SLIPWAY_TEST_DATA"), top.path());
    environment.insert(QStringLiteral("HOME"), top.path());
    shell.setProcessEnvironment(environment);
    shell.setWorkingDirectory(top.path());
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-s")});
    shell.write(dataScript(asked));
    shell.closeWriteChannel();
    QVERIFY(shell.waitForFinished(30'000));
    QCOMPARE(shell.exitCode(), 0);
    const std::vector<DataState> states =
        readDataStates(shell.readAllStandardOutput(), asked.size());
    QVERIFY(states
        == (std::vector<DataState>{DataState::There, DataState::Missing, DataState::There,
            DataState::Unset, DataState::There, DataState::Unknown}));
    QVERIFY(!QFile::exists(top.filePath(QStringLiteral("owned"))));
}

void TestDataFolders::answer_isReadAmongNoise()
{
    const auto states = readDataStates("Welcome!\nslipway-data 1 missing\n\nslipway-data 0 there\n"
                                       "slipway-data 7 missing\nslipway-data -1 there\n"
                                       "slipway-data 2 sideways\nslipway-data 3\n",
        5);
    QVERIFY(states
        == (std::vector<DataState>{DataState::There, DataState::Missing, DataState::Unknown,
            DataState::Unknown, DataState::Unknown}));
}

void TestDataFolders::verdict_namesEachFolder()
{
    const auto asked = folders({QStringLiteral("/d/a"), QStringLiteral("/d/b"),
        QStringLiteral("/d/c"), QStringLiteral("$NONE/d"), QStringLiteral("/d/e")});
    const Result<void> bad = dataVerdict(asked,
        {DataState::There, DataState::Missing, DataState::Closed, DataState::Unset,
            DataState::Missing});
    QVERIFY(!bad.ok());
    const QString text = bad.error().summary;
    QVERIFY2(text.contains(u"not on the cluster: /d/b, /d/e."), qPrintable(text));
    QVERIFY2(text.contains(u"may not read this data: /d/c."), qPrintable(text));
    QVERIFY2(text.contains(u"no value on the cluster: $NONE/d."), qPrintable(text));
    QVERIFY2(!text.contains(u"/d/a"), qPrintable(text));
    QVERIFY(dataVerdict(folders({QStringLiteral("/d")}), {DataState::There}).ok());
    QVERIFY(!dataVerdict(folders({QStringLiteral("/d")}), {DataState::Unknown}).ok());
}

void TestDataFolders::foldersOfANode_areNotAskedFor()
{
    const auto asked = folders({QStringLiteral("/tmp/x"), QStringLiteral("$TMPDIR"),
        QStringLiteral("${SLURM_TMPDIR}/x"), QStringLiteral("/dev/shm")});
    QVERIFY(!dataScript(asked).contains("look 0"));
    QVERIFY(dataVerdict(asked, readDataStates({}, asked.size())).ok());
    QVERIFY(!isNodeLocal(QStringLiteral("/tmpfiles")));
    QVERIFY(!isNodeLocal(QStringLiteral("$TMPDIRS/x")));
    QVERIFY(!isNodeLocal(QStringLiteral("/data/tmp")));
}

SLIPWAY_TEST(TestDataFolders, runs_datafolders)
#include "tst_datafolders.moc"
