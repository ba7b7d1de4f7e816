// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/accountshares.h"

#include "remote/base/tr.h"

namespace slipway {

namespace {

Error unknownShares(ErrorKind kind, const QString& why, const QByteArray& detail = {})
{
    return {kind, why, tr("Try again in a minute."), detail.left(4096)};
}

} // namespace

QByteArray sharesScript()
{
    // All accounts of the cluster are listed; what is cut off is unknown.
    return "shares=$(timeout 20 " + sshareCommand() + " </dev/null) || exit $?\n"
        + "printf '%s\\n' \"$shares\" | head -c 4000000";
}

std::vector<AccountShare> readShares(const QByteArray& output, const ClusterInfo& known)
{
    auto shares = parseSshare(output, known.userName);
    if (!known.fairShareCounts) {
        for (AccountShare& share : shares)
            share.fairShare.reset();
    }
    return shares;
}

QCoro::Task<Result<std::vector<AccountShare>>> askForShares(
    std::shared_ptr<SlurmContext> side, ClusterInfo known)
{
    if (!known.accounting)
        co_return Error{ErrorKind::Unsupported, tr("This cluster has no accounting.")};
    if (!side->budget->takeRoom())
        co_return unknownShares(
            ErrorKind::Refused, tr("The calls to the scheduler of this minute are used up."));
    const auto output = co_await runOn(side, sharesScript(), 1);
    if (!output.ok())
        co_return output.error();
    if (output->exitCode != 0)
        co_return unknownShares(ErrorKind::CommandFailed,
            tr("Fair-share and remaining hours are unknown: sshare ended with code %1.")
                .arg(output->exitCode),
            output->err);
    co_return readShares(output->out, known);
}

} // namespace slipway
