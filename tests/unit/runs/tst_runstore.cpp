// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/localrun.h"
#include "app/runs/runjson.h"
#include "app/runs/runstore.h"
#include "tests/support/heartbeat.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <QTimeZone>

using namespace slipway;

namespace {

Run sampleRun(const QString& id)
{
    Run run;
    run.id = id;
    run.tag = u"tag-" + id;
    run.spec = {QStringLiteral("demo"), QStringLiteral("matmul"), LaunchMode::Interactive,
        {{QStringLiteral("sizes"), QStringLiteral("1,2")}}, QByteArray("a\0b\xff", 4)};
    run.spec.project = QStringLiteral("/home/ada/a project");
    run.spec.largeFiles = {QStringLiteral("data/big.bin")};
    run.title = QStringLiteral("Matmul <b>");
    run.job.text = QStringLiteral("42");
    run.phase = RunPhase::Failed;
    run.stages = {{QStringLiteral("image"), QStringLiteral("Pull"), StageState::Failed,
        QDateTime::fromMSecsSinceEpoch(1000, QTimeZone::utc()), std::nullopt,
        QStringLiteral("exit code 2")}};
    run.exitCode = 2;
    run.error =
        Error{ErrorKind::JobFailed, QStringLiteral("It failed."), QStringLiteral("Look."), "raw"};
    run.created = QDateTime::fromMSecsSinceEpoch(1795216451162, QTimeZone::utc());
    run.logBytes = 5'000'000'000;
    return run;
}

void execute(const QString& file, const QStringList& statements)
{
    {
        auto db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("hand"));
        db.setDatabaseName(file);
        QVERIFY(db.open());
        QSqlQuery query(db);
        for (const QString& statement : statements)
            QVERIFY2(query.exec(statement), qPrintable(statement));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("hand"));
}

} // namespace

class TestRunStore : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void run_survivesAsItWas();
    void labels_areKeptWhateverTheDriverSaves();
    void olderFile_isBroughtUpToDate();
    void files_areReadableByTheOwnerOnly();
    void newerFile_isSetAsideAndNothingIsLost();
    void brokenFile_isSetAsideAndNothingIsLost();
    void twoPrograms_seeEachOthersWritesAndKeepTheirOwn();
    void programThatWasKilled_leavesItsRunsAndItsLock();
    void lockedFile_holdsUpNothingAndLosesNothing();
    void lockedFile_isReadAsItWillBe();
    void lockedFile_isWrittenAtTheEnd();
    void logCopy_copiesEachByteOnce();

private:
    QString file() const { return m_folder->filePath(QStringLiteral("runs.sqlite")); }
    std::unique_ptr<QTemporaryDir> m_folder;
    QObject m_context;
};

namespace {

/// Another program in the middle of a write: a connection that holds the file's write lock.
class Writer {
public:
    explicit Writer(const QString& file)
    {
        auto db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("writer"));
        db.setDatabaseName(file);
        m_holds = db.open() && QSqlQuery(db).exec(QStringLiteral("BEGIN IMMEDIATE"));
    }
    ~Writer()
    {
        release();
        QSqlDatabase::removeDatabase(QStringLiteral("writer"));
    }
    bool holds() const { return m_holds; }
    void release()
    {
        if (std::exchange(m_holds, false))
            QSqlQuery(QSqlDatabase::database(QStringLiteral("writer")))
                .exec(QStringLiteral("COMMIT"));
    }

private:
    bool m_holds = false;
};

} // namespace

void TestRunStore::run_survivesAsItWas()
{
    const Run run = sampleRun(QStringLiteral("k3f9"));
    {
        RunStore store(file());
        QVERIFY(store.open().ok());
        QVERIFY(store.insert(run).ok());
        QVERIFY(!store.insert(run).ok()); // an id or tag is taken once
        QVERIFY(store.noteFetched(run.id, QStringLiteral("/tmp/x")).ok());
        QVERIFY(!store.cancelAsked(run.id));
        QVERIFY(store.noteCancelAsked(run.id, run.created).ok());
    }
    RunStore store(file());
    QVERIFY(store.open().ok());
    const auto runs = store.load();
    QVERIFY(runs.ok());
    QCOMPARE(runs->size(), size_t(1));
    Run expected = run;
    expected.fetchedTo = QStringLiteral("/tmp/x");
    QCOMPARE(runToJson(runs->front()), runToJson(expected));
    QCOMPARE(runs->front().spec.editedScript, run.spec.editedScript);
    QCOMPARE(runs->front().spec.project, run.spec.project);
    QCOMPARE(runs->front().spec.largeFiles, run.spec.largeFiles);
    QCOMPARE(*store.cancelAsked(run.id), run.created);
}

