// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/hops.h"

#include "remote/base/tr.h"

namespace slipway {

namespace {

Error hopError(const QString& alias, const QString& what)
{
    return {ErrorKind::Invalid, tr("The jump hosts of %1 cannot be used: %2.").arg(alias, what),
        tr("Check ProxyJump in the SSH configuration; `ssh -G %1` prints what applies.")
            .arg(alias)};
}

QString hopName(const ResolvedTarget& hop)
{
    return hop.user + u'@' + hop.host + u':' + QString::number(hop.port);
}

} // namespace

Result<ConnectTarget> hopFromText(const QString& text)
{
    QString place = text.trimmed();
    if (place.startsWith(QStringLiteral("ssh://"), Qt::CaseInsensitive)) {
        place.remove(0, 6);
        if (place.endsWith(u'/'))
            place.chop(1);
    }
    return targetFromText(place);
}

QCoro::Task<Result<std::vector<ResolvedTarget>>> resolveHops(
    ResolvedTarget target, ConnectTarget asked, QString configFile)
{
    using Hops = Result<std::vector<ResolvedTarget>>;
    std::vector<ResolvedTarget> hops;
    QStringList names{hopName(target)};
    QStringList wanted = target.hops;
    // Backwards from the target: the first jump host may have jump hosts of its own.
    while (!wanted.isEmpty()) {
        const QString last = wanted.takeLast();
        auto place = hopFromText(last);
        if (!place.ok())
            co_return Hops(hopError(target.alias, tr("“%1” is not a host").arg(last)));
        place->knownHostsFile = asked.knownHostsFile;
        place->useSshConfig = asked.useSshConfig;
        auto hop = co_await resolveTarget(*place, configFile);
        if (!hop.ok())
            co_return Hops(hop.error());
        const QString name = hopName(*hop);
        if (names.contains(name))
            co_return Hops(hopError(target.alias, tr("they lead back to %1").arg(hop->alias)));
        names << name;
        if (names.size() > mostHops + 1)
            co_return Hops(hopError(target.alias, tr("there are more than %1").arg(mostHops)));
        if (wanted.isEmpty())
            wanted = hop->hops;
        else
            hop->proxyCommand.clear(); // it is reached through the one before
        hops.insert(hops.begin(), std::move(*hop));
    }
    co_return Hops(std::move(hops));
}

} // namespace slipway
