// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/resourceloader.h"

#include "app/catalogue/exercises.h"
#include "app/catalogue/recipefile.h"
#include "app/catalogue/resourcefiles.h"
#include "remote/base/tr.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace slipway {

namespace {

void readSites(const QString& folder, bool own, Resources* resources)
{
    const QDir dir(folder + QStringLiteral("/sites"));
    for (const QString& name : dir.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        const Result<QByteArray> json = resourceContent(dir.filePath(name));
        Result<Site> site =
            json.ok() ? parseSite(*json, dir.filePath(name)) : Result<Site>(json.error());
        if (site.ok())
            site->own = own;
        if (site.ok())
            putById(*site, &resources->sites);
        else
            resources->errors.push_back(site.error());
    }
}

/// A recipe with missing files would fail on the cluster; it is refused here.
Result<Recipe> readRecipe(const QString& folder)
{
    const Result<QByteArray> json = resourceContent(folder + QStringLiteral("/recipe.json"));
    if (!json.ok())
        return json.error();
    Result<Recipe> recipe = parseRecipe(*json, folder);
    if (!recipe.ok())
        return recipe;
    for (const QString& file : recipe->files + recipe->templates) {
        if (!QFileInfo(folder + u'/' + file).isFile())
            return Error{ErrorKind::Invalid,
                tr("%1/recipe.json: files: “%2” does not exist.").arg(folder, file)};
    }
    if (!recipe->code.isEmpty() && !QFileInfo(recipe->codeFolder()).isDir())
        return Error{ErrorKind::Invalid,
            tr("%1/recipe.json: code: there is no folder “%2”.").arg(folder, recipe->code)};
    return recipe;
}

void readRecipes(const QString& folder, bool own, Resources* resources)
{
    const QDir dir(folder + QStringLiteral("/recipes"));
    for (const QString& name : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        if (!QFileInfo::exists(dir.filePath(name) + QStringLiteral("/recipe.json")))
            continue;
        Result<Recipe> recipe = readRecipe(dir.filePath(name));
        if (recipe.ok())
            recipe->own = own;
        if (recipe.ok())
            putById(*recipe, &resources->recipes);
        else
            resources->errors.push_back(recipe.error());
    }
}

/// The order of the gallery; a group that is not named here comes last.
int groupRank(const QString& group)
{
    static const QStringList order{QStringLiteral("Start here"), QStringLiteral("Train"),
        QStringLiteral("Many nodes"), QStringLiteral("Build")};
    const qsizetype rank = order.indexOf(group);
    return int(rank < 0 ? order.size() : rank);
}

constexpr qint64 largestResource = 1024 * 1024;

} // namespace

Result<QByteArray> resourceContent(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorKind::Io, tr("%1 cannot be read: %2.").arg(path, file.errorString())};
    return file.read(
        largestResource + 1); // one byte more: the parser then reports that it is too large
}

Resources loadResources(const QString& builtInFolder, const QString& ownFolder)
{
    Resources resources;
    for (const QString& folder : {builtInFolder, ownFolder}) {
        if (folder.isEmpty())
            continue;
        readSites(folder, folder == ownFolder, &resources);
        readRecipes(folder, folder == ownFolder, &resources);
    }
    checkExercises(&resources);
    std::stable_sort(
        resources.sites.begin(), resources.sites.end(), [](const Site& a, const Site& b) {
            const auto rank = [](const Site& site) {
                return std::make_tuple(
                    !site.launchable(), site.providedBy.isEmpty(), site.name.toLower());
            };
            return rank(a) < rank(b);
        });
    std::stable_sort(
        resources.recipes.begin(), resources.recipes.end(), [](const Recipe& a, const Recipe& b) {
            const auto rank = [](const Recipe& recipe) {
                return std::make_tuple(
                    groupRank(recipe.group), recipe.group, recipe.order, recipe.title.toLower());
            };
            return rank(a) < rank(b);
        });
    return resources;
}

QString resourceFolder()
{
    const QString asked = qEnvironmentVariable("SLIPWAY_RESOURCES");
    if (!asked.isEmpty())
        return asked;
    const QString program = QCoreApplication::applicationDirPath();
    for (const char* place :
        {"../share/slipway", "../../../resources", "../../resources", "../resources"}) {
        const QString folder = QDir::cleanPath(program + u'/' + QLatin1String(place));
        if (QFileInfo(folder + QStringLiteral("/sites")).isDir())
            return folder;
    }
    return {};
}

} // namespace slipway
