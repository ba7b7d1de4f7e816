// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QTimer>
#include <QWidget>

class QFrame;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace slipway {

class ChartCard;
class ErrorView;
class ExplanationCard;
class FilesPage;
class GpuCard;
class LogCard;
class NodePage;
class RunHeader;
class RunNode;
class ShellCard;
class SweepFeed;
class TextPage;
class Timeline;
class SummaryCard;
struct RelaunchOffer;
struct RunFacts;

/// RunPage is one run, live: timeline, what it says in words, its charts, its GPUs and its log;
/// behind tabs the checks of its node, the script, the files and the commands. Shows what is kept
/// here even without a connection.
class RunPage : public QWidget {
    Q_OBJECT

public:
    enum Tab { LiveTab, NodeTab, ScriptTab, FilesTab, CommandsTab };

    /// `runsFolder` is where the engine keeps the copies of runs, <data>/runs.
    RunPage(Engine* engine, QString runsFolder, QWidget* parent = nullptr);

    void setRun(const QString& runId);
    QString runId() const { return m_runId; }
    void showTab(int index);
    void openLogSearch();
    void focusTabs();
    LogCard* log() const { return m_log; }
    ChartCard* charts() const { return m_charts; }
    NodePage* node() const { return m_node; }
    GpuCard* gpus() const { return m_gpus; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

signals:
    void backRequested();
    void againRequested(const slipway::LaunchSpec& spec);
    /// The same launch with this field changed; what changes is to be shown.
    void changeRequested(const QString& runId, const slipway::RelaunchOffer& offer);
    void connectRequested(const QString& siteId);
    void compareRequested(const QString& runId);

private:
    QWidget* makeLive();
    void placeCharts();
    void showRun();
    void showError(const Run& run);
    void showWords();
    void showTimeline(const Run& run);
    void showNode(const Run& run);
    void showExplanations(const Run& run);
    void tick();
    RunFacts facts(const Run& run) const;
    void askCancel();
    void askRelease();
    void askFetch();
    void act(QCoro::Task<Result<void>> task);
    QCoro::Task<void> perform(QCoro::Task<Result<void>> task);
    QCoro::Task<void> fetchTo(QString folder);

    Engine* m_engine;
    QString m_runsFolder;
    QString m_runId;
    std::shared_ptr<RunFeed> m_feed;
    LaunchFacts m_launchFacts;
    SweepFeed* m_sweep = nullptr; ///< of a run that is one of several
    QDateTime m_lastLine;
    QTimer m_tick;

    RunHeader* m_header;
    ErrorView* m_error;
    QString m_shownError; ///< the run's own, as m_error was last given it
    ExplanationCard* m_explanation;
    std::vector<Explanation> m_explained; ///< what it shows
    QString m_explainedRun;
    ShellCard* m_shell;
    QFrame* m_timelineCard;
    Timeline* m_timeline;
    QTabBar* m_tabs;
    QStackedWidget* m_pages;
    QSplitter* m_split = nullptr;
    ChartCard* m_charts;
    ChartCard* m_second; ///< below the words, where there is room for it
    std::vector<ChartSpec> m_specs;
    std::optional<bool> m_beside;
    SummaryCard* m_words;
    LogCard* m_log;
    NodePage* m_node;
    GpuCard* m_gpus;
    RunNode* m_runNode;
    TextPage* m_script;
    FilesPage* m_files;
    TextPage* m_commands;
};

} // namespace slipway
