// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runlistmodel.h"

#include "app/runs/runwords.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

RunListModel::RunListModel(Engine* engine, QObject* parent)
    : QAbstractListModel(parent)
    , m_engine(engine)
{
    std::vector<Run> runs = engine->runs()->all();
    m_items.reserve(runs.size());
    for (Run& run : runs) {
        m_items.push_back({std::move(run), nullptr});
    }
    connect(engine->runs(), &Runs::runAdded, this, &RunListModel::add);
    connect(engine->runs(), &Runs::runChanged, this, &RunListModel::update);
    connect(engine->sessions(), &Sessions::connectionChanged, this, &RunListModel::updateSite);
}

int RunListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_items.size());
}

QString RunListModel::siteName(const QString& siteId) const
{
    const Site* site = m_engine->catalogue()->site(siteId);
    return site ? site->name : siteId;
}

const RunRow& RunListModel::rowOf(const Item& item) const
{
    if (!item.row) {
        const QString& siteId = item.run.spec.siteId;
        item.row = std::make_unique<RunRow>(
            makeRunRow(item.run, siteName(siteId), m_engine->sessions()->connection(siteId)));
    }
    return *item.row;
}

QString durationOf(const RunRow& row)
{
    if (!row.since.isValid()) {
        return row.duration;
    }
    const qint64 seconds = row.since.secsTo(QDateTime::currentDateTimeUtc());
    return durationText(std::chrono::seconds(std::max<qint64>(0, seconds)));
}

QVariant RunListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const Item& item = m_items[size_t(index.row())];
    const Run& run = item.run;
    const auto when = [&run] { return agoText(run.created, QDateTime::currentDateTimeUtc()); };
    switch (role) {
    case IdRole:
        return run.id;
    case Qt::DisplayRole:
    case TitleRole:
        return runName(run);
    case SentenceRole:
        return rowOf(item).text;
    case PlaceRole:
        return rowOf(item).place;
    case WhenRole:
        return when();
    case PhaseRole:
        return int(run.phase);
    case RowRole:
        return QVariant::fromValue(&rowOf(item));
    case SearchRole:
        return QStringList{runName(run), run.title, runSettings(run), run.labels.tags.join(u' '),
            run.id, run.sentence, rowOf(item).place, run.spec.recipeId, stateWord(run.phase).word,
            run.nodeList}
            .join(u' ');
    case Qt::AccessibleTextRole: {
        const RunRow& row = rowOf(item);
        QStringList parts{row.title, row.settings, row.state.word, row.text, row.place,
            durationOf(row), when(), row.tags};
        parts.removeAll(QString());
        return parts.join(u", "_s);
    }
    default:
        return {};
    }
}

void RunListModel::add(const QString& runId)
{
    const std::optional<Run> run = m_engine->runs()->run(runId);
    const bool known = std::any_of(m_items.begin(), m_items.end(),
        [&runId](const Item& item) { return item.run.id == runId; });
    if (!run || known) {
        update(runId);
        return;
    }
    const auto at = std::find_if(m_items.begin(), m_items.end(),
        [&run](const Item& item) { return item.run.created <= run->created; });
    const int row = int(at - m_items.begin());
    beginInsertRows({}, row, row);
    m_items.insert(at, {*run, nullptr});
    endInsertRows();
}

void RunListModel::update(const QString& runId)
{
    const auto found = std::find_if(m_items.begin(), m_items.end(),
        [&runId](const Item& item) { return item.run.id == runId; });
    const std::optional<Run> now = m_engine->runs()->run(runId);
    if (found == m_items.end() || !now) {
        return;
    }
    *found = {*now, nullptr};
    const QModelIndex changed = index(int(found - m_items.begin()));
    emit dataChanged(changed, changed);
}

/// A connection was made or lost: what was live is old, and the other way round.
void RunListModel::updateSite(const QString& siteId)
{
    for (size_t i = 0; i < m_items.size(); ++i) {
        const Item& item = m_items[i];
        if (!item.row || isTerminal(item.run.phase) || item.run.spec.siteId != siteId) {
            continue;
        }
        item.row.reset();
        const QModelIndex changed = index(int(i));
        emit dataChanged(changed, changed);
    }
}

} // namespace slipway

#include "moc_runlistmodel.cpp"
