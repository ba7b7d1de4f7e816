// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/runs/summarycard.h"

#include <memory>

namespace slipway {

class ExplanationCard;
class RunNode;

/// What the target of a link to another run begins with.
inline constexpr QStringView runTarget = u"run:";

/// RunSummary says what is known about a run: it fills the explanation of its failure and the
/// summary from the run, its feed and its node, and updates both when the feed has more. Lives on
/// the GUI thread; the run page owns it and the cards.
class RunSummary : public QObject {
    Q_OBJECT

public:
    RunSummary(Engine* engine, const RunNode* node, ExplanationCard* explanation,
        SummaryCard* summary, QObject* parent);

    /// `feed` may be null.
    void setRun(const QString& runId, std::shared_ptr<RunFeed> feed);
    void refresh();
    /// Reads again which run it continues, and which continues it.
    void readChain();
    /// Whether another run can go on from its checkpoints, and none does yet.
    bool canContinue() const { return m_canContinue; }

private:
    void explain(const Run& run);

    Engine* m_engine;
    const RunNode* m_node;
    ExplanationCard* m_explanation;
    SummaryCard* m_summary;
    QString m_runId;
    std::shared_ptr<RunFeed> m_feed;
    QDateTime m_lastLine;
    std::vector<WordLine> m_chain; ///< the run before it, and the one after it
    bool m_canContinue = false;
    std::vector<Explanation> m_explained; ///< what m_explanation shows
    QString m_explainedRun;
    QString m_explainedEnd;
};

} // namespace slipway
