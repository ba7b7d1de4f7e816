// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"

#include <QListView>
#include <QStandardItemModel>

namespace slipway {

/// Gallery lists the recipes under the headings of their groups, each with its title and a summary.
/// The arrow keys skip the headings. GUI thread; LaunchPage owns it.
class Gallery : public QListView {
    Q_OBJECT

public:
    explicit Gallery(QWidget* parent = nullptr);
    /// Recipes for this site are listed under their groups, all others at the end.
    void setRecipes(const std::vector<Recipe>& recipes, const Site* site);
    QString current() const;
    void select(const QString& recipeId);

signals:
    void chosen(const QString& recipeId);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void addGroup(const QString& heading, const std::vector<const Recipe*>& recipes);

    QStandardItemModel* m_model;
};

} // namespace slipway
