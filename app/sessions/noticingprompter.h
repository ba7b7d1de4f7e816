// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/prompter.h"

#include <QString>

namespace slipway {

/// NoticingPrompter passes the questions of a login on, and notices whether a person had to give an
/// answer that the next login needs again: a password, a code, a passphrase that was not given to
/// the keychain, an approval on a phone, a touch of a key. Without a prompter behind it, every
/// question is declined: for an attempt in which nobody is asked. Lives on the GUI (or main)
/// thread; the login that it is for keeps it.
class NoticingPrompter : public Prompter {
public:
    /// `behind` must outlive this; null: decline.
    explicit NoticingPrompter(Prompter* behind)
        : m_behind(behind)
    {
    }

    /// An answer or an approval was needed and is not kept, here or in the program that shares its
    /// connection.
    bool asked() const { return m_asked; }
    /// What was declined, in a sentence; empty: nothing.
    const QString& declined() const { return m_declined; }
    /// What was said about the login and needed no answer.
    const QStringList& notices() const { return m_notices; }

    QCoro::Task<std::optional<QStringList>> answer(PromptRound round) override;
    bool keepsAnswer() const override { return m_behind && m_behind->keepsAnswer(); }
    QCoro::Task<bool> acceptHostKey(HostKeyQuestion question) override;
    QCoro::Task<bool> acceptCommand(CommandQuestion question) override;
    void showBanner(const QString& text) override;
    void showNotice(const QString& text) override;
    void noteApproval(const QString& text) override;
    void noteSharedAnswers() override { m_asked = true; }

private:
    Prompter* m_behind;
    bool m_asked = false;
    QString m_declined;
    QStringList m_notices;
};

} // namespace slipway
