// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/curvespage.h"

#include "plots/charts/metricchart.h"
#include "ui/compare/curvescard.h"
#include "ui/compare/curvesfeeder.h"
#include "ui/compare/curveshead.h"
#include "ui/compare/curvesmodel.h"
#include "ui/compare/curvespanes.h"
#include "ui/compare/curvessheet.h"
#include "ui/compare/curvestablecard.h"
#include "ui/compare/parallelcard.h"
#include "ui/compare/viewswitch.h"
#include "ui/parts/pagecontent.h"
#include "ui/parts/savedialog.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

CurvesPage::CurvesPage(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_model(new CurvesModel(this))
    , m_feeder(new CurvesFeeder(engine, m_model, this))
    , m_content(new PageContent)
    , m_switch(new ViewSwitch)
    , m_head(new CurvesHead)
    , m_card(new CurvesCard(m_model))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(makeContent());
    connectParts();
    m_switch->setKind(CompareKind::Curves);
    refresh();
}

QWidget* CurvesPage::makeContent()
{
    auto* table = new CurvesTableCard(m_model);
    auto* panes = new CurvesPanes(m_card, new ParallelCard(m_model), table);
    connect(table, &CurvesTableCard::removeRequested, this, &CurvesPage::remove);
    connect(table, &CurvesTableCard::resized, m_content, &PageContent::settle);
    connect(m_content, &PageContent::settling, panes, &CurvesPanes::fit);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(28, 24, 28, 24);
    column->setSpacing(16);
    column->addWidget(m_switch);
    column->addWidget(m_head);
    column->addWidget(panes, 1); // they take the space that is left
    return m_content->inScrollArea();
}

void CurvesPage::connectParts()
{
    connect(m_model, &CurvesModel::changed, this, &CurvesPage::refresh);
    connect(m_model, &CurvesModel::pointsChanged, this, [this] { m_head->refresh(*m_model); });
    connect(m_card, &CurvesCard::noted, this, &CurvesPage::setNote);
    connect(m_head, &CurvesHead::addRequested, this, &CurvesPage::addRequested);
    connect(m_head, &CurvesHead::saveRequested, this, &CurvesPage::save);
    connect(m_switch, &ViewSwitch::chosen, this, [this](CompareKind kind) {
        if (kind == CompareKind::Race) {
            m_switch->setKind(CompareKind::Curves); // for the next time that this is shown
            emit raceRequested();
        }
    });
}

MetricChart* CurvesPage::chart() const
{
    return m_card->chart();
}

void CurvesPage::setRuns(const QStringList& runIds)
{
    setNote({});
    m_feeder->setRuns(runIds);
}

void CurvesPage::addRuns(const QStringList& runIds)
{
    QStringList all = m_feeder->runIds() + runIds;
    all.removeDuplicates();
    if (all != m_feeder->runIds()) {
        m_feeder->setRuns(all);
    }
}

void CurvesPage::drop(const QString& runId)
{
    QStringList others = m_feeder->runIds();
    others.removeAll(runId);
    m_feeder->setRuns(others);
}

void CurvesPage::remove(const QString& runId)
{
    emit removed(runId);
    drop(runId);
}

bool CurvesPage::hasCurves() const
{
    return !m_model->offered().empty();
}

void CurvesPage::setSwitchVisible(bool visible)
{
    m_switch->setVisible(visible);
    m_content->settle();
}

void CurvesPage::setNote(const QString& text)
{
    m_head->setNote(text);
    m_content->settle();
}

void CurvesPage::refresh()
{
    m_head->refresh(*m_model);
    m_content->settle();
    emit changed();
}

void CurvesPage::save()
{
    askWhereToSave(this, tr("Save the curves"),
        {tr("PNG image (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF document (*.pdf)"),
            tr("HTML report to hand on (*.html)"), tr("CSV table with all points (*.csv)")},
        u"curves.png"_s, [this](const QString& path) {
            const Result<void> saved =
                saveCurves(path, *m_model, chart()->smoothing(), m_feeder->engine());
            setNote(saved.ok() ? tr("Saved as %1.").arg(path) : saved.error().text());
        });
}

} // namespace slipway

#include "moc_curvespage.cpp"
