// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runlive.h"

#include "app/runs/sweep.h"
#include "ui/node/gpucard.h"
#include "ui/runs/chartcard.h"
#include "ui/runs/logcard.h"
#include "ui/runs/summarycard.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int linesForSecond = 32; ///< height of the tab in lines from which a second chart fits
constexpr int linesWithGpus = 46;

} // namespace

RunLive::RunLive(Engine* engine, QWidget* parent)
    : QSplitter(Qt::Vertical, parent)
    , m_engine(engine)
    , m_charts(new ChartCard)
    , m_second(new ChartCard)
    , m_summary(new SummaryCard)
    , m_gpus(new GpuCard)
    , m_log(new LogCard)
{
    auto* top = new QWidget;
    auto* beside = new QHBoxLayout(top);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->setSpacing(16);
    beside->addWidget(m_charts, 58);
    auto* right = new QVBoxLayout;
    right->setSpacing(16);
    right->addWidget(m_summary, 10);
    right->addWidget(m_gpus, 12);
    right->addWidget(m_second, 12);
    m_second->setCompact(true);
    m_second->setObjectName(u"secondChart"_s);
    beside->addLayout(right, 42);
    m_summary->setMinimumWidth(260);
    setHandleWidth(16);
    setChildrenCollapsible(false);
    addWidget(top);
    addWidget(m_log);
    setStretchFactor(0, 11);
    setStretchFactor(1, 10);
    setSizes({700, 300});
}

void RunLive::setRun(
    const std::optional<Run>& run, std::shared_ptr<RunFeed> feed, const QString& siteName)
{
    // The previous feeds are kept until the log and the charts no longer use them.
    const auto feedBefore = std::exchange(m_feed, std::move(feed));
    SweepFeed* const sweepBefore = m_sweep;
    m_log->setFeed(m_feed.get());
    // The runs of a sweep share their charts.
    m_sweep = run && !run->spec.sweep.isEmpty()
        ? new SweepFeed(m_engine->runs(), run->spec.sweep, this)
        : nullptr;
    const Recipe* recipe = run ? m_engine->catalogue()->recipe(run->spec.recipeId) : nullptr;
    m_specs = recipe ? recipe->charts : std::vector<ChartSpec>();
    m_caption = run
        ? tr("%1, %2").arg(siteName, run->created.toLocalTime().toString(u"d MMM yyyy"_s))
        : QString();
    m_beside.reset();
    m_charts->setCharts({}, nullptr, {});
    m_second->setCharts({}, nullptr, {});
    delete sweepBefore;
}

void RunLive::placeCharts(int room, bool withGpus)
{
    const int lines = withGpus ? linesWithGpus : linesForSecond;
    const bool beside = m_specs.size() > 1 && room > lines * fontMetrics().height();
    if (m_beside == beside) {
        return;
    }
    m_beside = beside;
    std::vector<ChartSpec> first = m_specs;
    std::vector<ChartSpec> second;
    if (beside) {
        second.push_back(first[1]);
        first.erase(first.begin() + 1);
    }
    RunFeed* const numbers = m_sweep ? m_sweep : m_feed.get();
    m_charts->setCharts(first, numbers, m_caption);
    m_second->setCharts(second, numbers, m_caption);
}

} // namespace slipway

#include "moc_runlive.cpp"
