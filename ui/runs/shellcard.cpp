// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/shellcard.h"

#include "ui/parts/text.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>

namespace slipway {

using namespace Qt::StringLiterals;

ShellCard::ShellCard(QWidget* parent)
    : QFrame(parent)
    , m_place(new QComboBox)
    , m_line(new QLineEdit)
{
    setCardKind(this, "true");
    setObjectName(u"shellCard"_s);
    m_place->setObjectName(u"shellPlace"_s);
    m_place->setAccessibleName(tr("Where to paste the command"));
    m_place->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_place->setMinimumContentsLength(24);
    m_line->setObjectName(u"shellLine"_s);
    m_line->setAccessibleName(tr("Command for these nodes"));
    m_line->setProperty("code", true);
    m_line->setReadOnly(true);
    auto* title = new TextLabel(tr("Use these nodes"), "strong");
    title->setBuddy(m_place);
    auto* copy = makeButton(tr("Copy"));
    copy->setObjectName(u"copyShell"_s);
    copy->setAccessibleName(tr("Copy the command for these nodes"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 10, 16, 10);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addWidget(m_place);
    layout->addWidget(m_line, 1);
    layout->addWidget(copy);
    connect(m_place, &QComboBox::currentIndexChanged, this, &ShellCard::showLine);
    connect(copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_line->text()); });
    hide();
}

void ShellCard::setLines(const ShellLines& lines)
{
    setVisible(!lines.isEmpty());
    const std::pair<QString, QString> places[] = {
        {tr("Paste into a terminal on this computer"), lines.fromHere},
        {tr("Paste on the login node"), lines.onLogin},
        {tr("Paste on the login node, for the container"), lines.inContainer},
        {tr("Paste on the login node, to run the steps again"), lines.steps}};
    QStringList now, before;
    for (const auto& [place, line] : places) {
        if (!line.isEmpty()) {
            now << line;
        }
    }
    for (int i = 0; i < m_place->count(); ++i) {
        before << m_place->itemData(i).toString();
    }
    if (now == before) {
        return; // unchanged: the choice and the selected text are kept
    }
    const QString chosen = m_place->currentText();
    const QSignalBlocker quiet(m_place);
    m_place->clear();
    for (const auto& [place, line] : places) {
        if (!line.isEmpty()) {
            m_place->addItem(place, line);
        }
    }
    m_place->setCurrentIndex(std::max(0, m_place->findText(chosen)));
    showLine();
}

void ShellCard::showLine()
{
    m_place->setToolTip(plainToolTip(m_place->currentText())); // it may be cut
    m_line->setText(m_place->currentData().toString());
    m_line->setCursorPosition(0);
}

} // namespace slipway

#include "moc_shellcard.cpp"
