// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runpage.h"

#include "ui/node/gpucard.h"
#include "ui/node/nodepage.h"
#include "ui/runs/chartcard.h"
#include "ui/runs/explanationcard.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runactions.h"
#include "ui/runs/runerror.h"
#include "ui/runs/runheader.h"
#include "ui/runs/runlive.h"
#include "ui/runs/runnode.h"
#include "ui/runs/runsummary.h"
#include "ui/runs/shellcard.h"
#include "ui/runs/summarycard.h"
#include "ui/runs/timelinecard.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int pageBottom = 20;

} // namespace

RunPage::RunPage(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_scroll(new QScrollArea)
    , m_header(new RunHeader)
    , m_timeline(new TimelineCard)
    , m_shell(new ShellCard)
    , m_error(new RunError)
    , m_explanation(new ExplanationCard)
    , m_live(new RunLive(engine))
    , m_node(new NodePage)
    , m_tabs(new RunTabs(engine, m_live, m_node))
    , m_runNode(new RunNode(engine, m_node, m_live->gpus(), this))
    , m_summary(new RunSummary(engine, m_runNode, m_explanation, m_live->summary(), this))
    , m_actions(new RunActions(engine, this))
{
    auto* page = new QWidget;
    page->setProperty("page", true);
    addParts(new QVBoxLayout(page));
    m_scroll->setObjectName(u"runScroll"_s);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(page);
    auto* outside = new QVBoxLayout(this);
    outside->setContentsMargins(0, 0, 0, 0);
    outside->addWidget(m_scroll);
    connectHeader();
    connectLinks();
    connectEngine();
    m_tick.start(1000);
}

void RunPage::addParts(QVBoxLayout* layout)
{
    layout->setContentsMargins(28, 24, 28, pageBottom);
    layout->setSpacing(12);
    layout->addWidget(m_header);
    layout->addWidget(m_timeline);
    layout->addWidget(m_shell);
    layout->addWidget(m_error);
    layout->addWidget(m_explanation);
    layout->addWidget(m_tabs, 1);
}

void RunPage::connectHeader()
{
    connect(m_header, &RunHeader::backRequested, this, &RunPage::backRequested);
    connect(m_header, &RunHeader::cancelRequested, m_actions, &RunActions::askCancel);
    connect(m_header, &RunHeader::releaseRequested, m_actions, &RunActions::askRelease);
    connect(m_header, &RunHeader::fetchRequested, m_actions, &RunActions::askFetch);
    connect(m_header, &RunHeader::reportRequested, m_actions, &RunActions::askReport);
    connect(m_header, &RunHeader::openFolderRequested, m_actions, &RunActions::openFolder);
    connect(m_header, &RunHeader::relaunchRequested, m_actions, &RunActions::relaunch);
    connect(m_header, &RunHeader::keepRequested, m_actions, &RunActions::askKeep);
    connect(
        m_header, &RunHeader::compareRequested, this, [this] { emit compareRequested(m_runId); });
    connect(m_header, &RunHeader::connectRequested, this, &RunPage::askConnection);
    connect(m_header, &RunHeader::continueRequested, m_actions, &RunActions::continueRun);
    connect(m_actions, &RunActions::continued, this,
        [this](const QString& runId, const QString& byRunId) {
            if (m_runId == runId) { // else another page was opened in the meantime
                setRun(byRunId);
            }
        });
    connect(m_tabs, &RunTabs::fetchRequested, m_actions, &RunActions::askFetch);
    connect(m_actions, &RunActions::relaunchRequested, this, &RunPage::relaunchRequested);
    connect(m_actions, &RunActions::failed, m_error, &RunError::showFailure);
    connect(m_actions, &RunActions::reportSaved, m_header, &RunHeader::showReportSaved);
    connect(m_actions, &RunActions::fetched, this, [this] {
        showRun();
        showTab(FilesTab);
    });
}

void RunPage::connectLinks()
{
    connect(m_tabs, &RunTabs::roomChanged, this, &RunPage::placeCharts);
    connect(m_timeline, &TimelineCard::checksRequested, this, [this] { showTab(NodeTab); });
    connect(m_explanation, &ExplanationCard::lineRequested, this, [this](qint64 line) {
        showTab(LiveTab);
        log()->showLine(line);
        m_scroll->ensureWidgetVisible(log(), 0, 0);
    });
    connect(m_explanation, &ExplanationCard::relaunchRequested, this,
        [this](const RelaunchOffer& offer) { emit changeRequested(m_runId, offer); });
    connect(m_live->summary(), &SummaryCard::linkRequested, this, [this](const QString& target) {
        if (target.startsWith(runTarget)) {
            // Later, because showing another run deletes the link.
            QTimer::singleShot(0, this, [this, target] { setRun(target.mid(runTarget.size())); });
            return;
        }
        showTab(NodeTab);
        m_runNode->follow(target);
    });
    connect(m_explanation, &ExplanationCard::explainsChanged, m_error, &RunError::setExplained);
    connect(m_live, &RunLive::needChanged, m_tabs, &QWidget::updateGeometry);
    connect(m_error, &RunError::actionRequested, this, &RunPage::askConnection);
}

void RunPage::askConnection()
{
    if (const auto run = m_engine->runs()->run(m_runId)) {
        emit connectRequested(run->spec.siteId);
    }
}

void RunPage::connectEngine()
{
    connect(m_runNode, &RunNode::changed, this, [this] {
        if (const auto run = m_engine->runs()->run(m_runId)) {
            showNode(*run);
            m_summary->refresh();
        }
    });
    connect(m_engine->runs(), &Runs::runChanged, this, [this](const QString& runId) {
        if (runId == m_runId) {
            showRun();
        }
    });
    connect(m_engine->runs(), &Runs::readingChanged, this, [this](const QString& runId) {
        if (runId == m_runId) {
            m_live->clearCharts();
            placeCharts();
        }
    });
    connect(m_engine->runs(), &Runs::runAdded, this, [this](const QString& runId) {
        const auto added = m_engine->runs()->run(runId);
        if (added && !m_runId.isEmpty() && added->spec.continues == m_runId) {
            showRun();
        }
    });
    connect(m_engine->sessions(), &Sessions::connectionChanged, this, &RunPage::showRun);
    connect(&m_tick, &QTimer::timeout, this, &RunPage::tick);
}

void RunPage::setRun(const QString& runId)
{
    m_runId = runId;
    const std::shared_ptr<RunFeed> feed = m_engine->runs()->holdFeed(runId);
    m_launchFacts = m_engine->runs()->launchFacts(runId);
    if (isVisible()) {
        m_engine->runs()->setShownRuns({runId});
    }
    m_error->clear();
    m_header->offerReport();
    m_scroll->verticalScrollBar()->setValue(0);
    m_actions->setRun(runId);
    m_runNode->setRun(runId);
    const auto run = m_engine->runs()->run(runId);
    m_live->setRun(run, feed, run ? facts(*run).siteName : QString());
    placeCharts();
    m_summary->setRun(runId, feed); // after the log and the charts have connected to the feed
    showTab(LiveTab);
    if (run) {
        m_tabs->setScript(m_engine->runs()->submittedScript(runId));
    }
    showRun();
}

void RunPage::placeCharts()
{
    if (!m_runId.isEmpty()) {
        // What the tabs get without scrolling; they themselves are never lower than they need.
        const int room =
            m_scroll->viewport()->height() - m_tabs->y() - m_tabs->barHeight() - pageBottom;
        m_live->placeCharts(room, m_runNode->showsCard());
    }
}

void RunPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_engine->runs()->setShownRuns(m_runId.isEmpty() ? QStringList() : QStringList(m_runId));
}

void RunPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_engine->runs()->setShownRuns({});
}

void RunPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeCharts();
}

RunFacts RunPage::facts(const Run& run) const
{
    // As recorded at launch: the site and its cluster may have changed since.
    RunFacts facts;
    facts.siteName = m_launchFacts.siteName.value_or(run.spec.siteId);
    facts.partition = m_launchFacts.partition;
    facts.timeLimit = m_launchFacts.timeLimit;
    const ConnectionState connection = m_engine->sessions()->connection(run.spec.siteId);
    facts.canContinue = m_summary->canContinue();
    facts.connected = connection.phase == ConnectionState::Phase::Connected;
    if (!facts.connected && !isTerminal(run.phase)) {
        // The last answer of the scheduler, or the last bytes of the log.
        facts.asOf = connection.lastAsked;
        const RunFeed* feed = m_engine->runs()->feed(run.id);
        const QDateTime grew = feed ? feed->grewAt() : QDateTime();
        if (grew.isValid() && (!facts.asOf.isValid() || grew > facts.asOf)) {
            facts.asOf = grew;
        }
    }
    return facts;
}

void RunPage::showTimes(const Run& run)
{
    const RunFacts known = facts(run);
    m_header->setRun(run, known);
    const bool stale = !known.connected && !isTerminal(run.phase);
    const QDateTime now = stale ? known.asOf : QDateTime::currentDateTimeUtc();
    m_timeline->setRun(run, now);
    m_live->log()->setStages(run.stages, now);
    m_live->log()->setConnected(known.connected);
}

void RunPage::showRun()
{
    const auto run = m_runId.isEmpty() ? std::nullopt : m_engine->runs()->run(m_runId);
    if (!run) {
        return;
    }
    m_summary->readChain();
    showTimes(*run);
    m_live->setEnded(isTerminal(run->phase));
    showNode(*run);
    m_tabs->setRun(*run, m_engine->runs()->commands(m_runId));
    m_shell->setLines(m_engine->runs()->shellLines(m_runId));
    m_error->setRun(*run);
    m_summary->refresh();
}

void RunPage::showNode(const Run& run)
{
    m_runNode->show(run, facts(run).connected);
    m_tabs->setAttention(m_runNode->attention());
    gpus()->setVisible(m_runNode->showsCard());
    placeCharts();
}

void RunPage::tick()
{
    if (!isVisible()) {
        return;
    }
    const auto run = m_engine->runs()->run(m_runId);
    if (run && !isTerminal(run->phase)) {
        showTimes(*run);
        showNode(*run);
        m_summary->refresh();
    }
}

LogCard* RunPage::log() const
{
    return m_live->log();
}

ChartCard* RunPage::charts() const
{
    return m_live->charts();
}

GpuCard* RunPage::gpus() const
{
    return m_live->gpus();
}

void RunPage::showTab(int index)
{
    m_tabs->showTab(index);
}

void RunPage::openLogSearch()
{
    showTab(LiveTab);
    log()->openSearch();
    m_scroll->ensureWidgetVisible(log(), 0, 0);
}

void RunPage::focusTabs()
{
    m_tabs->focusBar();
}

} // namespace slipway

#include "moc_runpage.cpp"
