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
class Sessions;

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
};

/// ImageInspector asks a registry for an image and compares it with a site. The registry is asked
/// from this computer, or from the cluster's login node where this computer cannot reach it and the
/// site is connected. Lives on the GUI (or main) thread; the Engine owns it.
class ImageInspector : public QObject {
    Q_OBJECT

public:
    ImageInspector(Catalogue* catalogue, Sessions* sessions, QObject* parent = nullptr);

    /// In place of this computer's network; for tests.
    void setLocalTransport(std::shared_ptr<RegistryTransport> transport);

    /// Whether the registry of this image can only be asked from the cluster.
    bool needsCluster(const QString& siteId, const ImageReference& image) const;

    QCoro::Task<Result<ImageInspection>> inspect(
        QString siteId, ImageReference image, std::optional<RegistryLogin> login = {});

private:
    Catalogue* m_catalogue;
    Sessions* m_sessions;
    std::shared_ptr<RegistryTransport> m_local;
};

} // namespace slipway
