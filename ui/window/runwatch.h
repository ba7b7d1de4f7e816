// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/window/desktopbus.h"

#include <QHash>
#include <QSet>
#include <QTimer>

#include <memory>
#include <optional>

namespace slipway {

class PageStack;

/// The title of the window: "Slipway", "Slipway – 2 running", "▶ 45 % · Matmul scaling – Slipway".
/// Pure.
QString windowTitleOf(int running, const QString& name, std::optional<double> share);

/// How far a run is by what its program printed, from 0 to 1. Downloads, layers of an image
/// and ranks that have started are not the run. Pure.
std::optional<double> shareOf(const std::optional<RunProgress>& progress);

/// RunWatch watches all runs for a person who is looking elsewhere: what is to be told, unless the
/// window shows that run just now, and how far things are, in the title of the window as well. Only
/// runs on connected sites count as running. GUI thread; MainWindow owns it.
class RunWatch : public QObject {
    Q_OBJECT

public:
    RunWatch(Engine* engine, PageStack* pages, QWidget* window);

signals:
    void noted(const slipway::DesktopNote& note);
    void progressed(int running, std::optional<double> share);

private:
    void onRun(const QString& runId);
    void tick();
    void checkTime(const Run& run);
    void follow(const QStringList& running);
    void showProgress(int running);
    void tell(const QString& runId, const std::optional<RunNews>& news);
    bool isKnownToRun(const Run& run) const;
    bool isInFront(const QString& runId) const;
    QString siteName(const Run& run) const;

    Engine* m_engine;
    PageStack* m_pages;
    QWidget* m_window;
    QTimer m_timer;
    QHash<QString, RunPhase> m_phases;
    QHash<QString, WallTime> m_limits; ///< of runs that were running, as launched
    QSet<QString> m_timeTold;
    QString m_followed; ///< the running run that was shown last
    std::shared_ptr<RunFeed> m_feed; ///< its log
    std::optional<std::pair<int, std::optional<double>>> m_reported;
};

} // namespace slipway
