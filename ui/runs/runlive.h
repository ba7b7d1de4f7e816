// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "plots/metrics/chartspec.h"
#include "plots/metrics/taughtpattern.h"
#include "ui/parts/gripsplitter.h"

#include <QTimer>

#include <memory>

class QBoxLayout;

namespace slipway {

class ChartCard;
class GpuCard;
class LogCard;
class SummaryCard;
class SweepFeed;

/// RunLive is the live tab of the run page: charts, summary and GPUs above, the log below. It
/// connects the charts of the run's recipe to the run's feed, or to the feed of all runs of its
/// sweep, and shows a second chart beside the first where there is room. A run without numbers has
/// no charts: the log gets their place. What is beside each other on a wide page is below each
/// other on a narrow one. Lives on the GUI thread, owned by the page.
class RunLive : public GripSplitter {
    Q_OBJECT

public:
    explicit RunLive(Engine* engine, QWidget* parent = nullptr);

    /// Clears the charts; placeCharts() fills them. `siteName` is for their captions; `feed` may be
    /// null.
    void setRun(
        const std::optional<Run>& run, std::shared_ptr<RunFeed> feed, const QString& siteName);
    /// Its log is read otherwise now: clears the charts, as setRun() does.
    void clearCharts();
    /// `room` is the height that the page has for its tabs; the GPU card takes precedence over a
    /// second chart.
    void placeCharts(int room, bool withGpus);
    /// After the end, no more numbers are expected.
    void setEnded(bool ended);
    ChartCard* charts() const { return m_charts; }
    SummaryCard* summary() const { return m_summary; }
    GpuCard* gpus() const { return m_gpus; }
    LogCard* log() const { return m_log; }

signals:
    /// The space that it needs has changed.
    void needChanged();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void teach(const QString& line, const TaughtNumber& taught);
    void keepTaught(const Run& run, const PatternSpec& pattern);
    RunFeed* numbers() const;
    bool hasNumbers() const;
    bool expectsNumbers() const;
    void lookForNumbers();
    void arrange();
    void fitFont();

    Engine* m_engine;
    ChartCard* m_charts;
    ChartCard* m_second; ///< below the summary, where there is room for it
    SummaryCard* m_summary;
    GpuCard* m_gpus;
    LogCard* m_log;
    QString m_runId;
    std::shared_ptr<RunFeed> m_feed;
    SweepFeed* m_sweep = nullptr; ///< of a run that belongs to a sweep
    std::vector<ChartSpec> m_specs;
    QString m_caption;
    std::optional<bool> m_beside; ///< whether the second card is used; none: to be placed
    QWidget* m_top;
    QBoxLayout* m_columns;
    QBoxLayout* m_right;
    QTimer m_look; ///< until the log that is here has been read
    bool m_ended = false;
    bool m_withGpus = false;
    bool m_onlyText = false;
    bool m_remembered = true; ///< the splitter is where a person may have put it
};

} // namespace slipway
