// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/connect/connectflow.h"

#include "ui/connect/dialogprompter.h"

#include <QSettings>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QString userKey(const QString& siteId)
{
    return u"user/"_s % siteId;
}

} // namespace

ConnectFlow::ConnectFlow(Engine* engine, QWidget* window)
    : QObject(window)
    , m_engine(engine)
    , m_window(window)
{
}

ConnectDialog* ConnectFlow::dialog() const
{
    return m_dialog;
}

QString ConnectFlow::rememberedUser(const QString& siteId)
{
    return QSettings().value(userKey(siteId)).toString();
}

void ConnectFlow::rememberUser(const QString& siteId, const QString& user)
{
    QSettings().setValue(userKey(siteId), user);
}

void ConnectFlow::connectTo(const QString& siteId)
{
    if (m_dialog) {
        m_dialog->raise();
        return;
    }
    const Site* site = m_engine->catalogue()->site(siteId);
    if (!site) {
        return;
    }
    m_dialog = new ConnectDialog(*site, rememberedUser(siteId), m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->setModal(true);
    connect(m_dialog, &ConnectDialog::loginChosen, this,
        [this, siteId](const QString& host, const QString& user) {
            rememberUser(siteId, user);
            run(siteId, host, user);
        });
    connect(m_dialog, &ConnectDialog::cancelled, this,
        [this, siteId] { m_engine->sessions()->disconnectSite(siteId); });
    m_dialog->open();
    // The demo cluster provides its own user name and key, so there is nothing to choose.
    if (!site->providedBy.isEmpty()) {
        connect(m_dialog, &ConnectDialog::retryRequested, this,
            [this, siteId] { run(siteId, {}, {}); });
        run(siteId, {}, {});
    } else {
        connect(m_dialog, &ConnectDialog::retryRequested, m_dialog, &ConnectDialog::showLogin);
    }
}

QCoro::Task<void> ConnectFlow::run(QString siteId, QString host, QString user)
{
    const QPointer<ConnectFlow> self(this);
    const QPointer<ConnectDialog> shown(m_dialog);
    const auto prompter = std::make_shared<DialogPrompter>(shown);
    shown->showProgress(tr("Waiting for the server…"));
    const Result<void> result =
        co_await m_engine->sessions()->connectSite(siteId, prompter.get(), user, host);
    if (!self) {
        co_return;
    }
    if (result.ok()) {
        if (!shown || !shown->isVisible()) { // cancelled just before the login succeeded
            m_engine->sessions()->disconnectSite(siteId);
            co_return;
        }
        shown->accept();
        emit connected(siteId);
        co_return;
    }
    const Error error = result.error();
    if (shown && shown->isVisible()) {
        if (error.kind == ErrorKind::HostKey && !prompter->hostKeyAsked()) {
            shown->showHardStop(error);
        } else if (error.kind == ErrorKind::Cancelled || error.kind == ErrorKind::HostKey) {
            shown->accept();
        } else {
            shown->showError(error);
        }
    }
    emit ended(siteId, error);
}

} // namespace slipway

#include "moc_connectflow.cpp"
