// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/slurmcontext.h"

#include <QRegularExpression>

namespace slipway {

QCoro::Task<Result<CommandOutput>> runOn(std::shared_ptr<SlurmContext> side, QByteArray script,
    int calls, std::chrono::milliseconds timeout)
{
    side->budget->spend(calls);
    RunOptions options;
    options.timeout = timeout;
    const QByteArray whole = side->preamble + script;
    auto output = co_await side->shell->run(whole, options);
    co_return output;
}

bool isJobIdText(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("\\A[0-9]{1,10}(?:_[0-9]{1,10})?\\z"));
    return form.match(text).hasMatch();
}

} // namespace slipway
