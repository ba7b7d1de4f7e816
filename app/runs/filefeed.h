// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explain.h"
#include "app/runs/runfeed.h"
#include "plots/metrics/lineassembler.h"
#include "plots/metrics/pipeline.h"

#include <QFile>
#include <QTimer>

namespace slipway {

/// FileFeed is the RunFeed of a local log: it reads log.bin as it grows, one slice per turn of the
/// event loop, so that fifty megabytes never block the window and a run that another program
/// follows is shown as well. Lives on the GUI (or main) thread; RunFeeds owns it.
class FileFeed : public RunFeed {
    Q_OBJECT

public:
    FileFeed(QString logFile, QStringList recognisers, std::vector<PatternSpec> patterns = {},
        QObject* parent = nullptr);

    qint64 firstLine() const override { return m_firstLine; }
    const QStringList& lines() const override { return m_lines; }
    const SeriesStore& series() const override { return m_series; }
    const std::vector<MetricEvent>& events() const override { return m_events; }
    std::vector<Explanation> explanations() const override;
    qsizetype indexOfLine(qint64 number) const override;
    qint64 bytes() const override { return m_read; }
    bool live() const override { return m_live; }

    /// The hints for known failures, used from the first byte: to be set before wake().
    void setHints(std::shared_ptr<const HintBook> hints);
    /// Points that do not come from the log: the samples of the agent on the node.
    void addSamples(const std::vector<Sample>& samples);
    /// There may be more in the file. `restarts`: the offsets at which the log was restarted.
    void wake(const std::vector<qint64>& restarts);
    /// False once the run has ended and its log is whole: a last line without a newline is then
    /// processed.
    void setLive(bool live);
    /// Everything in the file was read and emitted.
    bool isCaughtUp() const { return !m_timer.isActive(); }

    static constexpr qsizetype mostLines = 200'000;

private:
    void readSlice();
    void take(const QByteArray& bytes);
    void divide();
    void takeLine(const LogLine& line);
    void appendLine(QString text, qint64 place);
    void tell();
    void finish();

    QFile m_file;
    QStringList m_recognisers;
    std::vector<PatternSpec> m_patterns; ///< the recipe's own
    LineAssembler m_assembler;
    MetricsPipeline m_pipeline;
    SeriesStore m_series;
    std::optional<Explainer> m_explainer;
    QStringList m_lines;
    std::vector<qint64>
        m_places; ///< of m_lines: twice the number in the log, plus one for a divider
    std::vector<MetricEvent> m_events;
    std::vector<qint64> m_restarts;
    size_t m_restartsSeen = 0;
    qint64 m_firstLine = 1;
    qint64 m_read = 0;
    int m_unsent = 0;
    bool m_live = true;
    bool m_finished = false;
    QTimer m_timer; ///< paces slices and batches
    QTimer m_look; ///< polls the file, which another program may write
};

} // namespace slipway
