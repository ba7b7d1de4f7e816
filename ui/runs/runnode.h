// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/runs/summarycard.h"

#include <QElapsedTimer>

namespace slipway {

class GpuCard;
class NodePage;

/// Why there is no report on the node of a run. Pure.
QString whyNoReport(const Run& run, bool connected, int unreadable);
/// Why there are no GPU samples of a run; `trouble`: what stopped them, if that is known. Pure.
QString whyNoSamples(const Run& run, bool connected, const QString& trouble = {});

/// The node of a run in sentences: failed checks with a link to each, warnings of the check, and
/// `warnings` about the samples of the last minute. Pure.
std::vector<WordLine> nodeLines(const NodeReport& report, const std::vector<NodeWarning>& warnings);

/// RunNode shows on the run page what the engine knows about the node of the run: it fills the
/// checks and the GPU card and provides sentences for the summary. Lives on the GUI thread; the run
/// page owns it and the widgets.
class RunNode : public QObject {
    Q_OBJECT

public:
    RunNode(Engine* engine, NodePage* page, GpuCard* card, QObject* parent);

    void setRun(const QString& runId);
    /// The run or its connection changed.
    void show(const Run& run, bool connected);
    const std::vector<WordLine>& lines() const { return m_lines; }
    /// How many checks need attention.
    int attention() const;
    /// Whether the GPU card has samples, or may still get some.
    bool showsCard() const { return m_showsCard; }
    /// Opens the target of a link in lines().
    void follow(const QString& target);

signals:
    /// lines(), attention() or showsCard() may have changed.
    void changed();

private:
    void readReport();
    void addSample();
    void updateWarnings(const std::vector<NodeSample>& samples);
    void makeLines();

    Engine* m_engine;
    NodePage* m_page;
    GpuCard* m_card;
    QString m_runId;
    NodeReport m_report;
    std::vector<NodeWarning> m_warnings;
    std::vector<WordLine> m_lines;
    QElapsedTimer m_sinceSample;
    bool m_terminal = false;
    bool m_showsCard = false;
};

} // namespace slipway
