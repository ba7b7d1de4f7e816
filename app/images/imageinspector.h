// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/verdict.h"
#include "remote/registry/registryclient.h"

#include <QCoroTask>
#include <QObject>

#include <memory>

namespace slipway {

class Catalogue;
class SecretStore;
class Sessions;
struct Site;

/// What is known of an image and a site before a pull. A value.
struct ImageInspection {
    QString siteId;
    ImageDescription image;
    ImageCuda cuda;
    QStringList frameworks;
    std::vector<PartitionVerdict> verdicts;
    QString askedFrom; ///< "this computer", "the login node of Demo cluster"
    QString command; ///< what a learner could type: curl on the manifest
    QString folder; ///< where images are kept on the cluster; empty: not connected
    std::optional<qint64> freeBytes; ///< there; none: unknown
    QString keptSince; ///< "2026-01-02", if the file of this image is there; empty: not, or unknown
};

/// The test of a login, and by which way the registry was asked. A value.
struct LoginInspection {
    LoginCheck check;
    QString askedFrom; ///< empty: it was not
};

/// Whether a registry may be reached from elsewhere, although this question was not answered.
bool isUnreachable(const Error& error);

/// ImageInspector asks a registry for an image and compares it with a site. The registry is asked
/// from this computer, or from the cluster's login node where this computer cannot reach it and the
/// site is connected. A login that is kept for the registry is used where none is given. Lives on
/// the GUI (or main) thread; the Engine owns it.
class ImageInspector : public QObject {
    Q_OBJECT

public:
    /// `secrets`: where logins are kept; null: nowhere. It outlives the inspector.
    ImageInspector(Catalogue* catalogue, Sessions* sessions, SecretStore* secrets = nullptr,
        QObject* parent = nullptr);

    /// In place of this computer's network; for tests.
    void setLocalTransport(std::shared_ptr<RegistryTransport> transport);

    /// Whether the registry of this image can only be asked from the cluster.
    bool needsCluster(const QString& siteId, const ImageReference& image) const;

    QCoro::Task<Result<ImageInspection>> inspect(
        QString siteId, ImageReference image, std::optional<RegistryLogin> login = {});

    /// Whether a registry accepts a login. Nothing is pulled, nothing is kept. `siteId` is
    /// necessary for a registry that only its cluster knows, and may be empty otherwise.
    QCoro::Task<LoginInspection> checkLogin(QString siteId, QString registry, RegistryLogin login);
    /// What the registry says of an image for a platform, asked from this computer, for no site.
    QCoro::Task<Result<ImageDescription>> describe(ImageReference image, ImagePlatform wanted);
    /// ImageInspection::keptSince of an image that the registry does not give.
    QCoro::Task<QString> keptSince(QString siteId, ImageReference image);
    /// The tags of the image's repository, asked by the same way as inspect().
    QCoro::Task<Result<TagList>> tags(
        QString siteId, ImageReference image, std::optional<RegistryLogin> login = {});

signals:
    /// A registry told the compressed size of an image.
    void sizeKnown(const QString& image, qint64 bytes);

private:
    /// The transports that may be tried: from here, and from the site's login node.
    struct Ways {
        std::shared_ptr<RegistryTransport> here; ///< null: only the cluster can reach the registry
        std::shared_ptr<RegistryTransport> there; ///< null: not connected
    };
    std::shared_ptr<RegistryTransport> localTransport();
    Ways waysTo(const Site& site, const QString& registry);

    Catalogue* m_catalogue;
    Sessions* m_sessions;
    SecretStore* m_secrets;
    std::shared_ptr<RegistryTransport> m_local;
};

} // namespace slipway
