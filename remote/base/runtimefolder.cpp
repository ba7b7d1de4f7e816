// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/base/runtimefolder.h"

#include "remote/base/tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSysInfo>

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace slipway {

namespace {

/// Whether the session's folder is ours; others than us cannot have put anything there.
bool isOwnSessionFolder(const QString& path)
{
    struct stat info { };
    return path.startsWith(u'/') && ::stat(QFile::encodeName(path).constData(), &info) == 0
        && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() && (info.st_mode & 022) == 0;
}

/// A home folder may be shared by several computers, a socket is not.
QString stateFolder()
{
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (!state.startsWith(u'/'))
        state = QDir::homePath() + QStringLiteral("/.local/state");
    return state + QStringLiteral("/slipway/run-") + QSysInfo::machineHostName();
}

} // namespace

Result<void> checkPrivateFolder(const QString& path)
{
    struct stat info { };
    if (::lstat(QFile::encodeName(path).constData(), &info) != 0)
        return Error{ErrorKind::Io, tr("The folder “%1” cannot be used.").arg(path), {},
            std::strerror(errno)};
    if (!S_ISDIR(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & 077) != 0)
        return Error{ErrorKind::Refused,
            tr("The folder “%1” is not used, because others could change what is in it.").arg(path),
            tr("It must be a folder of your own with mode 0700.")};
    return {};
}

Result<QString> runtimeFolder()
{
    const QString session = qEnvironmentVariable("XDG_RUNTIME_DIR");
    const QString path =
        isOwnSessionFolder(session) ? session + QStringLiteral("/slipway") : stateFolder();
    QDir().mkpath(QFileInfo(path).path());
    const QByteArray name = QFile::encodeName(path);
    if (::mkdir(name.constData(), 0700) != 0 && errno != EEXIST)
        return Error{ErrorKind::Io, tr("The folder “%1” cannot be made.").arg(path), {},
            std::strerror(errno)};
    const auto isPrivate = checkPrivateFolder(path);
    if (!isPrivate.ok())
        return isPrivate.error();
    return path;
}

} // namespace slipway