/// Two programs: one drives the run and saves its state, the other names it.
void TestRunStore::labels_areKeptWhateverTheDriverSaves()
{
    RunStore driver(file()), other(file());
    QVERIFY(driver.open().ok());
    QVERIFY(other.open().ok());
    Run run = sampleRun(QStringLiteral("a2b3"));
    QVERIFY(driver.insert(run).ok());
    const RunLabels labels{
        QStringLiteral("Baseline"), {QStringLiteral("paper")}, QStringLiteral("x")};
    QVERIFY(other.noteLabels(run.id, labels).ok());
    run.logBytes = 7;
    run.digest.last = {{QStringLiteral("loss"), {}, {}, 0.5}};
    QVERIFY(driver.save(run).ok()); // it knows of no labels
    const Run kept = other.load()->front();
    QVERIFY(kept.labels == labels);
    QCOMPARE(kept.logBytes, qint64(7));
    QCOMPARE(kept.digest.last.front().value, 0.5);
    {
        // The same while the file is held by a third.
        Writer third(file());
        QVERIFY(third.holds());
        const RunLabels renamed{QStringLiteral("New"), {}, {}};
        QVERIFY(driver.noteLabels(run.id, renamed).ok());
        QVERIFY(driver.save(run).ok());
        QCOMPARE(driver.load()->front().labels.name, renamed.name);
    }
    QTRY_COMPARE(driver.queued(), 0);
    QCOMPARE(other.load()->front().labels.name, QStringLiteral("New"));
    // A run that is inserted with labels has them.
    Run named = sampleRun(QStringLiteral("c4d5"));
    named.labels = labels;
    named.created = run.created.addSecs(1);
    QVERIFY(driver.insert(named).ok());
    QVERIFY(other.load()->front().labels == labels);
}

void TestRunStore::olderFile_isBroughtUpToDate()
{
    execute(file(),
        {QStringLiteral("CREATE TABLE run (id TEXT PRIMARY KEY, tag TEXT NOT NULL UNIQUE, created "
                        "INTEGER NOT NULL, body TEXT NOT NULL)"),
            QStringLiteral("INSERT INTO run VALUES ('a2b3', 't', 1, "
                           "'{\"id\":\"a2b3\",\"phase\":\"done\",\"from_the_future\":1}')"),
            QStringLiteral("PRAGMA user_version=1")});
    RunStore store(file());
    QVERIFY(store.open().ok());
    QVERIFY(!store.setAside());
    QCOMPARE(store.load()->front().phase, RunPhase::Done);
    QVERIFY(store.noteFetched(QStringLiteral("a2b3"), QStringLiteral("/x")).ok());
    QCOMPARE(store.load()->front().fetchedTo, QStringLiteral("/x"));
    QVERIFY(store.load()->front().labels == RunLabels());
    QVERIFY(store.noteLabels(QStringLiteral("a2b3"), {QStringLiteral("Mine"), {}, {}}).ok());
    QCOMPARE(store.load()->front().labels.name, QStringLiteral("Mine"));
}

void TestRunStore::files_areReadableByTheOwnerOnly()
{
    constexpr auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup
        | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
    const QString folder = m_folder->filePath(QStringLiteral("data"));
    const QString path = folder + u"/runs.sqlite";
    const auto isPrivate = [&] {
        const auto entries = QDir(folder).entryInfoList(QDir::Files);
        return !(QFile::permissions(folder) & others)
            && std::none_of(entries.begin(), entries.end(),
                [&](const QFileInfo& entry) { return entry.permissions() & others; });
    };
    {
        RunStore store(path);
        QVERIFY(store.open().ok());
        QVERIFY(store.insert(sampleRun(QStringLiteral("a2b3"))).ok());
        QVERIFY(isPrivate());
    }
    // As an older Slipway left them.
    QVERIFY(QFile::setPermissions(folder, QFile::Permissions(0x7755)));
    QVERIFY(QFile::setPermissions(path, QFile::Permissions(0x6644)));
    QDir(folder).mkpath(QStringLiteral("runs/a2b3"));
    QFile log(folder + u"/runs/a2b3/log.bin");
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.close();
    QVERIFY(log.setPermissions(QFile::Permissions(0x6644)));
    RunStore store(path);
    QVERIFY(store.open().ok());
    QVERIFY(isPrivate());
    QVERIFY(!(QFile::permissions(log.fileName()) & others));
    QVERIFY(!(QFile::permissions(folder + u"/runs/a2b3") & others));
    QCOMPARE(store.load()->size(), size_t(1));
}

