// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/shell/shell.h"

#include "remote/shell/framedrun.h"

namespace slipway {

QCoro::Task<Result<CommandOutput>> Shell::run(QByteArray script, RunOptions options)
{
    FramedRequest request;
    request.script = std::move(script);
    request.timeout = options.timeout;
    request.outputLimit = options.outputLimit;
    request.where = displayName();
    FramedRun framed(*this, std::move(request));
    auto result = co_await framed.result();
    co_return result;
}

QByteArray shellQuoted(const QByteArray& text)
{
    QByteArray quoted = text;
    quoted.replace('\'', "'\\''");
    return '\'' + quoted + '\'';
}

QByteArray shellQuoted(const QString& text)
{
    return shellQuoted(text.toUtf8());
}

} // namespace slipway
