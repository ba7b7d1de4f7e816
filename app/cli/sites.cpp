// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "remote/base/tr.h"

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

/// The summary, and what the user should know before choosing the site.
QString aboutText(const Site& site)
{
    if (site.archived)
        return tr("(archived) %1").arg(site.summary);
    if (!site.unsupported.isEmpty())
        return tr("(not supported) %1").arg(site.summary);
    return isOwn(site) ? tr("(your own) %1").arg(site.summary) : site.summary;
}

ExitCode listSites(Context& context)
{
    std::vector<QStringList> rows;
    for (const Site& site : context.engine().catalogue()->sites()) {
        if (context.out.json)
            context.out.object(siteObject(site));
        rows.push_back({site.id, site.name, site.institution, aboutText(site)});
    }
    if (!context.out.json)
        context.out.table({tr("SITE"), tr("NAME"), tr("WHERE"), tr("ABOUT")}, rows);
    return ExitCode::Done;
}

/// Prints the file unchanged, so that it can be copied, edited and shared.
ExitCode showSite(Context& context, const QString& id)
{
    const Site* site = context.site(id);
    if (!site)
        return ExitCode::Usage;
    QFile file(site->file);
    if (!file.open(QIODevice::ReadOnly))
        return context.fail(
            {ErrorKind::Io, tr("%1 cannot be read: %2.").arg(site->file, file.errorString())});
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
                tr("%1 is an option of “sites discover”.").arg(QLatin1String(option)));
    }
    if (verb.isEmpty())
        co_return listSites(context);
    if (words.size() != 2)
        co_return context.misused(tr("“sites %1” requires one more argument.").arg(verb),
            tr("Use “sites show SITE”, “sites accounts SITE” or “sites discover HOST”."));
    if (verb == u"show")
        co_return showSite(context, words.at(1));
    if (verb == u"accounts") {
        const ExitCode code = co_await listAccounts(context);
        co_return code;
    }
    if (verb == u"discover") {
        const ExitCode code = co_await discoverSite(context);
        co_return code;
    }
    co_return context.misused(tr("There is no “sites %1”.").arg(verb),
        tr("Use “sites show SITE”, “sites accounts SITE” or “sites discover HOST”."));
}

} // namespace

Command sitesCommand()
{
    return {QStringLiteral("sites"),
        QStringLiteral("[show SITE | accounts SITE | discover HOST [--user U] [--port P] "
                       "[--save ID [--force]]]"),
        tr("list the known clusters, or discover one"),
        tr("Lists the known clusters. Your own are files in ~/.config/slipway/sites.\n"
           "\n"
           "“sites show SITE” prints a site file unchanged.\n"
           "\n"
           "“sites accounts SITE” logs in and lists your accounts there: the fair-share, and how "
           "many hours are left of\n"
           "those that a limit allows.\n"
           "\n"
           "“sites discover HOST” logs in to a cluster that is not in the list and prints what it "
           "found as a site file.\n"
           "HOST is a host name, an alias from ~/.ssh/config, or demo for the demo cluster. Facts "
           "that could not be\n"
           "determined are listed on stderr."),
        {{QStringLiteral("--user"), QStringLiteral("U"),
             tr("discover: the user name on the cluster")},
            {QStringLiteral("--port"), QStringLiteral("P"), tr("discover: the SSH port")},
            {QStringLiteral("--save"), QStringLiteral("ID"),
                tr("discover: save the file as ~/.config/slipway/sites/ID.json")},
            {QStringLiteral("--force"), {}, tr("discover: let --save replace an existing file")}},
        0, 2, manageSites};
}

} // namespace slipway
