// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/boundedscroll.h"

#include <QEvent>

#include <algorithm>

namespace slipway {

BoundedScroll::BoundedScroll(QWidget* content, const QString& name, QWidget* parent)
    : QScrollArea(parent)
{
    content->setProperty("page", true); // transparent, like every scrolled page
    setAccessibleName(name);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setWidget(content);
    fit();
}

void BoundedScroll::setMostHeight(int pixels)
{
    m_most = pixels;
    fit();
}

bool BoundedScroll::eventFilter(QObject* watched, QEvent* event)
{
    const bool done = QScrollArea::eventFilter(watched, event);
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
        fit();
    }
    return done;
}

void BoundedScroll::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    fit();
}

void BoundedScroll::fit()
{
    const QWidget* const content = widget();
    if (!content) {
        return;
    }
    const int wanted = content->hasHeightForWidth() ? content->heightForWidth(viewport()->width())
                                                    : content->sizeHint().height();
    setFixedHeight(std::clamp(wanted, 0, std::max(0, m_most)));
    setFocusPolicy(wanted > m_most ? Qt::StrongFocus : Qt::NoFocus);
}

} // namespace slipway

#include "moc_boundedscroll.cpp"
