// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/logtimes.h"
#include "plots/metrics/sample.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QString>

#include <vector>

namespace slipway {

/// When a run ran. A value; invalid: not known.
struct RunSpan {
    QDateTime started;
    QDateTime ended;
};

/// SampleTimes gives the samples that were printed without an x the time of their line, from the
/// local copy of what the job notes (log.times beside log.bin). While the run is live, samples of
/// which the time is still on its way are held back, so that the same numbers are read live and
/// later. Lives on the GUI (or main) thread; each reading of a log owns one.
class SampleTimes {
public:
    explicit SampleTimes(const QString& logFile);

    void setSpan(const RunSpan& span) { m_span = span; }
    /// Without a connection no time is on its way, and none is waited for in vain.
    void setComing(bool coming) { m_coming = coming; }
    /// The log begins again at this place.
    void restart(qint64 begin);
    /// The samples to draw. Without `live` none is held back: what is not known stays so.
    std::vector<Sample> timed(std::vector<Sample> samples, bool live);
    bool isWaiting() const { return !m_held.empty(); }

    static constexpr size_t mostHeld = 200'000; ///< more than a block of the log has
    /// ms for which a time may be on its way: more than it takes to notice that a connection is
    /// gone
    static constexpr int longestWait = 60'000;

private:
    void readFile();
    bool notesTimes();
    std::optional<double> secondsOf(const Sample& sample, bool live) const;

    QString m_file;
    QString m_files; ///< what the run was launched with
    std::optional<bool> m_notesTimes; ///< whether its script does; none: not looked yet
    LogTimes m_times;
    RunSpan m_span;
    std::vector<Sample> m_held;
    QElapsedTimer m_waiting; ///< since one of them was given its time
    qint64 m_begin = 0; ///< where the attempt begins in the local log
    qint64 m_read = 0; ///< bytes of the file
    bool m_coming = true;
    bool m_gaveUp = false; ///< a time did not come
};

/// The local copy of the times of a local log.
QString logTimesFile(const QString& logFile);
/// Adds what the cluster sent to it; `offset` is the position in the file there. From 0 on it is
/// written anew. Without space it ends where it is: the run is drawn by line then.
void keepLogTimes(const QString& logFile, const QByteArray& bytes, qint64 offset);

/// The sizes that the job noted of its log; 0: none.
struct NotedSizes {
    qint64 largest = 0;
    qint64 last = 0;
};
NotedSizes notedSizes(const QString& logFile);

} // namespace slipway
