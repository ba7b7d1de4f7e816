// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/capsule.h"
#include "app/runs/keptrecords.h"
#include "app/runs/localrun.h"
#include "app/runs/runfiles.h"
#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/heartbeat.h"
#include "tests/support/testmain.h"

#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <unistd.h>

using namespace slipway;

namespace {

const QString deep = QStringLiteral("results/a/b/c/d/e/f/curve.csv");

} // namespace

/// Capsules of a run whose folder on the cluster is a folder of this computer.
class TestCapsule : public QObject {
    Q_OBJECT

private slots:
    void init();

    void deepFiles_areFetchedAndListed();
    void whatCannotBeFetched_isNamed();
    void metrics_areThoseOfTheRunsEnd();
    void metricsOfAPartOfTheLog_areNotTaken();
    void filesOfLoggers_areCopiedAndCounted();
    void withoutConnection_nothingIsClaimedOfTheCluster();
    void neverUploaded_nothingIsThere();
    void log_hasOneNameEverywhere_data();
    void log_hasOneNameEverywhere();
    void largeFiles_leaveTheWindowAwake();
    void lostConnection_isFollowedByTheNext_data();
    void lostConnection_isFollowedByTheNext();
    void files_areListedAndTheListIsKept();

private:
    CapsuleRequest request(bool connected) const;
    Result<QJsonObject> made(const CapsuleRequest& request) const;

    std::unique_ptr<QTemporaryDir> m_dir;
};

void TestCapsule::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    QVERIFY(m_dir->isValid());
    QDir(m_dir->path()).mkpath(QStringLiteral("there"));
    QDir(m_dir->path()).mkpath(QStringLiteral("kept"));
}

CapsuleRequest TestCapsule::request(bool connected) const
{
    CapsuleRequest request;
    request.run.id = QStringLiteral("k3f9");
    request.run.folder = m_dir->filePath(QStringLiteral("there"));
    request.run.logFile = request.run.folder + u"/slurm-77.out";
    request.localFolder = m_dir->filePath(QStringLiteral("kept"));
    request.destination = m_dir->filePath(QStringLiteral("capsule"));
    if (connected)
        request.shell = std::make_shared<LocalShell>();
    return request;
}

Result<QJsonObject> TestCapsule::made(const CapsuleRequest& request) const
{
    const auto done = awaited(makeCapsule(request));
    if (!done.ok())
        return done.error();
    return QJsonDocument::fromJson(contentOf(request.destination + u"/run.json")).object();
}

void TestCapsule::lostConnection_isFollowedByTheNext_data()
{
    QTest::addColumn<bool>("comesAgain");
    QTest::newRow("it comes again by itself") << true;
    QTest::newRow("it does not") << false;
}

/// The connection ends within a large file, once.
void TestCapsule::lostConnection_isFollowedByTheNext()
{
    QFETCH(const bool, comesAgain);
    constexpr int size = 24 * 1024 * 1024;
    auto wanted = request(true);
    const QByteArray weights = QByteArray(size - 1, 'w') + 'e';
    putFile(wanted.run.folder + QStringLiteral("/weights.bin"), weights);
    putFile(wanted.run.folder + QStringLiteral("/z.txt"), "behind it");
    int losses = 0;
    const std::shared_ptr<Shell> first = wanted.shell;
    wanted.shellAfter = [&losses, &first, comesAgain](
                            std::shared_ptr<Shell> lost) -> QCoro::Task<std::shared_ptr<Shell>> {
        ++losses;
        const bool isFirst = lost == first;
        co_return comesAgain&& isFirst ? std::make_shared<LocalShell>() : nullptr;
    };
    const QString part = wanted.destination + QStringLiteral("/weights.bin.part");
    QTimer cut;
    connect(&cut, &QTimer::timeout, this, [&] {
        if (QFileInfo(part).size() > 0) {
            cut.stop();
            first->close();
        }
    });
    cut.start(0);
    const auto done = made(wanted);
    QCOMPARE(losses, 1);
    QCOMPARE(done.ok(), comesAgain);
    if (!comesAgain) {
        QCOMPARE(done.error().kind, ErrorKind::LinkLost);
        QVERIFY(QFileInfo(part).size() > 0); // what has arrived is kept
        return;
    }
    QVERIFY(contentOf(wanted.destination + QStringLiteral("/weights.bin")) == weights);
    QCOMPARE(contentOf(wanted.destination + QStringLiteral("/z.txt")), QByteArray("behind it"));
    QVERIFY(!QFile::exists(part));
}

