// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/openroute.h"

#include "remote/base/tr.h"
#include "remote/ssh/approvedcommands.h"
#include "remote/ssh/commandroute.h"
#include "remote/ssh/jumproute.h"
#include "remote/ssh/login.h"
#include "remote/ssh/tcpconnect.h"

namespace slipway {

namespace {

/// Which jump host it is, of how many; nothing while the target itself is logged in to.
struct Stop {
    int number = 0;
    int of = 0;
};

Result<Connection> logInAt(
    const ResolvedTarget& target, LinkGate& gate, PromptProxy& promptProxy, Stop stop);

Result<std::unique_ptr<Route>> commandRoute(
    const ResolvedTarget& target, LinkGate& gate, PromptProxy& promptProxy)
{
    const CommandQuestion question{
        target.alias, QStringLiteral("ProxyCommand"), target.proxyCommand};
    const ApprovedCommands approved(target.approvedCommands);
    if (!approved.isApproved(question)) {
        if (!promptProxy.acceptCommand(question))
            return Error{gate.stopping() ? ErrorKind::Cancelled : ErrorKind::Refused,
                tr("The ProxyCommand for %1 was not run: “%2”.")
                    .arg(target.alias, target.proxyCommand),
                tr("Connect again and allow it, or change the SSH configuration.")};
        if (const auto kept = approved.approve(question); !kept.ok())
            promptProxy.showNotice(kept.error().summary);
    }
    return CommandRoute::open(target.proxyCommand);
}

Result<std::unique_ptr<Route>> jumpRoute(
    const ResolvedTarget& target, LinkGate& gate, PromptProxy& promptProxy, Stop stop)
{
    ResolvedTarget hop = target.via.back();
    hop.via.assign(target.via.begin(), target.via.end() - 1);
    hop.times = target.times;
    hop.senses = target.senses;
    const int count = int(target.via.size());
    const Stop here{count, stop.of > 0 ? stop.of : count};
    auto connection = logInAt(hop, gate, promptProxy, here);
    if (!connection.ok())
        return connection.error();
    return JumpRoute::open(std::move(connection->session), std::move(connection->route), hop,
        target.host, target.port, gate);
}

Result<std::unique_ptr<Route>> routeTo(
    const ResolvedTarget& target, LinkGate& gate, PromptProxy& promptProxy, Stop stop)
{
    if (!target.via.empty())
        return jumpRoute(target, gate, promptProxy, stop);
    if (!target.proxyCommand.isEmpty())
        return commandRoute(target, gate, promptProxy);
    auto socket = connectTcp(target, gate);
    if (!socket.ok())
        return socket.error();
    return std::make_unique<Route>(std::move(*socket));
}

/// What the route says explains a login that failed better than a closed socket does.
Error explained(Error error, const Route& route)
{
    const QString why = route.failure();
    if (why.isEmpty() || error.kind == ErrorKind::Cancelled || error.kind == ErrorKind::HostKey
        || error.kind == ErrorKind::Authentication)
        return error;
    error.detail = QByteArray(why.toUtf8() + '\n' + error.detail).trimmed();
    error.summary += u' ' + why;
    return error;
}

Result<Connection> logInAt(
    const ResolvedTarget& target, LinkGate& gate, PromptProxy& promptProxy, Stop stop)
{
    auto route = routeTo(target, gate, promptProxy, stop);
    if (!route.ok())
        return route.error();
    if (stop.number > 0)
        promptProxy.showNotice(tr("Logging in to the jump host %1 (%2 of %3).")
                                   .arg(target.alias)
                                   .arg(stop.number)
                                   .arg(stop.of));
    if (!target.ignored.isEmpty())
        promptProxy.showNotice(
            tr("The SSH configuration of %1 sets options that have no effect here: %2.")
                .arg(target.alias, target.ignored.join(QStringLiteral(", "))));
    Login login(target, gate, promptProxy, **route);
    auto session = login.run();
    if (!session.ok())
        return explained(session.error(), **route);
    return Connection{std::move(*route), std::move(*session)};
}

} // namespace

Result<Connection> connectAndLogIn(
    const ResolvedTarget& target, LinkGate& gate, PromptProxy& promptProxy)
{
    return logInAt(target, gate, promptProxy, {});
}

} // namespace slipway
