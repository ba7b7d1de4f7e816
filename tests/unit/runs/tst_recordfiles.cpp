// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/awaited.h"
#include "tests/support/testmain.h"

#include "app/runs/digestreader.h"
#include "app/runs/filefeed.h"
#include "app/runs/recordfinder.h"
#include "app/runs/recordfollower.h"
#include "remote/shell/localshell.h"

#include <QCoroTask>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

/// The files of metrics loggers in a run's folder: found, copied while they grow, and read.
class TestRecordFiles : public QObject {
    Q_OBJECT

private slots:
    void finder_listsWhatLoggersWrite();
    void finder_leavesOutWhatIsSlipways();
    void copies_goOnWhereTheyEnd();
    void copies_areBounded();
    void feed_readsFilesBesideTheLog();
    void feed_readsARewrittenFileOnce();
    void feed_givesWhatTheLogHasOnce();
    void feed_givesSeveralTrainingsBack();
    void feed_isReadAgainWithAnotherPattern();
    void feed_waitsForTheLastBytesAfterTheEnd();
    void digest_hasTheLastValuesOfFiles();
    void follower_copiesWhatGrows();
    void follower_readsTheLastBytes();
};

namespace {

void write(
    const QString& path, const QByteArray& bytes, QIODevice::OpenMode mode = QIODevice::Append)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(mode | QIODevice::WriteOnly));
    file.write(bytes);
}

QByteArray row(const char* time, qint64 size, const char* name)
{
    return QByteArray(time) + ' ' + QByteArray::number(size) + ' ' + name + '\0';
}

/// A run on this computer, whose folder "on the cluster" is another one here.
struct LocalScene {
    LocalScene()
    {
        Run run;
        run.id = u"k3f9"_s;
        run.folder = there.path();
        record = std::make_shared<RunRecord>(run, here.path(), nullptr, QStringList());
        flow.record = record;
        flow.cluster = std::make_shared<Cluster>(std::make_shared<LocalShell>());
        pace.first = 50ms;
        pace.longest = 200ms;
    }

    QByteArray copyOf(const QString& name) const
    {
        const KeptRecords kept(here.path());
        for (const KeptRecords::File& file : kept.files()) {
            QFile copy(file.path);
            if (file.name == name && copy.open(QIODevice::ReadOnly))
                return copy.readAll();
        }
        return {};
    }

    QTemporaryDir here, there;
    std::shared_ptr<RunRecord> record;
    RunFlow flow;
    RecordFollower::Pace pace;
};

} // namespace

void TestRecordFiles::finder_listsWhatLoggersWrite()
{
    QTemporaryDir folder;
    const QString at = folder.path() + u'/';
    for (const char* name : {"metrics.csv", "a b/events.out.tfevents.1.host",
             "code/wandb/x/run-1.wandb", "mlruns/0/abc/metrics/loss", "out/trainer_state.json",
             "train.py", ".cache/metrics.csv", "node_modules/metrics.csv", "empty.csv"})
        write(at + QString::fromLatin1(name), QByteArray(name) == "empty.csv" ? "" : "x\n");
    LocalShell shell;
    const auto output = awaited(shell.run(recordFinderScript(folder.path())));
    QVERIFY(output.ok());
    QStringList names = foundRecords(output->out);
    names.sort();
    QCOMPARE(names,
        (QStringList{u"a b/events.out.tfevents.1.host"_s, u"code/wandb/x/run-1.wandb"_s,
            u"metrics.csv"_s, u"mlruns/0/abc/metrics/loss"_s, u"out/trainer_state.json"_s}));
    const auto gone = awaited(shell.run(recordFinderScript(at + u"gone"_s)));
    QVERIFY(gone.ok() && foundRecords(gone->out).isEmpty());
}

void TestRecordFiles::finder_leavesOutWhatIsSlipways()
{
    const QByteArray output = row("3.5", 10, "old.csv") + row("9.5", 10, "new.csv")
        + row("5", 10, "events.ndjson") + row("5", 10, "../up.csv") + row("5", 10, "config.json")
        + row("5", KeptRecords::mostOfOne + 1, "large.csv") + "6 10 cut.cs";
    QCOMPARE(foundRecords(output), (QStringList{u"new.csv"_s, u"old.csv"_s}));
}

