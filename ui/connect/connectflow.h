// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QObject>
#include <QPointer>

namespace slipway {

class ConnectDialog;

/// ConnectFlow carries out a login: it opens the dialog, drives the engine and ends with one of its
/// two signals. One login at a time; a second request brings the dialog of the first to the front.
/// GUI thread; MainWindow owns it.
class ConnectFlow : public QObject {
    Q_OBJECT

public:
    ConnectFlow(Engine* engine, QWidget* window);

    void connectTo(const QString& siteId);
    ConnectDialog* dialog() const;
    /// The user name that the next login to a site starts with.
    static QString rememberedUser(const QString& siteId);
    static void rememberUser(const QString& siteId, const QString& user);

signals:
    void connected(const QString& siteId);
    void ended(const QString& siteId, const slipway::Error& error);

private:
    QCoro::Task<void> run(QString siteId, QString host, QString user);

    Engine* m_engine;
    QWidget* m_window;
    QPointer<ConnectDialog> m_dialog;
};

} // namespace slipway
