// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"
#include "remote/shell/prompter.h"

#include <QDialog>

#include <optional>

class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace slipway {

class ChangedKeyPage;
class CommandPage;
class ErrorView;
class HostKeyPage;
class PromptPage;
class TextLabel;

/// ConnectDialog shows one login to the person: user name and login node, progress, the host key,
/// the prompts of the server, and the error if it failed. It knows no connection; ConnectFlow
/// drives it. GUI thread; it deletes itself when it is closed.
class ConnectDialog : public QDialog {
    Q_OBJECT

public:
    ConnectDialog(const Site& site, const QString& lastUser, QWidget* parent = nullptr);

    void showLogin();
    void showProgress(const QString& sentence);
    void ask(const PromptRound& round);
    void askHostKey(const HostKeyQuestion& question);
    void askCommand(const CommandQuestion& question);
    void showBanner(const QString& text);
    /// The person asked to keep the last answer.
    bool keepsAnswer() const { return m_keepsAnswer; }
    void showError(const Error& error);
    /// A changed host key: the person cannot continue from here.
    void showHardStop(const Error& error);

signals:
    void loginChosen(const QString& host, const QString& user);
    void answered(const std::optional<QStringList>& answers);
    void hostKeyDecided(bool accept);
    void commandDecided(bool accept);
    void retryRequested();
    /// The person cancelled; the login in progress is to be ended.
    void cancelled();

protected:
    void done(int result) override;

private:
    void turnTo(QWidget* page, const QString& closeVerb);
    QWidget* makeProgressPage();
    QWidget* makeErrorPage();

    QString m_siteName;
    QPlainTextEdit* m_banner;
    QStackedWidget* m_pages;
    QWidget* m_login;
    TextLabel* m_progressText = nullptr;
    ErrorView* m_error = nullptr;
    QWidget* m_progress;
    QWidget* m_errorPage;
    HostKeyPage* m_hostKey;
    ChangedKeyPage* m_changedKey;
    CommandPage* m_command;
    PromptPage* m_prompt;
    QPushButton* m_loginAction;
    QPushButton* m_close;
    bool m_keepsAnswer = false;
};

} // namespace slipway
