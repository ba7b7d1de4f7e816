// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/accountwords.h"

#include "remote/base/tr.h"

#include <QLocale>

#include <algorithm>

namespace slipway {

namespace {

/// Rounded down, because what is not there is not promised: "1,240", "0.5".
QString hoursText(std::chrono::minutes minutes)
{
    static const QLocale grouped(QLocale::English);
    const qint64 tenths = minutes.count() / 6;
    if (tenths < 100 && tenths % 10 != 0)
        return grouped.toString(double(tenths) / 10, 'f', 1);
    return grouped.toString(tenths / 10);
}

/// "GPU hours"; a type of GPU is named.
QString unitOf(const QString& tres)
{
    if (tres == u"gres/gpu")
        return tr("GPU hours");
    if (tres.startsWith(u"gres/gpu:"))
        return tr("%1 GPU hours").arg(tres.section(u':', 1).left(40));
    if (tres == u"node")
        return tr("node hours");
    return tres == u"cpu" ? tr("CPU hours") : tr("billing hours");
}

} // namespace

QStringList hoursLeft(const AccountShare& share)
{
    QStringList parts;
    for (const UsageLimit& one : share.limits)
        parts << tr("%1 of %2 %3 left")
                     .arg(hoursText(one.left()), hoursText(one.limit), unitOf(one.tres));
    return parts;
}

QString shareSentence(const AccountShare& share)
{
    QStringList parts;
    if (share.fairShare)
        parts << tr("fair-share %1").arg(QString::number(*share.fairShare, 'f', 2));
    if (!share.limits.empty())
        parts << tr("%1 in this account").arg(hoursLeft(share).join(QStringLiteral(", ")));
    return parts.join(QStringLiteral("; "));
}

const AccountShare* shareOf(
    const ClusterInfo& cluster, const QString& account, const QString& partition)
{
    const QString only = cluster.accounts.size() == 1 ? cluster.accounts.first() : QString();
    const QString name = account.trimmed().isEmpty() ? only : account.trimmed();
    // An association for the partition counts before the one for all.
    for (const QString& wanted : {partition, QString()}) {
        const auto found = std::find_if(
            cluster.shares.begin(), cluster.shares.end(), [&](const AccountShare& one) {
                return one.account == name && one.partition == wanted;
            });
        if (found != cluster.shares.end())
            return &*found;
    }
    return nullptr;
}

} // namespace slipway
