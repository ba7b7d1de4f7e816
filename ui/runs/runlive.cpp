// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runlive.h"

#include "app/runs/sweep.h"
#include "plots/charts/metricchart.h"
#include "ui/launch/keepdialog.h"
#include "ui/node/gpucard.h"
#include "ui/runs/chartcard.h"
#include "ui/runs/logcard.h"
#include "ui/runs/numbermarker.h"
#include "ui/runs/summarycard.h"
#include "ui/runs/teachdialog.h"

#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int linesForSecond = 32; ///< height of the tab in lines from which a second chart fits
constexpr int linesWithGpus = 46;
constexpr int charsForColumns = 96; ///< width of the tab from which charts and summary are beside
constexpr int linesOfSummary = 12;
constexpr int linesOfLog = 8; ///< at least
constexpr int aroundLog = 26; ///< pixels of its frame and of a horizontal scroll bar
constexpr int leastChart = 220; ///< pixels

} // namespace

RunLive::RunLive(Engine* engine, QWidget* parent)
    : GripSplitter(
        Qt::Vertical, u"run/split"_s, tr("Divider between the charts and the log"), parent)
    , m_engine(engine)
    , m_charts(new ChartCard)
    , m_second(new ChartCard)
    , m_summary(new SummaryCard)
    , m_gpus(new GpuCard)
    , m_log(new LogCard)
    , m_top(new QWidget)
    , m_columns(new QHBoxLayout(m_top))
    , m_right(new QVBoxLayout)
{
    m_columns->setContentsMargins(0, 0, 0, 0);
    m_columns->setSpacing(16);
    m_columns->addWidget(m_charts, 58);
    m_right->setSpacing(16);
    m_right->addWidget(m_summary, 10);
    m_right->addWidget(m_gpus, 12);
    m_right->addWidget(m_second, 12);
    m_second->setCompact(true);
    m_second->setObjectName(u"secondChart"_s);
    m_columns->addLayout(m_right, 42);
    m_summary->setMinimumWidth(260);
    addWidget(m_top);
    addWidget(m_log);
    setStretchFactor(0, 11);
    setStretchFactor(1, 10);
    setSizes({700, 300});
    fitFont();
    restorePosition();
    m_look.setSingleShot(true);
    m_look.setInterval(60); // ms: more than a slice of the log
    connect(&m_look, &QTimer::timeout, this, &RunLive::lookForNumbers);
    connect(new NumberMarker(m_log->view()), &NumberMarker::marked, this, &RunLive::teach);
}

/// A number of the log that the recipe does not read: what it draws, and a recipe that reads it.
void RunLive::teach(const QString& line, const TaughtNumber& taught)
{
    if (!m_feed) {
        return;
    }
    auto* dialog = new TeachDialog({m_runId, line, m_feed->source()}, taught, window());
    connect(dialog, &TeachDialog::keepRequested, this,
        [this, id = m_runId](const PatternSpec& pattern) {
            if (const auto run = m_engine->runs()->run(id)) {
                keepTaught(*run, pattern);
            }
        });
    dialog->open();
}

/// The recipe that is kept reads this run, too.
void RunLive::keepTaught(const Run& run, const PatternSpec& pattern)
{
    LaunchSpec spec = run.spec;
    if (!run.labels.readWith.isEmpty()) { // it was taught a number before
        spec.recipeId = run.labels.readWith;
    }
    const Plan plan = m_engine->runs()->plan(spec);
    auto* keep = new KeepDialog(m_engine, teachRequest(plan, pattern), window());
    connect(keep, &KeepDialog::kept, m_engine->runs(),
        [runs = m_engine->runs(), id = run.id](const QString& recipeId) {
            Q_UNUSED(runs->readWith(id, recipeId).ok()) // a run that is gone needs none
        });
    keep->open();
}

void RunLive::setRun(
    const std::optional<Run>& run, std::shared_ptr<RunFeed> feed, const QString& siteName)
{
    // The previous feeds are kept until the log and the charts no longer use them.
    const auto feedBefore = std::exchange(m_feed, std::move(feed));
    SweepFeed* const sweepBefore = m_sweep;
    if (feedBefore) {
        feedBefore->disconnect(this);
    }
    m_runId = run ? run->id : QString();
    m_log->setFeed(m_feed.get());
    // The runs of a sweep share their charts.
    m_sweep = run && !run->spec.sweep.isEmpty()
        ? new SweepFeed(m_engine->runs(), run->spec.sweep, this)
        : nullptr;
    m_caption = run
        ? tr("%1, %2").arg(siteName, run->created.toLocalTime().toString(u"d MMM yyyy"_s))
        : QString();
    clearCharts();
    delete sweepBefore;
    m_ended = run && isTerminal(run->phase);
    m_onlyText = false;
    if (RunFeed* const shown = numbers()) {
        connect(shown, &RunFeed::samplesAppended, this, &RunLive::lookForNumbers);
        connect(shown, &RunFeed::restarted, this, &RunLive::lookForNumbers);
    }
    m_look.start();
}

