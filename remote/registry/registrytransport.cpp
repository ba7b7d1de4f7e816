// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/registrytransport.h"

#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <cstring>

namespace slipway {

namespace {

bool isHeaderName(const QByteArray& name)
{
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || c == '-';
    });
}

bool isHeaderValue(const QByteArray& value)
{
    return !value.isEmpty() && std::all_of(value.begin(), value.end(), [](char c) {
        return static_cast<unsigned char>(c) >= ' ' && c != '\x7f';
    });
}

} // namespace

std::optional<Error> requestProblem(const RegistryRequest& request)
{
    const QUrl& url = request.url;
    const bool isWeb = url.scheme() == u"https" || url.scheme() == u"http";
    if (!url.isValid() || !isWeb || url.host().isEmpty() || !url.userInfo().isEmpty())
        return Error{ErrorKind::Invalid, tr("This is not an address of a registry."),
            tr("Check the name of the registry."), url.toEncoded(QUrl::RemoveUserInfo).left(300)};
    const bool sendable = std::all_of(request.headers.begin(), request.headers.end(),
        [](const auto& one) { return isHeaderName(one.first) && isHeaderValue(one.second); });
    if (!sendable)
        return Error{ErrorKind::Invalid,
            tr("A header for %1 contains characters that cannot be sent.").arg(url.host()),
            tr("Check the user name and the password.")};
    return {};
}

Error tooLongAnswer(const RegistryRequest& request)
{
    return {ErrorKind::Invalid,
        tr("%1 sent more than %2, which is too much for what was asked; the rest was not read.")
            .arg(request.url.host(), ByteCount(request.mostBytes).text()),
        tr("Check the name of the registry; this is not how a registry answers.")};
}

Error lateAnswer(const RegistryRequest& request, const QString& place)
{
    return {ErrorKind::Timeout,
        tr("%1 did not answer %2 within %3 s.")
            .arg(request.url.host(), place)
            .arg(double(request.mostTime.count()) / 1000),
        tr("Try again in a moment; if it stays so, the registry is down or a firewall drops the "
           "connection.")};
}

} // namespace slipway
