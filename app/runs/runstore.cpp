// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runstore.h"

#include "app/runs/privatefiles.h"
#include "app/runs/runjson.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

/// The statements that upgrade a file from version n to n + 1. Entries are never changed, only
/// added.
const std::vector<std::vector<QString>>& migrations()
{
    static const std::vector<std::vector<QString>> steps{
        {QStringLiteral("CREATE TABLE run (id TEXT PRIMARY KEY, tag TEXT NOT NULL UNIQUE,"
                        " created INTEGER NOT NULL, body TEXT NOT NULL)"),
            QStringLiteral("CREATE INDEX run_created ON run (created)")},
        {QStringLiteral("ALTER TABLE run ADD COLUMN cancel_asked INTEGER"),
            QStringLiteral("ALTER TABLE run ADD COLUMN fetched_to TEXT")},
        {QStringLiteral("ALTER TABLE run ADD COLUMN labels TEXT"),
            QStringLiteral("ALTER TABLE run ADD COLUMN changed INTEGER NOT NULL DEFAULT 0"),
            QStringLiteral("CREATE INDEX run_changed ON run (changed)"),
            // A program of the previous version that has the file open does not count its writes.
            QStringLiteral("CREATE TRIGGER run_inserted AFTER INSERT ON run WHEN NEW.changed = 0"
                           " BEGIN UPDATE run SET changed = (SELECT MAX(changed) + 1 FROM run)"
                           " WHERE id = NEW.id; END"),
            QStringLiteral("CREATE TRIGGER run_updated AFTER UPDATE OF body, fetched_to ON run"
                           " WHEN NEW.changed = OLD.changed"
                           " BEGIN UPDATE run SET changed = (SELECT MAX(changed) + 1 FROM run)"
                           " WHERE id = NEW.id; END")},
    };
    return steps;
}

constexpr int storeWait = 3000; ///< ms that opening, reading and the last writes may block
constexpr int retryInterval = 50; ///< ms
constexpr int troubleInterval = 1000; ///< ms, if the file cannot be written for another reason

/// 5: SQLITE_BUSY, 6: SQLITE_LOCKED. Another program is writing at the moment; the file is not
/// damaged.
bool isBusy(const QSqlError& error)
{
    return error.nativeErrorCode() == QLatin1String("5")
        || error.nativeErrorCode() == QLatin1String("6");
}

QString bodyOf(const Run& run)
{
    return QString::fromUtf8(QJsonDocument(runToJson(run)).toJson(QJsonDocument::Compact));
}

/// Each write of a row gets a number above all others, so that a reader finds what is new.
const QString nextChange = QStringLiteral("(SELECT COALESCE(MAX(changed), 0) + 1 FROM run)");

void prepareUpdate(QSqlQuery& query, const QString& column)
{
    query.prepare(
        QStringLiteral("UPDATE run SET %1 = ?, changed = %2 WHERE id = ?").arg(column, nextChange));
}

RunLabels labelsOf(const QByteArray& text)
{
    return labelsFromJson(QJsonDocument::fromJson(text).object());
}

Result<Run> runOf(const QByteArray& body)
{
    return runFromJson(QJsonDocument::fromJson(body).object());
}

} // namespace

RunStore::RunStore(QString file)
    : m_file(std::move(file))
    , m_connection(u"runs-" + QUuid::createUuid().toString(QUuid::WithoutBraces))
{
    m_retry.setSingleShot(true);
    QObject::connect(&m_retry, &QTimer::timeout, &m_retry, [this] { writeQueued(); });
}

RunStore::~RunStore()
{
    // The last chance for queued writes: only here they are waited for.
    if (!m_queue.empty() && setBusyTimeout(storeWait)) {
        for (const Write& write : std::exchange(m_queue, {})) {
            bool busy = false;
            Q_UNUSED(writeNow(write, &busy).ok())
        }
    }
    close();
}

QSqlDatabase RunStore::database() const
{
    return QSqlDatabase::database(m_connection, false);
}

void RunStore::close()
{
    if (QSqlDatabase::contains(m_connection)) {
        database().close();
        QSqlDatabase::removeDatabase(m_connection);
    }
}

Result<void> RunStore::open()
{
    makePrivateFolder(QFileInfo(m_file).path());
    auto opened = openFile();
    if (opened.ok() || opened.error().kind != ErrorKind::Invalid)
        return opened;
    const auto aside = setFileAside(opened.error().summary);
    return aside.ok() ? openFile() : aside;
}

