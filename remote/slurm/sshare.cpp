// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/sshare.h"

#include "remote/slurm/records.h"

#include <QByteArrayView>
#include <QMap>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

enum Field { Account, User, Partition, FairShare, Limits, Used, FieldCount };
constexpr char shareFields[] = "Account,User,Partition,FairShare,GrpTRESMins,GrpTRESRaw";

constexpr std::size_t mostAssociations = 500;
constexpr std::size_t deepest = 64; // accounts within accounts
constexpr qsizetype mostResources = 64;
constexpr qsizetype longestName = 200;

/// "cpu=600,gres/gpu=120" in minutes. A value with a unit is not time that a person could use.
QMap<QByteArray, qint64> minutesByResource(const QByteArray& text)
{
    QMap<QByteArray, qint64> minutes;
    for (const QByteArray& entry : text.split(',')) {
        const auto equals = entry.lastIndexOf('=');
        bool number = false;
        const qint64 value = entry.mid(equals + 1).toLongLong(&number);
        // Larger ones cannot be converted to other units.
        if (equals <= 0 || !number || value < 0 || value > 1'000'000'000'000'000)
            continue;
        if (minutes.size() >= mostResources)
            break;
        minutes.insert(entry.left(equals), value);
    }
    return minutes;
}

bool isUsable(const QByteArray& tres)
{
    return tres == "cpu" || tres == "node" || tres == "billing" || tres == "gres/gpu"
        || tres.startsWith("gres/gpu:");
}

std::vector<UsageLimit> limitsOf(const QByteArray& limits, const QByteArray& used)
{
    const auto usedMinutes = minutesByResource(used);
    const auto limitMinutes = minutesByResource(limits);
    std::vector<UsageLimit> found;
    for (auto at = limitMinutes.begin(); at != limitMinutes.end(); ++at) {
        // Without what is used, what is left is unknown.
        if (isUsable(at.key()) && at.key().size() <= longestName && usedMinutes.contains(at.key()))
            found.push_back({lenientText(at.key()), std::chrono::minutes(at.value()),
                std::chrono::minutes(usedMinutes.value(at.key()))});
    }
    return found;
}

void addTightest(std::vector<UsageLimit>& limits, const std::vector<UsageLimit>& more)
{
    for (const UsageLimit& one : more) {
        const auto known = std::find_if(limits.begin(), limits.end(),
            [&one](const UsageLimit& other) { return other.tres == one.tres; });
        if (known == limits.end())
            limits.push_back(one);
        else if (one.left() < known->left())
            *known = one;
    }
}

std::optional<double> fairShareOf(const QByteArray& text)
{
    bool number = false;
    const double value = text.toDouble(&number);
    if (!number || !std::isfinite(value) || value < 0 || value > 1)
        return {};
    return value;
}

bool gpusFirst(const UsageLimit& a, const UsageLimit& b)
{
    const bool gpu = a.tres.startsWith(u"gres/");
    return gpu == b.tres.startsWith(u"gres/") ? a.tres < b.tres : gpu;
}

/// An account of the tree, while the rows below it are read.
struct Level {
    qsizetype indent;
    std::vector<UsageLimit> limits;
};

} // namespace

QByteArray sshareCommand()
{
    return QByteArray("sshare --noheader --parsable2 --format=") + shareFields;
}

std::vector<AccountShare> parseSshare(const QByteArray& output, const QString& user)
{
    std::vector<AccountShare> shares;
    std::vector<Level> above;
    for (qsizetype from = 0; from < output.size() && shares.size() < mostAssociations;) {
        const auto newline = output.indexOf('\n', from);
        const auto end = newline < 0 ? output.size() : newline;
        const QByteArray line = output.mid(from, end - from);
        from = end + 1;
        if (line.count('|') != FieldCount - 1)
            continue;
        const QByteArrayList row = line.split('|');
        const QByteArray name = row[Account].trimmed();
        if (name.isEmpty() || name.size() > longestName)
            continue;
        // An account is indented by its depth; what is not deeper is not above this row.
        const auto indent = row[Account].indexOf(name);
        while (!above.empty() && above.back().indent >= indent)
            above.pop_back();
        const auto limits = limitsOf(row[Limits], row[Used]);
        if (row[User].isEmpty()) {
            if (above.size() < deepest)
                above.push_back({indent, limits});
            continue;
        }
        if (lenientText(row[User]) != user)
            continue;
        AccountShare share{lenientText(name), lenientText(row[Partition].left(longestName)),
            fairShareOf(row[FairShare]), limits};
        for (const Level& level : above)
            addTightest(share.limits, level.limits);
        std::sort(share.limits.begin(), share.limits.end(), gpusFirst);
        shares.push_back(share);
    }
    return shares;
}

} // namespace slipway
