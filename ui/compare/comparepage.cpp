// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparepage.h"

#include "plots/charts/metricchart.h"
#include "plots/metrics/seriesstore.h"
#include "ui/compare/comparefigure.h"
#include "ui/compare/presenter.h"
#include "ui/compare/verdictcards.h"
#include "ui/parts/announce.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int besideTimes = 44; ///< heights of a line from which the cards fit beside the chart

void fillCombo(QComboBox* combo, const std::vector<CompareLane>& lanes, int current)
{
    const QSignalBlocker quiet(combo);
    combo->clear();
    for (const CompareLane& lane : lanes) {
        combo->addItem(lane.label, lane.key);
    }
    combo->setCurrentIndex(current);
    combo->setToolTip(plainToolTip(combo->currentText()));
    combo->view()->setMinimumWidth(combo->view()->sizeHintForColumn(0) + 24);
}

} // namespace

ComparePage::ComparePage(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_model(new CompareModel(this))
    , m_store(std::make_unique<SeriesStore>())
    , m_spec(std::make_unique<ChartSpec>())
    , m_stack(new QStackedWidget)
{
    auto* content = new QWidget;
    content->setProperty("page", true);
    content->installEventFilter(this);
    m_content = content;
    m_settle.setSingleShot(true);
    m_settle.setInterval(0);
    connect(&m_settle, &QTimer::timeout, this, &ComparePage::settle);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(28, 24, 28, 24);
    column->setSpacing(16);
    column->addWidget(makeHead());
    auto* top = new QWidget;
    m_top = new QBoxLayout(QBoxLayout::LeftToRight, top);
    m_top->setContentsMargins(0, 0, 0, 0);
    m_top->setSpacing(16);
    m_top->addWidget(makeChartCard(), 66);
    auto* sideColumn = new QWidget;
    auto* side = new QVBoxLayout(sideColumn);
    side->setContentsMargins(0, 0, 0, 0);
    side->setSpacing(16);
    side->addWidget(m_verdict = new VerdictCard);
    side->addWidget(m_fair = new FairCard);
    side->addStretch(1);
    m_top->addWidget(sideColumn, 34);
    column->addWidget(top, 1); // what is free is the chart's
    column->addWidget(makeTableCard());
    column->addWidget(makeProtocolCard());
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    m_stack->addWidget(scroll);
    m_stack->addWidget(makeEmpty());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    m_chart->setStore(m_store.get());
    connect(m_model, &CompareModel::changed, this, &ComparePage::refresh);
    if (engine) {
        connect(m_model, &CompareModel::changed, this, &ComparePage::holdFeeds);
        m_model->setPublished(engine->raceReferences());
        connect(engine->catalogue(), &Catalogue::changed, this,
            [this] { m_model->setPublished(m_engine->raceReferences()); });
        connect(engine->runs(), &Runs::raceChanged, this, &ComparePage::renewRun);
        connect(engine->runs(), &Runs::runChanged, this, &ComparePage::renewRun);
    }
    refresh();
}

ComparePage::~ComparePage()
{
    m_chart->setStore(nullptr);
    delete m_presenter;
}

void ComparePage::refresh()
{
    m_stack->setCurrentIndex(m_model->runs().empty() ? 1 : 0);
    m_title->setText(compareTitle(*m_model));
    m_subtitle->setText(compareSubtitle(*m_model));
    m_present->setEnabled(canPresent());
    showPickers();
    showView();
    m_verdict->setVerdict(verdictOf(*m_model));
    const auto& pair = m_model->comparison();
    m_fair->setVisible(pair.has_value());
    m_fair->setRules(pair ? pair->rules : std::vector<FairnessRule>(), m_model->absent());
    showTable();
    showProtocol();
    m_settle.start();
}

void ComparePage::showPickers()
{
    fillCombo(m_first, m_model->lanes(), m_model->first());
    fillCombo(m_second, m_model->lanes(), m_model->second());
    const bool several = m_model->lanes().size() > 1;
    m_pickers->setVisible(several || m_model->works().size() > 1);
    const QSignalBlocker quiet(m_work);
    m_work->clear();
    for (const QString& kind : m_model->works()) {
        m_work->addItem(workWords(*m_model, kind), kind);
    }
    m_work->setCurrentIndex(int(m_model->works().indexOf(m_model->work())));
    m_work->setVisible(m_model->works().size() > 1);
}

void ComparePage::showView()
{
    const CompareView& view = m_model->view();
    const bool seconds = view.seconds || !m_model->hasRate();
    m_transfers->setChecked(view.withTransfers);
    m_compute->setChecked(!view.withTransfers);
    m_seconds->setChecked(seconds);
    m_rate->setChecked(!seconds);
    const bool moved = m_model->hasTransfers();
    m_compute->setVisible(moved);
    m_transfers->setVisible(moved);
    m_rate->setEnabled(m_model->hasRate());
    fillSeries(*m_store, *m_model);
    const ChartSpec spec = compareChart(*m_model);
    if (!spec.y.unit.isEmpty() && spec.y.unit != u"s"_s) {
        m_rate->setText(spec.y.unit);
        m_rate->setAccessibleName(tr("Show %1").arg(spec.y.unit));
    }
    m_seconds->setAccessibleName(tr("Show seconds"));
    m_chart->setTheme(laneTheme(ChartTheme::forBackground(Colours::now().surface), *m_model));
    if (spec != *m_spec) { // what a person set in the chart stays while only points come
        *m_spec = spec;
        m_chart->setSpec(spec);
    }
    m_chart->refresh();
    m_summary->setText(laneSummary(*m_store));
}

void ComparePage::showTable()
{
    const ComparisonTable table = compareTable(*m_model);
    m_table->setColumnCount(int(table.headings.size()));
    m_table->setHorizontalHeaderLabels(table.headings);
    m_table->setRowCount(int(table.rows.size()));
    for (int row = 0; row < int(table.rows.size()); ++row) {
        for (int column = 0; column < m_table->columnCount(); ++column) {
            auto* cell = new QTableWidgetItem(table.rows[size_t(row)].value(column));
            cell->setTextAlignment(
                (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            if (column == 3) {
                QFont bold = font();
                bold.setWeight(QFont::DemiBold);
                cell->setFont(bold);
            }
            m_table->setItem(row, column, cell);
        }
    }
    for (int column = 0; column < m_table->columnCount(); ++column) {
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    const int line = fontMetrics().height() + 14;
    m_table->verticalHeader()->setDefaultSectionSize(line);
    m_table->setFixedHeight(
        m_table->horizontalHeader()->sizeHint().height() + line * m_table->rowCount() + 2);
    const auto& pair = m_model->comparison();
    m_tableNote->setText(!pair ? QString()
            : !pair->fair()    ? tr("Medians. Ratios are left out, because no speed-up is stated.")
            : m_model->view().withTransfers ? tr("Medians with transfers.")
                                            : tr("Medians of the work alone."));
    m_tableNote->setVisible(!m_tableNote->text().isEmpty());
}

void ComparePage::showProtocol()
{
    const auto& pair = m_model->comparison();
    const QString text = pair ? pair->protocol.join(u'\n') : QString();
    m_protocol->setText(text);
    m_fold->parentWidget()->setVisible(!text.isEmpty());
    m_fold->setText(
        m_protocol->isHidden() ? tr("Show how it was measured") : tr("Hide how it was measured"));
    m_fold->setAccessibleName(m_fold->text());
}

void ComparePage::pickLanes()
{
    const QString first = m_first->currentData().toString();
    const QString second = m_second->currentData().toString();
    if (first != second) {
        m_model->choose(first, second);
        return;
    }
    // The same lane twice: the two change places.
    const auto key = [this](
                         int at) { return at < 0 ? QString() : m_model->lanes()[size_t(at)].key; };
    m_model->choose(key(m_model->second()), key(m_model->first()));
}

void ComparePage::say(const QString& text)
{
    for (TextLabel* note : {m_note, m_emptyNote}) {
        note->setText(text);
        note->setVisible(!text.isEmpty());
    }
    m_settle.start();
    announce(m_note, text);
}

bool ComparePage::canPresent() const
{
    return !m_model->lanes().empty();
}

void ComparePage::place()
{
    const bool beside = width() > besideTimes * fontMetrics().height();
    m_top->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

/// A scroll area asks for the height of its content before layouts within layouts know that
/// something in them has changed, and then words are cut: it is told here.
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
    if (m_protocol
        && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)) {
        place();
        refresh();
    }
}

} // namespace slipway

#include "moc_comparepage.cpp"