void TestRunStore::newerFile_isSetAsideAndNothingIsLost()
{
    execute(file(),
        {QStringLiteral("CREATE TABLE other (x)"), QStringLiteral("PRAGMA user_version=99")});
    RunStore store(file());
    QVERIFY(store.open().ok());
    QVERIFY(store.setAside());
    QVERIFY(store.setAside()->summary.contains(QStringLiteral("newer")));
    QVERIFY(store.load()->empty());
    QCOMPARE(QDir(m_folder->path()).entryList({QStringLiteral("*set-aside*.sqlite")}).size(), 1);
}

void TestRunStore::brokenFile_isSetAsideAndNothingIsLost()
{
    const QByteArray rubbish(8192, 'x');
    QFile broken(file());
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write(rubbish);
    broken.close();
    RunStore store(file());
    const auto opened = store.open();
    QVERIFY2(opened.ok(), qPrintable(opened.ok() ? QString() : opened.error().text()));
    QVERIFY(store.setAside());
    QVERIFY(store.insert(sampleRun(QStringLiteral("a2b3"))).ok());
    const auto kept = QDir(m_folder->path()).entryList({QStringLiteral("*set-aside*.sqlite")});
    QCOMPARE(kept.size(), 1);
    QFile aside(m_folder->filePath(kept.front()));
    QVERIFY(aside.open(QIODevice::ReadOnly));
    QCOMPARE(aside.readAll(), rubbish);
}

void TestRunStore::twoPrograms_seeEachOthersWritesAndKeepTheirOwn()
{
    RunStore window(file()), terminal(file());
    QVERIFY(window.open().ok());
    QVERIFY(terminal.open().ok());
    QVERIFY(!window.changed());
    for (int i = 0; i < 20; ++i) {
        QVERIFY(window.insert(sampleRun(QStringLiteral("w%1").arg(i))).ok());
        QVERIFY(terminal.insert(sampleRun(QStringLiteral("t%1").arg(i))).ok());
    }
    QVERIFY(window.changed());
    QVERIFY(!window.changed());
    QCOMPARE(window.load()->size(), size_t(40));
    // From then on only what is new is read.
    QVERIFY(window.loadChanged()->empty());
    QVERIFY(terminal.noteLabels(QStringLiteral("w7"), {QStringLiteral("Mine"), {}, {}}).ok());
    const auto fresh = window.loadChanged();
    QCOMPARE(fresh->size(), size_t(1));
    QCOMPARE(fresh->front().labels.name, QStringLiteral("Mine"));
    QVERIFY(terminal.insert(sampleRun(QStringLiteral("last"))).ok());
    QCOMPARE(window.loadChanged()->size(), size_t(1));
    QVERIFY(window.loadChanged()->empty());
    // A program of the version before, which has the file open, does not count its writes.
    execute(file(),
        {QStringLiteral("UPDATE run SET body = body || ' ' WHERE id = 'w3'"),
            QStringLiteral("INSERT INTO run (id, tag, created, body) SELECT 'old', 'old', created, "
                           "replace(body, 'w4', 'old') FROM run WHERE id = 'w4'")});
    QCOMPARE(window.loadChanged()->size(), size_t(2));
    QVERIFY(window.loadChanged()->empty());
}

void TestRunStore::programThatWasKilled_leavesItsRunsAndItsLock()
{
    // The write-ahead log of a killed program is next to the file: a copy of both is what it
    // leaves.
    RunStore store(file());
    QVERIFY(store.open().ok());
    QVERIFY(store.insert(sampleRun(QStringLiteral("a2b3"))).ok());
    const QString crashed = m_folder->filePath(QStringLiteral("crashed.sqlite"));
    QVERIFY(QFile::copy(file(), crashed));
    QVERIFY(QFile::copy(file() + u"-wal", crashed + u"-wal"));
    RunStore after(crashed);
    QVERIFY(after.open().ok());
    QCOMPARE(after.load()->size(), size_t(1));

    const QString folder = m_folder->filePath(QStringLiteral("run"));
    LocalRun driver(folder), reader(folder);
    QVERIFY(driver.lock());
    QVERIFY(!reader.lock());
    driver.unlock();
    QVERIFY(reader.lock());
    reader.unlock();
    // A lock whose program is gone is taken over.
    QFile stale(folder + u"/driver.lock");
    QVERIFY(stale.open(QIODevice::WriteOnly));
    stale.write("2147483000\nslipway\n" + QSysInfo::machineHostName().toUtf8() + "\n\n\n");
    stale.close();
    QVERIFY(driver.lock());
}

