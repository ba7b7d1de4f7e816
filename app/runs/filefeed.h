// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/logpass.h"
#include "app/runs/feedlines.h"
#include "app/runs/recordfeed.h"
#include "app/runs/runfeed.h"
#include "app/runs/sampletimes.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTimer>

namespace slipway {

/// FileFeed is the RunFeed of a local log: it reads log.bin as it grows, one slice per turn of the
/// event loop, so that fifty megabytes never block the window and a run that another program
/// follows is shown as well. Its many members are one job: the log, its times and the files beside
/// it become numbers of one store, in step. Lives on the GUI (or main) thread; RunFeeds owns it.
class FileFeed : public RunFeed {
    Q_OBJECT

public:
    /// Known failures are looked for with the hints; null: none.
    FileFeed(QString logFile, QStringList recognisers, std::vector<PatternSpec> patterns = {},
        std::shared_ptr<const HintBook> hints = nullptr, QObject* parent = nullptr);

    qint64 firstLine() const override { return m_lines.first(); }
    const QStringList& lines() const override { return m_lines.list(); }
    const SeriesStore& series() const override { return m_series; }
    const std::vector<MetricEvent>& events() const override { return m_events; }
    std::vector<Explanation> explanations() const override;
    std::optional<RunProgress> progress() const override;
    qsizetype indexOfLine(qint64 number) const override { return m_lines.indexOf(number); }
    qint64 numberAt(qsizetype index) const override { return m_lines.numberAt(index); }
    LogSource source() const override { return {m_file.fileName(), m_restarts, !m_live}; }
    LogPlace placeBefore(qint64 number) const override;
    const std::vector<LogHeader>& headers() const override { return m_lines.headers(); }
    qint64 bytes() const override { return m_read; }
    bool live() const override { return m_live; }
    QDateTime grewAt() const override;

    /// Points that come from beside the log: what the agent on the node saw.
    void addSamples(const std::vector<Sample>& samples);
    /// There may be more in the file. `restarts`: the offsets at which the log was restarted;
    /// `span`: when the run ran, its times count from there.
    /// `attached`: whether more can arrive.
    void wake(const std::vector<qint64>& restarts, const RunSpan& span = {}, bool attached = true);
    /// False once the run has ended and its log is whole: a last line without a newline is then
    /// processed.
    void setLive(bool live);
    /// Reads the log once more from its beginning, for other numbers; its lines stay as they are.
    void readAgain(QStringList recognisers, const std::vector<PatternSpec>& patterns);
    /// Everything in the file was read and emitted.
    bool isCaughtUp() const override { return !m_timer.isActive(); }

    static constexpr qsizetype mostLines = 200'000;

private:
    void schedule();
    void readSlice();
    void take(const QByteArray& bytes);
    void divide();
    void beginNumbers(qint64 offset);
    void takeLine(const LogLine& line);
    void tell();
    void finish();
    bool readRecords();
    void finishRecords();

    QFile m_file;
    const std::shared_ptr<const HintBook> m_hints; ///< null: nothing is explained
    RecordFeed m_records; ///< of the files beside the log
    quint64 m_shapeOfRecords = 0; ///< of m_series, when they were last read
    LogPass m_pass;
    SampleTimes m_times;
    ProgressPace m_pace; ///< from the first time that the whole file was read
    SeriesStore m_series;
    FeedLines m_lines;
    std::vector<LogPlace> m_marks; ///< where some lines begin, about four for each MiB
    std::vector<MetricEvent> m_events;
    std::vector<qint64> m_restarts;
    size_t m_restartsSeen = 0;
    qint64 m_read = 0;
    qint64 m_linesShown = 0; ///< of the log, when it was read before
    size_t m_dividersShown = 0; ///< likewise
    bool m_live = true;
    bool m_attached = false; ///< more may arrive, of the files beside the log too
    bool m_finished = false;
    bool m_recordsFinished = false;
    QTimer m_timer; ///< paces slices and batches
    QElapsedTimer m_batch; ///< since the last one
    QTimer m_look; ///< polls the file, which another program may write
};

} // namespace slipway
