// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"

#include <QJsonArray>

namespace slipway {

namespace {

QJsonObject siteObject(const Site& site)
{
    QJsonArray partitions;
    for (const SitePartition& partition : site.partitions)
        partitions.append(partition.name);
    return {{QStringLiteral("id"), site.id}, {QStringLiteral("name"), site.name}, {QStringLiteral("institution"), site.institution},
        {QStringLiteral("summary"), site.summary}, {QStringLiteral("host"), site.logins.empty() ? QString() : site.logins.front().host},
        {QStringLiteral("partitions"), partitions}, {QStringLiteral("archived"), site.archived}, {QStringLiteral("file"), site.file}};
}

QCoro::Task<ExitCode> listSites(Context& context)
{
    std::vector<QStringList> rows;
    for (const Site& site : context.workbench().sites()) {
        if (context.out.json)
            context.out.object(siteObject(site));
        rows.push_back({site.id, site.name, site.institution, (site.archived ? QStringLiteral("(retired) ") : QString()) + site.summary});
    }
    if (!context.out.json)
        context.out.table({QStringLiteral("SITE"), QStringLiteral("NAME"), QStringLiteral("WHERE"), QStringLiteral("ABOUT")}, rows);
    co_return ExitCode::Done;
}

} // namespace

Command sitesCommand()
{
    return {QStringLiteral("sites"), {}, QStringLiteral("list the clusters that are known"),
        QStringLiteral("Lists the clusters that are known. Your own are files in ~/.config/slipway/sites."), {}, 0, 0, listSites};
}

} // namespace slipway
