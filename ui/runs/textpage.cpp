// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/textpage.h"

#include "ui/parts/scriptview.h"
#include "ui/parts/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QVBoxLayout>

namespace slipway {

TextPage::TextPage(const QString& sentence, const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_view(new ScriptView)
{
    m_view->setAccessibleName(name);
    auto* copy = makeButton(tr("copy"), ButtonKind::Quiet);
    copy->setAccessibleName(tr("Copy: %1").arg(name));
    auto* head = new QHBoxLayout;
    head->addWidget(TextLabel::paragraph(sentence, "second"), 1);
    head->addWidget(copy);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(m_view, 1);
    connect(copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_view->toPlainText()); });
}

void TextPage::setText(const QByteArray& text)
{
    m_view->setScript(text);
}

} // namespace slipway

#include "moc_textpage.cpp"
