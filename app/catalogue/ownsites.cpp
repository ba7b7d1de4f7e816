// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/ownsites.h"

#include "app/catalogue/names.h"
#include "app/catalogue/site.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace slipway {

Result<QString> saveOwnSite(
    const QString& config, const QString& id, const QByteArray& json, bool overwrite)
{
    if (!isIdentifier(id))
        return Error{ErrorKind::Invalid, tr("“%1” is not an id.").arg(id.left(60)),
            tr("An id is a word of a-z, 0-9 and -.")};
    const QString folder = config + QStringLiteral("/sites");
    const QString path = folder + u'/' + id + QStringLiteral(".json");
    const Result<Site> site = parseSite(json, path);
    if (!site.ok())
        return site.error();
    if (site->id != id)
        return Error{
            ErrorKind::Invalid, tr("The file says that its id is %1, not %2.").arg(site->id, id)};
    if (!overwrite && QFileInfo::exists(path))
        return Error{ErrorKind::Invalid, tr("%1 is there already.").arg(path),
            tr("Choose another id, or say that it may be replaced.")};
    const auto failed = [&path](const QString& why) {
        return Error{ErrorKind::Io, tr("%1 cannot be written: %2.").arg(path, why)};
    };
    if (!QDir().mkpath(folder))
        return failed(tr("the folder cannot be made"));
    QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)
        || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner)
        || file.write(json) != json.size() || !file.commit())
        return failed(file.errorString());
    return path;
}

Result<void> removeOwnSite(const QString& config, const QString& id)
{
    if (!isIdentifier(id))
        return Error{ErrorKind::Invalid, tr("“%1” is not an id.").arg(id.left(60))};
    QFile file(config + QStringLiteral("/sites/") + id + QStringLiteral(".json"));
    if (!file.exists())
        return Error{ErrorKind::NotFound, tr("There is no file %1.").arg(file.fileName())};
    if (!file.remove())
        return Error{ErrorKind::Io,
            tr("%1 cannot be deleted: %2.").arg(file.fileName(), file.errorString())};
    return Result<void>();
}

} // namespace slipway
