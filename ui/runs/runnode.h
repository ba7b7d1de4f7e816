// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/runs/summarycard.h"

#include <QElapsedTimer>

namespace slipway {

class GpuCard;
class NodePage;

/// Why there is no report of a run's node. Pure.
QString whyNoReport(const Run& run, bool connected, int unreadable);
/// Why nothing is known of what its GPUs do. Pure.
QString whyNoSamples(const Run& run, bool connected);

/// What a run's node says in words: failed checks with a link to each, warnings, and what the last
/// minute of samples is worth saying.
std::vector<WordLine> nodeLines(const NodeReport& report, const std::vector<NodeWarning>& remarks);

/// RunNode carries what the engine knows of a run's node into the run's page: its checks, the GPU
/// card, the lines in words. On the GUI thread; the run page owns it and the widgets.
class RunNode : public QObject {
    Q_OBJECT

public:
    RunNode(Engine* engine, NodePage* page, GpuCard* card, QObject* parent);

    void setRun(const QString& runId);
    /// The run or its connection changed.
    void show(const Run& run, bool connected);
    const std::vector<WordLine>& lines() const { return m_lines; }
    /// How many checks want a look.
    int attention() const;
    /// Whether the card has something to show or to wait for.
    bool showsCard() const { return m_showsCard; }
    /// Goes to what a line's link names.
    void follow(const QString& target);

signals:
    /// lines(), attention() or showsCard() may be others.
    void changed();

private:
    void readReport();
    void takeSample();
    void remark(const std::vector<NodeSample>& samples);
    void makeLines();

    Engine* m_engine;
    NodePage* m_page;
    GpuCard* m_card;
    QString m_runId;
    NodeReport m_report;
    std::vector<NodeWarning> m_warnings;
    std::vector<WordLine> m_lines;
    QElapsedTimer m_heard; ///< since the last sample
    bool m_terminal = false;
    bool m_showsCard = false;
};

} // namespace slipway
