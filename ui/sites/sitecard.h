// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"
#include "app/engine/engine.h"
#include "ui/parts/text.h"

namespace slipway {

/// SiteCard shows one cluster on the Sites page: its hardware, its login methods, and a button to
/// connect; one of the user's own can be edited, queried again and removed. GUI thread; SitesPage
/// owns it.
class SiteCard : public QFrame {
    Q_OBJECT

public:
    explicit SiteCard(const Site& site, QWidget* parent = nullptr);
    const QString& siteId() const { return m_siteId; }
    void setConnection(const ConnectionState& state);
    void focusAction() { m_main->setFocus(); }
    bool isLaunchable() const { return m_launchable; }
    bool isConnected() const { return m_connected; }
    /// Whether its main button is the one thing to do next.
    void setAccent(bool accent);

signals:
    void connectRequested(const QString& siteId);
    void disconnectRequested(const QString& siteId);
    void launchRequested(const QString& siteId);
    void aboutRequested(const QString& siteId);
    void cleanupRequested(const QString& siteId);
    // Of the user's own sites:
    void editRequested(const QString& siteId);
    void lookAgainRequested(const QString& siteId);
    void removeRequested(const QString& siteId);

private:
    QWidget* makeOwnActions();

    QString m_siteId;
    QString m_name;
    bool m_launchable; ///< false: archived or not supported, for reading only
    bool m_connected = false;
    TextLabel* m_login;
    QString m_loginLine;
    QPushButton* m_main;
    QPushButton* m_leave;
    QPushButton* m_cleanup;
};

} // namespace slipway
