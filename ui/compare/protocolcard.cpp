// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/protocolcard.h"

#include "ui/parts/text.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

ProtocolCard::ProtocolCard(QWidget* parent)
    : QFrame(parent)
    , m_fold(makeButton({}, ButtonKind::Link))
    , m_text(TextLabel::paragraph({}, "second"))
{
    setCardKind(this, "true");
    setObjectName(u"protocolCard"_s);
    m_fold->setObjectName(u"foldProtocol"_s);
    m_text->setObjectName(u"protocol"_s);
    m_text->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_fold, 0, Qt::AlignLeft);
    layout->addWidget(m_text);
    connect(m_fold, &QPushButton::clicked, this, [this] {
        m_text->setVisible(m_text->isHidden());
        nameButton();
        emit folded();
    });
    nameButton();
}

void ProtocolCard::setProtocol(const QString& text)
{
    m_text->setText(text);
    setVisible(!text.isEmpty());
}

void ProtocolCard::nameButton()
{
    m_fold->setText(
        m_text->isHidden() ? tr("Show how it was measured") : tr("Hide how it was measured"));
    m_fold->setAccessibleName(m_fold->text());
}

} // namespace slipway

#include "moc_protocolcard.cpp"
