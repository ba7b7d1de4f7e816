// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/connect/commandpage.h"

#include "ui/parts/text.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

CommandPage::CommandPage(QWidget* parent)
    : QWidget(parent)
    , m_where(TextLabel::paragraph({}))
    , m_command(TextLabel::paragraph({}, "code"))
{
    m_command->setObjectName(u"localCommand"_s);
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* card = makeCard();
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(16, 12, 16, 12);
    inside->addWidget(m_command);
    auto* accept = makeButton(tr("Run it"));
    accept->setObjectName(u"runCommand"_s);
    auto* stop = makeButton(tr("Do not connect"));
    stop->setObjectName(u"refuseCommand"_s);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(accept);
    buttons->addWidget(stop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(new TextLabel(tr("Run this command on your computer?"), "title"));
    layout->addWidget(m_where);
    layout->addWidget(card);
    layout->addWidget(TextLabel::paragraph(
        tr("It runs as you, whenever you connect to this host. You are asked again only if the "
           "command changes."),
        "second"));
    layout->addStretch();
    layout->addLayout(buttons);
    setFocusProxy(stop);
    connect(accept, &QPushButton::clicked, this, [this] { emit decided(true); });
    connect(stop, &QPushButton::clicked, this, [this] { emit decided(false); });
}

void CommandPage::setQuestion(const CommandQuestion& question)
{
    m_where->setText(
        tr("The SSH configuration connects to %1 with a %2:").arg(question.host, question.option));
    m_command->setText(question.command);
    m_command->setAccessibleName(tr("Command: %1").arg(question.command));
}

} // namespace slipway

#include "moc_commandpage.cpp"
