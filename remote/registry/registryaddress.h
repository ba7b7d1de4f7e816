// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>
#include <QStringList>
#include <QUrl>

namespace slipway {

/// Where a registry is and what it is called. A value.
struct RegistryAddress {
    QString name; ///< for a person: "Docker Hub", "nvcr.io", "login:5000"
    QString host; ///< with its port, as it is asked: "registry-1.docker.io"
    bool isHub = false;
    bool isPlain = false; ///< without TLS

    /// "/v2/…" there.
    QUrl url(const QString& path) const;
    /// "library/python": Docker Hub keeps its own images in a folder that is not written.
    QString repositoryOf(const QString& repository) const;

    /// `registry`: as in a reference; empty and "docker.io" are Docker Hub. `plainHttp`: those
    /// without TLS.
    static Result<RegistryAddress> of(QString registry, const QStringList& plainHttp);
};

/// Whether both have scheme, host and port in common.
bool isSameOrigin(const QUrl& one, const QUrl& other);

/// Whether a login or a token request may go to `realm`, which the registry at `address` named:
/// only over TLS, or to the very host and port of a registry that has none.
bool mayAuthoriseAt(const QUrl& realm, const RegistryAddress& address);

} // namespace slipway
