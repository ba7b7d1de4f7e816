// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QWidget>

class QScrollArea;

namespace slipway {

class CardGrid;
class DemoCard;
class SiteCard;

/// SitesPage lets the person choose where to run: the demo cluster first, then one card per site,
/// the person's own and those of earlier runs before the others.
/// It is created before the engine; setEngine() fills it. GUI thread; PageStack owns it.
class SitesPage : public QWidget {
    Q_OBJECT

public:
    explicit SitesPage(QWidget* parent = nullptr);
    void setEngine(Engine* engine);
    DemoCard* demoCard() const { return m_demo; }
    /// The id of the site that the demo cluster provides; empty if there is none.
    QString demoSiteId() const;
    /// Scrolls to the card of a site and puts the focus on its first button.
    void showSite(const QString& siteId);

signals:
    void addRequested();
    void connectRequested(const QString& siteId);
    void disconnectRequested(const QString& siteId);
    void launchRequested(const QString& siteId);
    void aboutRequested(const QString& siteId);
    void cleanupRequested(const QString& siteId);

private:
    void refill();
    void showResourceErrors();
    void showConnection(const QString& siteId);
    void showAccent();
    SiteCard* makeCard(const Site& site);
    QHash<QString, QDateTime> lastUse() const;
    int jobsAt(const QString& siteId) const;
    void editSite(const QString& siteId);
    void lookAgain(const QString& siteId);
    void confirmRemoval(const QString& siteId);
    void removeSite(const QString& siteId);
    void addNotice(const Error& error);

    Engine* m_engine = nullptr;
    DemoCard* m_demo;
    QWidget* m_notice;
    QScrollArea* m_scroll;
    CardGrid* m_grid;
    QList<SiteCard*> m_cards;
    QStringList m_preferred; ///< ids of the person's own sites and of those with runs
};

} // namespace slipway
