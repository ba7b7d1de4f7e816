// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/pagecontent.h"

#include <QLayout>
#include <QScrollArea>

namespace slipway {

PageContent::PageContent(QWidget* parent)
    : QWidget(parent)
{
    setProperty("page", true);
    setAttribute(Qt::WA_StyledBackground);
    m_settle.setSingleShot(true);
    m_settle.setInterval(0);
    connect(&m_settle, &QTimer::timeout, this, &PageContent::fit);
}

QScrollArea* PageContent::inScrollArea()
{
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(this);
    return scroll;
}

/// A scroll area asks for the height of its content before nested layouts know that something in
/// them has changed, which cuts text off. So all layouts are invalidated first.
void PageContent::fit()
{
    for (QLayout* layout : findChildren<QLayout*>()) {
        layout->invalidate();
    }
    emit settling();
    setMinimumHeight(heightForWidth(width()));
}

void PageContent::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    settle();
}

} // namespace slipway

#include "moc_pagecontent.cpp"
