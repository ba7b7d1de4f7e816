// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/rungroups.h"

#include "app/runs/runwords.h"
#include "ui/runs/runlistmodel.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QString dayHeading(const QDate& day, const QDate& today)
{
    if (day == today) {
        return RunGroups::tr("Today");
    }
    if (day == today.addDays(-1)) {
        return RunGroups::tr("Yesterday");
    }
    return day.toString(day.year() == today.year() ? u"dddd, d MMMM"_s : u"dddd, d MMMM yyyy"_s);
}

/// "2 running, 4 done"
QString stateCounts(const RunListModel& runs, const std::vector<int>& rows)
{
    std::vector<std::pair<RunPhase, int>> counts;
    for (const int row : rows) {
        const RunPhase phase = runs.run(row).phase;
        const auto known = std::find_if(
            counts.begin(), counts.end(), [phase](const auto& one) { return one.first == phase; });
        if (known == counts.end()) {
            counts.emplace_back(phase, 1);
        } else {
            ++known->second;
        }
    }
    std::sort(counts.begin(), counts.end());
    QStringList words;
    for (const auto& [phase, count] : counts) {
        words << u"%1 %2"_s.arg(count).arg(stateWord(phase).word);
    }
    return words.join(u", "_s);
}

} // namespace

RunGroups::RunGroups(RunListModel* runs, QObject* parent)
    : QAbstractListModel(parent)
    , m_runs(runs)
{
    rebuild();
    connect(runs, &QAbstractItemModel::rowsInserted, this,
        [this](const QModelIndex&, int first, int last) { onInserted(first, last - first + 1); });
    connect(runs, &QAbstractItemModel::dataChanged, this,
        [this](const QModelIndex& first, const QModelIndex& last) {
            onChanged(first.row(), last.row());
        });
}

void RunGroups::setGrouping(Grouping grouping)
{
    m_grouping = grouping;
    rebuild();
}

void RunGroups::setQuery(const RunQuery& query)
{
    m_query = query;
    rebuild();
}

bool RunGroups::isFound(int run) const
{
    const Run& one = m_runs->run(run);
    return m_query.isEmpty() || matches(m_query, one, m_runs->siteName(one.spec.siteId));
}

void RunGroups::rebuild()
{
    beginResetModel();
    const int count = m_runs->rowCount();
    m_lines.clear();
    m_isFound.assign(size_t(count), false);
    for (int run = 0; run < count; ++run) {
        m_isFound[size_t(run)] = isFound(run);
    }
    m_found = int(std::count(m_isFound.begin(), m_isFound.end(), true));
    if (m_grouping == Grouping::Sweep) {
        addBySweep();
    } else {
        addByDay();
    }
    m_lineOf.assign(size_t(count), -1);
    for (size_t line = 0; line < m_lines.size(); ++line) {
        if (m_lines[line].run >= 0) {
            m_lineOf[size_t(m_lines[line].run)] = int(line);
        }
    }
    endResetModel();
}

/// Or without headings, where nothing is grouped.
void RunGroups::addByDay()
{
    const QDate today = QDate::currentDate();
    std::optional<QDateTime> begin; // of the day of the run before; runs are sorted by time
    for (size_t run = 0; run < m_isFound.size(); ++run) {
        if (!m_isFound[run]) {
            continue;
        }
        const QDateTime& created = m_runs->run(int(run)).created;
        if (m_grouping == Grouping::Day && (!begin || created < *begin)) {
            const QDate day = created.toLocalTime().date();
            begin = day.startOfDay();
            m_lines.push_back({-1, dayHeading(day, today), {}, {}, false});
        }
        m_lines.push_back({int(run), {}, {}, {}, false});
    }
}

/// A sweep is where its newest run is.
void RunGroups::addBySweep()
{
    QHash<QString, std::vector<int>> sweeps;
    for (size_t run = 0; run < m_isFound.size(); ++run) {
        const QString& sweep = m_runs->run(int(run)).spec.sweep;
        if (m_isFound[run] && !sweep.isEmpty()) {
            sweeps[sweep].push_back(int(run));
        }
    }
    for (size_t run = 0; run < m_isFound.size(); ++run) {
        const QString& sweep = m_runs->run(int(run)).spec.sweep;
        if (m_isFound[run] && sweep.isEmpty()) {
            m_lines.push_back({int(run), {}, {}, {}, false});
        } else if (m_isFound[run] && sweeps.contains(sweep)) {
            std::vector<int> runs = sweeps.take(sweep);
            m_lines.push_back(sweepLine(sweep, runs));
            if (isOpen(sweep)) {
                for (const int one : runs) {
                    m_lines.push_back({one, {}, {}, {}, true});
                }
            }
        }
    }
}

RunGroups::Line RunGroups::sweepLine(const QString& sweep, std::vector<int> runs) const
{
    const Run& newest = m_runs->run(runs.front());
    const QString title = newest.title.isEmpty() ? newest.spec.recipeId : newest.title;
    const QString count = runs.size() == 1 ? tr("1 run") : tr("%1 runs").arg(runs.size());
    const QString heading = tr("Sweep: %1 · %2 · %3").arg(title, count, stateCounts(*m_runs, runs));
    return {-1, heading, sweep, std::move(runs), false};
}

/// What a search finds is shown.
bool RunGroups::isOpen(const QString& sweep) const
{
    return !m_query.isEmpty() || m_open.contains(sweep);
}

