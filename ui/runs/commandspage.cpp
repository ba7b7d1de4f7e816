// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/commandspage.h"

#include "ui/parts/announce.h"
#include "ui/parts/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

CommandsPage::CommandsPage(QWidget* parent)
    : QWidget(parent)
    , m_rows(new QVBoxLayout)
    , m_note(new ElidedText({}, "caption"))
{
    auto* list = new QWidget;
    list->setProperty("page", true);
    auto* inList = new QVBoxLayout(list);
    inList->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(8);
    inList->addLayout(m_rows);
    inList->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(list);
    m_note->setObjectName(u"copiedCommand"_s);
    auto* card = makeCard();
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(16, 12, 16, 12);
    inside->setSpacing(12);
    inside->addWidget(TextLabel::paragraph(tr("The commands that this page runs for you. They work "
                                              "in any terminal on the login node."),
        "second"));
    inside->addWidget(scroll, 1);
    inside->addWidget(m_note);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card);
}

void CommandsPage::setCommands(const QStringList& commands)
{
    if (commands == m_commands) {
        return; // the focus and a selection are kept
    }
    m_commands = commands;
    m_note->setText({});
    m_note->setAccessibleName({});
    clearLayout(m_rows);
    for (const QString& command : commands) {
        addRow(command);
    }
}

void CommandsPage::addRow(const QString& command)
{
    auto* line = new QLineEdit(command);
    line->setReadOnly(true);
    line->setProperty("code", true);
    line->setCursorPosition(0);
    line->setAccessibleName(tr("Command"));
    auto* copy = makeButton(tr("Copy"));
    copy->setObjectName(u"copyCommand"_s);
    copy->setAccessibleName(tr("Copy: %1").arg(command));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(line, 1);
    row->addWidget(copy);
    m_rows->addLayout(row);
    connect(copy, &QPushButton::clicked, this, [this, command] {
        QGuiApplication::clipboard()->setText(command);
        m_note->setText(tr("Copied: %1").arg(command));
        announce(m_note, m_note->text());
    });
}

} // namespace slipway

#include "moc_commandspage.cpp"
