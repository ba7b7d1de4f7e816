// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// GroupTitles knows under which lines of words a program prints its results: "gt:gpu" and "64"
/// above the times of a backend and a size, "fs=3" above a training. Whether the groups are curves
/// of their own is decided where the curves are kept (see SeriesStore). Passive; bounded: keeps the
/// latest few short lines.
class GroupTitles {
public:
    /// A line from which nothing was read. `number`: 1-based.
    void keep(std::string_view line, qint64 number);
    /// Of a number that was read from the line of that number.
    const QString& groupOf(qint64 line)
    {
        if (m_count > 0)
            beginGroup();
        return line < m_begin ? m_before : m_group;
    }

private:
    static constexpr size_t mostTitles = 4; ///< in a row; among more lines there is no title
    static constexpr size_t longest = 96; ///< bytes, with what a logger writes before it

    void beginGroup();
    size_t readTitles(std::array<std::string_view, mostTitles>& titles) const;
    void makeRoomFor(std::string_view title);

    std::array<std::string, mostTitles> m_kept;
    size_t m_count = 0; ///< of lines in a row, those that were not kept as well
    qint64 m_keptAt = 0; ///< the number of the first of them
    std::vector<std::string> m_levels; ///< the titles of the group, the outer one first
    QString m_group, m_before;
    qint64 m_begin = 0; ///< the number of the first line of the group
};

/// "fs=3", "numpy", "Task 3: Filter sizes", "=== ResNet-50 ===": the title of what is printed below
/// such a line, without what frames it. Empty: a sentence, or a report of what was done.
std::string_view groupTitle(std::string_view line);

} // namespace slipway
