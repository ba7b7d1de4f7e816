// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/hashkeeper.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

namespace slipway {

namespace {

constexpr char keeperHead[] = "slipway-hashes 1";
constexpr qint64 largestKeeperFile = 64 * 1024 * 1024;
constexpr qint64 freshNs = 2'000'000'000;
constexpr int keeperFields = 7;

qint64 nanoseconds(const struct timespec& time)
{
    return qint64(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

bool isHash(const QByteArray& text)
{
    return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
}

} // namespace

FileStamp FileStamp::of(const struct stat& status)
{
    return {qint64(status.st_size), nanoseconds(status.st_mtim), nanoseconds(status.st_ctim),
        quint64(status.st_ino), quint64(status.st_dev)};
}

HashKeeper::HashKeeper(QString file)
    : m_file(std::move(file))
{
    if (!m_file.isEmpty())
        read();
}

/// A line has the hash, five numbers and the path; the last one says how many there are, so that a
/// file that was cut short is not believed.
void HashKeeper::read()
{
    QFile file(m_file);
    if (!QFileInfo(file).isFile() || !file.open(QIODevice::ReadOnly)
        || file.size() > largestKeeperFile)
        return;
    const auto lines = file.read(largestKeeperFile).split('\n');
    if (lines.size() < 3 || lines.front() != keeperHead || !lines.back().isEmpty()
        || lines[lines.size() - 2] != "end " + QByteArray::number(lines.size() - 3))
        return;
    for (qsizetype i = 1; i < lines.size() - 2; ++i) {
        const auto fields = lines[i].split('\t');
        bool good = fields.size() == keeperFields && isHash(fields[0]);
        quint64 numbers[keeperFields] = {};
        for (int n = 1; good && n < keeperFields - 1; ++n)
            numbers[n] = fields[n].toULongLong(&good);
        if (!good) {
            m_known.clear();
            return;
        }
        m_known.insert(QString::fromUtf8(fields[6]),
            {{qint64(numbers[1]), qint64(numbers[2]), qint64(numbers[3]), numbers[4], numbers[5]},
                fields[0]});
    }
}

QByteArray HashKeeper::find(const QString& path, const FileStamp& stamp) const
{
    const auto known = m_known.constFind(path);
    if (known == m_known.constEnd() || known->stamp != stamp)
        return {};
    m_used.insert(path, *known);
    return known->hash;
}

void HashKeeper::keep(
    const QString& path, const FileStamp& stamp, const QByteArray& hash, qint64 readAtNs)
{
    const qint64 written = std::max(stamp.modifiedNs, stamp.changedNs);
    if (written >= 0 && written < readAtNs - freshNs && !path.contains(u'\t')
        && !path.contains(u'\n'))
        m_used.insert(path, {stamp, hash});
}

bool HashKeeper::save() const
{
    if (m_file.isEmpty())
        return true;
    QByteArray text = QByteArray(keeperHead) + '\n';
    for (auto it = m_used.cbegin(); it != m_used.cend(); ++it) {
        const auto& stamp = it->stamp;
        text += it->hash;
        for (const quint64 number : {quint64(stamp.bytes), quint64(stamp.modifiedNs),
                 quint64(stamp.changedNs), stamp.inode, stamp.device})
            text += '\t' + QByteArray::number(number);
        text += '\t' + it.key().toUtf8() + '\n';
    }
    text += "end " + QByteArray::number(m_used.size()) + '\n';
    QDir().mkpath(QFileInfo(m_file).path());
    QSaveFile file(m_file);
    return file.open(QIODevice::WriteOnly)
        && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner)
        && file.write(text) == text.size() && file.commit();
}

} // namespace slipway