Result<void> RunStore::openFile()
{
    if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE")))
        return Error{ErrorKind::Unsupported,
            tr("Runs cannot be stored: Qt's SQLite driver is missing."),
            tr("Install libqt6sql6-sqlite.")};
    makePrivateDatabase(m_file);
    auto db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    db.setDatabaseName(m_file);
    db.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(storeWait));
    if (!db.open())
        return failure(tr("The list of runs could not be opened."));
    QSqlQuery query(db);
    // WAL: readers of the other program never wait, and a crash leaves either the old or the new
    // state.
    const bool sound = query.exec(QStringLiteral("PRAGMA journal_mode=WAL"))
        && query.exec(QStringLiteral("PRAGMA synchronous=NORMAL"))
        && query.exec(QStringLiteral("PRAGMA quick_check(1)")) && query.next()
        && query.value(0).toString() == QLatin1String("ok");
    if (!sound) {
        if (isBusy(query.lastError()))
            return failure(tr("The list of runs is in use by another program."));
        return Error{ErrorKind::Invalid, tr("The list of runs (%1) is damaged.").arg(m_file), {},
            query.lastError().text().toUtf8()};
    }
    query.finish();
    const auto migrated = migrate();
    if (migrated.ok())
        m_dataVersion = pragma(QStringLiteral("data_version"));
    return migrated;
}

Result<void> RunStore::migrate()
{
    const int found = pragma(QStringLiteral("user_version"));
    if (found > version)
        return Error{ErrorKind::Invalid,
            tr("The list of runs (%1) was written by a newer Slipway.").arg(m_file)};
    for (int from = found; from < version; ++from) {
        auto statements = migrations().at(size_t(from));
        statements.push_back(QStringLiteral("PRAGMA user_version=%1").arg(from + 1));
        const auto done = inTransaction(statements);
        // The other program may have done this upgrade at the same moment.
        if (!done.ok() && pragma(QStringLiteral("user_version")) <= from)
            return done;
    }
    return {};
}

Result<void> RunStore::setFileAside(const QString& why)
{
    close();
    const QFileInfo info(m_file);
    const QString stamp =
        QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmsszzz"));
    const QString base =
        info.path() + u'/' + info.completeBaseName() + u"-set-aside-" + stamp + u".sqlite";
    for (const char* part : {"", "-wal", "-shm"}) {
        const QString from = m_file + QLatin1String(part);
        if (QFile::exists(from) && !QFile::rename(from, base + QLatin1String(part)))
            return Error{ErrorKind::Io, why + u' ' + tr("It could not be renamed to %1.").arg(base),
                tr("Move the file away by hand.")};
    }
    m_setAside = Error{ErrorKind::Invalid,
        why + u' ' + tr("It was renamed to %1, and a new list was created.").arg(base),
        tr("Running jobs are found again by their tag after the next login.")};
    return {};
}

Result<void> RunStore::inTransaction(const std::vector<QString>& statements)
{
    QSqlQuery query(database());
    // IMMEDIATE: a writer waits at the start, and cannot fail half-way.
    if (!query.exec(QStringLiteral("BEGIN IMMEDIATE")))
        return failure(tr("The list of runs could not be written."));
    for (const QString& statement : statements) {
        if (!query.exec(statement)) {
            const QByteArray detail = query.lastError().text().toUtf8();
            query.exec(QStringLiteral("ROLLBACK"));
            return Error{ErrorKind::Io, tr("The list of runs could not be written."), {}, detail};
        }
    }
    if (!query.exec(QStringLiteral("COMMIT"))) {
        query.exec(QStringLiteral("ROLLBACK"));
        return failure(tr("The list of runs could not be written."));
    }
    return {};
}

bool RunStore::setBusyTimeout(int milliseconds)
{
    QSqlQuery query(database());
    return query.exec(QStringLiteral("PRAGMA busy_timeout=%1").arg(milliseconds));
}

Result<void> RunStore::write(const Write& write)
{
    bool busy = !m_queue.empty(); // in order
    if (!busy) {
        setBusyTimeout(0);
        const auto written = writeNow(write, &busy);
        setBusyTimeout(storeWait);
        if (!busy)
            return written;
    }
    if (const auto free = checkFree(write); !free.ok())
        return free;
    enqueue(write);
    return {};
}

