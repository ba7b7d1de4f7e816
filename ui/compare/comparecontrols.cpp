// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparecontrols.h"

#include "ui/compare/comparefigure.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/text.h"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

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

CompareControls::CompareControls(CompareModel* model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_first(new QComboBox)
    , m_second(new QComboBox)
    , m_work(new QComboBox)
    , m_pickers(new QWidget)
    , m_compute(makeButton(tr("compute only"), ButtonKind::Quiet))
    , m_transfers(makeButton(tr("with transfers"), ButtonKind::Quiet))
    , m_rate(makeButton(tr("FLOP/s"), ButtonKind::Quiet))
    , m_seconds(makeButton(tr("seconds"), ButtonKind::Quiet))
{
    auto* tools = new QWidget;
    auto* flow = new FlowLayout(8, this); // on a narrow page the tools wrap below
    m_pickers->setLayout(makePickers());
    tools->setLayout(makeTools());
    flow->addWidget(m_pickers);
    flow->addWidget(tools);
    connect(m_first, &QComboBox::activated, this, &CompareControls::pickLanes);
    connect(m_second, &QComboBox::activated, this, &CompareControls::pickLanes);
    connect(m_work, &QComboBox::activated, this,
        [this] { m_model->setWork(m_work->currentData().toString()); });
}

QHBoxLayout* CompareControls::makePickers()
{
    const std::tuple<QComboBox*, QString, QString> choices[] = {
        {m_first, tr("First lane"), u"firstLane"_s}, {m_second, tr("Second lane"), u"secondLane"_s},
        {m_work, tr("Kind of work"), u"work"_s}};
    for (const auto& [combo, name, object] : choices) {
        combo->setAccessibleName(name);
        combo->setObjectName(object);
        // Lane names of several runs are long; the drop-down list shows them in full.
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(15);
    }
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_work);
    row->addWidget(m_first);
    row->addWidget(new TextLabel(tr("against"), "second"));
    row->addWidget(m_second);
    return row;
}

QHBoxLayout* CompareControls::makeTools()
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    addPair(row, m_compute, m_transfers);
    addPair(row, m_rate, m_seconds);
    row->addSpacing(8);
    m_compute->setObjectName(u"computeOnly"_s);
    m_transfers->setObjectName(u"withTransfers"_s);
    m_rate->setObjectName(u"perSecond"_s);
    m_seconds->setObjectName(u"inSeconds"_s);
    m_seconds->setAccessibleName(tr("Show seconds"));
    auto* numbers = makeButton(tr("table"), ButtonKind::Quiet);
    numbers->setAccessibleName(tr("Show the numbers of all curves as a table"));
    row->addWidget(numbers);
    connect(numbers, &QPushButton::clicked, this, &CompareControls::tableRequested);
    return row;
}

void CompareControls::addPair(QHBoxLayout* tools, QPushButton* one, QPushButton* other)
{
    auto* group = new QButtonGroup(this);
    for (QPushButton* button : {one, other}) {
        button->setCheckable(true);
        group->addButton(button);
        tools->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this] {
            m_model->setView({m_transfers->isChecked(), m_seconds->isChecked()});
        });
    }
}

void CompareControls::refresh()
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
}

void CompareControls::setUnit(const QString& unit)
{
    if (!unit.isEmpty() && unit != u"s"_s) {
        m_rate->setText(unit);
        m_rate->setAccessibleName(tr("Show %1").arg(unit));
    }
}

void CompareControls::pickLanes()
{
    const QString first = m_first->currentData().toString();
    const QString second = m_second->currentData().toString();
    if (first != second) {
        m_model->choose(first, second);
        return;
    }
    // The same lane was chosen twice: the two are swapped.
    const auto key = [this](
                         int at) { return at < 0 ? QString() : m_model->lanes()[size_t(at)].key; };
    m_model->choose(key(m_model->second()), key(m_model->first()));
}

} // namespace slipway

#include "moc_comparecontrols.cpp"
