// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "tests/support/files.h"
#include "tests/support/paths.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace slipway {

/// Writes a site file: the demo cluster's site with another id and scratch folder and this computer
/// as its login node; `more` adds and replaces fields.
inline void putLocalSite(
    const QString& configFolder, const QString& id, const QString& scratch, QJsonObject more)
{
    const QByteArray demo = contentOf(sourcePath(QStringLiteral("/resources/sites/demo.json")));
    QJsonObject site = QJsonDocument::fromJson(demo).object();
    site.remove(QStringLiteral("provided_by"));
    site.remove(QStringLiteral("$schema"));
    site.insert(QStringLiteral("id"), id);
    site.insert(QStringLiteral("scratch"), scratch);
    site.insert(QStringLiteral("logins"),
        QJsonArray{QJsonObject{{QStringLiteral("host"), QStringLiteral("localhost")}}});
    for (auto it = more.begin(); it != more.end(); ++it)
        site.insert(it.key(), it.value());
    putFile(configFolder + u"/sites/" + id + u".json", QJsonDocument(site).toJson());
}

} // namespace slipway
