// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/difference.h"

#include <QStringList>

#include <algorithm>
#include <cstdint>

namespace slipway {

namespace {

using LineKind = DifferenceLine::Kind;

constexpr qsizetype mostCells =
    4'000'000; ///< of the table of common lines: two scripts of 2000 lines

QStringList linesOf(const QByteArray& text)
{
    QStringList lines = QString::fromUtf8(text).split(u'\n');
    if (lines.last().isEmpty())
        lines.removeLast(); // nothing follows the end of the last line
    return lines;
}

void append(std::vector<DifferenceLine>& lines, LineKind kind, const QStringList& texts)
{
    for (const QString& text : texts)
        lines.push_back({kind, text});
}

/// The parts that differ, line by line, over the longest common sequence.
void appendChanged(
    std::vector<DifferenceLine>& all, const QStringList& before, const QStringList& after)
{
    const qsizetype rows = before.size(), columns = after.size();
    if (rows * columns > mostCells) {
        append(all, LineKind::Removed, before);
        append(all, LineKind::Added, after);
        return;
    }
    // common[i][j]: how many lines the remainders from i and from j have in common.
    std::vector<uint16_t> common(size_t((rows + 1) * (columns + 1)), 0);
    const auto at = [&](qsizetype i, qsizetype j) -> uint16_t& {
        return common[size_t(i * (columns + 1) + j)];
    };
    for (qsizetype i = rows - 1; i >= 0; --i)
        for (qsizetype j = columns - 1; j >= 0; --j)
            at(i, j) = before[i] == after[j] ? uint16_t(at(i + 1, j + 1) + 1)
                                             : std::max(at(i + 1, j), at(i, j + 1));
    qsizetype i = 0, j = 0;
    while (i < rows || j < columns) {
        if (i < rows && j < columns && before[i] == after[j]) {
            all.push_back({LineKind::Same, before[i++]});
            ++j;
        } else if (i < rows && (j == columns || at(i + 1, j) >= at(i, j + 1))) {
            all.push_back({LineKind::Removed, before[i++]});
        } else {
            all.push_back({LineKind::Added, after[j++]});
        }
    }
}

/// Every line of both texts, in order.
std::vector<DifferenceLine> compared(const QStringList& before, const QStringList& after)
{
    qsizetype begin = 0, end = 0;
    const qsizetype shorter = std::min(before.size(), after.size());
    while (begin < shorter && before[begin] == after[begin])
        ++begin;
    while (
        end < shorter - begin && before[before.size() - 1 - end] == after[after.size() - 1 - end])
        ++end;
    std::vector<DifferenceLine> all;
    append(all, LineKind::Same, before.first(begin));
    appendChanged(all, before.mid(begin, before.size() - begin - end),
        after.mid(begin, after.size() - begin - end));
    append(all, LineKind::Same, before.last(end));
    return all;
}

QString placeText(int from, int fromCount, int to, int toCount)
{
    return QStringLiteral("@@ -%1,%2 +%3,%4 @@")
        .arg(fromCount ? from : from - 1)
        .arg(fromCount)
        .arg(toCount ? to : to - 1)
        .arg(toCount);
}

} // namespace

std::vector<DifferenceLine> scriptDifference(
    const QByteArray& before, const QByteArray& after, int around)
{
    const std::vector<DifferenceLine> all = compared(linesOf(before), linesOf(after));
    std::vector<bool> shown(all.size(), false);
    for (size_t i = 0; i < all.size(); ++i) {
        if (all[i].kind == LineKind::Same)
            continue;
        const size_t from = i > size_t(around) ? i - size_t(around) : 0;
        std::fill(shown.begin() + std::ptrdiff_t(from),
            shown.begin() + std::ptrdiff_t(std::min(all.size(), i + size_t(around) + 1)), true);
    }
    std::vector<DifferenceLine> difference;
    int from = 1, to = 1;
    size_t place = 0;
    int fromStart = 0, toStart = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        if (shown[i] && (i == 0 || !shown[i - 1])) {
            place = difference.size();
            difference.push_back({LineKind::Place, {}});
            fromStart = from;
            toStart = to;
        }
        from += all[i].kind != LineKind::Added;
        to += all[i].kind != LineKind::Removed;
        if (!shown[i])
            continue;
        difference.push_back(all[i]);
        difference[place].text = placeText(fromStart, from - fromStart, toStart, to - toStart);
    }
    return difference;
}

QString differenceText(const DifferenceLine& line)
{
    switch (line.kind) {
    case LineKind::Removed:
        return u'-' + line.text;
    case LineKind::Added:
        return u'+' + line.text;
    case LineKind::Same:
        return u' ' + line.text;
    case LineKind::Place:
        break;
    }
    return line.text;
}

} // namespace slipway
