// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/definitionkeeper.h"

#include "remote/base/tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>

namespace slipway {

namespace {

constexpr qint64 largestKept = 1024 * 1024;

} // namespace

QString definitionName(const QString& typed)
{
    static const QRegularExpression form(
        QStringLiteral(R"(\A[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}\z)"));
    QString name = typed.trimmed();
    if (name.endsWith(u".sif") || name.endsWith(u".def"))
        name.chop(4);
    return form.match(name).hasMatch() ? name : QString();
}

Result<QString> keepDefinition(
    const QString& folder, const QString& name, const QString& text, bool mayReplace)
{
    const QString path = folder + u'/' + name + QStringLiteral(".def");
    const QByteArray bytes = text.toUtf8();
    QFile former(path);
    if (!mayReplace && former.exists()) {
        if (former.open(QIODevice::ReadOnly) && former.read(bytes.size() + 1) == bytes)
            return path;
        return Error{ErrorKind::Refused, tr("%1 exists and has other content.").arg(path),
            tr("Choose another name.")};
    }
    QSaveFile file(path);
    if (!QDir().mkpath(folder) || !file.open(QIODevice::WriteOnly)
        || file.write(bytes) != bytes.size() || !file.commit())
        return Error{ErrorKind::Io, tr("%1 cannot be written: %2.").arg(path, file.errorString()),
            tr("Make sure that you may write to this folder, and that the disk is not full.")};
    return path;
}

std::function<std::optional<bool>(const QString& path)> folderLookup(const QString& dockerfile)
{
    return [folder = QFileInfo(dockerfile).absolutePath()](
               const QString& path) -> std::optional<bool> {
        const QFileInfo info(folder + u'/' + path);
        return info.exists() ? std::optional<bool>(info.isDir()) : std::nullopt;
    };
}

QString dockerfileOf(const QString& path)
{
    if (!QFileInfo(path).isDir())
        return path;
    const QDir folder(path);
    const QString usual = folder.filePath(QStringLiteral("Dockerfile"));
    const QString other = folder.filePath(QStringLiteral("Containerfile"));
    return !QFileInfo::exists(usual) && QFileInfo::exists(other) ? other : usual;
}

Result<QString> readDefinition(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorKind::Io, tr("%1 cannot be read: %2.").arg(path, file.errorString()),
            tr("Check the path.")};
    const QByteArray bytes = file.read(largestKept + 1);
    if (bytes.size() > largestKept || bytes.contains('\0'))
        return Error{ErrorKind::Invalid,
            tr("%1 is no definition file: it is larger than 1 MiB, or no text.").arg(path)};
    return QString::fromUtf8(bytes);
}

} // namespace slipway
