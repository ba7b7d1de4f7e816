// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QFrame>
#include <QSet>

#include <vector>

class QVBoxLayout;

namespace slipway {

/// Runs that had not ended when they were last seen, at a site without a connection. A value.
struct RunsToFollow {
    QString siteId;
    int count = 0;

    bool operator==(const RunsToFollow&) const = default;
};

/// One row for each site of `siteIds` with such runs, in the order of the runs. Pure.
std::vector<RunsToFollow> runsToFollow(const std::vector<Run>& runs, const QSet<QString>& siteIds);

/// FollowNotice says at the top of the window which runs were going when Slipway was last connected
/// to their site: one row for each site, with a button that connects and one that dismisses it. GUI
/// thread; MainWindow owns it.
class FollowNotice : public QFrame {
    Q_OBJECT

public:
    explicit FollowNotice(QWidget* parent = nullptr);
    void setEngine(Engine* engine);

signals:
    void connectRequested(const QString& siteId);

private:
    void refill();
    void drop(const QString& siteId);
    void addRow(const Site& site, int count);

    Engine* m_engine = nullptr;
    QSet<QString> m_sites; ///< neither connected since the start nor dismissed
    std::vector<RunsToFollow> m_shown;
    QVBoxLayout* m_rows;
};

} // namespace slipway