void RunLive::clearCharts()
{
    m_specs =
        m_runId.isEmpty() ? std::vector<ChartSpec>() : m_engine->runs()->reading(m_runId).charts;
    m_beside.reset();
    m_charts->setCharts({}, nullptr, {});
    m_second->setCharts({}, nullptr, {});
}

void RunLive::setEnded(bool ended)
{
    if (std::exchange(m_ended, ended) != ended) {
        lookForNumbers();
    }
}

RunFeed* RunLive::numbers() const
{
    return m_sweep ? m_sweep : m_feed.get();
}

bool RunLive::hasNumbers() const
{
    const auto& all = numbers()->series().all();
    return std::any_of(all.begin(), all.end(), [this](const auto& one) {
        return std::any_of(m_specs.begin(), m_specs.end(), [&](const ChartSpec& spec) {
            const bool named = !spec.series.contains(u'*');
            return chartShows(spec, one->series()) && (named || !isMeasuredBeside(one->series()));
        });
    });
}

/// Whether the recipe says which numbers it prints; a command may print any, or none.
bool RunLive::expectsNumbers() const
{
    return std::any_of(m_specs.begin(), m_specs.end(), [](const ChartSpec& spec) {
        return !spec.series.trimmed().isEmpty() && !spec.series.contains(u'*');
    });
}

void RunLive::lookForNumbers()
{
    RunFeed* const feed = numbers();
    if (!feed) {
        return;
    }
    const bool none = !hasNumbers();
    if (none && !feed->isCaughtUp()) {
        m_look.start(); // there may be some in what was not read yet
        return;
    }
    const bool onlyText = none && (m_ended || !expectsNumbers());
    if (std::exchange(m_onlyText, onlyText) != onlyText) {
        arrange();
    }
}

/// The charts beside or above the rest, or none; then the rest needs only its own height.
void RunLive::arrange()
{
    fitFont();
    const bool narrow = width() < fontMetrics().averageCharWidth() * charsForColumns;
    m_charts->setVisible(!m_onlyText && !m_charts->isEmpty());
    m_second->setVisible(!m_onlyText && !m_second->isEmpty());
    m_columns->setDirection(narrow ? QBoxLayout::BottomToTop : QBoxLayout::LeftToRight);
    m_right->setDirection(
        m_onlyText && !narrow ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    const int lines = linesOfSummary * fontMetrics().lineSpacing();
    m_top->setMaximumHeight(
        m_onlyText ? std::max(m_top->layout()->minimumSize().height(), lines) : QWIDGETSIZE_MAX);
    const bool remembered = std::exchange(m_remembered, !m_onlyText);
    setRemembers(m_remembered);
    if (!remembered && m_remembered) {
        restorePosition();
    }
    updateGeometry();
    emit needChanged();
}

void RunLive::fitFont()
{
    m_log->view()->ensurePolished(); // its font is that of the style sheet
    const int line = m_log->view()->fontMetrics().lineSpacing();
    m_log->view()->setMinimumHeight(linesOfLog * line + aroundLog);
    m_charts->chart()->setMinimumHeight(leastChart);
    m_summary->setMinimumHeight(linesOfSummary / 2 * fontMetrics().lineSpacing());
}

void RunLive::changeEvent(QEvent* event)
{
    GripSplitter::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        arrange();
    }
}

void RunLive::resizeEvent(QResizeEvent* event)
{
    GripSplitter::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        arrange();
    }
}

void RunLive::placeCharts(int room, bool withGpus)
{
    const int lines = withGpus ? linesWithGpus : linesForSecond;
    const bool beside = m_specs.size() > 1 && room > lines * fontMetrics().height();
    const bool othersChanged = std::exchange(m_withGpus, withGpus) != withGpus;
    if (m_beside == beside) {
        if (othersChanged) {
            arrange();
        }
        return;
    }
    m_beside = beside;
    std::vector<ChartSpec> first = m_specs;
    std::vector<ChartSpec> second;
    if (beside) {
        second.push_back(first[1]);
        first.erase(first.begin() + 1);
    }
    m_charts->setCharts(first, numbers(), m_caption);
    m_second->setCharts(second, numbers(), m_caption);
    arrange();
}

} // namespace slipway

#include "moc_runlive.cpp"
