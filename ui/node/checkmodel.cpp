// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/node/checkmodel.h"

#include "remote/base/counted.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

/// Comparisons of host and container are the most important, then the host, then what runs on it.
int placeRank(const CheckRow& row)
{
    return row.where == u"host"_s ? 1 : row.where == u"container"_s ? 2 : 0;
}

/// What a person should look at comes first.
int stateRank(CheckState state)
{
    switch (state) {
    case CheckState::Fail:
        return 0;
    case CheckState::Warn:
        return 1;
    case CheckState::Ok:
        return 2;
    case CheckState::Skip:
        break;
    }
    return 3;
}

QString placeName(const CheckRow& row, bool severalNodes)
{
    switch (placeRank(row)) {
    case 1:
        return row.node.isEmpty() ? CheckModel::tr("On the host")
                                  : CheckModel::tr("On the host, %1").arg(row.node);
    case 2:
        return severalNodes ? CheckModel::tr("In the container on %1").arg(row.node)
                            : CheckModel::tr("In the container");
    default:
        return severalNodes ? CheckModel::tr("Host and container compared, %1").arg(row.node)
                            : CheckModel::tr("Host and container compared");
    }
}

QString spokenCheck(const CheckRow& row)
{
    QStringList words{CheckModel::tr("%1, %2").arg(checkTitle(row.id), stateWord(row.state).word)};
    if (!row.value.isEmpty()) {
        words << row.value;
    }
    if (!row.expected.isEmpty()) {
        words << CheckModel::tr("expected %1").arg(row.expected);
    }
    if (!row.why.isEmpty()) {
        words << row.why;
    }
    if (!row.fix.isEmpty()) {
        words << CheckModel::tr("What to do: %1").arg(row.fix);
    }
    // Sentences of the probe end with their own full stop.
    for (QString& one : words) {
        while (one.endsWith(u'.')) {
            one.chop(1);
        }
    }
    return words.join(u". "_s);
}

} // namespace

StateWord stateWord(CheckState state)
{
    switch (state) {
    case CheckState::Ok:
        return {Sign::Check, CheckModel::tr("ok"), Tint::Done};
    case CheckState::Warn:
        return {Sign::Bang, CheckModel::tr("warning"), Tint::Warning};
    case CheckState::Fail:
        return {Sign::Cross, CheckModel::tr("failed"), Tint::Error};
    case CheckState::Skip:
        break;
    }
    return {Sign::Dash, CheckModel::tr("skipped"), Tint::Second};
}

QString countWords(const std::vector<CheckRow>& rows)
{
    const auto count = [&](CheckState state) {
        return std::count_if(
            rows.begin(), rows.end(), [state](const CheckRow& row) { return row.state == state; });
    };
    QStringList words;
    if (const auto failed = count(CheckState::Fail)) {
        words << CheckModel::tr("%1 failed").arg(failed);
    }
    if (const auto warned = count(CheckState::Warn)) {
        words << counted(warned, CheckModel::tr("1 warning"), CheckModel::tr("%1 warnings"));
    }
    if (const auto ok = count(CheckState::Ok)) {
        words << CheckModel::tr("%1 ok").arg(ok);
    }
    if (const auto skipped = count(CheckState::Skip)) {
        words << CheckModel::tr("%1 skipped").arg(skipped);
    }
    return words.join(u", "_s);
}

void CheckModel::setReport(const NodeReport& report)
{
    m_rows = report.rows;
    std::stable_sort(m_rows.begin(), m_rows.end(), [](const CheckRow& a, const CheckRow& b) {
        return std::pair(a.node, placeRank(a)) < std::pair(b.node, placeRank(b));
    });
    rebuild();
}

void CheckModel::setOnlyAttention(bool only)
{
    if (only != m_onlyAttention) {
        m_onlyAttention = only;
        rebuild();
    }
}

void CheckModel::setSkippedShown(bool shown)
{
    if (shown != m_skippedShown) {
        m_skippedShown = shown;
        rebuild();
    }
}

