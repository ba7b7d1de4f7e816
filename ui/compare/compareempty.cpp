// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/compareempty.h"

#include "ui/parts/flowlayout.h"
#include "ui/parts/text.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

CompareEmpty::CompareEmpty(QWidget* parent)
    : QWidget(parent)
    , m_note(TextLabel::paragraph({}, "second"))
{
    auto* launch = makeButton(tr("Launch the race"), ButtonKind::Primary);
    auto* pick = makeButton(tr("Pick two runs…"));
    launch->setObjectName(u"launchRace"_s);
    pick->setObjectName(u"pickRuns"_s);
    auto* buttons = new FlowLayout(8);
    buttons->setCentred(true);
    buttons->addWidget(launch);
    buttons->addWidget(pick);
    auto* words =
        new TextLabel(tr("Nothing to compare yet. Launch the race, or pick two runs."), "heading");
    words->setAlignment(Qt::AlignCenter);
    words->setWordWrap(true);
    m_note->setObjectName(u"emptyNote"_s);
    m_note->setAlignment(Qt::AlignCenter);
    m_note->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(28, 24, 28, 24);
    layout->setSpacing(16);
    layout->addWidget(new TextLabel(tr("Compare"), "title"));
    layout->addStretch(2);
    layout->addWidget(words);
    layout->addWidget(m_note);
    layout->addLayout(buttons);
    layout->addStretch(3);
    connect(launch, &QPushButton::clicked, this, &CompareEmpty::launchRequested);
    connect(pick, &QPushButton::clicked, this, &CompareEmpty::pickRequested);
}

void CompareEmpty::setNote(const QString& text)
{
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
}

} // namespace slipway

#include "moc_compareempty.cpp"