void TestCapsule::files_areListedAndTheListIsKept()
{
    const auto wanted = request(true);
    for (const char* name : {"job.sh", "events.ndjson", "probe.sha256", "model.py", "a.txt",
             "results/curve.csv", "steps/01-image.sh"})
        putFile(wanted.run.folder + u'/' + QString::fromLatin1(name), name);
    putFile(wanted.localFolder + QStringLiteral("/files/model.py"), "uploaded");
    putFile(wanted.localFolder + QStringLiteral("/results/curve.csv"), "results/curve.csv");
    const RunFiles away(wanted.run, wanted.localFolder, nullptr);
    QVERIFY(!away.known().asOf);
    QCOMPARE(away.known().files.size(), size_t(1)); // what is here is known without the cluster
    QVERIFY(!awaited(away.list()).ok());
    const RunFiles files(wanted.run, wanted.localFolder, wanted.shell);
    const auto listed = awaited(files.list());
    QVERIFY2(listed.ok(), listed.ok() ? "" : qPrintable(listed.error().text()));
    QStringList results, own;
    for (const RunFile& file : listed->files)
        (file.own ? own : results) << file.name;
    QCOMPARE(results, (QStringList{QStringLiteral("results/curve.csv"), QStringLiteral("a.txt")}));
    QCOMPARE(own.size(), qsizetype(5));
    QVERIFY(own.contains(QStringLiteral("model.py"))); // the recipe's, not made by the job
    QCOMPARE(listed->files.front().here,
        QString(wanted.localFolder + QStringLiteral("/results/curve.csv")));
    // Without the connection it is what the cluster last answered.
    QVERIFY(away.known().files == listed->files);
    QVERIFY(away.known().asOf && away.known().asOf->secsTo(QDateTime::currentDateTime()) < 60);
    const auto bytes = awaited(files.read(QStringLiteral("a.txt"), 100));
    QVERIFY(bytes.ok());
    QCOMPARE(*bytes, QByteArray("a.txt"));
    QVERIFY(!awaited(files.read(QStringLiteral("a.txt"), 3)).ok());
    QVERIFY(!awaited(files.read(QStringLiteral("../kept/listing.json"), 1000)).ok());
}

void TestCapsule::deepFiles_areFetchedAndListed()
{
    const auto wanted = request(true);
    putFile(wanted.run.folder + u"/job.sh", "true\n");
    putFile(wanted.run.folder + u'/' + deep, "1,2\n");
    const auto json = made(wanted);
    QVERIFY2(json.ok(), json.ok() ? "" : qPrintable(json.error().text()));
    QCOMPARE(contentOf(wanted.destination + u'/' + deep), QByteArray("1,2\n"));
    QVERIFY(json->value(u"left_on_the_cluster").isArray());
    QVERIFY(json->value(u"left_on_the_cluster").toArray().isEmpty());
    bool listed = false;
    for (const auto& file : json->value(u"files").toArray()) {
        if (file[u"name"].toString() != deep)
            continue;
        listed = true;
        QCOMPARE(file[u"sha256"].toString().toLatin1(),
            QCryptographicHash::hash("1,2\n", QCryptographicHash::Sha256).toHex());
    }
    QVERIFY(listed);
}

