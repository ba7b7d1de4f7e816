// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/catalogue.h"

#include "app/catalogue/ownsites.h"

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

bool Catalogue::replaceSite(const Site& site)
{
    Site* const known = find(m_resources.sites, site.id);
    if (known)
        *known = site;
    return known;
}

} // namespace slipway

#include "moc_catalogue.cpp"