void TestRecordFiles::copies_goOnWhereTheyEnd()
{
    QTemporaryDir folder;
    KeptRecords kept(folder.path());
    QVERIFY(kept.append(u"a.csv"_s, "abc", 0));
    QVERIFY(kept.append(u"a.csv"_s, "bcd", 1)); // "bc" is here already
    QVERIFY(!kept.append(u"a.csv"_s, "x", 9)); // a part is missing
    kept.noteInode(u"a.csv"_s, 77);
    const LogPosition position = KeptRecords(folder.path()).position(u"a.csv"_s);
    QCOMPARE(position.offset, 4);
    QCOMPARE(position.inode, 77U);
    QCOMPARE(position.head, "abcd"_ba);
    kept.restart(u"a.csv"_s);
    QCOMPARE(KeptRecords(folder.path()).position(u"a.csv"_s).offset, 0);
    QCOMPARE(KeptRecords(folder.path()).files().front().rewrites, 1);
}

void TestRecordFiles::copies_areBounded()
{
    QTemporaryDir folder;
    KeptRecords kept(folder.path());
    QVERIFY(!kept.append(u"a.csv"_s, QByteArray(KeptRecords::mostOfOne + 1, 'x'), 0));
    for (qsizetype i = 1; i < KeptRecords::mostFiles; ++i)
        QVERIFY(kept.append(u"%1.csv"_s.arg(i), "x", 0));
    QVERIFY(!kept.append(u"one-more.csv"_s, "x", 0));
    QCOMPARE(qsizetype(KeptRecords(folder.path()).files().size()), KeptRecords::mostFiles);
}

void TestRecordFiles::feed_readsFilesBesideTheLog()
{
    QTemporaryDir folder;
    write(folder.filePath(u"log.bin"_s), "started\n");
    FileFeed feed(folder.filePath(u"log.bin"_s), {});
    KeptRecords kept(folder.path());
    QVERIFY(kept.append(u"code/metrics.csv"_s, "step,loss\n1,0.5\n2,0.2", 0));
    const auto count = [&feed] {
        const MetricSeries* const loss = feed.series().find(u"loss"_s, u"metrics.csv"_s);
        return loss ? int(loss->size()) : 0;
    };
    QTRY_COMPARE(count(), 1); // the second row is half-written
    QVERIFY(kept.append(u"code/metrics.csv"_s, "5\n3,0.125", 21));
    QTRY_COMPARE(count(), 2);
    QCOMPARE(feed.series().find(u"loss"_s, u"metrics.csv"_s)->at(1).y, 0.25);
    feed.setLive(false); // the run has ended: its last line counts
    QTRY_COMPARE(count(), 3);
    // Read again by another program, later.
    FileFeed later(folder.filePath(u"log.bin"_s), {});
    later.setLive(false);
    QTRY_VERIFY(later.series().find(u"loss"_s, u"metrics.csv"_s));
    QTRY_COMPARE(later.series().find(u"loss"_s, u"metrics.csv"_s)->size(), size_t(3));
}

void TestRecordFiles::feed_readsARewrittenFileOnce()
{
    QTemporaryDir folder;
    KeptRecords kept(folder.path());
    RecordFeed feed(folder.path());
    QVERIFY(!feed.grew());
    QVERIFY(kept.append(u"metrics.csv"_s, "step,loss\n1,0.5\n2,0.25\n", 0));
    QVERIFY(feed.grew());
    const RecordFeed::Given first = feed.read({});
    QVERIFY(first.atEnd);
    QCOMPARE(first.samples.size(), size_t(2));
    QVERIFY(!feed.grew());
    // A logger that rewrites its table when it gets another column.
    kept.restart(u"metrics.csv"_s);
    QVERIFY(kept.append(u"metrics.csv"_s, "step,loss,acc\n1,0.5,\n2,0.25,\n3,0.2,0.9\n", 0));
    QVERIFY(feed.grew());
    const RecordFeed::Given second = feed.read({});
    QVERIFY(second.atEnd && !second.renewed);
    QCOMPARE(second.samples.size(), size_t(2));
    QCOMPARE(second.samples[0].x, 3.0);
    QCOMPARE(second.samples[1].series, u"accuracy"_s);
}

