// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparepage.h"

#include "ui/compare/compareactions.h"
#include "ui/compare/comparechart.h"
#include "ui/compare/compareempty.h"
#include "ui/compare/comparefeeder.h"
#include "ui/compare/comparehead.h"
#include "ui/compare/curvesmodel.h"
#include "ui/compare/curvespage.h"
#include "ui/compare/mediantable.h"
#include "ui/compare/protocolcard.h"
#include "ui/compare/verdictcards.h"
#include "ui/parts/pagecontent.h"

#include <QEvent>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

namespace {

constexpr int minLinesBeside = 44; ///< page width, in line heights, for cards beside the chart

/// The pages of the stack.
enum Shown { RaceShown, EmptyShown, CurvesShown };

bool isTraining(const CompareLane& lane)
{
    return lane.work.startsWith(u"train:") || lane.work.startsWith(u"epoch:");
}

} // namespace

ComparePage::ComparePage(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_model(new CompareModel(this))
    , m_actions(new CompareActions(engine, m_model, this))
    , m_stack(new QStackedWidget)
    , m_content(new PageContent)
    , m_top(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_head(new CompareHead(engine != nullptr))
    , m_empty(new CompareEmpty)
    , m_curves(new CurvesPage(engine))
    , m_chart(new CompareChart(m_model))
    , m_verdict(new VerdictCard)
    , m_fair(new FairCard)
    , m_table(new MedianTable)
    , m_protocol(new ProtocolCard)
{
    m_stack->addWidget(makeContent());
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_curves);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    connectParts();
    m_feeder = new CompareFeeder(engine, m_model, this);
    connect(m_feeder, &CompareFeeder::noted, this, &ComparePage::setNote);
    refresh();
}

ComparePage::~ComparePage()
{
    delete m_actions; // with the presenter's view, which shows the model
}

QWidget* ComparePage::makeContent()
{
    auto* sideColumn = new QWidget;
    auto* side = new QVBoxLayout(sideColumn);
    side->setContentsMargins(0, 0, 0, 0);
    side->setSpacing(16);
    side->addWidget(m_verdict);
    side->addWidget(m_fair);
    side->addStretch(1);
    auto* top = new QWidget;
    top->setLayout(m_top);
    m_top->setContentsMargins(0, 0, 0, 0);
    m_top->setSpacing(16);
    m_top->addWidget(m_chart, 66);
    m_top->addWidget(sideColumn, 34);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(28, 24, 28, 24);
    column->setSpacing(16);
    column->addWidget(m_head);
    column->addWidget(top, 1); // the chart takes the space that is left
    column->addWidget(m_table);
    column->addWidget(m_protocol);
    return m_content->inScrollArea();
}

void ComparePage::connectParts()
{
    connect(m_model, &CompareModel::changed, this, &ComparePage::refresh);
    connect(m_model, &CompareModel::runDismissed, m_curves, &CurvesPage::drop);
    connect(m_protocol, &ProtocolCard::folded, m_content, &PageContent::settle);
    connect(m_empty, &CompareEmpty::launchRequested, this, &ComparePage::launchRequested);
    connect(m_empty, &CompareEmpty::pickRequested, m_actions, &CompareActions::pickRuns);
    connect(m_head, &CompareHead::addRequested, m_actions, &CompareActions::pickRuns);
    connect(m_head, &CompareHead::copyRequested, m_actions, &CompareActions::copy);
    connect(m_head, &CompareHead::saveRequested, m_actions, &CompareActions::save);
    connect(m_head, &CompareHead::presentRequested, m_actions, &CompareActions::askPresent);
    connect(m_head, &CompareHead::curvesRequested, this, [this] {
        m_chosen = CompareKind::Curves;
        showKind();
        m_curves->viewSwitch()->focusChosen();
    });
    connect(m_curves, &CurvesPage::raceRequested, this, [this] {
        m_chosen = CompareKind::Race;
        showKind();
        m_head->viewSwitch()->focusChosen();
    });
    connect(m_curves, &CurvesPage::addRequested, m_actions, &CompareActions::pickRuns);
    connect(m_curves, &CurvesPage::removed, this, [this](const QString& runId) {
        m_chosen = CompareKind::Curves; // also if one run with lanes is left
        m_model->removeRun(runId);
    });
    connect(m_curves, &CurvesPage::changed, this, &ComparePage::showKind);
    connect(m_actions, &CompareActions::runsPicked, this, &ComparePage::addRuns);
    connect(m_actions, &CompareActions::noted, this, &ComparePage::setNote);
}

void ComparePage::refresh()
{
    QStringList raced; // also those that showNewest() found
    for (const ComparedRun& run : m_model->runs()) {
        raced << run.id;
    }
    m_curves->addRuns(raced);
    showKind();
    m_head->refresh(*m_model);
    m_chart->refresh();
    m_verdict->setVerdict(verdictOf(*m_model));
    const auto& pair = m_model->comparison();
    m_fair->setVisible(pair.has_value());
    m_fair->setRules(pair ? pair->rules : std::vector<FairnessRule>(), m_model->absent());
    m_table->refresh(*m_model);
    m_protocol->setProtocol(pair ? pair->protocol.join(u'\n') : QString());
    m_content->settle();
}

/// Whether lanes are what these runs have to show: work other than training, or the lanes of one
/// run. Runs that printed nothing yet may become a race.
bool ComparePage::isRace() const
{
    const auto& lanes = m_model->lanes();
    const int printed = m_curves->model()->printedRuns();
    return printed == 0 || (printed == 1 && !lanes.empty())
        || std::any_of(
            lanes.begin(), lanes.end(), [](const CompareLane& lane) { return !isTraining(lane); });
}

void ComparePage::showKind()
{
    const bool race = !m_model->runs().empty(), curves = m_curves->hasCurves();
    const auto likely = isRace() ? CompareKind::Race : CompareKind::Curves;
    const CompareKind kind = m_chosen.value_or(likely);
    m_stack->setCurrentIndex(!race && !curves                ? EmptyShown
            : !curves || (race && kind == CompareKind::Race) ? RaceShown
                                                             : CurvesShown);
    m_head->setSwitchVisible(curves);
    m_curves->setSwitchVisible(race && !m_model->lanes().empty());
}

bool ComparePage::showsCurves() const
{
    return m_stack->currentIndex() == CurvesShown;
}

void ComparePage::setNote(const QString& text)
{
    m_head->setNote(text);
    m_empty->setNote(text);
    m_curves->setNote(text);
    m_content->settle();
}

MetricChart* ComparePage::chart() const
{
    return m_chart->chart();
}

void ComparePage::setRuns(const QStringList& runIds)
{
    m_chosen.reset();
    m_curves->setRuns(runIds);
    m_feeder->setRuns(runIds);
}

void ComparePage::addRuns(const QStringList& runIds)
{
    m_curves->addRuns(runIds);
    m_feeder->addRuns(runIds);
}

void ComparePage::showNewest()
{
    m_feeder->showNewest();
}

PresenterView* ComparePage::present(QScreen* screen)
{
    return m_actions->present(screen);
}

bool ComparePage::canPresent() const
{
    return !m_model->lanes().empty() && !showsCurves();
}

void ComparePage::place()
{
    const bool beside = width() > minLinesBeside * fontMetrics().height();
    m_top->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void ComparePage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

void ComparePage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (m_feeder
        && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)) {
        place();
        refresh();
    }
}

} // namespace slipway

#include "moc_comparepage.cpp"
