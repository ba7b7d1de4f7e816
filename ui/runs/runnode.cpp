// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runnode.h"

#include "remote/base/counted.h"
#include "ui/node/checkmodel.h"
#include "ui/node/gpucard.h"
#include "ui/node/nodepage.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t mostFailed = 3;
constexpr double minuteLong = 60;
constexpr qint64 staleAfter = 20'000; ///< ms without a sample after which its warnings are outdated

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

/// One line per failed check, at most mostFailed, then how many more there are.
std::vector<WordLine> failedLines(const NodeReport& report)
{
    std::vector<CheckRow> rows = report.rows;
    std::erase_if(rows, [](const CheckRow& row) { return row.state != CheckState::Fail; });
    // Checks that compare host and container explain what fails in each of them, so they come
    // first.
    std::stable_partition(rows.begin(), rows.end(),
        [](const CheckRow& row) { return row.where != u"host"_s && row.where != u"container"_s; });
    std::vector<WordLine> lines;
    for (size_t i = 0; i < std::min(rows.size(), mostFailed); ++i) {
        const CheckRow& row = rows[i];
        // Kept short: the linked page gives the reasons. Only the first line has its remedy, which
        // is the one to begin with.
        QString text = RunNode::tr("%1: %2").arg(
            checkTitle(row.id), row.value.isEmpty() ? row.why : row.value);
        if (i == 0 && !row.fix.isEmpty()) {
            text = RunNode::tr("%1. %2").arg(text, row.fix);
        }
        lines.push_back({Sign::Cross, Tint::Error, text, RunNode::tr("Show"), row.id});
    }
    if (rows.size() > mostFailed) {
        lines.push_back({Sign::Cross, Tint::Error,
            counted(qint64(rows.size() - mostFailed), RunNode::tr("1 more check failed"),
                RunNode::tr("%1 more checks failed")),
            RunNode::tr("Show"), u"*"_s});
    }
    return lines;
}

} // namespace

QString whyNoReport(const Run& run, bool connected, int unreadable)
{
    if (unreadable > 0) {
        return RunNode::tr("The report could not be read: none of its %1 lines is a check result.")
            .arg(unreadable);
    }
    if (!hasCheck(run)) {
        return RunNode::tr("This job has no GPU check.");
    }
    if (!hasBegun(run) || (isTerminal(run.phase) && !run.started.isValid())) {
        return isTerminal(run.phase) ? RunNode::tr("The job ended before a node was allocated.")
                                     : RunNode::tr("The job has not started yet.");
    }
    if (isTerminal(run.phase)) {
        return RunNode::tr(
            "The node was not checked, or the job ended before its report was fetched.");
    }
    return connected
        ? RunNode::tr("The node is being checked.")
        : RunNode::tr("Not connected. The report is fetched after the next connection.");
}

QString whyNoSamples(const Run& run, bool connected, const QString& trouble)
{
    if (isTerminal(run.phase)) {
        return RunNode::tr("No GPU samples were recorded for this job.");
    }
    if (!hasBegun(run)) {
        return RunNode::tr("Starts with the job: use, memory, power and temperature.");
    }
    if (connected && !trouble.isEmpty()) {
        return trouble;
    }
    return connected
        ? RunNode::tr("No samples yet. The node sends one per second once its probe runs.")
        : RunNode::tr("Not connected: no GPU samples are received.");
}

std::vector<WordLine> nodeLines(const NodeReport& report, const std::vector<NodeWarning>& warnings)
{
    std::vector<WordLine> lines = failedLines(report);
    const auto warned = std::count_if(report.rows.begin(), report.rows.end(),
        [](const CheckRow& row) { return row.state == CheckState::Warn; });
    if (warned > 0) {
        lines.push_back({Sign::Bang, Tint::Warning,
            counted(qint64(warned), RunNode::tr("1 warning from the GPU check"),
                RunNode::tr("%1 warnings from the GPU check")),
            RunNode::tr("Show"), u"*"_s});
    }
    const bool failed = std::any_of(report.rows.begin(), report.rows.end(),
        [](const CheckRow& row) { return row.state == CheckState::Fail; });
    if (!failed && report.complete && report.worst() != CheckState::Skip) {
        const QString sentence = nodeSentence(report);
        if (!sentence.isEmpty()) {
            lines.insert(lines.begin(), {Sign::Check, Tint::Done, sentence});
        }
    }
    for (const NodeWarning& warning : warnings) {
        QString text = warning.text;
        if (!text.isEmpty()) {
            text[0] = text.at(0).toUpper();
        }
        lines.push_back(warning.warning ? WordLine{Sign::Bang, Tint::Warning, text}
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
    const auto showAgain = [this](const QString& runId) {
        if (runId == m_runId) {
            readReport();
            if (const auto run = m_engine->runs()->run(runId)) {
                show(*run, true);
            }
            emit changed();
        }
    };
    connect(engine->runs(), &Runs::nodeReportChanged, this, showAgain);
    connect(engine->runs(), &Runs::nodeSamplesTroubled, this, showAgain);
    connect(engine->runs(), &Runs::nodeSampled, this, [this](const QString& runId) {
        if (runId == m_runId) {
            addSample();
        }
    });
}

void RunNode::setRun(const QString& runId)
{
    m_runId = runId;
    m_warnings.clear();
    m_sinceSample.invalidate();
    m_page->setOnlyAttention(false);
    readReport();
    const std::vector<NodeSample>& samples = m_engine->runs()->nodeSamples(runId);
    m_card->setSamples(samples);
    const double now = double(QDateTime::currentSecsSinceEpoch());
    if (!samples.empty() && now - samples.back().t < 2 * minuteLong) {
        updateWarnings(samples);
    }
    makeLines();
}

void RunNode::readReport()
{
    m_report = m_engine->runs()->nodeReport(m_runId).value_or(NodeReport());
    makeLines();
}

void RunNode::addSample()
{
    const std::vector<NodeSample>& samples = m_engine->runs()->nodeSamples(m_runId);
    if (samples.empty()) {
        return;
    }
    m_card->add(samples.back());
    updateWarnings(samples);
    makeLines();
    m_showsCard = true;
    emit changed();
}

void RunNode::updateWarnings(const std::vector<NodeSample>& samples)
{
    m_sinceSample.start();
    const double from = samples.back().t - minuteLong;
    const auto first = std::find_if(
        samples.begin(), samples.end(), [from](const NodeSample& one) { return one.t >= from; });
    m_warnings = nodeWarnings(std::vector<NodeSample>(first, samples.end()));
}

void RunNode::makeLines()
{
    const bool fresh =
        m_sinceSample.isValid() && !m_sinceSample.hasExpired(staleAfter) && !m_terminal;
    m_lines = nodeLines(m_report, fresh ? m_warnings : std::vector<NodeWarning>());
    const QString trouble = m_engine->runs()->nodeSamplesTrouble(m_runId);
    if (!m_terminal && !m_card->isEmpty() && !trouble.isEmpty()) {
        m_lines.push_back({Sign::Ring, Tint::Second, trouble});
    }
}

void RunNode::show(const Run& run, bool connected)
{
    m_terminal = isTerminal(run.phase);
    m_page->setReport(m_report, whyNoReport(run, connected, m_report.unreadable), !m_terminal);
    m_card->setWhyNone(whyNoSamples(run, connected, m_engine->runs()->nodeSamplesTrouble(run.id)));
    m_card->setEnded(m_terminal);
    // After the end of a job without samples there is nothing to wait for.
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
