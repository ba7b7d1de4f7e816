// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/localarchives.h"

#include "remote/base/tr.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QSaveFile>
#include <QStandardPaths>

namespace slipway {

namespace {

constexpr qint64 mostDockerfile = 1024 * 1024;
/// Of a larger folder nothing is known: its image is built each time.
constexpr int mostStampedFiles = 50'000;

QString stampFile(const QString& file)
{
    return file + u".from";
}

} // namespace

Result<QByteArray> archiveStamp(const LocalBuild& build)
{
    QFile dockerfile(build.dockerfile);
    if (!dockerfile.open(QIODevice::ReadOnly))
        return Error{ErrorKind::Io,
            tr("%1 cannot be read: %2.").arg(build.dockerfile, dockerfile.errorString()),
            tr("Check its permissions.")};
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const QByteArray head = build.dockerfile.toUtf8() + '\0' + build.platform.toUtf8() + '\0'
        + dockerfile.read(mostDockerfile);
    hash.addData(head);
    QStringList rows;
    QDirIterator files(build.folder,
        QDir::Files | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
        QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        const QFileInfo info = files.fileInfo();
        if (rows.size() >= mostStampedFiles)
            return QByteArray();
        rows << info.filePath() + u'\n' + QString::number(info.size()) + u' '
                + QString::number(info.lastModified().toMSecsSinceEpoch()) + u' '
                + QString::number(int(info.permissions()));
    }
    rows.sort();
    for (const QString& row : rows)
        hash.addData(QByteArray(row.toUtf8() + '\0'));
    return hash.result().toHex();
}

Result<QString> archiveFile(const QString& name)
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)
        + u"/slipway/archives";
    const bool made = QDir().mkpath(folder);
    const auto owner = QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner;
    if (!made || !QFile::setPermissions(folder, owner))
        return Error{ErrorKind::Io,
            tr("The folder %1 for archives of images cannot be made.").arg(folder),
            tr("Check its permissions.")};
    return QString(folder + u'/' + name + u".tar");
}

bool isArchiveOf(const QString& file, const QByteArray& stamp)
{
    QFile note(stampFile(file));
    return !stamp.isEmpty() && QFileInfo(file).isFile() && note.open(QIODevice::ReadOnly)
        && note.read(stamp.size() + 1) == stamp;
}

void noteArchive(const QString& file, const QByteArray& stamp)
{
    QSaveFile note(stampFile(file));
    if (note.open(QIODevice::WriteOnly) && note.setPermissions(QFile::ReadOwner | QFile::WriteOwner)
        && note.write(stamp) == stamp.size())
        note.commit(); // without it, the image is only built once more
}

void forgetArchive(const QString& file)
{
    QFile::remove(stampFile(file));
    QFile::remove(file);
}

} // namespace slipway
