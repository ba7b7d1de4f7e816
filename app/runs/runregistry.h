// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runcontext.h"
#include "app/runs/runhandle.h"
#include "app/runs/runstore.h"

#include <QHash>
#include <QObject>

#include <functional>
#include <map>

namespace slipway {

/// The place of a run in a job array. A value.
struct ArrayPlace {
    int task = -1; ///< -1: in none
    QString tag; ///< of the array
    QString folder; ///< of the array; empty: named after this run, its first
    QString scratch;
};

/// RunRegistry holds every run of this computer: active runs, and some that have ended, as a
/// RunHandle; the others only as rows of the list, because there may be years of them. Reads and
/// writes the RunStore. Lives on the GUI (or main) thread; Runs owns it.
class RunRegistry : public QObject {
    Q_OBJECT

public:
    explicit RunRegistry(RunContext context);
    ~RunRegistry() override;

    /// Reads the list. Errors say that it was renamed, or cannot be read.
    std::vector<Error> open();

    /// Newest first.
    std::vector<Run> all() const;
    int activeCount() const; ///< runs that have not ended
    std::optional<Run> run(const QString& id) const;
    /// Created again where the run has ended and was dropped; null: there is no such run.
    RunHandle* handle(const QString& id);
    /// Null: there is none at the moment.
    RunHandle* existing(const QString& id) const { return m_handles.value(id); }
    /// A copy: receivers may access other runs.
    QList<RunHandle*> handles() const { return m_handles.values(); }
    /// The run with that tag; an ended run gets its handle back.
    RunHandle* withTag(const QString& tag);

    /// Adds a new run to the list, with the facts of its launch. No other program may drive it:
    /// it is locked before it can be seen.
    /// `place`: of a run that is a task of a job array.
    Result<Run> create(const Plan& plan, const ArrayPlace& place = {});
    /// Ends a run that was created and never got a handle: nothing of it will be submitted.
    void abandon(const Run& run, const Error& why);
    /// Adds the handle of a run that is stored already.
    RunHandle* add(const Run& run);
    bool insert(const Run& run) { return m_store.insert(run).ok(); }
    QString freeId() const;
    void noteFetched(const QString& id, const QString& folder);
    Result<void> setLabels(const QString& id, const RunLabels& labels);
    /// Reads the log of a run as this recipe says, now and from now on.
    Result<void> readWith(const QString& id, const QString& recipeId);

    /// Reads what another program wrote, if it did.
    void reloadIfChanged();
    void reload();
    /// Reduces the handle to a row of the list.
    void drop(const QString& id);

signals:
    /// Another program created this run.
    void appeared(const QString& id);
    /// Its handle was created again after it was dropped.
    void reopened(const QString& id);
    void changed(const QString& id);
    /// Its log is read otherwise from now on.
    void readingChanged(const QString& id);
    /// More of the log has arrived, or all of it.
    void logGrew(const QString& id);
    /// More rows of the probe have arrived.
    void reportGrew(const QString& id);

private:
    void readAgain(const QString& id);

    RunContext m_context;
    RunStore m_store;
    QHash<QString, RunHandle*> m_handles;
    QHash<QString, Run> m_ended; ///< runs without a handle
    std::map<QString, LocalRun> m_created; ///< locked, until they have a handle
};

} // namespace slipway
