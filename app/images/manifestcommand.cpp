// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/manifestcommand.h"

#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/registry/registryaddress.h"

#include <QUrl>

namespace slipway {

namespace {

/// Token services of large registries, which give one to anyone for a public image.
QString tokenAddress(const RegistryAddress& registry, const QString& repository)
{
    const QString scope = QStringLiteral("scope=repository:%1:pull").arg(repository);
    if (registry.isHub)
        return QStringLiteral("https://auth.docker.io/token?service=registry.docker.io&") + scope;
    if (registry.host == u"nvcr.io")
        return QStringLiteral("https://nvcr.io/proxy_auth?") + scope;
    if (registry.host == u"ghcr.io")
        return QStringLiteral("https://ghcr.io/token?") + scope;
    if (registry.host == u"quay.io")
        return QStringLiteral("https://quay.io/v2/auth?service=quay.io&") + scope;
    return {};
}

} // namespace

QString manifestCommand(
    const Site& site, const ImageReference& image, const std::optional<RegistryLogin>& account)
{
    const auto registry = RegistryAddress::of(image.registry, site.plainHttpRegistries);
    if (!registry.ok())
        return {};
    const QString repository = registry->repositoryOf(image.repository);
    const QString name = image.digest.isEmpty() ? image.tag : image.digest;
    const auto quoted = [](const QString& text) { return QString::fromUtf8(shellQuoted(text)); };
    const QString login = account ? u" -u " + quoted(account->user) : QString();
    const QString token = tokenAddress(*registry, repository);
    QString command =
        QStringLiteral("curl -sL -H 'Accept: application/vnd.oci.image.index.v1+json, "
                       "application/vnd.oci.image.manifest.v1+json, "
                       "application/vnd.docker.distribution.manifest.list.v2+json, "
                       "application/vnd.docker.distribution.manifest.v2+json'");
    command += token.isEmpty()
        ? login
        : QStringLiteral(" -H \"Authorization: Bearer $(curl -s%1 %2 | jq -r .token)\"")
              .arg(login, quoted(token));
    const QUrl url = registry->url(QStringLiteral("/v2/%1/manifests/%2").arg(repository, name));
    command += u' ' + quoted(url.toString());
    if (token.isEmpty()) // before it, so that a pipe can be added
        command.prepend(u"# "
            + tr("If it answers “unauthorized”, it wants a token: its header www-authenticate "
                 "(curl -i) names the address that gives one.")
            + u'\n');
    return command;
}

} // namespace slipway
