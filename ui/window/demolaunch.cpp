// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/demolaunch.h"

#include "ui/sites/democard.h"
#include "ui/sites/sitespage.h"

#include <QPointer>

namespace slipway {

DemoLaunch::DemoLaunch(SitesPage* sites, QObject* parent)
    : QObject(parent)
    , m_sites(sites)
{
    connect(sites->demoCard(), &DemoCard::started, this, &DemoLaunch::advance);
    connect(sites->demoCard(), &DemoCard::startFailed, this, &DemoLaunch::cancel);
}

void DemoLaunch::setEngine(Engine* engine)
{
    m_engine = engine;
    refresh();
}

void DemoLaunch::run(const QString& recipeId)
{
    m_recipe = recipeId;
    if (m_engine && !m_refreshing) {
        refresh();
    }
}

bool DemoLaunch::waitsFor(const QString& siteId) const
{
    return !m_recipe.isEmpty() && siteId == m_sites->demoSiteId();
}

QCoro::Task<void> DemoLaunch::refresh()
{
    const QPointer<DemoLaunch> self(this);
    m_refreshing = true;
    const Result<DemoState> state = co_await m_engine->sessions()->demoCluster()->refresh();
    if (!self) {
        co_return;
    }
    m_refreshing = false;
    if (m_recipe.isEmpty()) {
        co_return;
    }
    if (state.ok() && *state == DemoState::Running) {
        advance();
    } else {
        m_sites->demoCard()->start();
    }
}

void DemoLaunch::advance()
{
    const QString siteId = m_sites->demoSiteId();
    if (siteId.isEmpty() || m_recipe.isEmpty()) {
        return;
    }
    if (m_engine->sessions()->connection(siteId).phase != ConnectionState::Phase::Connected) {
        emit connectRequested(siteId);
        return;
    }
    LaunchSpec spec;
    spec.siteId = siteId;
    spec.recipeId = std::exchange(m_recipe, {});
    emit launchRequested(spec);
}

} // namespace slipway

#include "moc_demolaunch.cpp"