void TestRunStore::lockedFile_holdsUpNothingAndLosesNothing()
{
    RunStore store(file());
    QVERIFY(store.open().ok());
    Run run = sampleRun(QStringLiteral("a2b3"));
    QVERIFY(store.insert(run).ok());
    Writer other(file());
    QVERIFY(other.holds());
    bool released = false;
    QTimer::singleShot(2000, &m_context, [&] {
        other.release();
        released = true;
    });
    {
        Heartbeat heartbeat;
        QTimer saver;
        int saves = 0;
        QObject::connect(&saver, &QTimer::timeout, &saver, [&] {
            run.logBytes = ++saves;
            QVERIFY(store.save(run).ok());
            if (saves == 3) {
                QVERIFY(store.insert(sampleRun(QStringLiteral("c4d5"))).ok());
                QVERIFY(store.noteCancelAsked(run.id, run.created).ok());
                QVERIFY(store.noteFetched(run.id, QStringLiteral("/x")).ok());
            }
        });
        saver.start(100);
        QTRY_VERIFY_WITH_TIMEOUT(released, 10'000);
        saver.stop();
        QVERIFY(saves > 3);
        QTRY_COMPARE(store.queued(), 0);
        // A writer that waited would hold it up until the file is free; a busy disk takes a while.
        QVERIFY2(heartbeat.worst() < 1000, qPrintable(QString::number(heartbeat.worst())));
    }
    RunStore after(file());
    QVERIFY(after.open().ok());
    const auto runs = after.load();
    QVERIFY(runs.ok());
    QCOMPARE(runs->size(), size_t(2));
    const Run& kept = runs->at(runs->front().id == run.id ? 0 : 1);
    QCOMPARE(kept.logBytes, run.logBytes);
    QCOMPARE(kept.fetchedTo, QStringLiteral("/x"));
    QCOMPARE(*after.cancelAsked(run.id), run.created);
}

void TestRunStore::lockedFile_isReadAsItWillBe()
{
    RunStore store(file());
    QVERIFY(store.open().ok());
    Run run = sampleRun(QStringLiteral("a2b3"));
    QVERIFY(store.insert(run).ok());
    Writer other(file());
    QVERIFY(other.holds());
    run.logBytes = 1;
    QVERIFY(store.save(run).ok());
    run.logBytes = 2;
    QVERIFY(store.save(run).ok());
    QVERIFY(store.noteFetched(run.id, QStringLiteral("/x")).ok());
    QVERIFY(store.noteCancelAsked(run.id, run.created).ok());
    Run later = sampleRun(QStringLiteral("c4d5"));
    later.created = run.created.addSecs(1);
    QVERIFY(store.insert(later).ok());
    QVERIFY(!store.insert(later).ok()); // taken in the queue
    QVERIFY(!store.insert(run).ok()); // taken in the file
    QCOMPARE(store.queued(), 4);
    const auto runs = store.load();
    QCOMPARE(runs->size(), size_t(2));
    QCOMPARE(runs->at(0).id, later.id); // newest first
    QCOMPARE(runs->at(1).logBytes, qint64(2));
    QCOMPARE(runs->at(1).fetchedTo, QStringLiteral("/x"));
    QCOMPARE(*store.cancelAsked(run.id), run.created);
    other.release();
    QTRY_COMPARE(store.queued(), 0);
}

void TestRunStore::lockedFile_isWrittenAtTheEnd()
{
    Run run = sampleRun(QStringLiteral("a2b3"));
    auto store = std::make_unique<RunStore>(file());
    QVERIFY(store->open().ok());
    {
        Writer other(file());
        QVERIFY(other.holds());
        QVERIFY(store->insert(run).ok());
    }
    store.reset(); // before its event loop had a turn
    RunStore after(file());
    QVERIFY(after.open().ok());
    QCOMPARE(after.load()->size(), size_t(1));
}

void TestRunStore::logCopy_copiesEachByteOnce()
{
    const QString folder = m_folder->filePath(QStringLiteral("run"));
    LocalRun run(folder);
    QVERIFY(run.appendLog("hello ", 0).ok());
    QVERIFY(run.appendLog("hello world", 0).ok()); // read again after a crash
    QVERIFY(run.appendLog("world", 6).ok());
    QVERIFY(!run.appendLog("far", 100).ok()); // a gap is an error, never a silent hole
    QCOMPARE(run.logTail(100), QByteArray("hello world"));
    run.noteLogIdentity(77, 0);
    const LogPosition position = LocalRun(folder).logPosition();
    QCOMPARE(position.offset, qint64(11));
    QCOMPARE(position.inode, quint64(77));
    QCOMPARE(position.head, QByteArray("hello world"));
    run.restartLog();
    QVERIFY(run.appendLog("again", 0).ok());
    const LocalRun later(folder);
    QCOMPARE(later.logPosition().offset, qint64(5));
    QCOMPARE(later.logRestarts(), std::vector<qint64>{11});
}

SLIPWAY_TEST(TestRunStore, runs_runstore)
#include "tst_runstore.moc"
