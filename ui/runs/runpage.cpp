// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runpage.h"

#include "app/runs/sweep.h"
#include "ui/node/gpucard.h"
#include "ui/node/nodepage.h"
#include "ui/parts/errorview.h"
#include "ui/parts/timeline.h"
#include "ui/parts/words.h"
#include "ui/runs/chartcard.h"
#include "ui/runs/explanationcard.h"
#include "ui/runs/filespage.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runheader.h"
#include "ui/runs/runnode.h"
#include "ui/runs/shellcard.h"
#include "ui/runs/summarycard.h"
#include "ui/runs/textpage.h"

#include <QDesktopServices>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QUrl>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

RunPage::RunPage(Engine* engine, QString runsFolder, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_runsFolder(std::move(runsFolder))
    , m_header(new RunHeader)
    , m_error(new ErrorView)
    , m_explanation(new ExplanationCard)
    , m_shell(new ShellCard)
    , m_timelineCard(makeCard())
    , m_timeline(new Timeline)
    , m_tabs(new QTabBar)
    , m_pages(new QStackedWidget)
    , m_charts(new ChartCard)
    , m_second(new ChartCard)
    , m_words(new SummaryCard)
    , m_log(new LogCard)
    , m_node(new NodePage)
    , m_gpus(new GpuCard)
    , m_runNode(new RunNode(engine, m_node, m_gpus, this))
    , m_script(new TextPage(tr("The script that was submitted."), tr("Script")))
    , m_files(new FilesPage)
    , m_commands(new TextPage(tr("The commands behind what this page does. They work in any "
                                 "terminal on the login node."),
          tr("Commands")))
{
    auto* timeline = new QVBoxLayout(m_timelineCard);
    timeline->setContentsMargins(16, 14, 16, 12);
    timeline->addWidget(m_timeline);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setObjectName(u"runTabs"_s);
    m_tabs->setAccessibleName(tr("Parts of the run"));
    const std::pair<QString, QWidget*> parts[] = {{tr("Live"), makeLive()}, {tr("Node"), m_node},
        {tr("Script"), m_script}, {tr("Files"), m_files}, {tr("Commands"), m_commands}};
    for (const auto& [name, page] : parts) {
        m_tabs->addTab(name);
        m_pages->addWidget(page);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(28, 24, 28, 20);
    layout->setSpacing(12);
    layout->addWidget(m_header);
    layout->addWidget(m_timelineCard);
    layout->addWidget(m_shell);
    layout->addWidget(m_error);
    layout->addWidget(m_explanation);
    layout->addWidget(m_tabs);
    layout->addWidget(m_pages, 1);
    m_pages->installEventFilter(this);
    m_error->hide();
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    connect(m_header, &RunHeader::backRequested, this, &RunPage::backRequested);
    connect(m_header, &RunHeader::cancelRequested, this, &RunPage::askCancel);
    connect(m_header, &RunHeader::releaseRequested, this, &RunPage::askRelease);
    connect(m_header, &RunHeader::fetchRequested, this, &RunPage::askFetch);
    connect(m_files, &FilesPage::fetchRequested, this, &RunPage::askFetch);
    connect(m_header, &RunHeader::openFolderRequested, this, [this] {
        if (const auto run = m_engine->runs()->run(m_runId)) {
            QDesktopServices::openUrl(QUrl::fromLocalFile(run->fetchedTo));
        }
    });
    connect(m_header, &RunHeader::againRequested, this, [this] {
        if (const auto run = m_engine->runs()->run(m_runId)) {
            emit againRequested(run->spec);
        }
    });
    connect(
        m_header, &RunHeader::compareRequested, this, [this] { emit compareRequested(m_runId); });
    connect(m_explanation, &ExplanationCard::lineRequested, this, [this](qint64 line) {
        showTab(LiveTab);
        m_log->showLine(line);
    });
    connect(m_explanation, &ExplanationCard::againRequested, this,
        [this](const RelaunchOffer& offer) { emit changeRequested(m_runId, offer); });
    connect(m_timeline, &Timeline::partActivated, this, [this] { showTab(NodeTab); });
    connect(m_words, &SummaryCard::linkRequested, this, [this](const QString& target) {
        showTab(NodeTab);
        m_runNode->follow(target);
    });
    connect(m_runNode, &RunNode::changed, this, [this] {
        if (const auto run = m_engine->runs()->run(m_runId)) {
            showNode(*run);
            showWords();
        }
    });
    connect(m_error, &ErrorView::actionRequested, this, [this] {
        if (const auto run = m_engine->runs()->run(m_runId)) {
            emit connectRequested(run->spec.siteId);
        }
    });
    connect(engine->runs(), &Runs::runChanged, this, [this](const QString& runId) {
        if (runId == m_runId) {
            showRun();
        }
    });
    connect(engine->sessions(), &Sessions::connectionChanged, this, &RunPage::showRun);
    connect(&m_tick, &QTimer::timeout, this, &RunPage::tick);
    m_tick.start(1000);
}

QWidget* RunPage::makeLive()
{
    auto* top = new QWidget;
    auto* beside = new QHBoxLayout(top);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->setSpacing(16);
    beside->addWidget(m_charts, 58);
    auto* right = new QVBoxLayout;
    right->setSpacing(16);
    right->addWidget(m_words, 10);
    right->addWidget(m_gpus, 12);
    right->addWidget(m_second, 12);
    m_second->setCompact(true);
    m_second->setObjectName(u"secondChart"_s);
    beside->addLayout(right, 42);
    m_words->setMinimumWidth(260);
    m_split = new QSplitter(Qt::Vertical);
    m_split->setHandleWidth(16);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(top);
    m_split->addWidget(m_log);
    m_split->setStretchFactor(0, 11);
    m_split->setStretchFactor(1, 10);
    m_split->setSizes({700, 300});
    return m_split;
}

void RunPage::setRun(const QString& runId)
{
    m_runId = runId;
    if (m_feed) {
        m_feed->disconnect(this);
    }
    // The one before stays until nothing here draws from it any more.
    const auto feedBefore = std::exchange(m_feed, m_engine->runs()->holdFeed(runId));
    m_launchFacts = m_engine->runs()->launchFacts(runId);
    if (isVisible()) {
        m_engine->runs()->setShownRuns({runId});
    }
    m_lastLine = {};
    m_error->hide();
    m_shownError.clear(); // what was shown was another run's
    m_log->setFeed(m_feed.get());
    m_runNode->setRun(runId);
    const auto run = m_engine->runs()->run(runId);
    // The runs of a sweep share their charts.
    SweepFeed* const before = m_sweep;
    m_sweep = run && !run->spec.sweep.isEmpty()
        ? new SweepFeed(m_engine->runs(), run->spec.sweep, this)
        : nullptr;
    const Recipe* recipe = run ? m_engine->catalogue()->recipe(run->spec.recipeId) : nullptr;
    m_specs = recipe ? recipe->charts : std::vector<ChartSpec>();
    m_beside.reset();
    m_charts->setCharts({}, nullptr, {});
    m_second->setCharts({}, nullptr, {});
    placeCharts();
    delete before; // no chart draws from it any more
    if (m_feed) {
        connect(m_feed.get(), &RunFeed::linesAppended, this, [this] {
            m_lastLine = QDateTime::currentDateTimeUtc();
            showWords();
        });
        connect(m_feed.get(), &RunFeed::samplesAppended, this, &RunPage::showWords);
    }
    showTab(LiveTab);
    if (run) {
        m_script->setText(m_engine->runs()->submittedScript(runId));
    }
    showRun();
}

void RunPage::placeCharts()
{
    // What an error and its explanation leave of the page is the room there is; the GPUs come
    // first.
    const int lines = m_runNode->showsCard() ? 46 : 32;
    const bool beside = m_specs.size() > 1 && m_pages->height() > lines * fontMetrics().height();
    if (m_runId.isEmpty() || m_beside == beside) {
        return;
    }
    m_beside = beside;
    const auto run = m_engine->runs()->run(m_runId);
    const QString caption = run ? tr("%1, %2").arg(facts(*run).siteName,
                                run->created.toLocalTime().toString(u"d MMM yyyy"_s))
                                : QString();
    std::vector<ChartSpec> first = m_specs;
    std::vector<ChartSpec> second;
    if (beside) {
        second.push_back(first[1]);
        first.erase(first.begin() + 1);
    }
    RunFeed* const numbers = m_sweep ? m_sweep : m_feed.get();
    m_charts->setCharts(first, numbers, caption);
    m_second->setCharts(second, numbers, caption);
}

bool RunPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_pages && event->type() == QEvent::Resize) {
        placeCharts();
    }
    return QWidget::eventFilter(watched, event);
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

RunFacts RunPage::facts(const Run& run) const
{
    // As they were at the launch: the site and its cluster may have changed since.
    RunFacts facts;
    facts.siteName = m_launchFacts.siteName.value_or(run.spec.siteId);
    facts.partition = m_launchFacts.partition;
    facts.timeLimit = m_launchFacts.timeLimit;
    facts.connected = m_engine->sessions()->connection(run.spec.siteId).phase
        == ConnectionState::Phase::Connected;
    return facts;
}

void RunPage::showRun()
{
    const auto run = m_runId.isEmpty() ? std::nullopt : m_engine->runs()->run(m_runId);
    if (!run) {
        return;
    }
    m_header->setRun(*run, facts(*run));
    showTimeline(*run);
    showNode(*run);
    m_files->setRun(*run);
    m_shell->setLines(m_engine->runs()->shellLines(m_runId));
    m_commands->setText(m_engine->runs()->commands(m_runId).join(u'\n').toUtf8());
    showError(*run);
    showWords();
}

void RunPage::showTimeline(const Run& run)
{
    std::vector<TimelinePart> parts = timelineParts(run.stages, QDateTime::currentDateTimeUtc());
    for (size_t i = 0; i < parts.size(); ++i) {
        if (run.stages[i].id == u"check"_s) {
            parts[i].link = tr("Show the checks of the node");
        }
    }
    m_timeline->setParts(std::move(parts));
    m_timelineCard->setVisible(!run.stages.empty());
}

void RunPage::showNode(const Run& run)
{
    m_runNode->show(run, facts(run).connected);
    const int attention = m_runNode->attention();
    m_tabs->setTabText(NodeTab, attention > 0 ? tr("Node (%1)").arg(attention) : tr("Node"));
    m_tabs->setTabToolTip(
        NodeTab, attention > 0 ? tr("Checks that need attention: %1").arg(attention) : QString());
    m_gpus->setVisible(m_runNode->showsCard());
    placeCharts();
}

void RunPage::showError(const Run& run)
{
    const QString text = run.error ? run.error->text() : QString();
    if (text == m_shownError) {
        return; // it may have been folded open, or closed
    }
    m_shownError = text;
    m_error->setVisible(run.error.has_value());
    if (!run.error) {
        return;
    }
    m_error->setError(*run.error);
    const bool link =
        run.error->kind == ErrorKind::LinkLost || run.error->kind == ErrorKind::Network;
    m_error->setAction(link ? tr("Connect") : QString());
}

void RunPage::showExplanations(const Run& run)
{
    // While it runs, and of a run that an older Slipway ended, the log alone says what is known.
    const bool byLog = m_feed
        && (!isTerminal(run.phase) || (run.phase == RunPhase::Failed && run.explanations.empty()));
    const std::vector<Explanation> known = byLog ? m_feed->explanations() : run.explanations;
    if (known != m_explained || run.id != m_explainedRun) {
        m_explained = known;
        m_explainedRun = run.id;
        m_explanation->setExplanations(known, m_engine->runs()->plan(run.spec));
    }
}

void RunPage::showWords()
{
    const auto run = m_engine->runs()->run(m_runId);
    if (!run) {
        return;
    }
    showExplanations(*run);
    std::vector<WordLine> lines =
        wordLines(*run, m_feed ? m_feed->events() : std::vector<MetricEvent>(), m_explained);
    lines.insert(lines.end(), m_runNode->lines().begin(), m_runNode->lines().end());
    m_words->setLines(lines);
    const bool live = m_feed && m_feed->live() && !isTerminal(run->phase);
    m_words->setAge(live && m_lastLine.isValid()
            ? tr("Last line %1").arg(agoText(m_lastLine, QDateTime::currentDateTimeUtc()))
            : QString());
}

void RunPage::tick()
{
    if (!isVisible()) {
        return;
    }
    const auto run = m_engine->runs()->run(m_runId);
    if (run && !isTerminal(run->phase)) {
        m_header->setRun(*run, facts(*run));
        showTimeline(*run);
        showNode(*run);
        showWords();
    }
}

void RunPage::showTab(int index)
{
    m_tabs->setCurrentIndex(index);
}

void RunPage::openLogSearch()
{
    showTab(LiveTab);
    m_log->openSearch();
}

void RunPage::focusTabs()
{
    m_tabs->setFocus();
}

} // namespace slipway

#include "moc_runpage.cpp"