std::vector<CheckModel::Group> CheckModel::groups() const
{
    QStringList nodes;
    for (const CheckRow& row : m_rows) {
        if (!row.node.isEmpty() && !nodes.contains(row.node)) {
            nodes << row.node;
        }
    }
    std::vector<Group> groups;
    for (size_t i = 0; i < m_rows.size(); ++i) {
        const CheckRow& row = m_rows[i];
        if (i == 0 || row.node != m_rows[i - 1].node
            || placeRank(row) != placeRank(m_rows[i - 1])) {
            groups.push_back({{}, placeName(row, nodes.size() > 1)});
        }
        groups.back().rows.push_back(int(i));
        groups.back().attention |= needsAttention(row.state);
    }
    for (Group& group : groups) {
        std::stable_sort(group.rows.begin(), group.rows.end(), [this](int a, int b) {
            return stateRank(m_rows[size_t(a)].state) < stateRank(m_rows[size_t(b)].state);
        });
    }
    std::stable_partition(
        groups.begin(), groups.end(), [](const Group& group) { return group.attention; });
    return groups;
}

/// The lines of a group that are skipped, or those that are not, under its heading.
void CheckModel::addLines(const Group& group, bool skipped)
{
    std::vector<Line> lines;
    std::vector<CheckRow> rows;
    for (const int row : group.rows) {
        const CheckState state = m_rows[size_t(row)].state;
        if (!skipped || state == CheckState::Skip) {
            rows.push_back(m_rows[size_t(row)]);
        }
        if ((state == CheckState::Skip) == skipped && (!m_onlyAttention || needsAttention(state))) {
            lines.push_back({row});
        }
    }
    if (!lines.empty()) {
        m_lines.push_back({-1, group.heading, countWords(rows)});
        m_lines.insert(m_lines.end(), lines.begin(), lines.end());
    }
}

void CheckModel::rebuild()
{
    beginResetModel();
    m_lines.clear();
    const std::vector<Group> all = groups();
    for (const Group& group : all) {
        addLines(group, false);
    }
    const auto skipped = std::count_if(m_rows.begin(), m_rows.end(),
        [](const CheckRow& row) { return row.state == CheckState::Skip; });
    if (skipped > 0 && !m_onlyAttention) {
        m_lines.push_back({-1, counted(skipped, tr("1 skipped check"), tr("%1 skipped checks")),
            m_skippedShown ? tr("hide") : tr("show"), true});
        if (m_skippedShown) {
            for (const Group& group : all) {
                addLines(group, true);
            }
        }
    }
    endResetModel();
}

int CheckModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_lines.size());
}

QVariant CheckModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= int(m_lines.size())) {
        return {};
    }
    const CheckRow* row = check(index);
    if (role == Qt::DisplayRole) {
        return row ? checkTitle(row->id) : heading(index);
    }
    if (role == Qt::AccessibleTextRole) {
        if (isFold(index)) {
            return m_skippedShown ? tr("%1, shown. Press Enter to hide them").arg(heading(index))
                                  : tr("%1, hidden. Press Enter to show them").arg(heading(index));
        }
        return row ? spokenCheck(*row) : tr("%1: %2").arg(heading(index), headingCounts(index));
    }
    return {};
}

const CheckRow* CheckModel::check(const QModelIndex& index) const
{
    const int row = index.isValid() ? m_lines[size_t(index.row())].check : -1;
    return row >= 0 ? &m_rows[size_t(row)] : nullptr;
}

bool CheckModel::isFold(const QModelIndex& index) const
{
    return index.isValid() && m_lines[size_t(index.row())].fold;
}

QString CheckModel::heading(const QModelIndex& index) const
{
    return m_lines[size_t(index.row())].heading;
}

QString CheckModel::headingCounts(const QModelIndex& index) const
{
    return m_lines[size_t(index.row())].counts;
}

QModelIndex CheckModel::find(const QString& id, CheckState state) const
{
    for (size_t i = 0; i < m_lines.size(); ++i) {
        const int row = m_lines[i].check;
        if (row >= 0 && m_rows[size_t(row)].id == id && m_rows[size_t(row)].state == state) {
            return index(int(i));
        }
    }
    return {};
}

QModelIndex CheckModel::find(const CheckRow& row) const
{
    for (size_t i = 0; i < m_lines.size(); ++i) {
        const CheckRow* one = check(index(int(i)));
        if (one && one->id == row.id && one->where == row.where && one->node == row.node) {
            return index(int(i));
        }
    }
    return {};
}

} // namespace slipway

#include "moc_checkmodel.cpp"