void TestCapsule::metrics_areThoseOfTheRunsEnd()
{
    auto wanted = request(false);
    putFile(wanted.localFolder + u"/log.bin", "step 1 loss 0.5\n");
    const auto read = made(wanted);
    QVERIFY2(read.ok(), read.ok() ? "" : qPrintable(read.error().text()));
    QCOMPARE(read->value(u"metrics").toArray().size(), 1);
    LocalRun local(wanted.localFolder);
    QVERIFY(!local.metrics());
    const QJsonArray kept{QJsonObject{{QStringLiteral("series"), QStringLiteral("kept")}}};
    local.keepMetrics(kept, QFileInfo(local.logFile()).size(), 0);
    wanted.metrics = local.metrics();
    QCOMPARE(wanted.metrics, std::optional(kept));
    wanted.destination += u'2';
    const auto again = made(wanted);
    QVERIFY(again.ok());
    QCOMPARE(again->value(u"metrics").toArray(), kept);
    putFile(local.logFile(), "step 1 loss 0.5\nstep 2 loss 0.4\n"); // it grew: read it anew
    QVERIFY(!local.metrics());
}

void TestCapsule::metricsOfAPartOfTheLog_areNotTaken()
{
    auto wanted = request(true);
    putFile(wanted.run.logFile, "step 1 loss 0.5\nstep 2 loss 0.25\n");
    putFile(wanted.localFolder + u"/log.bin", "step 1 loss 0.5\n"); // the local disk was full
    LocalRun local(wanted.localFolder);
    const QJsonArray kept{QJsonObject{{QStringLiteral("series"), QStringLiteral("kept")}}};
    local.keepMetrics(kept, QFileInfo(local.logFile()).size(), 0);
    wanted.metrics = local.metrics();
    QCOMPARE(wanted.metrics, std::optional(kept));
    const auto json = made(wanted);
    QVERIFY2(json.ok(), json.ok() ? "" : qPrintable(json.error().text()));
    const QJsonArray metrics = json->value(u"metrics").toArray();
    QCOMPARE(metrics.size(), 1);
    QCOMPARE(metrics.at(0).toObject().value(u"points").toArray().size(), 2);
}

void TestCapsule::filesOfLoggers_areCopiedAndCounted()
{
    auto wanted = request(false);
    putFile(wanted.localFolder + u"/log.bin", "step 1 loss 0.5\n");
    LocalRun local(wanted.localFolder);
    local.keepMetrics({}, QFileInfo(local.logFile()).size(), 0);
    QVERIFY(local.metrics());
    const QByteArray table = "step,loss,lr\n1,0.5,0.1\n2,0.25,0.05\n";
    KeptRecords kept(wanted.localFolder);
    QVERIFY(kept.append(QStringLiteral("out/metrics.csv"), table, 0));
    QVERIFY(kept.append(QStringLiteral("../outside.csv"), "x", 0));
    QVERIFY(!local.metrics()); // these were made without the files
    const auto json = made(wanted);
    QVERIFY2(json.ok(), json.ok() ? "" : qPrintable(json.error().text()));
    QCOMPARE(contentOf(wanted.destination + u"/out/metrics.csv"), table);
    QVERIFY(!QFile::exists(m_dir->filePath(QStringLiteral("outside.csv"))));
    QMap<QString, int> curves;
    for (const auto& curve : json->value(u"metrics").toArray())
        curves.insert(curve[u"series"].toString() + u' ' + curve[u"lane"].toString(),
            int(curve[u"points"].toArray().size()));
    QCOMPARE(curves.value(QStringLiteral("loss ")), 1);
    QCOMPARE(curves.value(QStringLiteral("lr out/metrics.csv")), 2);
    QVERIFY(!curves.contains(QStringLiteral("loss out/metrics.csv")));
}

void TestCapsule::whatCannotBeFetched_isNamed()
{
    const auto wanted = request(true);
    putFile(wanted.run.folder + u"/a/b/c/d/e/image.sif", "x");
    putFile(wanted.run.folder + u"/bad\nname", "x");
    putFile(wanted.run.folder + u"/good", "x");
    const auto json = made(wanted);
    QVERIFY2(json.ok(), json.ok() ? "" : qPrintable(json.error().text()));
    QCOMPARE(json->value(u"left_on_the_cluster").toArray(),
        QJsonArray{QStringLiteral("a/b/c/d/e/image.sif")});
    QCOMPARE(json->value(u"left_on_the_cluster_unlisted").toInt(), 1);
    QCOMPARE(contentOf(wanted.destination + u"/good"), QByteArray("x"));
}

