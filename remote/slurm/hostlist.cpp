// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/hostlist.h"

#include "remote/base/tr.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace slipway {

namespace {

constexpr qint64 mostNames = 65'536;
constexpr qint64 mostCharacters = 4 * 1024 * 1024; // total length of all names
constexpr qint64 mostCounted = 1'000'000'000'000;

/// Numbers of one range in brackets: "08-11" has the width 2.
struct HostRange {
    qint64 from = 0;
    qint64 to = 0;
    qsizetype width = 0;
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
        ranges.push_back({first.toLongLong(), last.toLongLong(), first.size()});
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

/// Every name of the list, not yet expanded; nullopt: invalid.
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

/// The maximum length of one of its names.
qint64 hostLength(const HostName& name)
{
    qint64 length = 0;
    for (const auto& piece : name)
        length += piece.literal.size() + (piece.ranges.empty() ? 0 : 9);
    return length;
}

/// Each number of a bracket has the width of its range's first: "8-11" → 8 9 10 11.
QStringList writtenOut(const HostName& name)
{
    QStringList names{QString()};
    for (const auto& piece : name) {
        QStringList longer;
        for (const auto& begun : names) {
            const QString before = begun + piece.literal;
            if (piece.ranges.empty())
                longer << before;
            for (const auto& range : piece.ranges) {
                for (qint64 number = range.from; number <= range.to; ++number)
                    longer << before
                            + QString::number(number).rightJustified(range.width, QLatin1Char('0'));
            }
        }
        names = longer;
    }
    return names;
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

Result<QStringList> expandHostlist(const QString& text)
{
    const auto names = hostNames(text);
    if (!names)
        return badList(text);
    qint64 count = 0;
    qint64 characters = 0;
    for (const auto& name : *names) {
        const qint64 more = hostCount(name);
        count = std::min(mostCounted, count + more);
        if (count <= mostNames)
            characters += more * hostLength(name);
    }
    if (count > mostNames || characters > mostCharacters)
        return Error{ErrorKind::Unsupported,
            tr("“%1” names %2 nodes, too many to list one by one.").arg(text.left(120)).arg(count),
            tr("The list is shown as Slurm wrote it.")};
    QStringList all;
    for (const auto& name : *names)
        all += writtenOut(name);
    return all;
}

} // namespace slipway
