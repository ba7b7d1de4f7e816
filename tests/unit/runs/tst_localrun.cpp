// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/localrun.h"
#include "tests/support/files.h"
#include "tests/support/testmain.h"

#include <QDirIterator>
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace slipway;

namespace {

constexpr qint64 limit = 2 * 1024 * 1024;
constexpr auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther
    | QFile::WriteOther | QFile::ExeOther;

} // namespace

class TestLocalRun : public QObject {
    Q_OBJECT

private slots:
    void log_endsAtItsLimitAndSaysSo();
    void log_thatIsFullStaysFull();
    void limit_isASetting_data();
    void limit_isASetting();
    void marksAndRows_areBounded();
    void everyFile_isPrivate();
};

void TestLocalRun::log_endsAtItsLimitAndSaysSo()
{
    QTemporaryDir dir;
    LocalRun run(dir.filePath(QStringLiteral("run")), limit);
    const QByteArray block(300'000, 'y');
    qint64 offset = 0;
    for (int i = 0; i < 20; ++i, offset += block.size()) {
        QVERIFY(run.appendLog(block, offset).ok());
        QCOMPARE(run.logIsFull(), offset + block.size() > limit);
    }
    const auto log = contentOf(run.logFile());
    QCOMPARE(log.left(limit), QByteArray(limit, 'y'));
    QVERIFY2(log.mid(limit).startsWith('\n') && log.mid(limit).endsWith('\n'),
        log.mid(limit).constData());
    QVERIFY2(log.mid(limit).contains("2.00 MiB"), log.mid(limit).constData());
    QVERIFY(log.size() < limit + 1000);
    QCOMPARE(run.logSize(), log.size());
}

void TestLocalRun::log_thatIsFullStaysFull()
{
    QTemporaryDir dir;
    const QString folder = dir.filePath(QStringLiteral("run"));
    qint64 size = 0;
    {
        LocalRun run(folder, limit);
        QVERIFY(run.appendLog(QByteArray(limit + 1, 'y'), 0).ok());
        size = run.logSize();
    }
    LocalRun again(folder, limit);
    QVERIFY(again.logIsFull());
    QVERIFY(again.appendLog(QByteArray(1000, 'z'), limit + 1).ok());
    QCOMPARE(again.logSize(), size);
}

void TestLocalRun::limit_isASetting_data()
{
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("none") << QByteArray() << LocalRun::mostLog;
    QTest::newRow("3") << QByteArray("3") << qint64(3 * 1024 * 1024);
    QTest::newRow("a word") << QByteArray("much") << LocalRun::mostLog;
    QTest::newRow("zero") << QByteArray("0") << LocalRun::mostLog;
    QTest::newRow("huge") << QByteArray("9000000000000000000") << qint64(1024) * 1024 * 1024 * 1024;
}

void TestLocalRun::limit_isASetting()
{
    QFETCH(QByteArray, asked);
    const auto reset = qScopeGuard([] { qunsetenv("SLIPWAY_LOG_LIMIT_MIB"); });
    if (!asked.isEmpty())
        qputenv("SLIPWAY_LOG_LIMIT_MIB", asked);
    QTEST(LocalRun::mostLogAsked(), "bytes");
}

void TestLocalRun::marksAndRows_areBounded()
{
    QTemporaryDir dir;
    LocalRun run(dir.filePath(QStringLiteral("run")));
    for (int i = 0; i < 2; ++i) { // twice: what is full stays as it is
        QVERIFY(run.appendEvents("{}\n").ok());
        QVERIFY(run.appendProbeRows("{}\n").ok());
        QCOMPARE(run.eventsAreFull(), i > 0);
        QCOMPARE(run.probeRowsAreFull(), i > 0);
        for (const char* name : {"events.ndjson", "probe.ndjson"})
            QVERIFY(QFile::resize(
                run.filePath(QString::fromLatin1(name)), LocalRun::mostRows - (i > 0 ? 0 : 2)));
    }
    QVERIFY(run.appendEvents("{}\n").ok());
    QVERIFY(run.appendProbeRows("{}\n").ok());
    QCOMPARE(run.eventsSize(), LocalRun::mostRows);
    QCOMPARE(run.probeRowsSize(), LocalRun::mostRows);
}

void TestLocalRun::everyFile_isPrivate()
{
    const auto before = ::umask(0022);
    const auto reset = qScopeGuard([before] { ::umask(before); });
    QTemporaryDir dir;
    LocalRun run(dir.filePath(QStringLiteral("runs/k3f9")));
    QVERIFY(run.appendLog("log", 0).ok());
    QVERIFY(run.appendEvents("{}\n").ok());
    QVERIFY(run.appendProbeRows("{}\n").ok());
    run.appendNodeSample("{}");
    run.keepFacts({{QStringLiteral("image"), QStringLiteral("x")}});
    run.keepSteps({});
    run.noteLogIdentity(7, 0);
    QVERIFY(run.keepFiles({{QStringLiteral("job.sh"), "true\n"},
                              {QStringLiteral("steps/01-x.sh"), "true\n"}})
                .ok());
    QVERIFY(!(QFile::permissions(run.folder()) & others));
    int files = 0;
    for (QDirIterator it(run.folder(), QDir::Files, QDirIterator::Subdirectories); it.hasNext();
         ++files) {
        it.next();
        QVERIFY2(!(it.fileInfo().permissions() & others), qPrintable(it.filePath()));
    }
    QCOMPARE(files, 9);
}

SLIPWAY_TEST(TestLocalRun, runs_localrun)
#include "tst_localrun.moc"
