// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/ssh/knownhosts.h"
#include "remote/ssh/linkgate.h"
#include "remote/ssh/route.h"
#include "remote/ssh/sshconfig.h"

#include <QByteArray>
#include <QDateTime>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

// Host certificates. libssh 0.10 cannot ask a server for one, so the server's certificate is
// fetched by ssh-keyscan and read by ssh-keygen, which checks its signature. It counts only if it
// certifies the very key that the server has proved to own in this session.

/// What `ssh-keygen -L` prints of a certificate.
struct HostCertificate {
    bool isForHosts = false;
    QString key; ///< fingerprint of the certified key, "SHA256:…"
    QString authority; ///< fingerprint of the key that signed it
    QStringList principals; ///< patterns of host names; none: any host
    QDateTime from; ///< invalid: no limit
    QDateTime until;
    bool hasCriticalOptions = false;
};

/// Reads that output; nothing: it is no certificate, or it is not clear what it says. Pure.
std::optional<HostCertificate> readCertificate(const QByteArray& printed);

/// Whether it certifies `key` as that of `host` at `now`, signed by one of `authorities`; else why
/// not, in a sentence. Pure.
Result<void> certifies(const HostCertificate& certificate, const HostKey& key, const QString& host,
    const std::vector<HostKey>& authorities, const QDateTime& now);

/// Fetches the certificate of the target's host over one more connection, through its jump hosts or
/// its ProxyCommand where it has them, and checks it.
Result<void> checkHostCertificate(const ResolvedTarget& target, const HostKey& key,
    const std::vector<HostKey>& authorities, LinkGate& gate, Route& route);

} // namespace slipway
