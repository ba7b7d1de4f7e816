// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparepage.h"

#include "ui/compare/compareactions.h"
#include "ui/compare/comparechart.h"
#include "ui/compare/compareempty.h"
#include "ui/compare/comparefeeder.h"
#include "ui/compare/comparehead.h"
#include "ui/compare/mediantable.h"
#include "ui/compare/protocolcard.h"
#include "ui/compare/verdictcards.h"

#include <QEvent>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace slipway {

namespace {

constexpr int minLinesBeside = 44; ///< page width, in line heights, for cards beside the chart

} // namespace

ComparePage::ComparePage(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_model(new CompareModel(this))
    , m_actions(new CompareActions(engine, m_model, this))
    , m_stack(new QStackedWidget)
    , m_content(new QWidget)
    , m_top(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_head(new CompareHead(engine != nullptr))
    , m_empty(new CompareEmpty)
    , m_chart(new CompareChart(m_model))
    , m_verdict(new VerdictCard)
    , m_fair(new FairCard)
    , m_table(new MedianTable)
    , m_protocol(new ProtocolCard)
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(0);
    m_stack->addWidget(makeContent());
    m_stack->addWidget(m_empty);
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
    m_content->setProperty("page", true);
    m_content->installEventFilter(this);
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
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_content);
    return scroll;
}

void ComparePage::connectParts()
{
    connect(&m_settle, &QTimer::timeout, this, &ComparePage::settle);
    connect(m_model, &CompareModel::changed, this, &ComparePage::refresh);
    connect(m_protocol, &ProtocolCard::folded, &m_settle, qOverload<>(&QTimer::start));
    connect(m_empty, &CompareEmpty::launchRequested, this, &ComparePage::launchRequested);
    connect(m_empty, &CompareEmpty::pickRequested, m_actions, &CompareActions::pickRuns);
    connect(m_head, &CompareHead::addRequested, m_actions, &CompareActions::pickRuns);
    connect(m_head, &CompareHead::copyRequested, m_actions, &CompareActions::copy);
    connect(m_head, &CompareHead::saveRequested, m_actions, &CompareActions::save);
    connect(m_head, &CompareHead::presentRequested, m_actions, &CompareActions::askPresent);
    connect(m_actions, &CompareActions::runsPicked, this, &ComparePage::addRuns);
    connect(m_actions, &CompareActions::noted, this, &ComparePage::setNote);
}

void ComparePage::refresh()
{
    m_stack->setCurrentIndex(m_model->runs().empty() ? 1 : 0);
    m_head->refresh(*m_model);
    m_chart->refresh();
    m_verdict->setVerdict(verdictOf(*m_model));
    const auto& pair = m_model->comparison();
    m_fair->setVisible(pair.has_value());
    m_fair->setRules(pair ? pair->rules : std::vector<FairnessRule>(), m_model->absent());
    m_table->refresh(*m_model);
    m_protocol->setProtocol(pair ? pair->protocol.join(u'\n') : QString());
    m_settle.start();
}

void ComparePage::setNote(const QString& text)
{
    m_head->setNote(text);
    m_empty->setNote(text);
    m_settle.start();
}

MetricChart* ComparePage::chart() const
{
    return m_chart->chart();
}

void ComparePage::setRuns(const QStringList& runIds)
{
    m_feeder->setRuns(runIds);
}

void ComparePage::addRuns(const QStringList& runIds)
{
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
    return !m_model->lanes().empty();
}

void ComparePage::place()
{
    const bool beside = width() > minLinesBeside * fontMetrics().height();
    m_top->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

/// A scroll area asks for the height of its content before nested layouts know that something in
/// them has changed, which cuts text off. So all layouts are invalidated first.
void ComparePage::settle()
{
    for (QLayout* layout : m_content->findChildren<QLayout*>()) {
        layout->invalidate();
    }
    m_content->setMinimumHeight(m_content->heightForWidth(m_content->width()));
}

bool ComparePage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_content && event->type() == QEvent::Resize) {
        m_settle.start();
    }
    return QWidget::eventFilter(watched, event);
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
