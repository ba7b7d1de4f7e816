// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagelaunch.h"

namespace slipway {

LaunchSpec pullImageLaunch(const QString& siteId, const ImageReference& image)
{
    LaunchSpec spec;
    spec.siteId = siteId;
    spec.recipeId = QStringLiteral("pull-image");
    spec.values.insert(QStringLiteral("image"), image.text());
    return spec;
}

QString buildImageRecipe()
{
    return QStringLiteral("own-image");
}

LaunchSpec buildImageLaunch(const QString& siteId, const QString& folder, const QString& definition)
{
    LaunchSpec spec;
    spec.siteId = siteId;
    spec.recipeId = buildImageRecipe();
    spec.project = folder;
    spec.values.insert(QStringLiteral("definition"), definition);
    return spec;
}

LaunchSpec archiveImageLaunch(
    const QString& siteId, const QString& name, const QString& archive, bool keepArchive)
{
    LaunchSpec spec;
    spec.siteId = siteId;
    spec.recipeId = QStringLiteral("archive-image");
    spec.values.insert(QStringLiteral("archive"), archive);
    spec.values.insert(QStringLiteral("name"), name);
    spec.values.insert(QStringLiteral("archive_afterwards"),
        keepArchive ? QStringLiteral("keep") : QStringLiteral("remove"));
    return spec;
}

} // namespace slipway
