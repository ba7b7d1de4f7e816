// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/base/error.h"

#include "remote/base/tr.h"

namespace slipway {

QString Error::text() const
{
    QString text = summary;
    if (!remedy.isEmpty())
        text += u'\n' + remedy;
    if (!detail.isEmpty())
        text += u'\n' + QString::fromUtf8(detail);
    return text;
}

QString errorKindName(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::Usage:
        return QStringLiteral("usage");
    case ErrorKind::Invalid:
        return QStringLiteral("invalid");
    case ErrorKind::NotFound:
        return QStringLiteral("not_found");
    case ErrorKind::Io:
        return QStringLiteral("io");
    case ErrorKind::DiskFull:
        return QStringLiteral("disk_full");
    case ErrorKind::Unsupported:
        return QStringLiteral("unsupported");
    case ErrorKind::Network:
        return QStringLiteral("network");
    case ErrorKind::HostKey:
        return QStringLiteral("host_key");
    case ErrorKind::Authentication:
        return QStringLiteral("authentication");
    case ErrorKind::LinkLost:
        return QStringLiteral("link_lost");
    case ErrorKind::Timeout:
        return QStringLiteral("timeout");
    case ErrorKind::Protocol:
        return QStringLiteral("protocol");
    case ErrorKind::CommandFailed:
        return QStringLiteral("command_failed");
    case ErrorKind::Refused:
        return QStringLiteral("refused");
    case ErrorKind::JobFailed:
        return QStringLiteral("job_failed");
    case ErrorKind::Cancelled:
        return QStringLiteral("cancelled");
    case ErrorKind::Unknown:
        break;
    }
    return QStringLiteral("unknown");
}

Error programClosed()
{
    return Error{ErrorKind::Cancelled, tr("The program was closed.")};
}

} // namespace slipway
