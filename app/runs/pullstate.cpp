// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/pullstate.h"

#include "app/runs/progresspace.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

namespace slipway {

QString pullPhaseTitle(const QString& phase)
{
    if (phase == QLatin1String("download"))
        return tr("Downloading layers");
    if (phase == QLatin1String("extract"))
        return tr("Extracting");
    return phase == QLatin1String("pack") ? tr("Packing the image file") : QString();
}

QString pullText(const PullState& state)
{
    QString size = ByteCount(state.bytes).text();
    if (state.of)
        size = tr("%1 of %2").arg(size, ByteCount(*state.of).text());
    QString text = tr("%1: %2").arg(pullPhaseTitle(state.phase), size);
    if (state.rate)
        text += QStringLiteral(", ")
            + (*state.rate >= 1 ? tr("%1/s").arg(ByteCount(qint64(*state.rate)).text())
                                : tr("nothing new for some seconds"));
    if (state.left)
        text += QStringLiteral(", ") + tr("%1 left").arg(roughTime(*state.left));
    return text;
}

} // namespace slipway