/// Whichever comes first.
void TestRecordFiles::feed_givesWhatTheLogHasOnce()
{
    QTemporaryDir folder;
    const QString log = folder.filePath(u"log.bin"_s);
    write(log, "started\n");
    FileFeed feed(log, {});
    KeptRecords kept(folder.path());
    QVERIFY(kept.append(u"metrics.csv"_s, "step,loss,lr\n1,0.5,0.1\n2,0.25,0.1\n", 0));
    QTRY_VERIFY(feed.series().find(u"loss"_s, u"metrics.csv"_s));
    write(log, "step 1 loss 0.50\nstep 2 loss 0.25\nstep 3 loss 0.20\n");
    QTRY_VERIFY(feed.series().find(u"loss"_s));
    QTRY_VERIFY(!feed.series().find(u"loss"_s, u"metrics.csv"_s));
    QTRY_VERIFY(feed.series().find(u"lr"_s, u"metrics.csv"_s)); // in the file only
    QTRY_COMPARE(feed.series().find(u"lr"_s, u"metrics.csv"_s)->size(), size_t(2));
    QVERIFY(kept.append(u"metrics.csv"_s, "3,0.2,0.05\n", 34));
    QTRY_COMPARE(feed.series().find(u"lr"_s, u"metrics.csv"_s)->size(), size_t(3));
    QVERIFY(!feed.series().find(u"loss"_s, u"metrics.csv"_s));
    QCOMPARE(feed.series().find(u"loss"_s)->size(), size_t(3));
}

void TestRecordFiles::feed_givesSeveralTrainingsBack()
{
    QTemporaryDir folder;
    KeptRecords kept(folder.path());
    RecordFeed feed(folder.path());
    const std::vector<CurveId> printed{{u"loss"_s, {}, false}};
    QVERIFY(kept.append(u"trial_1.csv"_s, "step,loss\n1,0.5\n2,0.25\n", 0));
    RecordFeed::Given given = feed.read(printed);
    QVERIFY(given.atEnd && given.samples.empty());
    QVERIFY(kept.append(u"trial_2.csv"_s, "step,loss\n1,0.75\n", 0));
    given = feed.read(printed); // the log mixes them
    QVERIFY(given.renewed && !given.atEnd && given.samples.empty());
    given = feed.read(printed);
    QVERIFY(given.atEnd && !given.renewed);
    QCOMPARE(given.samples.size(), size_t(3));
}

/// A number was taught while the run is open: its curve comes, the lines stay as they are.
void TestRecordFiles::feed_isReadAgainWithAnotherPattern()
{
    QTemporaryDir folder;
    const QString log = folder.filePath(u"log.bin"_s);
    const QByteArray first = "leak @1 is 0.5\nstep 1 loss 0.75\n";
    write(log, first + "leak @1 is 0.25\nleak @2 is 0.125\nstep 1 loss 0.5\nleak @3");
    FileFeed feed(log, {});
    feed.wake({first.size()}); // the job was requeued there
    KeptRecords kept(folder.path());
    QVERIFY(kept.append(u"metrics.csv"_s, "step,lr\n1,0.1\n2,0.05\n", 0));
    QTRY_COMPARE(feed.lines().size(), 6); // a divider among them
    QTRY_VERIFY(feed.series().find(u"lr"_s, u"metrics.csv"_s));
    const QStringList lines = feed.lines();
    QVERIFY(!feed.series().find(u"leak"_s));
    PatternSpec pattern{uR"(leak @(?<n>\d+) is (?<leak>\S+))"_s};
    pattern.x = u"n"_s;
    feed.readAgain({}, {pattern});
    const auto leaks = [&feed] {
        const MetricSeries* const leak = feed.series().find(u"leak"_s);
        return leak ? int(leak->size()) : 0;
    };
    QTRY_COMPARE(leaks(), 2); // of the second attempt
    QCOMPARE(feed.lines(), lines);
    QCOMPARE(feed.series().find(u"loss"_s)->size(), size_t(1));
    QTRY_COMPARE(feed.series().find(u"lr"_s, u"metrics.csv"_s)->size(), size_t(2));
    write(log, " is 0.0625\n", QIODevice::Append);
    QTRY_COMPARE(leaks(), 3);
    QCOMPARE(feed.lines(), lines + QStringList(u"leak @3 is 0.0625"_s));
}

