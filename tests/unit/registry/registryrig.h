// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/registry/networktransport.h"
#include "remote/registry/registryclient.h"
#include "remote/registry/shelltransport.h"
#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/fakeregistry.h"

#include <QTest>

#include <algorithm>

namespace slipway {

const inline ImagePlatform amd = ImagePlatform::ofNodes(QStringLiteral("x86_64"));
const inline ImagePlatform arm = ImagePlatform::ofNodes(QStringLiteral("aarch64"));
const inline RegistryLogin me{QStringLiteral("me"), QStringLiteral("my-\"secret\\")};
const inline QByteArray mine = "me:my-\"secret\\";
const inline QByteArray manifestPath = "/v2/demo/app/manifests/1.0";

inline std::shared_ptr<RegistryTransport> transportFor(bool overShell)
{
    if (!overShell)
        return std::make_shared<NetworkTransport>();
    return std::make_shared<ShellTransport>(
        std::make_shared<LocalShell>(), QStringLiteral("login1"));
}

inline Result<ImageDescription> describe(bool overShell, const FakeRegistry& registry,
    std::optional<RegistryLogin> login = {}, const QByteArray& name = "demo/app:1.0",
    const ImagePlatform& wanted = amd)
{
    const auto image = ImageReference::parse(
        QStringLiteral("docker://") + registry.name() + u'/' + QString::fromLatin1(name));
    if (!image.ok())
        return image.error();
    const RegistryClient client(transportFor(overShell), {registry.name()});
    return awaited(client.describe(*image, wanted, std::move(login)));
}

inline QString why(const Result<ImageDescription>& result)
{
    return result.ok() ? QString() : result.error().text();
}

inline bool wasToldASecret(const FakeRegistry& registry)
{
    return std::any_of(registry.requests().begin(), registry.requests().end(),
        [](const FakeRequest& one) { return one.headers.contains("authorization"); });
}

/// Rows for a test that asks a server: from this computer, and with curl in a shell.
inline void bothWays()
{
    QTest::addColumn<bool>("overShell");
    QTest::newRow("from this computer") << false;
    QTest::newRow("with curl") << true;
}

/// The loopback is asked directly, whatever proxy the machine has.
inline void forgetProxies()
{
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"})
        qunsetenv(name);
}

} // namespace slipway
