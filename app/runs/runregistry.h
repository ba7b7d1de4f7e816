// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runcontext.h"
#include "app/runs/runhandle.h"
#include "app/runs/runstore.h"

#include <QHash>
#include <QObject>

#include <functional>

namespace slipway {

/// RunRegistry knows every run of this computer: those that go on, and some that have ended, as a
/// RunHandle; of the others only the row of the list, as years of them are nothing else. Reads and
/// writes the RunStore. Lives on the GUI (or main) thread; Runs owns it.
class RunRegistry : public QObject {
    Q_OBJECT

public:
    explicit RunRegistry(RunContext context);
    ~RunRegistry() override;

    /// Reads the list. Errors say that it was set aside, or cannot be read.
    std::vector<Error> open();

    /// Newest first.
    std::vector<Run> all() const;
    std::optional<Run> run(const QString& id) const;
    /// Made again where the run has ended and was dropped; null: there is no such run.
    RunHandle* handle(const QString& id);
    /// Null: there is none now.
    RunHandle* existing(const QString& id) const { return m_handles.value(id); }
    /// A copy: who is told of a run may ask for others.
    QList<RunHandle*> handles() const { return m_handles.values(); }
    /// The run of that tag; a run that has ended gets its handle again.
    RunHandle* withTag(const QString& tag);

    /// A new run in the list, with what is true of its launch.
    Result<Run> create(const Plan& plan);
    /// A run that is kept already or that insert() kept.
    RunHandle* add(const Run& run);
    bool insert(const Run& run) { return m_store.insert(run).ok(); }
    QString freeId() const;
    void noteFetched(const QString& id, const QString& folder);

    /// Takes in what another program wrote, if it did.
    void reloadIfChanged();
    void reload();
    /// The handle becomes a row of the list again.
    void drop(const QString& id);

signals:
    /// Another program made this run.
    void appeared(const QString& id);
    /// Its handle was asked for again after it was dropped.
    void reopened(const QString& id);
    void changed(const QString& id);
    /// More of the log is here, or all of it.
    void logGrew(const QString& id);
    /// More of what the probe said of the node is here.
    void reportGrew(const QString& id);

private:
    RunContext m_context;
    RunStore m_store;
    QHash<QString, RunHandle*> m_handles;
    QHash<QString, Run> m_ended; ///< runs without a handle
};

} // namespace slipway
