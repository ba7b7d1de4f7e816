// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/curvescard.h"

#include "plots/charts/metricchart.h"
#include "ui/compare/curvescontrols.h"
#include "ui/compare/curvesmodel.h"
#include "ui/parts/text.h"
#include "ui/runs/charttable.h"

#include <QEvent>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int leastChartHeight = 220; ///< pixels; where nobody moves the divider, it is higher

} // namespace

CurvesCard::CurvesCard(CurvesModel* model, QWidget* parent)
    : QFrame(parent)
    , m_model(model)
    , m_controls(new CurvesControls(model))
    , m_chart(new MetricChart)
    , m_sentence(TextLabel::paragraph({}))
    , m_missing(TextLabel::paragraph({}, "caption"))
{
    setCardKind(this, "true");
    m_chart->setMinimumHeight(leastChartHeight);
    m_chart->setObjectName(u"curvesChart"_s);
    m_chart->setStore(&model->store());
    m_chart->setLegendVisible(true);
    m_chart->setTheme(ChartTheme::light()); // that of refreshPoints() when nothing is drawn yet
    m_sentence->setObjectName(u"curvesSentence"_s);
    m_missing->setObjectName(u"curvesMissing"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_controls);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_sentence);
    layout->addWidget(m_missing);
    connect(model, &CurvesModel::changed, this, &CurvesCard::refresh);
    connect(model, &CurvesModel::pointsChanged, this, &CurvesCard::refreshPoints);
    m_chart->setSmoothing(m_controls->smoothing());
    connect(m_controls, &CurvesControls::smoothingChanged, m_chart, &MetricChart::setSmoothing);
    connect(
        m_controls, &CurvesControls::logarithmicChanged, m_chart, &MetricChart::setLogarithmicY);
    connect(
        m_chart, &MetricChart::logarithmicYChanged, m_controls, &CurvesControls::setLogarithmic);
    connect(m_controls, &CurvesControls::tableRequested, this, &CurvesCard::showNumbers);
    connect(m_controls, &CurvesControls::noted, this, &CurvesCard::noted);
    refresh();
}

CurvesCard::~CurvesCard()
{
    m_chart->setStore(nullptr); // it belongs to the model
}

void CurvesCard::refresh()
{
    m_controls->refresh();
    m_sentence->setText(m_model->sentence());
    m_sentence->setVisible(!m_sentence->text().isEmpty());
    m_missing->setText(m_model->missing());
    m_missing->setVisible(!m_model->missing().isEmpty());
    const ChartSpec spec = m_model->chart();
    if (spec != m_spec) { // what was set in the chart is kept while only points are added
        m_spec = spec;
        m_chart->setSpec(spec);
        m_controls->setLogarithmic(m_chart->isLogarithmicY());
    }
    refreshPoints();
}

void CurvesCard::refreshPoints()
{
    const ChartTheme theme = m_model->theme(ChartTheme::forBackground(Colours::now().surface));
    if (theme.order != m_looks || theme.isDark != m_isDark) {
        m_looks = theme.order;
        m_isDark = theme.isDark;
        m_chart->setTheme(theme);
    }
    m_chart->refresh();
}

void CurvesCard::showNumbers()
{
    auto* dialog = new ChartTableDialog(m_chart->spec().title, m_chart->dataTable(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void CurvesCard::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_chart) {
        refreshPoints();
    }
}

} // namespace slipway

#include "moc_curvescard.cpp"
