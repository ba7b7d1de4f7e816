// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runhandle.h"
#include "app/runs/runstore.h"
#include "remote/cluster/cluster.h"
#include "remote/shell/connector.h"

#include <QStringList>

#include <memory>

namespace slipway {

/// One launch that is going to be interrupted: a program stores it, submits it over a connection of
/// its own, and another one looks for its job. Main thread; the test owns it.
class Launching {
public:
    /// Where launches are stored here, and where their run folders are there.
    struct Place {
        QString store; ///< of runs.sqlite and the runs
        QString scratch;
        ConnectTarget target;

        QStringList words() const;
        static Place fromWords(const QStringList& words);
    };

    /// A new launch of that name, which is stored; or the stored one.
    static std::unique_ptr<Launching> make(const Place& place, const QString& id);
    static std::unique_ptr<Launching> stored(const Place& place, const QString& id);
    ~Launching();

    /// What its job runs; without it the job does nothing, and its state is not watched.
    void setCommand(const QByteArray& command) { m_command = command; }
    /// Uploads and submits: ends when the scheduler has accepted the job, or it is known why not.
    QCoro::Task<Result<void>> begin(std::shared_ptr<Shell> shell);
    /// Looks for its job over another connection.
    void attach(const std::shared_ptr<Shell>& shell);

    const Run& run() const { return m_handle->run(); }
    bool isKnown() const { return isTerminal(run().phase) || run().job.isValid(); }
    RunHandle& handle() { return *m_handle; }

private:
    explicit Launching(const Place& place);
    void open(const Run& run);
    std::shared_ptr<Cluster> clusterOn(std::shared_ptr<Shell> shell) const;

    Place m_place;
    QByteArray m_command;
    RunStore m_store;
    std::unique_ptr<RunHandle> m_handle;
};

} // namespace slipway
