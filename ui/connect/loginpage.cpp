// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/connect/loginpage.h"

#include "ui/parts/text.h"
#include "ui/sites/sitewords.h"

#include <QComboBox>
#include <QLineEdit>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

LoginPage::LoginPage(const Site& site, const QString& lastUser, QWidget* parent)
    : QWidget(parent)
    , m_host(new QComboBox)
    , m_user(new QLineEdit)
    , m_action(makeButton(tr("Connect"), ButtonKind::Primary, this))
{
    m_host->setAccessibleName(tr("Login node"));
    m_user->setAccessibleName(tr("User name"));
    m_user->setObjectName(u"userName"_s);
    m_host->setObjectName(u"loginHost"_s);
    fillFields(site, lastUser);
    const bool hostAsked = site.logins.empty();
    m_action->setObjectName(u"startConnect"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(new TextLabel(tr("Connect to %1").arg(site.name), "title"));
    layout->addWidget(TextLabel::paragraph(
        loginLine(site).isEmpty() ? placeLine(site) : tr("Login with: %1").arg(loginLine(site)),
        "second"));
    layout->addSpacing(8);
    auto* userLabel = new TextLabel(tr("User name"));
    userLabel->setBuddy(m_user);
    layout->addWidget(userLabel);
    layout->addWidget(m_user);
    auto* hostLabel = new TextLabel(tr("Login node"));
    hostLabel->setBuddy(m_host);
    layout->addWidget(hostLabel);
    layout->addWidget(m_host);
    hostLabel->setVisible(hostAsked || site.logins.size() > 1);
    m_host->setVisible(hostAsked || site.logins.size() > 1);
    if (!site.logins.empty() && !site.logins.front().note.isEmpty()) {
        layout->addWidget(TextLabel::paragraph(site.logins.front().note, "caption"));
    }
    layout->addStretch();
    setFocusProxy(hostAsked ? static_cast<QWidget*>(m_host) : m_user);
    const auto choose = [this, hostAsked] {
        if (hostAsked) {
            emit chosen(m_host->currentText().trimmed(), m_user->text().trimmed());
            return;
        }
        emit chosen(m_host->currentIndex() > 0 ? m_host->currentData().toString() : QString(),
            m_user->text().trimmed());
    };
    connect(m_action, &QPushButton::clicked, this, choose);
    connect(m_user, &QLineEdit::returnPressed, this, choose);
}

void LoginPage::fillFields(const Site& site, const QString& lastUser)
{
    for (const SiteLogin& login : site.logins) {
        m_host->addItem(
            login.purpose.isEmpty() ? login.name() : login.name() % u" · "_s % login.purpose,
            login.name());
    }
    if (site.logins.empty()) { // the site file names no login node
        m_host->setEditable(true);
        m_host->lineEdit()->setPlaceholderText(
            tr("login.example.org, or a host alias from ~/.ssh/config"));
    }
    const QString siteUser = site.logins.empty() ? QString() : site.logins.front().user;
    m_user->setText(lastUser.isEmpty() ? siteUser : lastUser);
    const QString here = qEnvironmentVariable("USER");
    m_user->setPlaceholderText(
        here.isEmpty() ? tr("from ~/.ssh/config") : tr("from ~/.ssh/config, or %1").arg(here));
}

} // namespace slipway

#include "moc_loginpage.cpp"
