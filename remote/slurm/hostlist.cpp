// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/hostlist.h"

#include "remote/base/tr.h"

#include <QStringList>

#include <algorithm>
#include <optional>
#include <vector>

namespace slipway {

namespace {

constexpr qint64 mostCounted = 1'000'000'000'000;

/// The numbers of one range in brackets: "08-11".
struct HostRange {
    qint64 from = 0;
    qint64 to = 0;
    qint64 count() const { return to - from + 1; }
};

/// A piece of a name: the text before a bracket, and the content of the bracket (empty at the end).
struct HostPiece {
    QString literal;
    std::vector<HostRange> ranges;
};
using HostName = std::vector<HostPiece>;

Error badList(const QString& text)
{
    return {ErrorKind::Protocol, tr("“%1” is not a list of nodes.").arg(text.left(120)),
        tr("The list is shown as Slurm wrote it.")};
}

/// Commas separate only outside brackets; nullopt when brackets do not pair.
std::optional<QStringList> topLevelParts(const QString& text)
{
    QStringList parts;
    QString part;
    bool inside = false;
    for (const QChar c : text) {
        if ((c == QLatin1Char('[') && inside) || (c == QLatin1Char(']') && !inside))
            return std::nullopt;
        if (c == QLatin1Char('[') || c == QLatin1Char(']'))
            inside = !inside;
        if (c == QLatin1Char(',') && !inside) {
            parts << part;
            part.clear();
        } else {
            part += c;
        }
    }
    if (inside)
        return std::nullopt;
    parts << part;
    return parts;
}

bool isNumber(const QString& text)
{
    return !text.isEmpty() && text.size() <= 9
        && std::all_of(text.begin(), text.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
}

/// "01-03,7"
std::optional<std::vector<HostRange>> hostRanges(const QString& text)
{
    std::vector<HostRange> ranges;
    for (const auto& range : text.split(QLatin1Char(','))) {
        const QString first = range.section(QLatin1Char('-'), 0, 0);
        const QString last =
            range.contains(QLatin1Char('-')) ? range.section(QLatin1Char('-'), 1) : first;
        if (!isNumber(first) || !isNumber(last) || last.toLongLong() < first.toLongLong())
            return std::nullopt;
        ranges.push_back({first.toLongLong(), last.toLongLong()});
    }
    return ranges;
}

std::optional<HostName> hostName(const QString& part)
{
    HostName name;
    qsizetype from = 0;
    while (true) {
        const auto open = part.indexOf(QLatin1Char('['), from);
        const QString literal = part.mid(from, open < 0 ? -1 : open - from);
        if (open < 0) {
            name.push_back({literal, {}});
            return name;
        }
        const auto close = part.indexOf(QLatin1Char(']'), open);
        auto ranges = hostRanges(part.mid(open + 1, close - open - 1));
        if (!ranges)
            return std::nullopt;
        name.push_back({literal, std::move(*ranges)});
        from = close + 1;
    }
}

/// Every name of the list, not expanded; nullopt: it makes no sense.
std::optional<std::vector<HostName>> hostNames(const QString& text)
{
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty() || trimmed == u"(null)" || trimmed == u"N/A")
        return std::vector<HostName>();
    const auto parts = topLevelParts(trimmed);
    if (!parts)
        return std::nullopt;
    std::vector<HostName> names;
    for (const auto& part : *parts) {
        auto name = part.isEmpty() ? std::nullopt : hostName(part);
        if (!name)
            return std::nullopt;
        names.push_back(std::move(*name));
    }
    return names;
}

qint64 hostCount(const HostName& name)
{
    qint64 count = 1;
    for (const auto& piece : name) {
        qint64 numbers = piece.ranges.empty() ? 1 : 0;
        for (const auto& range : piece.ranges)
            numbers = std::min(mostCounted, numbers + range.count());
        count = numbers > mostCounted / count ? mostCounted : count * numbers;
    }
    return count;
}

} // namespace

Result<qint64> countHostlist(const QString& text)
{
    const auto names = hostNames(text);
    if (!names)
        return badList(text);
    qint64 count = 0;
    for (const auto& name : *names)
        count = std::min(mostCounted, count + hostCount(name));
    return count;
}

} // namespace slipway
