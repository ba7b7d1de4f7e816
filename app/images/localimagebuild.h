// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/localbuild.h"
#include "app/sessions/sessions.h"
#include "remote/cluster/largeupload.h"

#include <QCoroTask>
#include <QObject>
#include <QPointer>

namespace slipway {

class Catalogue;
class LocalProgram;

/// The programs that build on this computer. A value.
struct LocalBuilders {
    std::vector<LocalBuilder> found; ///< that work, the preferred one first
    QStringList whyNot; ///< "docker: Cannot connect to the Docker daemon", of those that do not
};

/// Asks docker, podman and buildah, as far as they are installed, whether they work.
QCoro::Task<LocalBuilders> findLocalBuilders();
/// When none is there: what to do instead.
Error noLocalBuilder(const LocalBuilders& builders);

/// LocalImageBuild builds an image from a Dockerfile on this computer, saves it as an archive and
/// uploads that to the site's image folder. An archive that was not uploaded to its end is kept
/// here, and used again as long as the files of the folder are the same. One build at a time. Lives
/// on the GUI (or main) thread.
class LocalImageBuild : public QObject {
    Q_OBJECT

public:
    LocalImageBuild(Catalogue* catalogue, Sessions* sessions, QObject* parent = nullptr);
    ~LocalImageBuild() override;

    struct Request {
        QString siteId; ///< connected
        QString dockerfile;
        QString name; ///< empty: that of its folder
        Sessions::MayWait mayWait = {}; ///< for the next connection; see Sessions::shellAfter()
    };
    /// What is on the cluster then. A value.
    struct Archive {
        QString name;
        QString path; ///< there
        LargeUploadSummary upload;
        QString builder; ///< "buildah 1.28.2"; empty: built earlier
    };
    QCoro::Task<Result<Archive>> run(Request request);
    /// The run ends with Cancelled; what was uploaded is kept there, and the archive here.
    void cancel();

signals:
    /// A step begins; `command` is what a learner could type.
    void stageBegan(const QString& title, const QString& command);
    void line(const QString& text); ///< of the program that builds
    void uploaded(qint64 there, qint64 total);

private:
    QCoro::Task<Result<QString>> makeArchive(LocalBuild build, Archive* made);
    QCoro::Task<Result<void>> build(LocalBuild build, QString* builder);
    QCoro::Task<Result<Archive>> upload(QString siteId, QString file, Archive made);

    Catalogue* m_catalogue;
    Sessions* m_sessions;
    QPointer<LocalProgram> m_program;
    Sessions::MayWait m_mayWait;
    bool m_cancelled = false;
};

} // namespace slipway
