// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/approvedcommands.h"

#include "remote/base/tr.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace slipway {

namespace {

constexpr qint64 longestFile = 1024 * 1024;

/// Of each part with its length, so that no two questions have the same.
QByteArray sumOf(const CommandQuestion& question)
{
    QCryptographicHash sum(QCryptographicHash::Sha256);
    for (const QString& part : {question.option, question.host, question.command}) {
        const QByteArray bytes = part.toUtf8();
        sum.addData(QByteArray(QByteArray::number(bytes.size()) + ':' + bytes));
    }
    return sum.result().toHex();
}

} // namespace

ApprovedCommands::ApprovedCommands(const QString& file)
    : m_file(file.isEmpty()
            ? QString(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)
                + QStringLiteral("/slipway/approved-commands"))
            : file)
{
}

bool ApprovedCommands::isApproved(const CommandQuestion& question) const
{
    // Somebody else's list approves nothing.
    struct stat status { };
    const QByteArray path = QFile::encodeName(m_file);
    if (::lstat(path.constData(), &status) != 0 || !S_ISREG(status.st_mode)
        || status.st_uid != ::getuid() || (status.st_mode & 022))
        return false;
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    return file.read(longestFile).split('\n').contains(sumOf(question));
}

Result<void> ApprovedCommands::approve(const CommandQuestion& question) const
{
    const QByteArray folder = QFile::encodeName(QFileInfo(m_file).absolutePath());
    const QByteArray path = QFile::encodeName(m_file);
    ::mkdir(folder.constData(), 0700);
    const int fd =
        ::open(path.constData(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    const QByteArray line = sumOf(question) + '\n';
    const bool written = fd >= 0 && ::flock(fd, LOCK_EX) == 0
        && ::write(fd, line.constData(), size_t(line.size())) == line.size();
    const QByteArray why(strerror(errno));
    if (fd >= 0)
        ::close(fd);
    if (written)
        return {};
    return Error{ErrorKind::Io,
        tr("That the command may run could not be saved in %1; it will be asked about again.")
            .arg(m_file),
        tr("Check that you own the file and its folder and can write to them."), why};
}

} // namespace slipway
