// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/focuskeeper.h"

#include "ui/window/pagestack.h"

#include <QApplication>
#include <QEvent>
#include <QPointer>
#include <QTimer>

namespace slipway {

FocusKeeper::FocusKeeper(PageStack* pages, QWidget* sidebar, QWidget* window)
    : QObject(window)
    , m_pages(pages)
    , m_sidebar(sidebar)
    , m_window(window)
{
    window->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, &FocusKeeper::onFocusChanged);
}

FocusKeeper::~FocusKeeper()
{
    disconnect(qApp, nullptr, this, nullptr);
}

/// Qt chooses the control that gets the focus after this event; a hidden one would lose it to the
/// first of the window.
bool FocusKeeper::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_window && event->type() == QEvent::WindowActivate) {
        const QWidget* last = m_window->focusWidget();
        if (last && !last->isVisible()) {
            m_pages->focusPage();
        }
    }
    return QObject::eventFilter(watched, event);
}

void FocusKeeper::onFocusChanged(QWidget* old, QWidget* now)
{
    if (!old || !now || old->window() != m_window || m_sidebar->isAncestorOf(old)
        || !m_sidebar->isAncestorOf(now)) {
        return;
    }
    // Only later is it known whether the old control was left or taken away.
    QTimer::singleShot(0, this, [this, left = QPointer(old), taken = QPointer(now)] {
        const bool lost = !left || !left->isVisible() || !left->isEnabled();
        if (lost && taken && taken->hasFocus()) {
            m_pages->focusPage();
        }
    });
}

} // namespace slipway

#include "moc_focuskeeper.cpp"
