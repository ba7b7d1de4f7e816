// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/hostlist.h"

namespace slipway {

namespace {

constexpr qint64 mostNames = 65'536;

Error badList(const QString& text)
{
    return {ErrorKind::Protocol, QStringLiteral("“%1” is not a list of nodes.").arg(text.left(120)),
        QStringLiteral("The list is left as Slurm wrote it.")};
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

/// "01-03,7" → 01 02 03 7: the first number's width holds for its range.
std::optional<QStringList> rangeNumbers(const QString& ranges)
{
    QStringList numbers;
    for (const auto& range : ranges.split(QLatin1Char(','))) {
        const QString first = range.section(QLatin1Char('-'), 0, 0);
        const QString last =
            range.contains(QLatin1Char('-')) ? range.section(QLatin1Char('-'), 1) : first;
        if (!isNumber(first) || !isNumber(last))
            return std::nullopt;
        const qint64 from = first.toLongLong();
        const qint64 to = last.toLongLong();
        if (to < from || to - from >= mostNames || numbers.size() + to - from >= mostNames)
            return std::nullopt;
        for (qint64 number = from; number <= to; ++number)
            numbers << QString::number(number).rightJustified(first.size(), QLatin1Char('0'));
    }
    return numbers;
}

std::optional<QStringList> expandPart(const QString& part)
{
    QStringList names{QString()};
    qsizetype from = 0;
    while (true) {
        const auto open = part.indexOf(QLatin1Char('['), from);
        const QString literal = part.mid(from, open < 0 ? -1 : open - from);
        for (auto& name : names)
            name += literal;
        if (open < 0)
            return names;
        const auto close = part.indexOf(QLatin1Char(']'), open);
        const auto numbers = rangeNumbers(part.mid(open + 1, close - open - 1));
        if (!numbers || names.size() * numbers->size() > mostNames)
            return std::nullopt;
        QStringList longer;
        for (const auto& name : names) {
            for (const auto& number : *numbers)
                longer << name + number;
        }
        names = longer;
        from = close + 1;
    }
}

} // namespace

Result<QStringList> expandHostlist(const QString& text)
{
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty() || trimmed == u"(null)" || trimmed == u"N/A")
        return QStringList();
    const auto parts = topLevelParts(trimmed);
    if (!parts)
        return badList(text);
    QStringList names;
    for (const auto& part : *parts) {
        const auto expanded = part.isEmpty() ? std::nullopt : expandPart(part);
        if (!expanded || names.size() + expanded->size() > mostNames)
            return badList(text);
        names += *expanded;
    }
    return names;
}

} // namespace slipway
