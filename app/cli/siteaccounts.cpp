// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/accountwords.h"
#include "app/cli/command.h"
#include "app/cli/jsonobjects.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

/// One row for each association; accounts of which the scheduler says nothing have one as well.
std::vector<AccountShare> allShares(const ClusterInfo& info)
{
    std::vector<AccountShare> shares = info.shares;
    for (const QString& account : info.accounts) {
        const bool known = std::any_of(shares.begin(), shares.end(),
            [&account](const AccountShare& one) { return one.account == account; });
        if (!known)
            shares.push_back({account, {}, {}, {}});
    }
    return shares;
}

void printAccounts(Context& context, const ClusterInfo& info)
{
    std::vector<QStringList> rows;
    for (const AccountShare& share : allShares(info)) {
        if (context.out.json) {
            context.out.object(shareObject(share));
            continue;
        }
        const QString fairShare =
            share.fairShare ? QString::number(*share.fairShare, 'f', 2) : tr("unknown");
        const QString hours = share.limits.empty() ? tr("no limit is known")
                                                   : hoursLeft(share).join(QStringLiteral(", "));
        rows.push_back({terminalText(share.account), terminalText(share.partition), fairShare,
            terminalText(hours)});
    }
    if (!context.out.json)
        context.out.table({tr("ACCOUNT"), tr("PARTITION"), tr("FAIR-SHARE"), tr("HOURS")}, rows);
}

} // namespace

QCoro::Task<ExitCode> listAccounts(Context& context)
{
    const QString id = context.arguments.positional.at(1);
    const Site* const site = context.site(id);
    if (!site)
        co_return ExitCode::Usage;
    const QString name = site->name;
    const Result<void> connected = co_await context.connectTo(id);
    if (!connected.ok())
        co_return context.fail(connected.error());
    const auto info = context.engine().sessions()->clusterInfo(id);
    if (!info || (info->accounts.isEmpty() && info->shares.empty()))
        co_return context.fail({ErrorKind::NotFound,
            info && !info->accounting
                ? tr("%1 has no accounting: your accounts are unknown.").arg(name)
                : tr("Your accounts at %1 are unknown: sacctmgr and sshare gave no answer.")
                      .arg(name),
            tr("Ask the site for the name of your account.")});
    printAccounts(context, *info);
    context.out.note(tr("From: %1").arg(QString::fromUtf8(sshareCommand())));
    co_return ExitCode::Done;
}

} // namespace slipway
