// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/runstore.h"

#include "app/launch/runjson.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

namespace slipway {

namespace {

/// What brings a file of version n to n + 1. Entries are never changed, only added.
const std::vector<std::vector<QString>>& migrations()
{
    static const std::vector<std::vector<QString>> steps{
        {QStringLiteral("CREATE TABLE run (id TEXT PRIMARY KEY, tag TEXT NOT NULL UNIQUE,"
                        " created INTEGER NOT NULL, body TEXT NOT NULL)"),
            QStringLiteral("CREATE INDEX run_created ON run (created)")},
        {QStringLiteral("ALTER TABLE run ADD COLUMN cancel_asked INTEGER"),
            QStringLiteral("ALTER TABLE run ADD COLUMN fetched_to TEXT")},
    };
    return steps;
}

} // namespace

RunStore::RunStore(QString file)
    : m_file(std::move(file))
    , m_connection(u"runs-" + QUuid::createUuid().toString(QUuid::WithoutBraces))
{
}

RunStore::~RunStore()
{
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
    QDir().mkpath(QFileInfo(m_file).path());
    auto opened = openFile();
    if (opened.ok() || opened.error().kind != ErrorKind::Invalid)
        return opened;
    const auto aside = setFileAside(opened.error().summary);
    return aside.ok() ? openFile() : aside;
}

Result<void> RunStore::openFile()
{
    if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE")))
        return Error{ErrorKind::Unsupported, tr("Runs cannot be kept: Qt's SQLite driver is missing."),
            tr("Install libqt6sql6-sqlite.")};
    auto db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    db.setDatabaseName(m_file);
    db.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=3000"));
    if (!db.open())
        return failure(tr("The list of runs could not be opened."));
    QSqlQuery query(db);
    // WAL: readers of the other program never wait, and a crash leaves either the old or the new.
    const bool sound = query.exec(QStringLiteral("PRAGMA journal_mode=WAL"))
        && query.exec(QStringLiteral("PRAGMA synchronous=NORMAL"))
        && query.exec(QStringLiteral("PRAGMA quick_check(1)")) && query.next()
        && query.value(0).toString() == QLatin1String("ok");
    if (!sound) {
        const QString code = query.lastError().nativeErrorCode();
        // 5 and 6: another program is writing just now; the file is not at fault.
        if (code == QLatin1String("5") || code == QLatin1String("6"))
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
        // The other program may have done this very step in the same moment.
        if (!done.ok() && pragma(QStringLiteral("user_version")) <= from)
            return done;
    }
    return {};
}

Result<void> RunStore::setFileAside(const QString& why)
{
    close();
    const QFileInfo info(m_file);
    const QString stamp = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmsszzz"));
    const QString base = info.path() + u'/' + info.completeBaseName() + u"-set-aside-" + stamp + u".sqlite";
    for (const char* part : {"", "-wal", "-shm"}) {
        const QString from = m_file + QLatin1String(part);
        if (QFile::exists(from) && !QFile::rename(from, base + QLatin1String(part)))
            return Error{ErrorKind::Io, why + u' ' + tr("It could not be set aside as %1.").arg(base),
                tr("Move the file away by hand.")};
    }
    m_setAside = Error{ErrorKind::Invalid,
        why + u' ' + tr("It was kept as %1, and a new list was begun.").arg(base),
        tr("Jobs that still run are found again by their tag after the next login.")};
    return {};
}

Result<void> RunStore::inTransaction(const std::vector<QString>& statements)
{
    QSqlQuery query(database());
    // IMMEDIATE: a writer waits its turn at the start, and cannot fail half-way.
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

Result<void> RunStore::write(QSqlQuery& query)
{
    QSqlQuery frame(database());
    if (!frame.exec(QStringLiteral("BEGIN IMMEDIATE")))
        return Error{ErrorKind::Io, tr("The list of runs could not be written."), {},
            frame.lastError().text().toUtf8()};
    if (query.exec() && frame.exec(QStringLiteral("COMMIT")))
        return {};
    const QSqlError error = query.lastError().isValid() ? query.lastError() : frame.lastError();
    frame.exec(QStringLiteral("ROLLBACK"));
    // 13: SQLITE_FULL
    const bool full = error.nativeErrorCode() == QLatin1String("13");
    return Error{full ? ErrorKind::DiskFull : ErrorKind::Io,
        full ? tr("The list of runs could not be written: this computer's disk is full.")
             : tr("The list of runs could not be written."),
        {}, error.text().toUtf8()};
}

Result<std::vector<Run>> RunStore::load()
{
    QSqlQuery query(database());
    if (!query.exec(QStringLiteral("SELECT body, fetched_to FROM run ORDER BY created DESC, id")))
        return failure(tr("The list of runs could not be read."));
    std::vector<Run> runs;
    while (query.next()) {
        const auto json = QJsonDocument::fromJson(query.value(0).toByteArray()).object();
        auto run = runFromJson(json);
        if (!run.ok())
            continue; // one broken row must not hide the others; it stays in the file
        run->fetchedTo = query.value(1).toString();
        runs.push_back(std::move(*run));
    }
    return runs;
}

Result<void> RunStore::insert(const Run& run)
{
    QSqlQuery query(database());
    query.prepare(QStringLiteral("INSERT INTO run (id, tag, created, body) VALUES (?, ?, ?, ?)"));
    query.addBindValue(run.id);
    query.addBindValue(run.tag);
    query.addBindValue(run.created.toMSecsSinceEpoch());
    query.addBindValue(QString::fromUtf8(QJsonDocument(runToJson(run)).toJson(QJsonDocument::Compact)));
    return write(query);
}

Result<void> RunStore::save(const Run& run)
{
    QSqlQuery query(database());
    query.prepare(QStringLiteral("UPDATE run SET body = ? WHERE id = ?"));
    query.addBindValue(QString::fromUtf8(QJsonDocument(runToJson(run)).toJson(QJsonDocument::Compact)));
    query.addBindValue(run.id);
    return write(query);
}

std::optional<QDateTime> RunStore::cancelAsked(const QString& id)
{
    QSqlQuery query(database());
    query.prepare(QStringLiteral("SELECT cancel_asked FROM run WHERE id = ?"));
    query.addBindValue(id);
    if (!query.exec() || !query.next() || query.value(0).isNull())
        return std::nullopt;
    return QDateTime::fromMSecsSinceEpoch(query.value(0).toLongLong());
}

Result<void> RunStore::noteCancelAsked(const QString& id, const QDateTime& when)
{
    QSqlQuery query(database());
    query.prepare(QStringLiteral("UPDATE run SET cancel_asked = ? WHERE id = ?"));
    query.addBindValue(when.toMSecsSinceEpoch());
    query.addBindValue(id);
    return write(query);
}

Result<void> RunStore::noteFetched(const QString& id, const QString& folder)
{
    QSqlQuery query(database());
    query.prepare(QStringLiteral("UPDATE run SET fetched_to = ? WHERE id = ?"));
    query.addBindValue(folder);
    query.addBindValue(id);
    return write(query);
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