/// The result that an insert will have once the file can be written.
Result<void> RunStore::checkFree(const Write& insert)
{
    if (insert.kind != Write::Kind::Insert)
        return {};
    QSqlQuery query(database());
    query.prepare(QStringLiteral("SELECT 1 FROM run WHERE id = ? OR tag = ?"));
    query.addBindValue(insert.id);
    query.addBindValue(insert.tag);
    bool taken = query.exec() && query.next();
    for (const Write& other : m_queue)
        taken = taken
            || (other.kind == Write::Kind::Insert
                && (other.id == insert.id || other.tag == insert.tag));
    if (taken)
        return Error{ErrorKind::Io, tr("The list of runs could not be written."), {},
            "The run is already in the list."};
    return {};
}

void RunStore::enqueue(const Write& write)
{
    // A state that was never written is obsolete once there is a newer one.
    if (write.kind == Write::Kind::Save)
        std::erase_if(m_queue, [&write](const Write& other) {
            return other.kind == Write::Kind::Save && other.id == write.id;
        });
    m_queue.push_back(write);
    if (!m_retry.isActive())
        m_retry.start(retryInterval);
}

void RunStore::writeQueued()
{
    setBusyTimeout(0);
    int wait = 0;
    while (!m_queue.empty() && wait == 0) {
        bool busy = false;
        const auto written = writeNow(m_queue.front(), &busy);
        // A full disk may have space again; an id that another program used meanwhile remains in
        // use.
        const bool again = m_queue.front().kind != Write::Kind::Insert
            || (!written.ok() && written.error().kind == ErrorKind::DiskFull);
        if (busy || (!written.ok() && again))
            wait = busy ? retryInterval : troubleInterval;
        else
            m_queue.pop_front();
    }
    setBusyTimeout(storeWait);
    if (wait > 0)
        m_retry.start(wait);
}

Result<void> RunStore::writeNow(const Write& write, bool* busy)
{
    QSqlQuery frame(database());
    if (!frame.exec(QStringLiteral("BEGIN IMMEDIATE"))) {
        *busy = isBusy(frame.lastError());
        return Error{ErrorKind::Io, tr("The list of runs could not be written."), {},
            frame.lastError().text().toUtf8()};
    }
    QSqlQuery query(database());
    switch (write.kind) {
    case Write::Kind::Insert:
        query.prepare(
            QStringLiteral("INSERT INTO run (id, tag, created, body, changed) VALUES (?, ?, ?, ?, ")
            + nextChange + u')');
        for (const QVariant& value :
            {QVariant(write.id), QVariant(write.tag), QVariant(write.time)})
            query.addBindValue(value);
        query.addBindValue(write.text);
        break;
    case Write::Kind::Save:
        prepareUpdate(query, QStringLiteral("body"));
        query.addBindValue(write.text);
        query.addBindValue(write.id);
        break;
    case Write::Kind::CancelAsked:
        query.prepare(QStringLiteral("UPDATE run SET cancel_asked = ? WHERE id = ?"));
        query.addBindValue(write.time);
        query.addBindValue(write.id);
        break;
    case Write::Kind::Fetched:
        prepareUpdate(query, QStringLiteral("fetched_to"));
        query.addBindValue(write.text);
        query.addBindValue(write.id);
        break;
    case Write::Kind::Labels:
        prepareUpdate(query, QStringLiteral("labels"));
        query.addBindValue(write.text);
        query.addBindValue(write.id);
        break;
    }
    if (query.exec() && frame.exec(QStringLiteral("COMMIT")))
        return {};
    const QSqlError error = query.lastError().isValid() ? query.lastError() : frame.lastError();
    frame.exec(QStringLiteral("ROLLBACK"));
    *busy = isBusy(error);
    // 13: SQLITE_FULL
    const bool full = error.nativeErrorCode() == QLatin1String("13");
    return Error{full ? ErrorKind::DiskFull : ErrorKind::Io,
        full ? tr("The list of runs could not be written: this computer's disk is full.")
             : tr("The list of runs could not be written."),
        {}, error.text().toUtf8()};
}

Result<std::vector<Run>> RunStore::load()
{
    return readAfter(-1);
}

Result<std::vector<Run>> RunStore::loadChanged()
{
    return readAfter(m_lastChange);
}

