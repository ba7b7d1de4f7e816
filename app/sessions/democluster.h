// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/demostage.h"
#include "remote/base/result.h"

#include <QCoroTask>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QProcess;

namespace slipway {

/// DemoCluster runs resources/demo-cluster/demo-cluster and turns its JSON lines into stages. Lives
/// on the GUI (or main) thread, owned by the Engine. The cluster keeps running after this object
/// and the program have ended.
class DemoCluster : public QObject {
    Q_OBJECT

public:
    explicit DemoCluster(QString scriptFolder, QObject* parent = nullptr);
    ~DemoCluster() override;

    DemoState state() const;
    QString detail() const; ///< one line about the state
    const std::vector<DemoStage>& stages() const;
    QString connectionFile() const; ///< empty until known
    QString emulates() const; ///< the id of the site that the running cluster emulates; empty: none

    /// Queries the state; quick.
    QCoro::Task<Result<DemoState>> refresh();
    /// The word of the running cluster's Slurm release: "22.05", "newest". Empty until known.
    QString slurm() const;
    /// Starts it, emulating `site` (an id or a path to a site file) if one is given, with that
    /// release of Slurm; empty: the default one, with slurmdbd if `accounting`.
    QCoro::Task<Result<void>> up(QString site = {}, QString slurm = {}, bool accounting = false);
    QCoro::Task<Result<void>> down();
    QCoro::Task<Result<void>> reset();
    /// Stops a start in progress; finished parts are kept, and the next start continues from there.
    void cancel();

signals:
    void changed();

private:
    QCoro::Task<Result<void>> perform(QString verb, QStringList more = {});
    QCoro::Task<Result<void>> stop(QString verb, DemoState after);
    Result<void> end(const QString& verb, const QProcess& process,
        const std::optional<Error>& error, const QByteArray& errorText);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace slipway
