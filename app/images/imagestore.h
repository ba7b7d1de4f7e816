// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imagelist.h"
#include "remote/base/result.h"

#include <QCoroTask>
#include <QObject>
#include <QStringList>

namespace slipway {

class Catalogue;
class Runs;
class Sessions;
struct ImageScan;
struct Site;

/// ImageStore lists and removes the images, sets of packages and caches that a person keeps on a
/// cluster. Only what a
/// new scan finds in Slipway's folder is ever removed, never through a link. Lives on the GUI (or
/// main) thread; the Engine owns it.
class ImageStore : public QObject {
    Q_OBJECT

public:
    ImageStore(Catalogue* catalogue, Sessions* sessions, Runs* runs, QObject* parent = nullptr);

    QCoro::Task<Result<ImageList>> list(QString siteId);
    /// Those that were left, each with its reason in `whyLeft`, in the order of `left`.
    struct Removed {
        QStringList gone;
        QStringList left;
        QStringList whyLeft;
        qint64 bytes = 0;
    };
    QCoro::Task<Result<Removed>> remove(QString siteId, QStringList paths);
    /// Empties the caches of the container runtimes of this account (`apptainer cache clean`): the
    /// bytes that were freed. Refused while a job of Slipway has not ended: its pull may use them.
    QCoro::Task<Result<qint64>> clearCaches(QString siteId);

private:
    struct Look;
    QCoro::Task<Result<Look>> look(QString siteId);
    ImageScan known(const Site& site) const;

    Catalogue* m_catalogue;
    Sessions* m_sessions;
    Runs* m_runs;
};

} // namespace slipway
