// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparechart.h"

#include "plots/charts/metricchart.h"
#include "plots/metrics/seriesstore.h"
#include "ui/compare/comparecontrols.h"
#include "ui/compare/comparefigure.h"
#include "ui/compare/lanestrip.h"
#include "ui/parts/text.h"
#include "ui/runs/charttable.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

CompareChart::CompareChart(CompareModel* model, QWidget* parent)
    : QFrame(parent)
    , m_model(model)
    , m_store(std::make_unique<SeriesStore>())
    , m_spec(std::make_unique<ChartSpec>())
    , m_controls(new CompareControls(model))
    , m_chart(new MetricChart)
    , m_summary(new ElidedLabel({}, Tint::Second))
{
    setCardKind(this, "true");
    m_chart->setMinimumHeight(300);
    m_chart->setStore(m_store.get());
    m_summary->setObjectName(u"compareSummary"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_controls);
    layout->addWidget(m_chart, 1);
    layout->addWidget(new LaneStrip(m_model));
    layout->addWidget(m_summary);
    connect(m_controls, &CompareControls::tableRequested, this, &CompareChart::showNumbers);
    connect(m_chart, &MetricChart::tableRequested, this, &CompareChart::showNumbers);
}

CompareChart::~CompareChart()
{
    m_chart->setStore(nullptr); // the store is destroyed before the child widgets
}

void CompareChart::refresh()
{
    m_controls->refresh();
    fillSeries(*m_store, *m_model);
    const ChartSpec spec = compareChart(*m_model);
    m_controls->setUnit(spec.y.unit);
    m_chart->setTheme(laneTheme(ChartTheme::forBackground(Colours::now().surface), *m_model));
    if (spec != *m_spec) { // settings made in the chart are kept while only points are added
        *m_spec = spec;
        m_chart->setSpec(spec);
    }
    m_chart->refresh();
    m_summary->setText(laneSummary(*m_store));
}

void CompareChart::showNumbers()
{
    auto* dialog = new ChartTableDialog(m_chart->spec().title, m_chart->dataTable(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace slipway

#include "moc_comparechart.cpp"