void TestCapsule::withoutConnection_nothingIsClaimedOfTheCluster()
{
    const auto wanted = request(false);
    putFile(wanted.localFolder + u"/files/job.sh", "true\n");
    putFile(wanted.localFolder + u'/' + deep, "1,2\n");
    const auto json = made(wanted);
    QVERIFY2(json.ok(), json.ok() ? "" : qPrintable(json.error().text()));
    QCOMPARE(contentOf(wanted.destination + u"/job.sh"), QByteArray("true\n"));
    QCOMPARE(contentOf(wanted.destination + u'/' + deep), QByteArray("1,2\n"));
    QVERIFY(json->contains(u"left_on_the_cluster"));
    QVERIFY(json->value(u"left_on_the_cluster").isNull());
}

void TestCapsule::neverUploaded_nothingIsThere()
{
    auto wanted = request(false);
    wanted.run.folder.clear();
    wanted.run.logFile.clear();
    const auto json = made(wanted);
    QVERIFY2(json.ok(), json.ok() ? "" : qPrintable(json.error().text()));
    QVERIFY(json->value(u"left_on_the_cluster").isArray());
}

void TestCapsule::log_hasOneNameEverywhere_data()
{
    QTest::addColumn<QString>("logFile"); // below the run's folder; empty: the run has none yet
    QTest::addColumn<QString>("name");
    QTest::newRow("Slurm's") << QStringLiteral("/slurm-77.out") << QStringLiteral("slurm-77.out");
    QTest::newRow("in a folder") << QStringLiteral("/logs/77.out") << QStringLiteral("logs/77.out");
    QTest::newRow("none") << QString() << QStringLiteral("log.txt");
}

void TestCapsule::log_hasOneNameEverywhere()
{
    QFETCH(QString, logFile);
    QFETCH(QString, name);
    const QByteArray log("{\"step\": 1, \"loss\": 0.5}\n{\"step\": 2, \"loss\": 0.25}\n");
    for (const bool connected : {false, true}) {
        auto wanted = request(connected);
        wanted.destination += connected ? u"-fetched" : u"-kept";
        wanted.run.logFile = logFile.isEmpty() ? QString() : QString(wanted.run.folder + logFile);
        putFile(wanted.localFolder + u"/log.bin", log);
        if (connected && !logFile.isEmpty())
            putFile(wanted.run.logFile, log);
        const auto json = made(wanted);
        QVERIFY2(json.ok(), json.ok() ? "" : qPrintable(json.error().text()));
        QCOMPARE(json->value(u"log").toString(), name);
        QCOMPARE(contentOf(wanted.destination + u'/' + name), log);
    }
}

void TestCapsule::largeFiles_leaveTheWindowAwake()
{
    const auto wanted = request(false);
    putFile(wanted.localFolder + u"/results/large", {});
    QVERIFY(
        QFile::resize(wanted.localFolder + u"/results/large", 256 * 1024 * 1024)); // takes no room
    QElapsedTimer whole;
    const Heartbeat heartbeat;
    whole.start();
    const auto json = made(wanted);
    const auto elapsed = whole.elapsed();
    QVERIFY2(json.ok(), json.ok() ? "" : qPrintable(json.error().text()));
    QVERIFY2(elapsed > 200, "hashing takes no time here, so nothing is shown");
    QVERIFY2(heartbeat.worst() < elapsed / 3,
        qPrintable(QStringLiteral("%1 of %2 ms").arg(heartbeat.worst()).arg(elapsed)));
}

SLIPWAY_TEST(TestCapsule, runs_capsule)
#include "tst_capsule.moc"
