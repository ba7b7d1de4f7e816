// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/numberedcolumns.h"
#include "plots/metrics/tablecells.h"
#include "plots/metrics/tableheading.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::table {

/// What of a line decides whether it may be a heading. Which digit a digit is does not matter.
struct HeadingForm {
    bool mayBe = false;
    bool isRemark = false; ///< none below names in columns: a sentence, a row with a name
    bool isMarked = false; ///< "# "
    bool hasVariant = false; ///< one of its words names what is compared: "Kernel"
    bool hasGap = false; ///< two spaces, between which names may stand
    bool hasIndexBar = false; ///< see withoutIndexBar()
    size_t cells = 0; ///< between its borders; 0: it has none
    NameCounts names;

    /// The rest is said of any line, whether it may be a heading or not.
    bool isOfProcessors = false; ///< see isOfProcessors()
    bool hasSemicolons = false; ///< and no commas: "Size;Time"
    bool isDashed = false; ///< "#--it-----t------dt----"
    bool isWarning = false; ///< of Python
    bool mayBeNumbered = false; ///< see NumberedColumns
    bool isList = false; ///< "strategy,threads,runtime,efficiency"
    bool isTitle = false; ///< "CPU:", "Two GPUs:" above a drawn table
    bool isRule = false; ///< nothing but dashes and spaces
    bool repeatsNext = false; ///< "Best iteration:", above what an earlier line had
};
HeadingForm headingFormOf(std::string_view line);

/// HeadingLines keeps what stands above the rows of a table that may begin: the line that may be
/// its heading, the one above that, the title in a box above both and the groups of signs below.
/// Passive.
struct HeadingLines {
    std::string kept; ///< the line above, if it may be a heading
    std::string above; ///< the one above that
    std::string opened; ///< that of the table that is open
    HeadingForm keptForm, aboveForm;
    /// The last names that commas part; other lines may stand between them and the rows.
    std::string listed;

    /// A line that is no row.
    void keep(std::string_view line, const HeadingForm& form);
    /// The heading has its table.
    void clear();
    /// Whether commas part the names of the table that is open.
    bool isOpenedByList() const { return opened.find(',') != std::string::npos; }
    /// "| Zone 0 |" above the heading, once.
    std::string takeTitle();

    /// Whether groups of signs stand below the heading: "----- ---------".
    bool isRuled() const { return m_ruledAt > 0 && m_ruledAt == m_keptAt + 1; }
    size_t groups() const { return m_groups.size(); }
    /// The words of a line by the group that they stand below or above. False: one of them stands
    /// at none.
    bool takeRuled(std::string_view line, std::vector<std::string>& texts) const;
    /// "| Epoch | Mini-batch |" above "|       |  Accuracy  |": the names of a drawn heading of two
    /// lines, of which the second alone lacks names or repeats them. False: it has one line.
    bool join(size_t count, std::array<std::string, mostCells>& names) const;

private:
    void keepRule(std::string_view line, const HeadingForm& form);

    NumberedColumns m_numbered;
    bool m_isWarned = false; ///< the line before was a warning of Python
    int m_lines = 0, m_keptAt = 0, m_aboveAt = 0; ///< calls of keep(), and which kept these
    std::string m_unjoined; ///< `kept` as it was printed, where units were joined to their names
    std::string m_title;
    int m_titleAt = 0; ///< 0: there is none
    int m_ruledAt = 0;
    std::vector<Span> m_groups; ///< of the rule
};

} // namespace slipway::table
