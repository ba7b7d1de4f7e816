// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/filegaps.h"

#include <QList>

#include <algorithm>

namespace slipway {

FileGaps::FileGaps(qint64 size)
{
    if (size > 0)
        m_gaps.push_back({0, size});
}

qint64 FileGaps::missing() const
{
    qint64 bytes = 0;
    for (const FileRange& gap : m_gaps)
        bytes += gap.size();
    return bytes;
}

void FileGaps::fill(FileRange range)
{
    if (range.size() <= 0)
        return;
    std::vector<FileRange> left;
    for (const FileRange& gap : m_gaps) {
        const FileRange before{gap.begin, std::min(gap.end, range.begin)};
        const FileRange after{std::max(gap.begin, range.end), gap.end};
        if (before.size() <= 0 && after.size() <= 0)
            continue;
        if (range.end <= gap.begin || range.begin >= gap.end) {
            left.push_back(gap);
            continue;
        }
        if (before.size() > 0)
            left.push_back(before);
        if (after.size() > 0)
            left.push_back(after);
    }
    m_gaps = std::move(left);
}

std::optional<FileRange> FileGaps::next(const std::vector<FileRange>& taken, qint64 most) const
{
    FileGaps open = *this;
    for (const FileRange& range : taken)
        open.fill(range);
    if (open.isEmpty())
        return {};
    const FileRange& first = open.m_gaps.front();
    return FileRange{first.begin, std::min(first.end, first.begin + most)};
}

QByteArray FileGaps::toText() const
{
    QByteArray text;
    for (const FileRange& gap : m_gaps) {
        if (!text.isEmpty())
            text += ',';
        text += QByteArray::number(gap.begin) + '-' + QByteArray::number(gap.end);
    }
    return text;
}

std::optional<FileGaps> FileGaps::fromText(const QByteArray& text, qint64 size)
{
    FileGaps gaps;
    if (text.isEmpty())
        return gaps;
    qint64 least = 0;
    for (const QByteArray& part : text.split(',')) {
        const qsizetype dash = part.indexOf('-');
        bool beginIsNumber = false, endIsNumber = false;
        const FileRange gap{part.left(dash).toLongLong(&beginIsNumber),
            part.mid(dash + 1).toLongLong(&endIsNumber)};
        if (dash <= 0 || !beginIsNumber || !endIsNumber || gap.begin < least || gap.end <= gap.begin
            || gap.end > size)
            return {};
        gaps.m_gaps.push_back(gap);
        least = gap.end + 1;
    }
    return gaps;
}

} // namespace slipway
