// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runsummary.h"

#include "app/runs/continuing.h"
#include "app/runs/runfinding.h"
#include "ui/parts/words.h"
#include "ui/runs/explanationcard.h"
#include "ui/runs/runnode.h"

namespace slipway {

RunSummary::RunSummary(Engine* engine, const RunNode* node, ExplanationCard* explanation,
    SummaryCard* summary, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_node(node)
    , m_explanation(explanation)
    , m_summary(summary)
{
}

void RunSummary::setRun(const QString& runId, std::shared_ptr<RunFeed> feed)
{
    if (m_feed) {
        m_feed->disconnect(this);
    }
    m_runId = runId;
    m_feed = std::move(feed);
    m_lastLine = {};
    if (m_feed) {
        connect(m_feed.get(), &RunFeed::linesAppended, this, [this] {
            m_lastLine = QDateTime::currentDateTimeUtc();
            refresh();
        });
        connect(m_feed.get(), &RunFeed::samplesAppended, this, &RunSummary::refresh);
    }
}

void RunSummary::refresh()
{
    const auto run = m_engine->runs()->run(m_runId);
    if (!run) {
        return;
    }
    explain(*run);
    const Recipe* recipe = m_engine->catalogue()->recipe(run->spec.recipeId);
    const bool connected = m_engine->sessions()->connection(run->spec.siteId).phase
        == ConnectionState::Phase::Connected;
    RunFinding finding = runFinding(*run, recipe, m_feed.get());
    if (!connected) {
        finding.progress.clear(); // it has gone on since
    }
    std::vector<WordLine> lines = findingLines(finding, run->phase);
    lines.insert(lines.end(), m_chain.begin(), m_chain.end());
    const auto more =
        wordLines(*run, m_feed ? m_feed->events() : std::vector<MetricEvent>(), m_explained);
    lines.insert(lines.end(), more.begin(), more.end());
    lines.insert(lines.end(), m_node->lines().begin(), m_node->lines().end());
    m_summary->setLines(lines);
    const bool live = connected && m_feed && m_feed->live() && !isTerminal(run->phase);
    m_summary->setAge(live && m_lastLine.isValid()
            ? tr("Last line %1").arg(agoText(m_lastLine, QDateTime::currentDateTimeUtc()))
            : QString());
}

void RunSummary::readChain()
{
    m_chain.clear();
    m_canContinue = false;
    const auto run = m_engine->runs()->run(m_runId);
    if (!run) {
        return;
    }
    const Recipe* recipe = m_engine->catalogue()->recipe(run->spec.recipeId);
    const Site* site = m_engine->catalogue()->site(run->spec.siteId);
    const bool keeps = continuingSpec(*run, recipe, site).ok();
    if (!keeps && run->spec.continues.isEmpty()) {
        return; // the list of runs may be long
    }
    const std::vector<Run> runs = m_engine->runs()->all();
    m_canContinue = keeps && offersContinuing(*run, recipe, site, runs);
    for (const ChainSentence& one : chainSentences(*run, runs)) {
        WordLine line;
        line.text = one.text;
        if (!one.runId.isEmpty()) {
            line.link = tr("Open run %1").arg(one.runId);
            line.target = runTarget % one.runId;
        }
        m_chain.push_back(line);
    }
}

void RunSummary::explain(const Run& run)
{
    // While it runs, and for a failed run that an older Slipway recorded, only the log can explain.
    const bool byLog = m_feed
        && (!isTerminal(run.phase) || (run.phase == RunPhase::Failed && run.explanations.empty()));
    const std::vector<Explanation> known = byLog ? m_feed->explanations() : run.explanations;
    const QString end = run.error ? run.error->text() : QString();
    if (known != m_explained || run.id != m_explainedRun || end != m_explainedEnd) {
        m_explained = known;
        m_explainedRun = run.id;
        m_explainedEnd = end;
        m_explanation->setExplanations(known, run, m_engine->runs()->plan(run.spec));
    }
}

} // namespace slipway

#include "moc_runsummary.cpp"
