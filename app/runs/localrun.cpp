// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/localrun.h"

#include "app/runs/keptrecords.h"
#include "app/runs/privatefiles.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QSaveFile>

#include <cerrno>

namespace slipway {

namespace {

constexpr qint64 fingerprint = 4096; ///< as many as LogPosition keeps at either end
const QString identityName = QStringLiteral("log.json");
const QString eventsName = QStringLiteral("events.ndjson");
const QString samplesName = QStringLiteral("samples.ndjson");
const QString probeName = QStringLiteral("probe.ndjson");

Error localError(const QString& file, const QString& reason)
{
    const bool full = errno == ENOSPC || errno == EDQUOT;
    return Error{full ? ErrorKind::DiskFull : ErrorKind::Io,
        full ? tr("%1 could not be written: this computer’s disk is full.").arg(file)
             : tr("%1 could not be written.").arg(file),
        tr("The job is not affected; free some space on this computer."), reason.toUtf8()};
}

QByteArray part(const QString& path, qint64 from, qint64 size)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || !file.seek(from))
        return {};
    return file.read(size);
}

} // namespace

LocalRun::LocalRun(QString folder, qint64 logLimit)
    : m_folder(std::move(folder))
    , m_mostLog(logLimit)
{
    makePrivateFolder(m_folder);
    readIdentity();
}

bool LocalRun::lock()
{
    if (isLocked())
        return true;
    m_lock = std::make_unique<QLockFile>(filePath(QStringLiteral("driver.lock")));
    // Stale means that its program has ended. Age alone never makes a lock stale, however long a
    // run lasts.
    m_lock->setStaleLockTime(0);
    if (m_lock->tryLock(0)) {
        readIdentity();
        return true;
    }
    m_lock.reset();
    return false;
}

void LocalRun::unlock()
{
    m_lock.reset();
}

void LocalRun::readIdentity()
{
    const QJsonObject json = readJson(identityName);
    m_inode = json.value(u"inode").toString().toULongLong();
    m_restartCount = json.value(u"restarts").toInt();
    m_logIsFull = json.value(u"full").toBool();
    m_restarts.clear();
    for (const auto& position : json.value(u"began").toArray())
        m_restarts.push_back(qint64(position.toDouble()));
}

void LocalRun::writeIdentity()
{
    QJsonArray began;
    for (const qint64 position : m_restarts)
        began.append(double(position));
    writeJson(identityName,
        {{QStringLiteral("inode"), QString::number(m_inode)},
            {QStringLiteral("restarts"), m_restartCount}, {QStringLiteral("began"), began},
            {QStringLiteral("full"), m_logIsFull}});
}

LogPosition LocalRun::logPosition() const
{
    const qint64 base = m_restarts.empty() ? 0 : m_restarts.back();
    LogPosition position;
    position.offset = std::max<qint64>(0, QFileInfo(logFile()).size() - base);
    position.inode = m_inode;
    position.restarts = m_restartCount;
    position.head = part(logFile(), base, std::min(position.offset, fingerprint));
    const qint64 tail = std::min(position.offset, fingerprint);
    position.tail = part(logFile(), base + position.offset - tail, tail);
    return position;
}

Result<void> LocalRun::append(const QString& name, const QByteArray& bytes)
{
    if (!QFile::exists(name))
        makePrivateFile(name);
    QFile file(name);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
        return localError(name, file.errorString());
    const qint64 before = file.size();
    if (file.write(bytes) == bytes.size())
        return {};
    const Error error = localError(name, file.errorString());
    file.resize(before); // a partial write would shift every offset after it
    return error;
}

Result<void> LocalRun::appendLog(const QByteArray& bytes, qint64 offset)
{
    if (m_logIsFull)
        return {};
    const qint64 base = m_restarts.empty() ? 0 : m_restarts.back();
    const qint64 here = QFileInfo(logFile()).size() - base;
    if (offset > here)
        return Error{ErrorKind::Protocol,
            tr("A part of the log is missing between byte %1 and byte %2.").arg(here).arg(offset)};
    const QByteArray fresh = bytes.mid(here - offset);
    const qint64 room = std::max<qint64>(0, m_mostLog - QFileInfo(logFile()).size());
    if (fresh.size() <= room)
        return fresh.isEmpty() ? Result<void>() : append(logFile(), fresh);
    // The note follows the log's own bytes and is the end of the file: no offset is derived from
    // it.
    m_logIsFull = true;
    writeIdentity();
    return append(logFile(), fresh.left(room) + fullNote());
}

QByteArray LocalRun::fullNote() const
{
    return '\n'
        + tr("— The log is larger than the %1 kept on this computer. The whole log is on the "
             "cluster. —")
              .arg(QLocale::c().formattedDataSize(m_mostLog))
              .toUtf8()
        + '\n';
}

