// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/sitefinder.h"

#include <QDialog>
#include <QPointer>

class QPushButton;
class QStackedWidget;

namespace slipway {

class ConnectDialog;
class ErrorView;
class FoundSitePage;
class OwnHostPage;
class TextLabel;
class Timeline;
class Engine;

/// AddCluster creates a site file for a cluster that has none: the address of a login node, the
/// stages of the queries, what was found and what is unknown, and Save. The prompts of the server
/// are shown in a ConnectDialog. GUI thread; it deletes itself when it is closed.
class AddCluster : public QDialog {
    Q_OBJECT

public:
    AddCluster(Engine* engine, QWidget* parent = nullptr);

    /// Starts the queries, as the button of the first page does.
    void start(const QString& host, const QString& user, int port);
    /// Queries a site of the user's own again; what only its file says is kept.
    void lookAgain(const Site& site);

signals:
    void saved(const QString& siteId);

private:
    QCoro::Task<void> run(ConnectTarget target, int attempt);
    void openLogin(const QString& host);
    void showStage(SiteFinder::Stage stage);
    void showError(const Error& error);
    void showFound(const FoundSite& found);
    void giveUp();
    void save();
    QByteArray fileOf(const FoundSite& found) const;
    void turnTo(QWidget* page);
    QWidget* makeStagesPage();

    Engine* m_engine;
    QStackedWidget* m_pages;
    OwnHostPage* m_host;
    QWidget* m_stages = nullptr;
    TextLabel* m_asking = nullptr;
    Timeline* m_timeline = nullptr;
    ErrorView* m_error = nullptr;
    FoundSitePage* m_found;
    QPushButton* m_close;
    QPointer<SiteFinder> m_finder;
    QPointer<ConnectDialog> m_login;
    QString m_user;
    std::optional<Site> m_again; ///< the site that is queried again
    int m_attempt = 0; ///< number of the current attempt; the answer to an older one is dropped
};

} // namespace slipway
