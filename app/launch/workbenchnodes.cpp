// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/workbench_p.h"

namespace slipway {

std::optional<NodeReport> Workbench::nodeReport(const QString& runId) const
{
    Launch* const launch = d->launchOf(runId);
    if (!launch)
        return {};
    const QByteArray rows = launch->local().probeRows();
    return rows.isEmpty() ? std::nullopt : std::optional(readNodeReport(rows));
}

std::vector<NodeSample> Workbench::nodeSamples(const QString& runId) const
{
    return d->samples.value(runId);
}

QCoro::Task<Result<GuestList>> Workbench::guests(QString)
{
    co_return Error{ErrorKind::Unsupported, tr("Slipway does not look for its files there yet.")};
}

QCoro::Task<Result<GuestList>> Workbench::removeGuests(QString, GuestList)
{
    co_return Error{ErrorKind::Unsupported, tr("Slipway does not remove its files there yet.")};
}

} // namespace slipway