qint64 LocalRun::logSize() const
{
    return QFileInfo(logFile()).size();
}

qint64 LocalRun::mostLogAsked()
{
    bool isNumber = false;
    const qint64 asked = qEnvironmentVariable("SLIPWAY_LOG_LIMIT_MIB").toLongLong(&isNumber);
    constexpr qint64 mebibyte = 1024 * 1024;
    return isNumber && asked > 0 ? std::min(asked, mebibyte) * mebibyte
                                 : mostLog; // a tebibyte at most
}

void LocalRun::noteLogIdentity(quint64 inode, int restarts)
{
    if (inode == m_inode && restarts == m_restartCount)
        return;
    m_inode = inode;
    m_restartCount = restarts;
    writeIdentity();
}

void LocalRun::restartLog()
{
    m_restarts.push_back(QFileInfo(logFile()).size());
    m_inode = 0;
    writeIdentity();
}

QByteArray LocalRun::logTail(qint64 bytes) const
{
    const qint64 size = QFileInfo(logFile()).size();
    return part(logFile(), std::max<qint64>(0, size - bytes), bytes);
}

QByteArray LocalRun::events() const
{
    return part(filePath(eventsName), 0, eventsSize());
}

qint64 LocalRun::eventsSize() const
{
    return QFileInfo(filePath(eventsName)).size();
}

Result<void> LocalRun::appendEvents(const QByteArray& bytes)
{
    return append(filePath(eventsName), bytes.left(mostRows - eventsSize()));
}

QByteArray LocalRun::probeRows() const
{
    return part(filePath(probeName), 0, probeRowsSize());
}

qint64 LocalRun::probeRowsSize() const
{
    return QFileInfo(filePath(probeName)).size();
}

Result<void> LocalRun::appendProbeRows(const QByteArray& bytes)
{
    return append(filePath(probeName), bytes.left(mostRows - probeRowsSize()));
}

QByteArray LocalRun::nodeSamples() const
{
    return part(filePath(samplesName), 0, mostSamples);
}

void LocalRun::appendNodeSample(const QByteArray& line)
{
    // A full disk only affects the curves.
    if (QFileInfo(filePath(samplesName)).size() + line.size() < mostSamples)
        Q_UNUSED(append(filePath(samplesName), line + '\n').ok())
}

Result<void> LocalRun::keepFiles(const std::vector<LaunchFile>& files)
{
    for (const LaunchFile& entry : files) {
        if (isSecretFile(entry.name))
            continue;
        const QString path = filePath(u"files/" + entry.name);
        QDir().mkpath(QFileInfo(path).path());
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(privateFile)
            || file.write(entry.bytes) != entry.bytes.size() || !file.commit())
            return localError(path, file.errorString());
    }
    return {};
}

void LocalRun::writeJson(const QString& name, const QJsonObject& json)
{
    QSaveFile file(filePath(name));
    if (file.open(QIODevice::WriteOnly)) {
        file.setPermissions(privateFile);
        file.write(QJsonDocument(json).toJson());
        file.commit();
    }
}

QJsonObject LocalRun::readJson(const QString& name) const
{
    QFile file(filePath(name));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                          : QJsonObject();
}

void LocalRun::keepFacts(const QJsonObject& facts)
{
    writeJson(QStringLiteral("facts.json"), facts);
}

QJsonObject LocalRun::facts() const
{
    return readJson(QStringLiteral("facts.json"));
}

void LocalRun::keepMetrics(const QJsonArray& summary, qint64 logBytes, qint64 recordBytes)
{
    writeJson(QStringLiteral("metrics.json"),
        {{QStringLiteral("log_bytes"), double(logBytes)},
            {QStringLiteral("record_bytes"), double(recordBytes)},
            {QStringLiteral("series"), summary}});
}

std::optional<QJsonArray> LocalRun::metrics() const
{
    const QJsonObject kept = readJson(QStringLiteral("metrics.json"));
    const QFileInfo log(logFile());
    if (kept.isEmpty() || qint64(kept.value(u"log_bytes").toDouble(-1)) != log.size()
        || qint64(kept.value(u"record_bytes").toDouble()) != KeptRecords(m_folder).sizeOfAll())
        return std::nullopt;
    return kept.value(u"series").toArray();
}

void LocalRun::keepListing(const QJsonObject& listing)
{
    writeJson(QStringLiteral("listing.json"), listing);
}

QJsonObject LocalRun::listing() const
{
    return readJson(QStringLiteral("listing.json"));
}

void LocalRun::keepSteps(const QJsonObject& steps)
{
    writeJson(QStringLiteral("steps.json"), steps);
}

QJsonObject LocalRun::steps() const
{
    return readJson(QStringLiteral("steps.json"));
}

} // namespace slipway
