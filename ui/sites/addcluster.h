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

/// AddCluster leads from a host that no site file describes to a site file of the person's own:
/// where to log in, the stages of asking, what was found and what is unknown, Save. The server's
/// prompts come in a ConnectDialog before it. Owned by the window.
class AddCluster : public QDialog {
    Q_OBJECT

public:
    AddCluster(Engine* engine, QWidget* parent = nullptr);

    /// Asks the cluster at once; what the first page's button does.
    void start(const QString& host, const QString& user, int port);

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
    int m_attempt = 0; ///< what is under way; an answer to an older one is dropped
};

} // namespace slipway
