// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

namespace slipway {

namespace {

bool isOwn(const Site& site)
{
    return site.file.startsWith(EnginePaths::standard().config + u'/');
}

QJsonObject siteObject(const Site& site)
{
    QJsonArray partitions;
    for (const SitePartition& partition : site.partitions)
        partitions.append(partition.name);
    return {{QStringLiteral("id"), site.id}, {QStringLiteral("name"), site.name},
        {QStringLiteral("institution"), site.institution},
        {QStringLiteral("summary"), site.summary},
        {QStringLiteral("host"), site.logins.empty() ? QString() : site.logins.front().host},
        {QStringLiteral("partitions"), partitions}, {QStringLiteral("archived"), site.archived},
        {QStringLiteral("unsupported"), site.unsupported}, {QStringLiteral("own"), isOwn(site)},
        {QStringLiteral("file"), site.file}};
}

/// What a person must know before they choose it.
QString mark(const Site& site)
{
    if (site.archived)
        return QStringLiteral("(retired) ");
    if (!site.unsupported.isEmpty())
        return QStringLiteral("(not supported) ");
    return isOwn(site) ? QStringLiteral("(your own) ") : QString();
}

ExitCode listSites(Context& context)
{
    std::vector<QStringList> rows;
    for (const Site& site : context.engine().catalogue()->sites()) {
        if (context.out.json)
            context.out.object(siteObject(site));
        rows.push_back({site.id, site.name, site.institution, mark(site) + site.summary});
    }
    if (!context.out.json)
        context.out.table({QStringLiteral("SITE"), QStringLiteral("NAME"), QStringLiteral("WHERE"),
                              QStringLiteral("ABOUT")},
            rows);
    return ExitCode::Done;
}

/// The file as it is: it is what a person copies, edits and shares.
ExitCode showSite(Context& context, const QString& id)
{
    const Site* site = context.site(id);
    if (!site)
        return ExitCode::Usage;
    QFile file(site->file);
    if (!file.open(QIODevice::ReadOnly))
        return context.fail({ErrorKind::Io,
            QStringLiteral("%1 cannot be read: %2.").arg(site->file, file.errorString())});
    const QByteArray bytes = file.readAll();
    if (context.out.json)
        context.out.object(QJsonDocument::fromJson(bytes).object());
    else
        context.out.raw(bytes);
    return ExitCode::Done;
}

QCoro::Task<ExitCode> manageSites(Context& context)
{
    const QStringList words = context.arguments.positional;
    const QString verb = words.value(0);
    for (const char* option : {"--user", "--port", "--save", "--force"}) {
        if (verb != u"discover" && context.arguments.has(option))
            co_return context.misused(
                QStringLiteral("%1 belongs to “sites discover”.").arg(QLatin1String(option)));
    }
    if (verb.isEmpty())
        co_return listSites(context);
    if (words.size() != 2)
        co_return context.misused(QStringLiteral("“sites %1” takes one word more.").arg(verb),
            QStringLiteral("sites show ID, or sites discover HOST."));
    if (verb == u"show")
        co_return showSite(context, words.at(1));
    if (verb == u"discover") {
        const ExitCode code = co_await discoverSite(context);
        co_return code;
    }
    co_return context.misused(QStringLiteral("There is no “sites %1”.").arg(verb),
        QStringLiteral("There are: sites show ID, sites discover HOST."));
}

} // namespace

Command sitesCommand()
{
    return {QStringLiteral("sites"), QStringLiteral("[show ID | discover HOST]"),
        QStringLiteral("list the clusters that are known, or find out about one"),
        QStringLiteral(
            "Lists the clusters that are known. Your own are files in ~/.config/slipway/sites.\n\n"
            "“sites show ID” prints a site file as it is.\n\n"
            "“sites discover HOST” logs in to a cluster that is not in the list and prints what it "
            "found out as a site file. "
            "HOST is a name, an alias of ~/.ssh/config, or demo for the demo cluster. What stays "
            "unknown is said on stderr."),
        {{QStringLiteral("--user"), QStringLiteral("U"),
             QStringLiteral("discover: the user name there")},
            {QStringLiteral("--port"), QStringLiteral("P"),
                QStringLiteral("discover: the port of SSH")},
            {QStringLiteral("--save"), QStringLiteral("ID"),
                QStringLiteral("discover: keep it as ~/.config/slipway/sites/ID.json")},
            {QStringLiteral("--force"), {},
                QStringLiteral("discover: --save may replace a file that is there")}},
        0, 2, manageSites};
}

} // namespace slipway
