// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QRect>

class QWidget;

namespace slipway {

class PageStack;

/// `wanted`, made smaller and moved until it lies in `room`.
QRect fittedGeometry(const QRect& wanted, const QRect& room);

/// Gives the window its last size and place, or the usual size, on the screen as it is now.
void placeWindow(QWidget& window);
/// Shows the page or the run that was shown last; a run that is no longer there: the list.
void showLastPage(PageStack& pages);
/// For the next start.
void rememberPlace(const QWidget& window, const PageStack& pages);

} // namespace slipway
