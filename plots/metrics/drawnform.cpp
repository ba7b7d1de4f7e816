// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/drawnform.h"

#include "plots/metrics/headinglines.h"
#include "plots/metrics/tablecells.h"

namespace slipway::table {

bool DrawnForm::BarredForm::take(std::string_view row, std::string& drawn) const
{
    Cells cells;
    if (isBordered(row) || spacedCells(row, 1, cells) != columns || !isNumberLike(cells[0])
        || countNumbers(cells, columns) * 2 < columns)
        return false;
    drawn = drawnLine(cells.begin(), cells.begin() + columns);
    return true;
}

std::optional<DrawnForm> DrawnForm::of(
    Kind kind, const HeadingLines& lines, std::string_view row, std::string& drawn)
{
    constexpr size_t leastColumns = 4;
    if (kind == Kind::Frame) {
        auto frame = DataFrameForm::of(lines.kept, {}, row, drawn);
        if (!frame && !lines.above.empty())
            frame = DataFrameForm::of(lines.above, lines.kept, row, drawn);
        return frame ? std::optional(DrawnForm(std::move(*frame))) : std::nullopt;
    }
    if (kind == Kind::Spanned) {
        const NameCounts& names = lines.keptForm.names; // one has spaces in it
        if (names.spaced <= leastColumns || names.spaced == names.wide)
            return {};
        auto spanned = SpannedForm::of(lines.kept, row, drawn);
        return spanned ? std::optional(DrawnForm(std::move(*spanned))) : std::nullopt;
    }
    const BarredForm barred{lines.keptForm.cells};
    if (barred.columns < leastColumns || !barred.take(row, drawn))
        return {};
    return DrawnForm(barred);
}

DrawnForm::Kind DrawnForm::kind() const
{
    return static_cast<Kind>(m_form.index());
}

const std::vector<std::string>& DrawnForm::names() const
{
    static const std::vector<std::string> none;
    if (const auto* const frame = std::get_if<DataFrameForm>(&m_form))
        return frame->names();
    if (const auto* const spanned = std::get_if<SpannedForm>(&m_form))
        return spanned->names();
    return none;
}

std::string DrawnForm::heading() const
{
    return names().empty() ? std::string() : drawnLine(names().begin(), names().end());
}

bool DrawnForm::take(std::string_view row, std::string& drawn)
{
    return std::visit([&](auto& form) { return form.take(row, drawn); }, m_form);
}

} // namespace slipway::table
