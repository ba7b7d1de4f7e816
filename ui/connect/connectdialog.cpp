// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/connect/connectdialog.h"

#include "ui/connect/commandpage.h"
#include "ui/connect/hostkeypage.h"
#include "ui/connect/loginpage.h"
#include "ui/connect/promptpage.h"
#include "ui/parts/announce.h"
#include "ui/parts/errorview.h"

#include <QPlainTextEdit>
#include <QProgressBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

ConnectDialog::ConnectDialog(const Site& site, const QString& lastUser, QWidget* parent)
    : QDialog(parent)
    , m_siteName(site.name)
    , m_banner(new QPlainTextEdit)
    , m_pages(new QStackedWidget)
    , m_progress(makeProgressPage())
    , m_errorPage(makeErrorPage())
    , m_hostKey(new HostKeyPage)
    , m_changedKey(new ChangedKeyPage)
    , m_command(new CommandPage)
    , m_prompt(new PromptPage)
    , m_close(makeButton(tr("Cancel")))
{
    setObjectName(u"connectDialog"_s);
    setWindowTitle(tr("Connect to %1").arg(site.name));
    setMinimumWidth(520);
    auto* login = new LoginPage(site, lastUser);
    m_login = login;
    m_loginAction = login->action();
    for (QWidget* page : {m_login, m_progress, m_errorPage}) {
        m_pages->addWidget(page);
    }
    m_pages->addWidget(m_hostKey);
    m_pages->addWidget(m_changedKey);
    m_pages->addWidget(m_command);
    m_pages->addWidget(m_prompt);
    m_banner->setReadOnly(true);
    m_banner->setProperty("code", true);
    m_banner->setAccessibleName(tr("Message from the server"));
    m_banner->setObjectName(u"banner"_s);
    m_banner->setTabChangesFocus(true);
    m_banner->hide();
    m_close->setObjectName(u"closeConnect"_s);
    auto* bottom = new QHBoxLayout;
    bottom->setSpacing(8);
    bottom->addStretch();
    bottom->addWidget(m_close);
    bottom->addWidget(m_loginAction);
    bottom->addWidget(m_prompt->action());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(12);
    layout->addWidget(m_banner);
    layout->addWidget(m_pages, 1);
    layout->addLayout(bottom);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(login, &LoginPage::chosen, this, &ConnectDialog::loginChosen);
    connect(m_prompt, &PromptPage::answered, this, [this](const QStringList& answers, bool keep) {
        m_keepsAnswer = keep;
        showProgress(tr("Checking your answer…"));
        emit answered(answers);
    });
    connect(m_hostKey, &HostKeyPage::decided, this, [this](bool accept) {
        showProgress(accept ? tr("Continuing…") : tr("Stopping…"));
        emit hostKeyDecided(accept);
    });
    connect(m_command, &CommandPage::decided, this, [this](bool accept) {
        showProgress(accept ? tr("Continuing…") : tr("Stopping…"));
        emit commandDecided(accept);
    });
    showLogin();
}

QWidget* ConnectDialog::makeProgressPage()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(new TextLabel(tr("Connecting to %1").arg(m_siteName), "title"));
    m_progressText = TextLabel::paragraph({}, "second");
    m_progressText->setObjectName(u"progressText"_s);
    layout->addWidget(m_progressText);
    auto* bar = new QProgressBar;
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setAccessibleName(tr("Connecting"));
    layout->addWidget(bar);
    layout->addStretch();
    return page;
}

QWidget* ConnectDialog::makeErrorPage()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(new TextLabel(tr("Not connected to %1").arg(m_siteName), "title"));
    m_error = new ErrorView;
    m_error->setAction(tr("Try again"));
    layout->addWidget(m_error);
    layout->addStretch();
    connect(m_error, &ErrorView::actionRequested, this, &ConnectDialog::retryRequested);
    return page;
}

void ConnectDialog::turnTo(QWidget* page, const QString& closeVerb)
{
    m_pages->setCurrentWidget(page);
    m_close->setText(closeVerb);
    m_close->setAccessibleName(closeVerb);
    m_close->setVisible(page != m_hostKey && page != m_command); // these have their own
    m_loginAction->setVisible(page == m_login);
    m_prompt->action()->setVisible(page == m_prompt);
    QWidget* first = page->focusProxy();
    (first ? first : m_close)->setFocus();
    adjustSize();
}

void ConnectDialog::showLogin()
{
    turnTo(m_login, tr("Cancel"));
}

void ConnectDialog::showProgress(const QString& sentence)
{
    m_progressText->setText(sentence);
    announce(m_progressText, sentence);
    turnTo(m_progress, tr("Cancel"));
}

void ConnectDialog::ask(const PromptRound& round)
{
    m_prompt->setRound(round);
    turnTo(m_prompt, tr("Cancel"));
}

void ConnectDialog::askHostKey(const HostKeyQuestion& question)
{
    m_hostKey->setQuestion(question);
    turnTo(m_hostKey, tr("Cancel"));
}

void ConnectDialog::askCommand(const CommandQuestion& question)
{
    m_command->setQuestion(question);
    turnTo(m_command, tr("Cancel"));
}

void ConnectDialog::showBanner(const QString& text)
{
    m_banner->setPlainText(text.trimmed());
    m_banner->setVisible(!text.trimmed().isEmpty());
    const int lines = std::clamp(m_banner->blockCount(), 1, 8);
    m_banner->setFixedHeight(lines * m_banner->fontMetrics().lineSpacing() + 30);
    adjustSize();
}

void ConnectDialog::showError(const Error& error)
{
    m_error->setError(error);
    turnTo(m_errorPage, tr("Close"));
}

void ConnectDialog::showHardStop(const Error& error)
{
    m_changedKey->setError(error);
    turnTo(m_changedKey, tr("Close"));
}

void ConnectDialog::done(int result)
{
    if (result == Rejected) {
        emit cancelled();
        emit answered(std::nullopt);
        emit hostKeyDecided(false);
        emit commandDecided(false);
    }
    QDialog::done(result);
}

} // namespace slipway

#include "moc_connectdialog.cpp"
