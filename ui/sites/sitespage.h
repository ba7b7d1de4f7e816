// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/workbench.h"

#include <QWidget>

class QScrollArea;

namespace slipway {

class CardGrid;
class DemoCard;
class SiteCard;

/// SitesPage asks where to run: the demo cluster first, then a card a site. It stands before the
/// engine does; setWorkbench() fills it.
class SitesPage : public QWidget {
    Q_OBJECT

public:
    explicit SitesPage(QWidget* parent = nullptr);
    void setWorkbench(Workbench* workbench);
    DemoCard* demoCard() const { return m_demo; }
    /// The id of the site that the demo cluster provides; empty when there is none.
    QString demoSiteId() const;
    /// Brings a site's card into view, its first button ready for the keyboard.
    void showSite(const QString& siteId);

signals:
    void addRequested();
    void connectRequested(const QString& siteId);
    void disconnectRequested(const QString& siteId);
    void launchRequested(const QString& siteId);
    void aboutRequested(const QString& siteId);
    void guestsRequested(const QString& siteId);

private:
    void refill();
    void showResourceErrors();
    void showConnection(const QString& siteId);

    Workbench* m_workbench = nullptr;
    DemoCard* m_demo;
    QWidget* m_notice;
    QScrollArea* m_scroll;
    CardGrid* m_grid;
    QList<SiteCard*> m_cards;
};

} // namespace slipway
