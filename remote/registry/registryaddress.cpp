// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/registryaddress.h"

#include "remote/base/tr.h"

#include <QRegularExpression>

namespace slipway {

namespace {

int portOf(const QUrl& url)
{
    return url.port(url.scheme() == u"https" ? 443 : 80);
}

} // namespace

QUrl RegistryAddress::url(const QString& path) const
{
    return QUrl((isPlain ? QStringLiteral("http://") : QStringLiteral("https://")) + host + path,
        QUrl::StrictMode);
}

QString RegistryAddress::repositoryOf(const QString& repository) const
{
    return isHub && !repository.contains(u'/') ? QStringLiteral("library/") + repository
                                               : repository;
}

Result<RegistryAddress> RegistryAddress::of(QString registry, const QStringList& plainHttp)
{
    static const QRegularExpression form(QStringLiteral(
        "\\A(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\\[[0-9a-f:.]+\\])(?::[0-9]{1,5})?\\z"));
    static const QStringList hubs{QString(), QStringLiteral("docker.io"),
        QStringLiteral("www.docker.io"), QStringLiteral("index.docker.io"),
        QStringLiteral("index.docker.io/v1"), QStringLiteral("registry.hub.docker.com"),
        QStringLiteral("registry-1.docker.io"), QStringLiteral("hub.docker.com")};
    registry = registry.trimmed().toLower();
    for (const QLatin1String scheme :
        {QLatin1String("https://"), QLatin1String("http://"), QLatin1String("docker://")})
        if (registry.startsWith(scheme))
            registry.remove(0, scheme.size());
    while (registry.endsWith(u'/'))
        registry.chop(1);
    RegistryAddress address;
    if (hubs.contains(registry)) {
        address.name = QStringLiteral("Docker Hub");
        address.host = QStringLiteral("registry-1.docker.io");
        address.isHub = true;
        return address;
    }
    address.name = address.host = registry;
    address.isPlain = plainHttp.contains(registry, Qt::CaseInsensitive);
    if (!form.match(registry).hasMatch() || !address.url({}).isValid())
        return Error{ErrorKind::Invalid,
            tr("“%1” is not the name of a registry.").arg(registry.left(200)),
            tr("Write it as nvcr.io, ghcr.io or registry.example.org:5000.")};
    return address;
}

bool isSameOrigin(const QUrl& one, const QUrl& other)
{
    return one.scheme() == other.scheme() && one.host() == other.host()
        && portOf(one) == portOf(other);
}

bool mayAuthoriseAt(const QUrl& realm, const RegistryAddress& address)
{
    if (!realm.isValid() || realm.host().isEmpty() || !realm.userInfo().isEmpty())
        return false;
    return realm.scheme() == u"https"
        || (address.isPlain && isSameOrigin(realm, address.url(QStringLiteral("/v2/"))));
}

} // namespace slipway
