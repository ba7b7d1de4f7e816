// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runnode.h"

#include "ui/node/checkmodel.h"
#include "ui/node/gpucard.h"
#include "ui/node/nodepage.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t mostFailed = 3;
constexpr double minuteLong = 60;
constexpr qint64 staleAfter = 20'000; ///< ms without a sample: what they said is of the past

bool hasCheck(const Run& run)
{
    return std::any_of(run.stages.begin(), run.stages.end(),
        [](const RunStage& stage) { return stage.id == u"check"_s; });
}

bool hasBegun(const Run& run)
{
    return run.phase != RunPhase::Preparing && run.phase != RunPhase::Submitting
        && run.phase != RunPhase::Queued;
}

} // namespace

QString whyNoReport(const Run& run, bool connected, int unreadable)
{
    if (unreadable > 0) {
        return RunNode::tr("The report could not be read: none of its %1 lines is a check.")
            .arg(unreadable);
    }
    if (!hasCheck(run)) {
        return RunNode::tr("This job has no GPU check.");
    }
    if (!hasBegun(run) || (isTerminal(run.phase) && !run.started.isValid())) {
        return isTerminal(run.phase) ? RunNode::tr("The job ended before it had a node.")
                                     : RunNode::tr("The node has not started yet.");
    }
    if (isTerminal(run.phase)) {
        return RunNode::tr(
            "The node was not checked, or its report did not get here before the job ended.");
    }
    return connected ? RunNode::tr("The node is being checked.")
                     : RunNode::tr("Not connected: the report comes with the next connection.");
}

QString whyNoSamples(const Run& run, bool connected)
{
    if (isTerminal(run.phase)) {
        return RunNode::tr("Nobody watched the GPUs while this job ran.");
    }
    if (!hasBegun(run)) {
        return RunNode::tr("Begins with the job: use, memory, power and temperature.");
    }
    return connected
        ? RunNode::tr("No samples yet. The node sends one a second once its probe runs.")
        : RunNode::tr("Not connected: nobody watches the GPUs.");
}

std::vector<WordLine> nodeLines(const NodeReport& report, const std::vector<NodeWarning>& remarks)
{
    std::vector<WordLine> lines;
    size_t failed = 0, warned = 0;
    // What only both places together tell is the cause of what each of them says.
    std::vector<CheckRow> rows = report.rows;
    std::stable_partition(rows.begin(), rows.end(),
        [](const CheckRow& row) { return row.where != u"host"_s && row.where != u"container"_s; });
    for (const CheckRow& row : rows) {
        warned += row.state == CheckState::Warn;
        if (row.state != CheckState::Fail || ++failed > mostFailed) {
            continue;
        }
        // Short: the page behind the link has the whys. What to do of the first is what there is to
        // do.
        QString text = RunNode::tr("%1: %2").arg(
            checkTitle(row.id), row.value.isEmpty() ? row.why : row.value);
        if (failed == 1 && !row.fix.isEmpty()) {
            text = RunNode::tr("%1. %2").arg(text, row.fix);
        }
        lines.push_back({Sign::Cross, Tint::Error, text, RunNode::tr("Show"), row.id});
    }
    if (failed > mostFailed) {
        lines.push_back({Sign::Cross, Tint::Error,
            RunNode::tr("%1 more checks failed").arg(failed - mostFailed), RunNode::tr("Show"),
            u"*"_s});
    }
    if (warned > 0) {
        lines.push_back({Sign::Bang, Tint::Warning,
            counted(qint64(warned), RunNode::tr("1 warning of the GPU check"),
                RunNode::tr("%1 warnings of the GPU check")),
            RunNode::tr("Show"), u"*"_s});
    }
    if (failed == 0 && report.complete && report.worst() != CheckState::Skip) {
        const QString sentence = nodeSentence(report);
        if (!sentence.isEmpty()) {
            lines.insert(lines.begin(), {Sign::Check, Tint::Done, sentence});
        }
    }
    for (const NodeWarning& remark : remarks) {
        QString text = remark.text;
        if (!text.isEmpty()) {
            text[0] = text.at(0).toUpper();
        }
        lines.push_back(remark.warning ? WordLine{Sign::Bang, Tint::Warning, text}
                                       : WordLine{Sign::Ring, Tint::Second, text});
    }
    return lines;
}

RunNode::RunNode(Engine* engine, NodePage* page, GpuCard* card, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_page(page)
    , m_card(card)
{
    connect(engine->runs(), &Runs::nodeReportChanged, this, [this](const QString& runId) {
        if (runId == m_runId) {
            readReport();
            if (const auto run = m_engine->runs()->run(runId)) {
                show(*run, true);
            }
            emit changed();
        }
    });
    connect(engine->runs(), &Runs::nodeSampled, this, [this](const QString& runId) {
        if (runId == m_runId) {
            takeSample();
        }
    });
}

void RunNode::setRun(const QString& runId)
{
    m_runId = runId;
    m_warnings.clear();
    m_heard.invalidate();
    m_page->setOnlyAttention(false);
    readReport();
    const std::vector<NodeSample>& samples = m_engine->runs()->nodeSamples(runId);
    m_card->setSamples(samples);
    const double now = double(QDateTime::currentSecsSinceEpoch());
    if (!samples.empty() && now - samples.back().t < 2 * minuteLong) {
        remark(samples);
    }
    makeLines();
}

void RunNode::readReport()
{
    m_report = m_engine->runs()->nodeReport(m_runId).value_or(NodeReport());
    makeLines();
}

void RunNode::takeSample()
{
    const std::vector<NodeSample>& samples = m_engine->runs()->nodeSamples(m_runId);
    if (samples.empty()) {
        return;
    }
    m_card->add(samples.back());
    remark(samples);
    makeLines();
    m_showsCard = true;
    emit changed();
}

void RunNode::remark(const std::vector<NodeSample>& samples)
{
    m_heard.start();
    const double from = samples.back().t - minuteLong;
    const auto first = std::find_if(
        samples.begin(), samples.end(), [from](const NodeSample& one) { return one.t >= from; });
    m_warnings = nodeWarnings(std::vector<NodeSample>(first, samples.end()));
}

void RunNode::makeLines()
{
    const bool fresh = m_heard.isValid() && !m_heard.hasExpired(staleAfter) && !m_terminal;
    m_lines = nodeLines(m_report, fresh ? m_warnings : std::vector<NodeWarning>());
}

void RunNode::show(const Run& run, bool connected)
{
    m_terminal = isTerminal(run.phase);
    m_page->setReport(m_report, whyNoReport(run, connected, m_report.unreadable), !m_terminal);
    m_card->setWhyNone(whyNoSamples(run, connected));
    m_card->setEnded(m_terminal);
    // Of a job that has ended unwatched there is nothing to wait for.
    m_showsCard = !m_card->isEmpty() || (!m_terminal && hasCheck(run));
    makeLines();
}

int RunNode::attention() const
{
    return int(std::count_if(m_report.rows.begin(), m_report.rows.end(),
        [](const CheckRow& row) { return needsAttention(row.state); }));
}

void RunNode::follow(const QString& target)
{
    if (target == u"*"_s) {
        m_page->setOnlyAttention(true);
    } else {
        m_page->showCheck(target, CheckState::Fail);
    }
}

} // namespace slipway

#include "moc_runnode.cpp"
