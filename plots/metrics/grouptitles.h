// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

struct GroupTitle {
    std::string_view text; ///< within the line; empty: a sentence, or a report of what was done
    bool isNumbered = false; ///< "Fold 2": it is one, whatever follows it
};

/// What of a line from which nothing was read decides whether it is kept as a title. Which digit a
/// digit is does not matter.
struct TitleForm {
    enum class Kind {
        Unknown, ///< nobody has looked at it
        None, ///< blank, a rule, or above all that follows
        Result, ///< it may be one
        Long, ///< no title, and counts as a line
        Title
    };
    Kind kind = Kind::Unknown;
    bool isFramed = false; ///< by more than fits into a title
    size_t begin = 0, size = 0; ///< of what is kept
    bool isRead = false; ///< the rest is known: the line has no digits
    bool isNumbered = false; ///< see GroupTitle
    size_t titleBegin = 0, titleSize = 0; ///< in what is kept
};

/// "fs=3", "numpy", "Task 3: Filter sizes", "=== ResNet-50 ===": the title of what is printed below
/// such a line, without what frames it.
GroupTitle groupTitle(std::string_view line);

/// GroupTitles knows under which lines of words a program prints its results: "gt:gpu" and "64"
/// above the times of a backend and a size, "fs=3" above a training. Whether the groups are curves
/// of their own is decided where the curves are kept (see SeriesStore). Passive; bounded: keeps the
/// latest few short lines.
class GroupTitles {
public:
    static TitleForm formOf(std::string_view line);
    /// The same, with the title itself where the form tells it. Slower.
    static TitleForm readFormOf(std::string_view line);
    /// A line from which nothing was read. `number`: 1-based; `form`: that of the line, or Unknown.
    void keep(std::string_view line, TitleForm form, qint64 number);
    /// A line that only counts: what was above results that nobody read is not above those below.
    void pass()
    {
        if (m_hasResults)
            m_count = 0;
    }
    /// Of a number that was read from the line of that number.
    const QString& groupOf(qint64 line)
    {
        if (m_count > 0)
            beginGroup();
        return line < m_begin ? m_before : m_group;
    }
    /// The title of the latest group may count what is printed below it: "Img No. 100".
    bool counts() const { return m_counts; }

private:
    static constexpr size_t mostTitles = 4; ///< in a row; of more, those that are numbered, or else
                                            ///< what stands directly above the group
    static constexpr size_t mostLevels = 2;
    static constexpr size_t longest = 96; ///< bytes, with what a logger writes before it

    void beginGroup();
    size_t readTitles(std::array<GroupTitle, mostTitles>& titles) const;
    void makeRoomFor(std::string_view title);

    struct Kept {
        std::string text;
        TitleForm form;

        void set(std::string_view line, const TitleForm& ofLine);
        GroupTitle title() const;
    };
    /// The first lines in a row, and the last ones in turn.
    std::array<Kept, mostTitles + mostLevels> m_kept;
    size_t m_keptCount = 0;
    size_t m_count = 0; ///< of lines in a row, those that were not kept as well
    qint64 m_keptAt = 0; ///< the number of the first of them
    std::vector<std::string> m_levels; ///< the titles of the group, the outer one first
    QString m_group, m_before;
    qint64 m_begin = 0; ///< the number of the first line of the group
    bool m_counts = false;
    bool m_hasResults = false; ///< below the kept lines was what may have been results
};

} // namespace slipway
