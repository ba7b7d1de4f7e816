// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/ownrecipes.h"

#include "app/catalogue/names.h"
#include "app/catalogue/recipefile.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <optional>

namespace slipway {

namespace {

QString ownRecipesFolder(const QString& config)
{
    return config + QStringLiteral("/recipes");
}

Error notWritten(const QString& path, const QString& why)
{
    return {ErrorKind::Io, tr("%1 cannot be written: %2.").arg(path, why),
        tr("Nothing was kept. Check the free space and the permissions there.")};
}

/// Copies one file into the new folder; none: it is there.
std::optional<Error> putRecipeFile(const QString& folder, const RecipeFile& file)
{
    const QString path = folder + u'/' + file.name;
    if (QDir::isAbsolutePath(file.name) || file.name.split(u'/').contains(QStringLiteral("..")))
        return Error{ErrorKind::Invalid,
            tr("“%1” is not a name inside the recipe's folder.").arg(file.name.left(80))};
    if (!QDir().mkpath(QFileInfo(path).path()))
        return notWritten(file.name, tr("its folder cannot be created"));
    if (!file.linkTarget.isEmpty()) {
        if (!QFile::link(file.linkTarget, path))
            return notWritten(file.name, tr("the link cannot be created"));
        return {};
    }
    QFile source(file.source);
    if (!source.copy(path))
        return notWritten(file.name, source.errorString());
    const auto own = QFile::ReadOwner | QFile::WriteOwner;
    if (!QFile::setPermissions(path, file.isExecutable ? own | QFile::ExeOwner : own))
        return notWritten(file.name, tr("its mode cannot be set"));
    return {};
}

/// Puts the complete new folder into its place; the one that was there before is back if that
/// fails.
Result<QString> moveIntoPlace(QTemporaryDir* made, const QString& parent, const QString& folder)
{
    QTemporaryDir before(parent + QStringLiteral("/.before-XXXXXX"));
    const QString aside = before.filePath(QStringLiteral("recipe"));
    const bool replaces = QFileInfo::exists(folder) || QFileInfo(folder).isSymLink();
    if (replaces && (!before.isValid() || !QDir().rename(folder, aside)))
        return notWritten(folder, tr("the recipe of that name cannot be moved aside"));
    if (!QDir().rename(made->path(), folder)) {
        if (replaces && !QDir().rename(aside, folder))
            before.setAutoRemove(false); // it must not be lost
        return notWritten(folder, tr("the new folder cannot be moved there"));
    }
    made->setAutoRemove(false);
    return folder;
}

} // namespace

Result<QString> saveOwnRecipe(const QString& config, const QString& id, const QByteArray& json,
    const std::vector<RecipeFile>& files, bool overwrite)
{
    if (!isIdentifier(id))
        return Error{ErrorKind::Invalid, tr("“%1” is not an id.").arg(id.left(60)),
            tr("An id is a word of a-z, 0-9 and -.")};
    const QString parent = ownRecipesFolder(config), folder = parent + u'/' + id;
    const Result<Recipe> recipe = parseRecipe(json, folder);
    if (!recipe.ok())
        return recipe.error();
    if (recipe->id != id)
        return Error{ErrorKind::Invalid,
            tr("The recipe says that its id is %1, not %2.").arg(recipe->id, id)};
    if (!overwrite && QFileInfo::exists(folder))
        return Error{ErrorKind::Invalid, tr("%1 already exists.").arg(folder),
            tr("Choose another id, or say that it may be replaced.")};
    if (!QDir().mkpath(parent))
        return notWritten(parent, tr("the folder cannot be created"));
    QTemporaryDir made(parent + QStringLiteral("/.new-XXXXXX")); // hidden: no recipe yet
    if (!made.isValid())
        return notWritten(parent, made.errorString());
    for (const RecipeFile& file : files) {
        if (const std::optional<Error> wrong = putRecipeFile(made.path(), file))
            return *wrong;
    }
    QFile file(made.filePath(QStringLiteral("recipe.json")));
    if (!file.open(QIODevice::WriteOnly | QIODevice::NewOnly)
        || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner)
        || file.write(json) != json.size() || !file.flush())
        return notWritten(folder, file.errorString());
    file.close();
    return moveIntoPlace(&made, parent, folder);
}

Result<void> removeOwnRecipe(const QString& config, const QString& folder)
{
    const QFileInfo there(folder);
    if (QDir::cleanPath(there.path()) != QDir::cleanPath(ownRecipesFolder(config))
        || there.fileName().isEmpty() || there.fileName() == u"." || there.fileName() == u"..")
        return Error{
            ErrorKind::Invalid, tr("%1 is not a recipe of your own.").arg(folder.left(200))};
    // Of a link the link goes, and what it leads to stays.
    const bool gone = there.isSymLink() ? QFile::remove(folder) : QDir(folder).removeRecursively();
    if (!gone)
        return Error{ErrorKind::Io, tr("%1 cannot be deleted completely.").arg(folder),
            tr("Check the permissions there.")};
    return Result<void>();
}

} // namespace slipway