Result<std::vector<Run>> RunStore::readAfter(qint64 change)
{
    QSqlQuery query(database());
    query.setForwardOnly(true);
    query.prepare(
        QStringLiteral("SELECT body, fetched_to, labels, changed FROM run WHERE changed > ?"
                       " ORDER BY created DESC, id"));
    query.addBindValue(change);
    if (!query.exec())
        return failure(tr("The list of runs could not be read."));
    std::vector<Run> runs;
    while (query.next()) {
        m_lastChange = std::max(m_lastChange, query.value(3).toLongLong());
        auto run = runOf(query.value(0).toByteArray());
        if (!run.ok())
            continue; // one broken row must not hide the others; it stays in the file
        run->fetchedTo = query.value(1).toString();
        run->labels = labelsOf(query.value(2).toByteArray());
        runs.push_back(std::move(*run));
    }
    return m_queue.empty() ? runs : withQueued(std::move(runs));
}

/// The runs as they will be once the queue is written.
std::vector<Run> RunStore::withQueued(std::vector<Run> runs) const
{
    for (const Write& write : m_queue) {
        auto at = std::find_if(
            runs.begin(), runs.end(), [&write](const Run& run) { return run.id == write.id; });
        const bool body = write.kind == Write::Kind::Insert || write.kind == Write::Kind::Save;
        const auto run = body ? runOf(write.text.toUtf8()) : Result<Run>(Run());
        if (write.kind == Write::Kind::Insert && run.ok() && at == runs.end()) {
            runs.push_back(*run);
        } else if (write.kind == Write::Kind::Save && run.ok() && at != runs.end()) {
            const QString folder = at->fetchedTo;
            const RunLabels labels = at->labels;
            *at = *run;
            at->fetchedTo = folder;
            at->labels = labels;
        } else if (write.kind == Write::Kind::Fetched && at != runs.end()) {
            at->fetchedTo = write.text;
        } else if (write.kind == Write::Kind::Labels && at != runs.end()) {
            at->labels = labelsOf(write.text.toUtf8());
        }
    }
    std::stable_sort(
        runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.created > b.created; });
    return runs;
}

Result<void> RunStore::insert(const Run& run)
{
    const auto written =
        write({Write::Kind::Insert, run.id, run.tag, run.created.toMSecsSinceEpoch(), bodyOf(run)});
    return written.ok() && run.labels != RunLabels() ? noteLabels(run.id, run.labels) : written;
}

Result<void> RunStore::save(const Run& run)
{
    return write({Write::Kind::Save, run.id, {}, 0, bodyOf(run)});
}

std::optional<QDateTime> RunStore::cancelAsked(const QString& id)
{
    for (auto write = m_queue.rbegin(); write != m_queue.rend(); ++write)
        if (write->kind == Write::Kind::CancelAsked && write->id == id)
            return QDateTime::fromMSecsSinceEpoch(write->time);
    QSqlQuery query(database());
    query.prepare(QStringLiteral("SELECT cancel_asked FROM run WHERE id = ?"));
    query.addBindValue(id);
    if (!query.exec() || !query.next() || query.value(0).isNull())
        return std::nullopt;
    return QDateTime::fromMSecsSinceEpoch(query.value(0).toLongLong());
}

Result<void> RunStore::noteCancelAsked(const QString& id, const QDateTime& when)
{
    return write({Write::Kind::CancelAsked, id, {}, when.toMSecsSinceEpoch(), {}});
}

Result<void> RunStore::noteFetched(const QString& id, const QString& folder)
{
    return write({Write::Kind::Fetched, id, {}, 0, folder});
}

Result<void> RunStore::noteLabels(const QString& id, const RunLabels& labels)
{
    return write({Write::Kind::Labels, id, {}, 0,
        QString::fromUtf8(QJsonDocument(labelsToJson(labels)).toJson(QJsonDocument::Compact))});
}

bool RunStore::changed()
{
    const int now = pragma(QStringLiteral("data_version"));
    return std::exchange(m_dataVersion, now) != now;
}

int RunStore::pragma(const QString& name) const
{
    QSqlQuery query(database());
    return query.exec(u"PRAGMA " + name) && query.next() ? query.value(0).toInt() : -1;
}

Error RunStore::failure(const QString& what) const
{
    return Error{ErrorKind::Io, what, {}, database().lastError().text().toUtf8()};
}

} // namespace slipway
