// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/windowplace.h"

#include "ui/runs/runpage.h"
#include "ui/window/pagestack.h"

#include <QGuiApplication>
#include <QScreen>
#include <QSettings>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize usualSize(1440, 900);
constexpr QSize leastSize(820, 560);
constexpr int titleBar = 32; ///< not part of the geometry, and not known before the window is shown

const QString geometryKey = u"window/geometry"_s;
const QString pageKey = u"window/page"_s;
const QString runKey = u"window/run"_s;

} // namespace

QRect fittedGeometry(const QRect& wanted, const QRect& room)
{
    const QSize size = wanted.size().boundedTo(room.size());
    const QPoint corner(std::clamp(wanted.left(), room.left(), room.right() + 1 - size.width()),
        std::clamp(wanted.top(), room.top(), room.bottom() + 1 - size.height()));
    return {corner, size};
}

void placeWindow(QWidget& window)
{
    window.resize(usualSize);
    const bool restored = window.restoreGeometry(QSettings().value(geometryKey).toByteArray());
    const QScreen* screen = QGuiApplication::screenAt(window.geometry().center());
    screen = screen ? screen : QGuiApplication::primaryScreen();
    if (!screen) {
        return;
    }
    const QRect room = screen->availableGeometry().adjusted(0, titleBar, 0, 0);
    window.setMinimumSize(leastSize.boundedTo(room.size()));
    const QRect fitted = fittedGeometry(window.geometry(), room);
    if (!restored) {
        window.resize(fitted.size()); // the window manager chooses the place
    } else if (!(window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen))) {
        window.setGeometry(fitted);
    }
}

void showLastPage(PageStack& pages)
{
    const QSettings settings;
    const int page = settings.value(pageKey, 0).toInt();
    const QString run = settings.value(runKey).toString();
    if (page == PageStack::RunsIndex && !run.isEmpty() && pages.hasRun(run)) {
        pages.openRun(run);
    } else if (page > PageStack::SitesIndex && page < PageStack::PageCount) {
        pages.showPage(PageStack::Page(page));
        pages.focusPage();
    }
}

void rememberPlace(const QWidget& window, const PageStack& pages)
{
    QSettings settings;
    settings.setValue(geometryKey, window.saveGeometry());
    settings.setValue(pageKey, pages.currentIndex());
    const RunPage* run = pages.shownRun();
    settings.setValue(runKey, run ? run->runId() : QString());
}

} // namespace slipway
