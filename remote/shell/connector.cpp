// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/shell/connector.h"

#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

Error badTarget(const QString& text, const QString& why)
{
    return {ErrorKind::Usage, tr("“%1” is not a host: %2.").arg(text, why),
        tr("Write HOST, USER@HOST or USER@HOST:PORT.")};
}

} // namespace

Result<ConnectTarget> targetFromText(const QString& text)
{
    ConnectTarget target;
    QString rest = text.trimmed();
    // A user name may contain an @, a host may not.
    if (const auto at = rest.lastIndexOf(u'@'); at >= 0) {
        target.user = rest.left(at);
        rest = rest.mid(at + 1);
        if (target.user.isEmpty())
            return badTarget(text, tr("the user name before the @ is missing"));
    }
    std::optional<QString> port;
    if (rest.startsWith(u'[')) {
        const auto close = rest.indexOf(u']');
        const QString after = rest.mid(close + 1);
        if (close < 0 || !(after.isEmpty() || after.startsWith(u':')))
            return badTarget(text, tr("its brackets do not match"));
        if (!after.isEmpty())
            port = after.mid(1);
        rest = rest.mid(1, close - 1);
    } else if (rest.count(u':') == 1) { // two or more: an address of IPv6
        port = rest.section(u':', 1);
        rest = rest.section(u':', 0, 0);
    }
    if (port) {
        bool isNumber = false;
        target.port = port->toInt(&isNumber);
        if (!isNumber || target.port < 1 || target.port > 65535)
            return badTarget(text, tr("“%1” is not a port from 1 to 65535").arg(*port));
    }
    const bool hasSpace =
        std::any_of(rest.begin(), rest.end(), [](QChar c) { return c.isSpace(); });
    if (rest.isEmpty() || rest.startsWith(u'-') || hasSpace)
        return badTarget(text,
            rest.isEmpty() ? tr("the host name is missing")
                : hasSpace ? tr("it contains a space")
                           : tr("it begins with a dash"));
    target.host = rest;
    return target;
}

} // namespace slipway
