// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/localrun.h"
#include "app/runs/runcode.h"
#include "app/runs/runending.h"
#include "tests/support/testmain.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// What a run keeps of the folder that was sent with it.
class TestRunCode : public QObject {
    Q_OBJECT

private slots:
    void record_isReadAsItWasKept();
    void runWithoutOwnCode_hasNone();
    void sentence_countsTheFiles();
    void resultsOfItsFolder_displaceNone();
};

void TestRunCode::record_isReadAsItWasKept()
{
    const QTemporaryDir folder;
    Snapshot snapshot;
    snapshot.entries = {
        {QStringLiteral("model.py"), 12, false, QByteArray(64, 'a'), {}},
        {QStringLiteral("train.py"), 300, true, QByteArray(64, 'b'), {}},
    };
    CodeRecord record;
    record.files = 2;
    record.filesSent = 1;
    record.bytesSent = 300;
    record.omissions = {{QStringLiteral("data.bin"), qint64(5) << 30,
        QStringLiteral("It is larger than 100 MiB."), true}};
    record.git.commit = QString(40, u'c');
    record.git.branch = QStringLiteral("main");
    record.git.changedFiles = 3;
    LocalRun local(folder.filePath(QStringLiteral("runs/k3f9")));
    QVERIFY(local
                .keepFiles({{QStringLiteral("code.manifest"), snapshot.manifest()},
                    {QStringLiteral("code.json"), QJsonDocument(record.toJson()).toJson()}})
                .ok());
    const CodeRecord kept = keptCode(local.folder());
    QCOMPARE(kept.files, 2);
    QCOMPARE(kept.filesSent, 1);
    QCOMPARE(kept.bytesSent, 300);
    QCOMPARE(kept.omissions.size(), size_t(1));
    QCOMPARE(kept.omissions.front().bytes, qint64(5) << 30);
    QVERIFY(kept.omissions.front().isLarge);
    QCOMPARE(kept.git.commit, record.git.commit);
    QCOMPARE(kept.git.changedFiles, 3);
    QVERIFY(kept.entries == snapshot.entries);
    const auto hashes = [&](const char* project) {
        return codeHashFile(local.folder(), QLatin1String(project));
    };
    QVERIFY(hashes("/home/ada/a").startsWith(folder.filePath(QStringLiteral("runs/code-hashes-"))));
    QCOMPARE(hashes("/home/ada/a"), hashes("/home/ada/a/"));
    QVERIFY(hashes("/home/ada/a") != hashes("/home/ada/b"));
}

void TestRunCode::runWithoutOwnCode_hasNone()
{
    const QTemporaryDir folder;
    const CodeRecord kept = keptCode(folder.filePath(QStringLiteral("runs/none")));
    QCOMPARE(kept.files, 0);
    QVERIFY(kept.entries.empty());
}

void TestRunCode::sentence_countsTheFiles()
{
    CodeRecord record;
    record.files = 14;
    QCOMPARE(record.sentence(), QStringLiteral("Sent no file: all 14 were there already."));
    record.filesSent = 3;
    record.bytesSent = 512;
    QCOMPARE(
        record.sentence(), QStringLiteral("Sent 3 of 14 files, %1.").arg(ByteCount(512).text()));
}

void TestRunCode::resultsOfItsFolder_displaceNone()
{
    const auto files = resultFiles({{QStringLiteral("code/results/a/x.csv"), 1},
        {QStringLiteral("code/results/y.csv"), 2}, {QStringLiteral("results/y.csv"), 3}});
    QStringList places;
    for (const ResultFile& file : files)
        places << file.there.name + u'>' + file.here;
    QCOMPARE(places.join(u' '),
        QStringLiteral("results/y.csv>results/y.csv code/results/a/x.csv>results/a/x.csv "
                       "code/results/y.csv>"));
}

SLIPWAY_TEST(TestRunCode, runs_runcode)
#include "tst_runcode.moc"
