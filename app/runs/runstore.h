// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "remote/base/result.h"

#include <QString>
#include <QTimer>

#include <deque>
#include <optional>
#include <vector>

class QSqlDatabase;

namespace slipway {

/// RunStore keeps every run on this computer in one SQLite file, so that a run survives a restart,
/// a crash or a power failure. The window and the terminal may use the same file at the same time:
/// each write is one transaction, and changed() says whether the other program wrote. Lives on the
/// GUI (or main) thread; RunRegistry owns one. A write never blocks: while the other program holds
/// the file it is queued, in order, and retried from the event loop; readers here see it as
/// written. The destructor writes what is still queued. What comes from the user (a cancel, a
/// fetched folder, the labels) has separate columns, so that a program which does not drive a run
/// can record them.
class RunStore {
public:
    explicit RunStore(QString file);
    ~RunStore();
    RunStore(const RunStore&) = delete;
    RunStore& operator=(const RunStore&) = delete;

    /// Opens or creates the file and upgrades its schema. A file that is damaged or was written by
    /// a newer Slipway is renamed and a new one is created: setAside() then says so.
    Result<void> open();
    const std::optional<Error>& setAside() const { return m_setAside; }

    /// Newest first.
    Result<std::vector<Run>> load();
    /// Those that were written since they were loaded the last time, here or by another program.
    Result<std::vector<Run>> loadChanged();
    Result<void> insert(const Run& run);
    Result<void> save(const Run& run);

    /// When the user requested to cancel this run, if they did.
    std::optional<QDateTime> cancelAsked(const QString& id);
    Result<void> noteCancelAsked(const QString& id, const QDateTime& when);
    Result<void> noteFetched(const QString& id, const QString& folder);
    Result<void> noteLabels(const QString& id, const RunLabels& labels);

    /// Whether another program wrote since the last call.
    bool changed();

    /// The number of writes that wait for the other program.
    int queued() const { return int(m_queue.size()); }

    static constexpr int version = 3; ///< PRAGMA user_version

private:
    /// One write, so that it can be retried. For each run the body that was saved last counts.
    struct Write {
        enum class Kind { Insert, Save, CancelAsked, Fetched, Labels };
        Kind kind;
        QString id;
        QString tag; ///< Insert
        qint64 time = 0; ///< Insert: created; CancelAsked: when
        QString text; ///< Insert and Save: the body; Fetched: the folder; Labels: them
    };
    Result<void> openFile();
    Result<void> migrate();
    Result<void> setFileAside(const QString& why);
    Result<void> inTransaction(const std::vector<QString>& statements);
    /// Writes, or queues where the file is in use.
    Result<void> write(const Write& write);
    Result<void> writeNow(const Write& write, bool* busy);
    void enqueue(const Write& write);
    void writeQueued();
    Result<void> checkFree(const Write& insert);
    bool setBusyTimeout(int milliseconds);
    Result<std::vector<Run>> readAfter(qint64 change);
    std::vector<Run> withQueued(std::vector<Run> runs) const;
    QSqlDatabase database() const;
    void close();
    int pragma(const QString& name) const;
    Error failure(const QString& what) const;

    QString m_file;
    QString m_connection; ///< QSqlDatabase's name for it, one per store
    std::optional<Error> m_setAside;
    int m_dataVersion = 0;
    qint64 m_lastChange = -1; ///< the number of the last write that was read
    std::deque<Write> m_queue;
    QTimer m_retry;
};

} // namespace slipway
