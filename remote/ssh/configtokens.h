// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QMap>
#include <QString>

#include <functional>
#include <optional>

namespace slipway {

struct ResolvedTarget;

/// What a "%" letter stands for, as in the TOKENS section of ssh_config(5).
using ConfigTokens = QMap<QChar, QString>;

/// The tokens of a target whose host, port and user are known: %C %d %h %i %j %k %L %l %n %p %r %u.
ConfigTokens tokensOf(const ResolvedTarget& target, const QString& home);

/// Expands "%h" and "%%". An unknown token is an error that names the option, as for ssh. Pure.
Result<QString> withTokens(const QString& text, const ConfigTokens& tokens, const QString& option);

/// Expands "${NAME}". A variable that is not set is an error that names the option, as for ssh.
Result<QString> withVariables(const QString& text, const QString& option,
    const std::function<std::optional<QString>(const QString& name)>& environment);

/// Expands "~" and what stands for other things in every option of the target that may have them;
/// `ssh -G` prints them as they are written.
Result<void> expandTarget(ResolvedTarget& target, const QString& home);

} // namespace slipway
