// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/keptrecords.h"

#include "app/runs/privatefiles.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 recordEnds = 4096; ///< as many as LogPosition keeps at either end

QByteArray partOf(const QString& path, qint64 from, qint64 size)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || !file.seek(from))
        return {};
    return file.read(size);
}

} // namespace

KeptRecords::KeptRecords(const QString& runFolder)
    : m_folder(runFolder + QStringLiteral("/records"))
{
    QFile index(indexPath());
    if (!index.open(QIODevice::ReadOnly))
        return;
    const QJsonArray rows = QJsonDocument::fromJson(index.read(1024 * 1024)).array();
    for (const QJsonValue& row : rows) {
        const auto number = qsizetype(m_files.size());
        if (number < mostFiles)
            m_files.push_back(
                {row[u"name"].toString(), m_folder + QStringLiteral("/%1.bin").arg(number),
                    row[u"inode"].toString().toULongLong(), row[u"rewrites"].toInt()});
    }
}

QString KeptRecords::indexPath() const
{
    return m_folder + QStringLiteral("/index.json");
}

KeptRecords::File* KeptRecords::find(const QString& name)
{
    const auto found = std::find_if(
        m_files.begin(), m_files.end(), [&name](const File& file) { return file.name == name; });
    return found == m_files.end() ? nullptr : &*found;
}

LogPosition KeptRecords::position(const QString& name) const
{
    const auto found = std::find_if(
        m_files.begin(), m_files.end(), [&name](const File& file) { return file.name == name; });
    LogPosition position;
    if (found == m_files.end())
        return position;
    position.offset = QFileInfo(found->path).size();
    position.inode = found->inode;
    const qint64 ends = std::min(position.offset, recordEnds);
    position.head = partOf(found->path, 0, ends);
    position.tail = partOf(found->path, position.offset - ends, ends);
    return position;
}

bool KeptRecords::append(const QString& name, const QByteArray& bytes, qint64 offset)
{
    if (!find(name)) {
        if (qsizetype(m_files.size()) >= mostFiles)
            return false;
        makePrivateFolder(m_folder);
        const QString path = m_folder + QStringLiteral("/%1.bin").arg(m_files.size());
        QFile::remove(path);
        m_files.push_back({name, path, 0, 0});
        makePrivateFile(path);
        writeIndex();
    }
    const QString path = find(name)->path;
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
        return false;
    const qint64 before = file.size();
    if (offset > before)
        return false;
    const QByteArray fresh = bytes.mid(before - offset);
    if (before + fresh.size() > mostOfOne || sizeOfAll() + fresh.size() > mostOfAll)
        return false;
    if (file.write(fresh) == fresh.size())
        return true;
    file.resize(before); // a partial write would shift every offset after it
    return false;
}

void KeptRecords::noteInode(const QString& name, quint64 inode)
{
    File* const file = find(name);
    if (!file || file->inode == inode)
        return;
    file->inode = inode;
    writeIndex();
}

void KeptRecords::restart(const QString& name)
{
    File* const file = find(name);
    if (!file)
        return;
    QFile::resize(file->path, 0);
    file->inode = 0;
    ++file->rewrites;
    writeIndex();
}

void KeptRecords::writeIndex() const
{
    QJsonArray rows;
    for (const File& file : m_files)
        rows.append(QJsonObject{{QStringLiteral("name"), file.name},
            {QStringLiteral("inode"), QString::number(file.inode)},
            {QStringLiteral("rewrites"), file.rewrites}});
    QSaveFile index(indexPath());
    if (index.open(QIODevice::WriteOnly)) {
        index.setPermissions(privateFile);
        index.write(QJsonDocument(rows).toJson(QJsonDocument::Compact));
        index.commit();
    }
}

qint64 KeptRecords::sizeOfAll() const
{
    qint64 size = 0;
    for (const File& file : m_files)
        size += QFileInfo(file.path).size();
    return size;
}

} // namespace slipway
