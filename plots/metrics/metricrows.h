// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linemeaning.h"

#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// MetricRows reads tables with a measurement in each row: "Train | Val" above "Loss: 0.9 | 1.0",
/// "| metric | head | tail |" above "| hit@1 | 0.1 | 0.2 |". Columns are data sets, or, between
/// bars, what is compared. A heading counts for the rows that follow it without a line between
/// them. Passive; keeps one heading.
class MetricRows {
public:
    /// What a line does to the heading that is kept.
    enum class Form {
        Rule, ///< nothing: it is below it
        Other, ///< it ends it
        Heading ///< it may be the next one
    };
    /// Which digit a digit is does not matter.
    static Form formOf(std::string_view text);
    /// The same of a line without digits, which is a heading or none.
    static Form formOfWords(std::string_view text, NameCache& cache);
    /// Any line that is no row.
    void keep(std::string_view text, Form form, NameCache& cache);
    bool isOpen() const { return !m_columns.empty(); }
    /// The samples of a row; x, its name and the line are left to the caller. False: it is none,
    /// and none follows. `form` is equal for rows of the same names.
    bool read(std::string_view text, NameCache& cache, std::vector<Sample>& samples, size_t& form);

private:
    struct Column {
        std::string name;
        const QString* set = nullptr;
    };

    static std::vector<Column> columnsOf(std::string_view text, NameCache& cache);
    bool readRow(
        std::string_view text, NameCache& cache, std::vector<Sample>& samples, size_t& form) const;

    std::vector<Column> m_columns; ///< empty: no heading is kept
};

} // namespace slipway
