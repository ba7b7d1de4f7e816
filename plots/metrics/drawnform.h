// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/dataframeform.h"
#include "plots/metrics/spannedform.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace slipway::table {

struct HeadingLines;

/// How the rows of a table are drawn with bars, where they lie in another way than the heading
/// says: those of a data frame, below names one space apart, or below a heading that alone has
/// bars: "   1   3   *ANK   5.00E+00" below "#  Grid | Iter |  Iter  |   CFL". A value; made by the
/// heading and the first row.
class DrawnForm {
public:
    enum class Kind { Frame, Spanned, Barred };

    /// `drawn`: as take(), of the row. None: the lines do not lie like that.
    static std::optional<DrawnForm> of(
        Kind kind, const HeadingLines& lines, std::string_view row, std::string& drawn);

    Kind kind() const;
    /// The names of its columns; empty: the heading has them as it is.
    const std::vector<std::string>& names() const;
    /// The same drawn with bars.
    std::string heading() const;
    /// Puts the cells, drawn with bars, into `drawn`. False: it is no row.
    bool take(std::string_view row, std::string& drawn);

private:
    /// Words below a heading with bars.
    struct BarredForm {
        size_t columns = 0;

        bool take(std::string_view row, std::string& drawn) const;
    };
    std::variant<DataFrameForm, SpannedForm, BarredForm> m_form;

    template <typename Form>
    explicit DrawnForm(Form form)
        : m_form(std::move(form))
    {
    }
};

} // namespace slipway::table
