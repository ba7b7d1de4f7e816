// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/secrets/loginpasswords.h"

#include <QMap>
#include <QPointer>
#include <QStringList>

namespace slipway {

/// KeepingPrompter answers a login with the passwords and passphrases that the keychain keeps, each
/// at most once in a login, and passes every other question on. What a person asks to keep is
/// written when the login has succeeded, by keepAnswers(). A second factor always goes to the
/// person. GUI (or main) thread; the login that it is for owns it.
class KeepingPrompter : public Prompter {
public:
    /// `behind` must outlive this. Without a store nothing is kept or offered.
    KeepingPrompter(Prompter* behind, SecretStore* store);
    ~KeepingPrompter() override;

    QCoro::Task<std::optional<QStringList>> answer(PromptRound round) override;
    bool keepsAnswer() const override { return m_behind->keepsAnswer(); }
    QCoro::Task<bool> acceptHostKey(HostKeyQuestion question) override;
    QCoro::Task<bool> acceptCommand(CommandQuestion question) override;
    void showBanner(const QString& text) override;
    void showNotice(const QString& text) override;
    void noteApproval(const QString& text) override { m_behind->noteApproval(text); }
    /// What this login was asked is known behind it already.
    void noteSharedAnswers() override
    {
        if (!m_led)
            m_behind->noteSharedAnswers();
    }

    /// After a login that succeeded: writes what the person asked to keep. The keychain may ask for
    /// its own password first, so the connection does not wait for this. Ends with the first error.
    static QCoro::Task<Result<void>> keep(
        QPointer<SecretStore> store, QMap<QString, QString> answers);
    /// What is to be kept, by name; it is no longer held here.
    QMap<QString, QString> takeAnswers();

private:
    QCoro::Task<std::optional<QString>> kept(QString name);

    Prompter* m_behind;
    QPointer<SecretStore> m_store;
    bool m_led = false; ///< a question was asked here
    QStringList m_used; ///< names that were looked up in this login
    QMap<QString, QString> m_answers; ///< to be kept if the login succeeds
};

} // namespace slipway
