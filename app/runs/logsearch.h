// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/logscan.h"
#include "app/runs/logsource.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace slipway {

/// LogSearch searches the whole local copy of a log, of any size, and goes on as the log grows. The
/// file is read in blocks by a thread of the pool; its results are collected here about twenty
/// times per second. Lives on the GUI (or main) thread, owned by whoever shows the hits.
class LogSearch : public QObject {
    Q_OBJECT

public:
    explicit LogSearch(QObject* parent = nullptr);
    /// A search that is running ends after its current block.
    ~LogSearch() override;

    /// Searches from the beginning of the file. A search that was running is dropped.
    void start(const LogSource& source, const LogQuery& query);
    /// The log has grown, was restarted or has ended: the search continues where it stopped.
    void update(const LogSource& source);
    /// Drops the search and its hits.
    void cancel();

    /// Whether there is a search; it may have ended.
    bool isActive() const { return m_job != nullptr; }
    /// Whether the file is being read.
    bool isRunning() const { return m_running; }
    /// In order. At most LogScan::mostHits; count() goes on.
    const std::vector<LogHit>& hits() const { return m_hits; }
    qint64 count() const { return m_count; }
    /// How much of the file has been searched, 0 to 100.
    int percent() const { return m_percent; }
    /// Why the file could not be read; empty: it could.
    QString trouble() const { return m_trouble; }

signals:
    /// More hits, more of the file, or the end of it.
    void changed();

private:
    struct Job;
    void run();
    void collect();
    static void work(Job& job);

    std::shared_ptr<Job> m_job; ///< shared with the thread that is reading
    LogSource m_source;
    QTimer m_pace;
    bool m_running = false;
    bool m_pending = false; ///< run() is due
    std::vector<LogHit> m_hits;
    qint64 m_count = 0;
    int m_percent = 0;
    QString m_trouble;
};

} // namespace slipway
