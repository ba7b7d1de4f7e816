// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparehead.h"

#include "ui/compare/comparefigure.h"
#include "ui/compare/viewswitch.h"
#include "ui/parts/announce.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/text.h"

#include <QHBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

CompareHead::CompareHead(bool canAdd, QWidget* parent)
    : QWidget(parent)
    , m_switch(new ViewSwitch)
    , m_title(TextLabel::paragraph({}, "title"))
    , m_subtitle(new ElidedLabel({}, Tint::Second))
    , m_note(TextLabel::paragraph({}, "caption"))
{
    m_title->setObjectName(u"compareTitle"_s);
    m_subtitle->setObjectName(u"compareSubtitle"_s);
    m_note->setObjectName(u"compareNote"_s);
    m_note->hide();
    m_switch->setKind(CompareKind::Race);
    m_switch->hide();
    auto* words = new QVBoxLayout;
    words->setSpacing(6);
    words->addWidget(m_switch);
    words->addWidget(m_title);
    words->addWidget(m_subtitle);
    words->addWidget(m_note);
    auto* buttons = new QWidget;
    m_buttons = new FlowLayout(8, buttons);
    constexpr int charactersForWords = 20;
    auto* layout = new FoldLayout(8, charactersForWords, this);
    layout->addPart(words);
    layout->addWidget(buttons);
    layout->setAlignment(buttons, Qt::AlignTop);
    auto* add = addButton(tr("Add a run…"), u"addRun"_s);
    auto* copy = addButton(tr("Copy"), u"copyComparison"_s);
    auto* save = addButton(tr("Save…"), u"saveComparison"_s);
    m_present = addButton(tr("Present"), u"present"_s);
    add->setVisible(canAdd);
    copy->setAccessibleName(tr("Copy the comparison as an image and as text"));
    save->setAccessibleName(tr("Save the comparison as a picture, a report, a table or text"));
    setButtonKind(m_present, ButtonKind::Primary);
    m_present->setToolTip(tr("Show full screen (F11)"));
    connect(m_switch, &ViewSwitch::chosen, this, [this](CompareKind kind) {
        if (kind == CompareKind::Curves) {
            m_switch->setKind(CompareKind::Race); // for the next time that this is shown
            emit curvesRequested();
        }
    });
    connect(add, &QPushButton::clicked, this, &CompareHead::addRequested);
    connect(copy, &QPushButton::clicked, this, &CompareHead::copyRequested);
    connect(save, &QPushButton::clicked, this, &CompareHead::saveRequested);
    connect(m_present, &QPushButton::clicked, this, [this] {
        emit presentRequested(m_present->mapToGlobal(QPoint(0, m_present->height() + 4)));
    });
}

QPushButton* CompareHead::addButton(const QString& text, const QString& name)
{
    auto* button = makeButton(text);
    button->setObjectName(name);
    m_buttons->addWidget(button);
    return button;
}

void CompareHead::refresh(const CompareModel& model)
{
    m_title->setText(compareTitle(model));
    m_subtitle->setText(compareSubtitle(model));
    m_present->setEnabled(!model.lanes().empty());
}

void CompareHead::setSwitchVisible(bool visible)
{
    m_switch->setVisible(visible);
}

void CompareHead::setNote(const QString& text)
{
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
    announce(m_note, text);
}

} // namespace slipway

#include "moc_comparehead.cpp"
