// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/resourceloader.h"

#include <QObject>

namespace slipway {

/// Catalogue holds the sites and recipes that could be read: the program's own and, over them, the
/// person's. Lives on the GUI (or main) thread; the Engine owns it. Pointers into it are invalid
/// after changed().
class Catalogue : public QObject {
    Q_OBJECT

public:
    /// Reads both folders at once; `ownFolder` is ~/.config/slipway.
    Catalogue(QString builtInFolder, QString ownFolder, QObject* parent = nullptr);

    const Resources& resources() const { return m_resources; }
    const std::vector<Site>& sites() const { return m_resources.sites; }
    const std::vector<Recipe>& recipes() const { return m_resources.recipes; }
    /// Files that could not be read: each names its file, line and field. The rest works.
    const std::vector<Error>& errors() const { return m_resources.errors; }
    const Site* site(const QString& id) const;
    const Recipe* recipe(const QString& id) const;

    /// Saves a site file of the user's own and reads all files again; see saveOwnSite(). The
    /// result is its path.
    Result<QString> saveSite(const QString& id, const QByteArray& json, bool overwrite);
    /// Deletes a site file of the user's own and reads all files again.
    Result<void> removeSite(const QString& id);
    /// The folder that holds the person's own sites/ and recipes/.
    const QString& ownFolder() const { return m_ownFolder; }
    /// Whether a recipe may be kept under this id: not that of another recipe, unless that is the
    /// person's own and may be replaced.
    Result<void> mayKeepRecipe(const QString& id, bool replaces) const;
    /// Deletes a recipe of the person's own with its folder.
    Result<void> removeRecipe(const QString& id);
    /// Reads the recipes again; the sites stay as they are.
    void readRecipesAgain();
    /// Replaces the site with the same id until the files are read again; other sites keep their
    /// places. False when there is no such site.
    bool replaceSite(const Site& site);

signals:
    /// The files were read again.
    void changed();

private:
    QString m_builtInFolder, m_ownFolder;
    Resources m_resources;
};

} // namespace slipway
