// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/broker/brokerprogram.h"

#include <QPointer>

namespace slipway {

/// ProgramPrompter asks the person at the program that leads a login, and remembers what was said.
/// Lives on the broker's main thread, in the login that it is for.
class ProgramPrompter : public Prompter {
public:
    explicit ProgramPrompter(BrokerProgram* leader)
        : m_leader(leader)
    {
    }

    bool asked() const { return m_asked; } ///< an answer was given, or an approval elsewhere
    bool declined() const { return m_declined; } ///< a question was declined
    const QStringList& notices() const { return m_notices; }

    QCoro::Task<std::optional<QStringList>> answer(PromptRound round) override;
    QCoro::Task<bool> acceptHostKey(HostKeyQuestion question) override;
    QCoro::Task<bool> acceptCommand(CommandQuestion question) override;
    void showBanner(const QString& text) override;
    void showNotice(const QString& text) override;
    void noteApproval(const QString& text) override;

private:
    QCoro::Task<bool> accepted(LoginQuestion question);

    QPointer<BrokerProgram> m_leader;
    bool m_asked = false;
    bool m_declined = false;
    QStringList m_notices;
};

} // namespace slipway
