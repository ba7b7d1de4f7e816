// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "remote/base/result.h"
#include "remote/cluster/logfollower.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QLockFile>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace slipway {

/// LocalRun is the local copy of one run, in <data>/runs/<id>/: the log as received
/// (log.bin), the stage marks (events.ndjson), the probe's report on the node (probe.ndjson), the
/// files that were uploaded (files/) and the results. The copies determine how far was read: an
/// offset is a file's size, so a crash between two writes neither loses nor duplicates anything.
/// Lives on the GUI (or main) thread; each RunHandle owns one. Only the program that holds lock()
/// writes.
/// Its many functions are one job: each file of the folder is written and read here and nowhere
/// else.
class LocalRun {
public:
    explicit LocalRun(QString folder, qint64 logLimit = mostLogAsked());

    /// The largest size of a local log, unless SLIPWAY_LOG_LIMIT_MIB changes it. A job that prints
    /// endlessly would fill the disk.
    static constexpr qint64 mostLog = qint64(4) * 1024 * 1024 * 1024;
    static qint64 mostLogAsked();

    const QString& folder() const { return m_folder; }
    QString filePath(const QString& name) const { return m_folder + u'/' + name; }
    QString logFile() const { return filePath(QStringLiteral("log.bin")); }

    /// True when this program may drive the run; a lock of a crashed program is taken over.
    bool lock();
    bool isLocked() const { return m_lock && m_lock->isLocked(); }
    void unlock();
    /// What `other`, of the same folder, holds is held by this one from here on.
    void takeLock(LocalRun& other) { m_lock = std::move(other.m_lock); }

    /// Where to continue reading the log on the cluster.
    LogPosition logPosition() const;
    /// `offset` is the position of the bytes in the remote file; bytes that are already here are
    /// skipped. At the limit the log ends with a line that says so, and logIsFull() stays true.
    Result<void> appendLog(const QByteArray& bytes, qint64 offset);
    bool logIsFull() const { return m_logIsFull; }
    qint64 logSize() const;
    /// The identity of the remote file. Cheap when nothing changed.
    void noteLogIdentity(quint64 inode, int restarts);
    /// The remote file was restarted: a divider is written before what follows.
    void restartLog();
    /// The offsets in log.bin at which the remote file was restarted.
    const std::vector<qint64>& logRestarts() const { return m_restarts; }
    QByteArray logTail(qint64 bytes) const;

    /// Marks, and rows of the probe, are kept up to `mostRows` bytes each: a job may write to their
    /// files without end.
    static constexpr qint64 mostRows = 32 * 1024 * 1024;
    QByteArray events() const;
    qint64 eventsSize() const;
    bool eventsAreFull() const { return eventsSize() >= mostRows; }
    Result<void> appendEvents(const QByteArray& bytes);

    /// The rows of slipway-probe, as received.
    QByteArray probeRows() const;
    qint64 probeRowsSize() const;
    bool probeRowsAreFull() const { return probeRowsSize() >= mostRows; }
    Result<void> appendProbeRows(const QByteArray& bytes);

    /// The samples of the agent on the node, one per line. It grows by at most `mostSamples` bytes.
    QByteArray nodeSamples() const;
    void appendNodeSample(const QByteArray& line);
    static constexpr qint64 mostSamples = 32 * 1024 * 1024;

    Result<void> keepFiles(const std::vector<LaunchFile>& files);

    /// Facts of the launch that cannot be known later: image, values, versions.
    void keepFacts(const QJsonObject& facts);
    QJsonObject facts() const;
    /// The steps of an interactive launch and the options of its salloc.
    void keepSteps(const QJsonObject& steps);
    QJsonObject steps() const;
    /// What the run's curves came to, read at its end from so many bytes of its log and of the
    /// files beside it; none where these are others by now.
    void keepMetrics(const QJsonArray& summary, qint64 logBytes, qint64 recordBytes);
    std::optional<QJsonArray> metrics() const;
    /// The files that the cluster listed in the run's folder when it was last asked.
    void keepListing(const QJsonObject& listing);
    QJsonObject listing() const;

private:
    void writeJson(const QString& name, const QJsonObject& json);
    QJsonObject readJson(const QString& name) const;
    void readIdentity();
    void writeIdentity();
    Result<void> append(const QString& file, const QByteArray& bytes);
    QByteArray fullNote() const;

    QString m_folder;
    std::unique_ptr<QLockFile> m_lock;
    std::vector<qint64> m_restarts;
    quint64 m_inode = 0;
    int m_restartCount = 0;
    qint64 m_mostLog;
    bool m_logIsFull = false;
};

} // namespace slipway
