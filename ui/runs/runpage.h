// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/runs/runtabs.h"

#include <QTimer>

class QScrollArea;
class QVBoxLayout;

namespace slipway {

class ChartCard;
class ExplanationCard;
class GpuCard;
class LogCard;
class RunActions;
class RunError;
class RunHeader;
class RunNode;
class RunSummary;
class ShellCard;
class TimelineCard;
struct RelaunchOffer;
struct RunFacts;

/// RunPage is one run, live: its header, timeline, errors and explanation, and the tabs below them.
/// It joins its parts and tells them what changed, and scrolls where there is less room than they
/// need. Without a connection it shows what is kept on this computer, and how old that is. Lives on
/// the GUI thread, owned by RunsPage.
class RunPage : public QWidget {
    Q_OBJECT

public:
    using enum RunTabs::Tab;

    explicit RunPage(Engine* engine, QWidget* parent = nullptr);

    void setRun(const QString& runId);
    QString runId() const { return m_runId; }
    void showTab(int index);
    void openLogSearch();
    void focusTabs();
    LogCard* log() const;
    ChartCard* charts() const;
    NodePage* node() const { return m_node; }
    GpuCard* gpus() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

signals:
    void backRequested();
    void relaunchRequested(const slipway::LaunchSpec& spec);
    /// Launch the same again with this field changed, after the change has been shown.
    void changeRequested(const QString& runId, const slipway::RelaunchOffer& offer);
    void connectRequested(const QString& siteId);
    void compareRequested(const QString& runId);

private:
    void addParts(QVBoxLayout* layout);
    void connectHeader();
    void connectLinks();
    void connectEngine();
    void placeCharts();
    void showRun();
    void showNode(const Run& run);
    void tick();
    void showTimes(const Run& run);
    void askConnection();
    RunFacts facts(const Run& run) const;

    Engine* m_engine;
    QScrollArea* m_scroll;
    QString m_runId;
    LaunchFacts m_launchFacts;
    QTimer m_tick;

    RunHeader* m_header;
    TimelineCard* m_timeline;
    ShellCard* m_shell;
    RunError* m_error;
    ExplanationCard* m_explanation;
    RunLive* m_live;
    NodePage* m_node;
    RunTabs* m_tabs;
    RunNode* m_runNode;
    RunSummary* m_summary;
    RunActions* m_actions;
};

} // namespace slipway
