// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/catalogue.h"

#include "app/catalogue/names.h"
#include "app/catalogue/ownrecipes.h"
#include "app/catalogue/ownsites.h"

#include <QFileInfo>

#include <algorithm>

namespace slipway {

namespace {

template <typename Things> auto find(Things& things, const QString& id)
{
    const auto found = std::find_if(
        things.begin(), things.end(), [&id](const auto& thing) { return thing.id == id; });
    return found == things.end() ? nullptr : &*found;
}

} // namespace

Catalogue::Catalogue(QString builtInFolder, QString ownFolder, QObject* parent)
    : QObject(parent)
    , m_builtInFolder(std::move(builtInFolder))
    , m_ownFolder(std::move(ownFolder))
    , m_resources(loadResources(m_builtInFolder, m_ownFolder))
{
}

const Site* Catalogue::site(const QString& id) const
{
    return find(m_resources.sites, id);
}

const Recipe* Catalogue::recipe(const QString& id) const
{
    return find(m_resources.recipes, id);
}

Result<QString> Catalogue::saveSite(const QString& id, const QByteArray& json, bool overwrite)
{
    const Result<QString> path = saveOwnSite(m_ownFolder, id, json, overwrite);
    if (!path.ok())
        return path;
    m_resources = loadResources(m_builtInFolder, m_ownFolder);
    emit changed();
    return path;
}

Result<void> Catalogue::removeSite(const QString& id)
{
    const Result<void> removed = removeOwnSite(m_ownFolder, id);
    if (!removed.ok())
        return removed;
    m_resources = loadResources(m_builtInFolder, m_ownFolder);
    emit changed();
    return removed;
}

Result<void> Catalogue::mayKeepRecipe(const QString& id, bool replaces) const
{
    if (!isIdentifier(id))
        return Error{ErrorKind::Invalid, tr("“%1” is not an id.").arg(id.left(60)),
            tr("An id is a word of a-z, 0-9 and -.")};
    const Recipe* const known = recipe(id);
    if (!known)
        return Result<void>();
    if (!known->own)
        return Error{ErrorKind::Invalid, tr("“%1” is a recipe of Slipway.").arg(id),
            tr("Choose another id.")};
    if (QFileInfo(known->folder).fileName() != id)
        return Error{ErrorKind::Invalid,
            tr("Your recipe “%1” is in %2, not in a folder of its name.").arg(id, known->folder),
            tr("Choose another id.")};
    if (!replaces)
        return Error{ErrorKind::Invalid, tr("You have a recipe “%1” already.").arg(id),
            tr("Choose another id, or say that it may be replaced.")};
    return Result<void>();
}

Result<void> Catalogue::removeRecipe(const QString& id)
{
    const Recipe* const known = recipe(id);
    if (!known || !known->own)
        return Error{known ? ErrorKind::Invalid : ErrorKind::NotFound,
            tr("You have no recipe “%1”.").arg(id.left(60)),
            known ? tr("It is a recipe of Slipway, which stays.") : QString()};
    const Result<void> removed = removeOwnRecipe(m_ownFolder, known->folder);
    readRecipesAgain(); // a part of it may be gone
    return removed;
}

void Catalogue::readRecipesAgain()
{
    Resources fresh = loadResources(m_builtInFolder, m_ownFolder);
    m_resources.recipes = std::move(fresh.recipes);
    m_resources.errors = std::move(fresh.errors);
    emit changed();
}

bool Catalogue::replaceSite(const Site& site)
{
    Site* const known = find(m_resources.sites, site.id);
    if (known)
        *known = site;
    return known;
}

} // namespace slipway

#include "moc_catalogue.cpp"
