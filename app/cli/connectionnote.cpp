// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/connectionnote.h"

#include "app/cli/output.h"
#include "remote/base/tr.h"

namespace slipway {

QString connectionNote(
    ConnectionState::Phase before, const ConnectionState& now, const QString& consequence)
{
    using Phase = ConnectionState::Phase;
    if (now.phase == Phase::Reconnecting)
        return tr("Connection lost (%1); %2. %3")
            .arg(
                terminalText(now.error ? now.error->summary : QString()), now.sentence, consequence)
            .trimmed();
    if (now.phase == Phase::Stalled)
        return tr("Stalled: %1.").arg(now.sentence);
    if (now.phase == Phase::Connected && before == Phase::Reconnecting)
        return tr("Connected again.");
    if (now.phase == Phase::Connected && before == Phase::Stalled)
        return tr("The connection responds again.");
    return {};
}

} // namespace slipway
