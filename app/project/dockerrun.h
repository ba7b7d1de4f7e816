// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/dockerfilelines.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace slipway {

/// The shell of RUN, and of ENTRYPOINT and CMD in their shell form. A value.
struct DockerShell {
    QStringList words{QStringLiteral("/bin/sh"), QStringLiteral("-c")};
    bool isSection = true; ///< %post itself runs in it

    /// A command as words of its own: /bin/sh -c '…'.
    QString command(const QString& text) const;
};

/// The options of a SHELL that can be set within a script: {"-o pipefail", "-u"}; none: it is
/// neither sh nor bash, or has other options.
std::optional<QStringList> shellOptions(const QStringList& words);
bool isBash(const QStringList& words);

/// The lines of %post for a RUN. What a RUN does to its own shell (cd, variables, options) ends
/// with it, as in Docker. Pure.
QStringList runLines(const DockerInstruction& run, const DockerShell& shell);

} // namespace slipway