void TestRecordFiles::feed_waitsForTheLastBytesAfterTheEnd()
{
    QTemporaryDir folder;
    write(folder.filePath(u"log.bin"_s), "started\n");
    FileFeed feed(folder.filePath(u"log.bin"_s), {});
    feed.wake({}, {}, true);
    KeptRecords kept(folder.path());
    QVERIFY(kept.append(u"metrics.csv"_s, "step,loss\n1,0.5\n2,0.2", 0));
    const auto last = [&feed] {
        const MetricSeries* const loss = feed.series().find(u"loss"_s, u"metrics.csv"_s);
        return loss ? loss->latest()->y : 0;
    };
    feed.setLive(false); // the end is shown, and the files are still being read
    QTRY_COMPARE(last(), 0.5);
    QTRY_VERIFY(feed.isCaughtUp());
    QCOMPARE(last(), 0.5);
    QVERIFY(kept.append(u"metrics.csv"_s, "5", 21));
    feed.wake({}, {}, false);
    QTRY_COMPARE(last(), 0.25);
}

void TestRecordFiles::digest_hasTheLastValuesOfFiles()
{
    LocalScene scene;
    scene.record->run.phase = RunPhase::Running;
    QVERIFY(scene.record->local.appendLog("step 1 loss 0.5\nstep 2 loss 0.25\n", 0).ok());
    KeptRecords kept(scene.here.path());
    QVERIFY(kept.append(u"metrics.csv"_s, "step,loss,lr\n1,0.5,0.1\n2,0.25,0.05\n", 0));
    DigestReader reader(scene.record);
    QTRY_COMPARE(scene.record->run.digest.last.size(), size_t(2));
    QCOMPARE(scene.record->run.digest.last[0].series, u"loss"_s);
    QVERIFY(scene.record->run.digest.last[0].lane.isEmpty());
    QCOMPARE(scene.record->run.digest.last[1].series, u"lr"_s);
    QCOMPARE(scene.record->run.digest.last[1].value, 0.05);
}

void TestRecordFiles::follower_copiesWhatGrows()
{
    LocalScene scene;
    const QString file = scene.there.filePath(u"out/metrics.csv"_s);
    write(file, "step,loss\n1,0.5\n");
    const auto follower = std::make_shared<RecordFollower>(scene.flow, scene.pace);
    follower->start();
    QTRY_COMPARE_WITH_TIMEOUT(scene.copyOf(u"out/metrics.csv"_s), "step,loss\n1,0.5\n"_ba, 20000);
    write(file, "2,0.25\n");
    QTRY_COMPARE_WITH_TIMEOUT(
        scene.copyOf(u"out/metrics.csv"_s), "step,loss\n1,0.5\n2,0.25\n"_ba, 20000);
    write(file, "step,loss\n9,0.1\n", QIODevice::Truncate); // rotated
    QTRY_COMPARE_WITH_TIMEOUT(scene.copyOf(u"out/metrics.csv"_s), "step,loss\n9,0.1\n"_ba, 20000);
    scene.flow.pauses->end();
    follower->end();
}

void TestRecordFiles::follower_readsTheLastBytes()
{
    LocalScene scene;
    const auto follower = std::make_shared<RecordFollower>(scene.flow, scene.pace);
    write(scene.there.filePath(u"metrics.csv"_s), "step,loss\n1,0.5\n");
    QCoro::waitFor(follower->readToEnd());
    QCOMPARE(scene.copyOf(u"metrics.csv"_s), "step,loss\n1,0.5\n"_ba);
    scene.flow.pauses->end();
    follower->end();
}

SLIPWAY_TEST(TestRecordFiles, runs_recordfiles)
#include "tst_recordfiles.moc"
