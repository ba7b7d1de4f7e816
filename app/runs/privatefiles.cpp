// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/privatefiles.h"

#include <QDir>
#include <QDirIterator>

#include <fcntl.h>
#include <unistd.h>

namespace slipway {

namespace {

constexpr QFile::Permissions forOthers = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup
    | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;

bool isOpenToOthers(const QString& path)
{
    return QFile::permissions(path) & forOthers;
}

} // namespace

void makePrivateFolder(const QString& path)
{
    if (!QFile::exists(path)) {
        QDir().mkpath(path);
        QFile::setPermissions(path, privateFolder);
        return;
    }
    if (!isOpenToOthers(path))
        return;
    QFile::setPermissions(path, privateFolder);
    QDirIterator it(path, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot | QDir::NoSymLinks,
        QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString inside = it.next();
        QFile::setPermissions(inside, QFile::permissions(inside) & ~forOthers);
    }
}

void makePrivateFile(const QString& path)
{
    // Created with these permissions before anything is written, so that others can never read it.
    const int fd =
        ::open(QFile::encodeName(path).constData(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        ::close(fd);
    if (isOpenToOthers(path))
        QFile::setPermissions(path, privateFile);
}

void makePrivateDatabase(const QString& path)
{
    makePrivateFile(path);
    for (const char* part : {"-wal", "-shm"})
        if (const QString beside = path + QLatin1String(part); QFile::exists(beside))
            makePrivateFile(beside);
}

} // namespace slipway
