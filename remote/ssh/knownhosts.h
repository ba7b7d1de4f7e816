// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// A server's public host key, as in a known_hosts line.
struct HostKey {
    QByteArray type; ///< "ssh-ed25519"
    QByteArray base64;
    /// "SHA256:…", as ssh-keygen -l prints it.
    QString sha256() const;
};

/// KnownHosts reads known_hosts files for one host and checks its key. libssh's own
/// reader skips @revoked lines and stops at a long line, so it is not used. A value; any thread.
class KnownHosts {
public:
    enum class Verdict { Known, Unknown, Changed, OtherType, Revoked };
    struct Judgement {
        Verdict verdict = Verdict::Unknown;
        QString file = {}; ///< the line that decided
        int line = 0;
        QByteArray type = {}; ///< the type of the key that is known there
    };

    /// The keys of the certificate authorities that may certify this host, without revoked ones.
    std::vector<HostKey> authorities() const;
    /// Reads more lines, as a KnownHostsCommand prints them; `name` stands for the file.
    void addLines(const QByteArray& lines, const QString& name);
    /// Whether `file` (RevokedHostKeys) has this key; it is a list of keys, one a line.
    static bool isRevokedBy(const QByteArray& list, const HostKey& key);

    /// `host` as entered by the user; the port is included when it is not 22 ("[host]:2222").
    KnownHosts(const QStringList& files, const QString& host, int port);

    Judgement judge(const HostKey& key) const;
    /// The types of the known keys: they are preferred, so that a server with several keys sends
    /// the known one.
    QList<QByteArray> types() const;

    /// Adds `key` to `file`: under a lock, on a line of its own, flushed to the disk.
    static Result<void> append(
        const QString& file, const QString& host, int port, const HostKey& key);
    /// "host" or "[host]:port": the name used in the files.
    static QByteArray recordName(const QString& host, int port);

private:
    struct Entry {
        QString file;
        int line;
        enum class Mark { None, Revoked, Authority } mark;
        HostKey key;
    };
    void readLine(const QByteArray& text, const QString& file, int line);
    void read(const QString& file);

    QByteArray m_name;
    std::vector<Entry> m_entries;
};

/// Whether the host field of a known_hosts line (patterns, or one hashed name) matches `name`.
bool knownHostMatches(const QByteArray& field, const QByteArray& name);

} // namespace slipway
