// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "remote/base/tr.h"
#include "remote/broker/connectionlist.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace slipway {

namespace {

QString sentenceOf(const SharedConnection& connection)
{
    QStringList parts;
    if (connection.since.isValid())
        parts << tr("since %1").arg(connection.since.toString(QStringLiteral("yyyy-MM-dd HH:mm")));
    else
        parts << tr("logging in");
    if (!connection.programs.isEmpty())
        parts << tr("used by %1").arg(terminalText(connection.programs.join(QStringLiteral(", "))));
    if (connection.endsIn)
        parts << tr("not in use, ends in %1 s").arg((connection.endsIn->count() + 999) / 1000);
    return parts.join(QStringLiteral(", "));
}

void print(Context& context, const SharedConnection& connection)
{
    if (!context.out.json)
        return context.out.line(
            terminalText(connection.name) + QStringLiteral(": ") + sentenceOf(connection));
    QJsonObject object{{QStringLiteral("connection"), connection.name},
        {QStringLiteral("programs"), QJsonArray::fromStringList(connection.programs)}};
    if (connection.since.isValid())
        object.insert(QStringLiteral("since"), connection.since.toUTC().toString(Qt::ISODate));
    if (connection.endsIn)
        object.insert(QStringLiteral("ends_in_seconds"), qint64(connection.endsIn->count() / 1000));
    context.out.object(object);
}

/// "demo@login.example:22" is also known by its host.
bool isNamed(const SharedConnection& connection, const QString& name)
{
    const QString place = connection.name.section(u'@', 1);
    return connection.name == name || place == name || place.section(u':', 0, -2) == name;
}

QCoro::Task<ExitCode> showConnections(Context& context)
{
    const auto connections = co_await sharedConnections();
    if (!connections.ok())
        co_return context.fail(connections.error());
    for (const SharedConnection& connection : *connections)
        print(context, connection);
    if (connections->empty() && !context.out.json)
        context.out.note(tr("No connection is open."));
    co_return ExitCode::Done;
}

QCoro::Task<ExitCode> closeConnections(Context& context, QString name)
{
    const auto connections = co_await sharedConnections();
    if (!connections.ok())
        co_return context.fail(connections.error());
    int closed = 0;
    for (const SharedConnection& connection : *connections) {
        if (!name.isEmpty() && !isNamed(connection, name))
            continue;
        const auto ended = co_await endConnection(connection);
        if (!ended.ok())
            co_return context.fail(ended.error());
        ++closed;
        context.out.note(tr("Closed: %1").arg(terminalText(connection.name)));
    }
    if (closed == 0 && !name.isEmpty())
        co_return context.fail(
            {ErrorKind::NotFound, tr("There is no connection to “%1”.").arg(name),
                tr("“slipway-cli connections” lists those that are open.")});
    co_return ExitCode::Done;
}

QCoro::Task<ExitCode> connections(Context& context)
{
    const QStringList& words = context.arguments.positional;
    const bool all = context.arguments.has("--all");
    if (words.isEmpty() && !all) {
        const auto code = co_await showConnections(context);
        co_return code;
    }
    if (words.value(0) != u"close" || all == (words.size() == 2))
        co_return context.misused(tr("Write “close HOST” or “close --all”."));
    const auto code = co_await closeConnections(context, words.value(1));
    co_return code;
}

} // namespace

Command connectionsCommand()
{
    Command command{QStringLiteral("connections"), QStringLiteral("[close HOST|--all]"),
        tr("List the connections that programs share, or close them"),
        tr("The window and the terminal programs of one person share a connection to each cluster: "
           "who comes\nsecond is asked for no password and no code. A connection that nobody uses "
           "is "
           "kept for ten minutes.\nSLIPWAY_KEEP_CONNECTION sets another number of seconds (0: it "
           "ends at once), and with\nSLIPWAY_NO_SHARING=1 or --no-share a program has a connection "
           "of its own."),
        {{QStringLiteral("--all"), {}, tr("close all of them")}}, 0, 2, connections};
    return command;
}

} // namespace slipway
