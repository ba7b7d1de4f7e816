// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/viewswitch.h"

#include "ui/parts/text.h"

#include <QButtonGroup>
#include <QHBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

ViewSwitch::ViewSwitch(QWidget* parent)
    : QWidget(parent)
    , m_race(makeButton(tr("Race"), ButtonKind::Quiet))
    , m_curves(makeButton(tr("Curves"), ButtonKind::Quiet))
{
    m_race->setObjectName(u"showRace"_s);
    m_curves->setObjectName(u"showCurves"_s);
    m_race->setAccessibleName(tr("Show the race: lanes and speed-ups"));
    m_curves->setAccessibleName(tr("Show the curves of the runs on one axis"));
    auto* group = new QButtonGroup(this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    for (QPushButton* button : {m_race, m_curves}) {
        button->setCheckable(true);
        group->addButton(button);
        row->addWidget(button);
    }
    row->addStretch(1);
    connect(m_race, &QPushButton::clicked, this, [this] { emit chosen(CompareKind::Race); });
    connect(m_curves, &QPushButton::clicked, this, [this] { emit chosen(CompareKind::Curves); });
}

void ViewSwitch::setKind(CompareKind kind)
{
    (kind == CompareKind::Race ? m_race : m_curves)->setChecked(true);
}

void ViewSwitch::focusChosen()
{
    (m_race->isChecked() ? m_race : m_curves)->setFocus();
}

} // namespace slipway

#include "moc_viewswitch.cpp"
