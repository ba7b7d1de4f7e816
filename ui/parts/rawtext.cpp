// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/rawtext.h"

#include "ui/parts/text.h"

#include <QScrollBar>
#include <QTimer>

namespace slipway {

namespace {

constexpr int rawTextLines = 9;

} // namespace

RawText::RawText(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_toggle(makeButton({}, ButtonKind::Link))
{
    setReadOnly(true);
    setTabChangesFocus(true);
    setProperty("code", true);
    setAccessibleName(tr("Raw text of the error"));
    connect(m_toggle, &QPushButton::clicked, this, [this] { fold(isHidden()); });
    fold(false);
}

void RawText::setText(const QByteArray& text)
{
    setPlainText(QString::fromUtf8(text));
    m_toggle->setVisible(!text.trimmed().isEmpty());
    fold(false);
}

void RawText::showEvent(QShowEvent* event)
{
    QPlainTextEdit::showEvent(event);
    goToEnd();
    QTimer::singleShot(0, this, &RawText::goToEnd); // once the layout has given it its size
}

void RawText::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    goToEnd();
}

void RawText::fold(bool open)
{
    setFixedHeight(rawTextLines * fontMetrics().lineSpacing() + 16);
    setVisible(open);
    m_toggle->setText(open ? tr("Hide the raw text") : tr("Show the raw text"));
    m_toggle->setAccessibleName(m_toggle->text());
}

void RawText::goToEnd()
{
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

} // namespace slipway

#include "moc_rawtext.cpp"
