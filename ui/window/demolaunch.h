// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QObject>

namespace slipway {

class SitesPage;

/// DemoLaunch runs one recipe on the demo cluster: it starts the cluster if it is not running,
/// requests a connection and then the launch. GUI thread; MainWindow owns it.
class DemoLaunch : public QObject {
    Q_OBJECT

public:
    DemoLaunch(SitesPage* sites, QObject* parent);
    /// Reads the state of the cluster, and starts a recipe that is waiting for it.
    void setEngine(Engine* engine);

    void run(const QString& recipeId);
    /// Whether a recipe is waiting for a connection to this site.
    bool waitsFor(const QString& siteId) const;
    /// Takes the next step that is possible, if a recipe is waiting.
    void advance();
    void cancel() { m_recipe.clear(); }

signals:
    void connectRequested(const QString& siteId);
    void launchRequested(const slipway::LaunchSpec& spec);

private:
    QCoro::Task<void> refresh();

    Engine* m_engine = nullptr;
    SitesPage* m_sites;
    QString m_recipe; ///< the recipe that is waiting for the demo cluster
    bool m_refreshing = false;
};

} // namespace slipway