bool RunGroups::toggle(const QModelIndex& index)
{
    if (!index.isValid() || m_lines[size_t(index.row())].sweep.isEmpty()) {
        return false;
    }
    const QString sweep = m_lines[size_t(index.row())].sweep;
    if (!m_open.remove(sweep)) {
        m_open.insert(sweep);
    }
    rebuild();
    return true;
}

/// The lines name the same runs as before until they are made again: the view asks where it was.
void RunGroups::onInserted(int first, int count)
{
    const auto shift = [first, count](int& run) { run += run >= first ? count : 0; };
    for (Line& line : m_lines) {
        shift(line.run);
        std::for_each(line.runs.begin(), line.runs.end(), shift);
    }
    rebuild();
}

void RunGroups::onChanged(int first, int last)
{
    for (int run = first; run <= last; ++run) {
        if (isFound(run) != m_isFound[size_t(run)]) {
            rebuild();
            return;
        }
    }
    for (int run = first; run <= last; ++run) {
        if (const int line = m_lineOf[size_t(run)]; line >= 0) {
            emit dataChanged(index(line), index(line));
        }
        updateHeading(m_runs->run(run).spec.sweep);
    }
}

/// The heading of a sweep counts the states of its runs.
void RunGroups::updateHeading(const QString& sweep)
{
    if (sweep.isEmpty() || m_grouping != Grouping::Sweep) {
        return;
    }
    const auto line = std::find_if(
        m_lines.begin(), m_lines.end(), [&sweep](const Line& one) { return one.sweep == sweep; });
    if (line != m_lines.end()) {
        line->heading = sweepLine(sweep, line->runs).heading;
        const QModelIndex heading = index(int(line - m_lines.begin()));
        emit dataChanged(heading, heading);
    }
}

QModelIndex RunGroups::indexOf(const QString& runId) const
{
    for (size_t line = 0; line < m_lines.size(); ++line) {
        if (m_lines[line].run >= 0 && m_runs->run(m_lines[line].run).id == runId) {
            return index(int(line));
        }
    }
    return {};
}

QStringList RunGroups::ticked() const
{
    QStringList ids;
    for (int run = 0; !m_ticked.isEmpty() && run < m_runs->rowCount(); ++run) {
        if (m_ticked.contains(m_runs->run(run).id)) {
            ids << m_runs->run(run).id;
        }
    }
    return ids;
}

void RunGroups::setTicked(const QModelIndexList& indexes, bool ticked)
{
    const qsizetype before = m_ticked.size();
    for (const QModelIndex& index : indexes) {
        if (!index.isValid()) {
            continue;
        }
        const Line& line = m_lines[size_t(index.row())];
        for (const int run : line.run >= 0 ? std::vector<int>{line.run} : line.runs) {
            if (ticked) {
                m_ticked.insert(m_runs->run(run).id);
            } else {
                m_ticked.remove(m_runs->run(run).id);
            }
        }
    }
    if (m_ticked.size() != before) {
        emit dataChanged(index(0), index(rowCount() - 1), {Qt::CheckStateRole});
        emit ticksChanged();
    }
}

int RunGroups::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_lines.size());
}

Qt::CheckState RunGroups::tickOf(const Line& line) const
{
    const auto isTicked = [this](int run) { return m_ticked.contains(m_runs->run(run).id); };
    if (line.run >= 0) {
        return isTicked(line.run) ? Qt::Checked : Qt::Unchecked;
    }
    const auto count = std::count_if(line.runs.begin(), line.runs.end(), isTicked);
    return count == 0                               ? Qt::Unchecked
        : count == std::ptrdiff_t(line.runs.size()) ? Qt::Checked
                                                    : Qt::PartiallyChecked;
}

QVariant RunGroups::headingData(const Line& line, int role) const
{
    const bool sweep = !line.sweep.isEmpty();
    switch (role) {
    case Qt::DisplayRole:
    case RunListModel::HeadingRole:
        return line.heading;
    case Qt::CheckStateRole:
        return sweep ? QVariant(tickOf(line)) : QVariant();
    case RunListModel::OpenRole:
        return sweep ? QVariant(isOpen(line.sweep)) : QVariant();
    case Qt::AccessibleTextRole:
        return !sweep            ? line.heading
            : isOpen(line.sweep) ? tr("%1, open").arg(line.heading)
                                 : tr("%1, folded").arg(line.heading);
    default:
        return {};
    }
}

QVariant RunGroups::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const Line& line = m_lines[size_t(index.row())];
    if (line.run < 0) {
        return headingData(line, role);
    }
    if (role == Qt::CheckStateRole) {
        return tickOf(line);
    }
    if (role == RunListModel::IndentRole) {
        return line.indented;
    }
    return m_runs->data(m_runs->index(line.run), role);
}

bool RunGroups::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !(flags(index) & Qt::ItemIsUserCheckable)) {
        return false;
    }
    setTicked({index}, value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags RunGroups::flags(const QModelIndex& index) const
{
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    const Line& line = m_lines[size_t(index.row())];
    if (line.run >= 0) {
        return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable
            | Qt::ItemNeverHasChildren;
    }
    return line.sweep.isEmpty() ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsUserCheckable;
}

} // namespace slipway

#include "moc_rungroups.cpp"
