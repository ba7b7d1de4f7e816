// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runlistmodel.h"

#include "ui/parts/words.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

RunListModel::RunListModel(Engine* engine, QObject* parent)
    : QAbstractListModel(parent)
    , m_engine(engine)
    , m_runs(engine->runs()->all())
{
    connect(engine->runs(), &Runs::runAdded, this, &RunListModel::reload);
    connect(engine->runs(), &Runs::runChanged, this, &RunListModel::update);
}

int RunListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_runs.size());
}

QString RunListModel::place(const Run& run) const
{
    const Site* site = m_engine->catalogue()->site(run.spec.siteId);
    const QString name = site ? site->name : run.spec.siteId;
    return run.job.isValid() ? tr("%1 · job %2").arg(name, run.job.text) : name;
}

QVariant RunListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const Run& run = m_runs[size_t(index.row())];
    const QString when = agoText(run.created, QDateTime::currentDateTimeUtc());
    switch (role) {
    case IdRole:
        return run.id;
    case Qt::DisplayRole:
    case TitleRole:
        return runTitle(run);
    case SentenceRole:
        return run.error ? run.error->summary : run.sentence;
    case PlaceRole:
        return place(run);
    case WhenRole:
        return when;
    case PhaseRole:
        return int(run.phase);
    case SearchRole:
        return QStringList{runTitle(run), run.id, run.sentence, place(run), run.spec.recipeId,
            stateWord(run.phase).word, run.nodeList}
            .join(u' ');
    case Qt::AccessibleTextRole:
        return QStringList{runTitle(run), stateWord(run.phase).word, place(run), run.sentence, when}
            .join(u", "_s);
    default:
        return {};
    }
}

void RunListModel::tick()
{
    if (!m_runs.empty()) {
        emit dataChanged(index(0), index(rowCount() - 1), {WhenRole});
    }
}

void RunListModel::reload()
{
    beginResetModel();
    m_runs = m_engine->runs()->all();
    endResetModel();
}

void RunListModel::update(const QString& runId)
{
    const auto found =
        std::find_if(m_runs.begin(), m_runs.end(), [&](const Run& run) { return run.id == runId; });
    const std::optional<Run> now = m_engine->runs()->run(runId);
    if (found == m_runs.end() || !now) {
        reload();
        return;
    }
    *found = *now;
    const QModelIndex changed = index(int(found - m_runs.begin()));
    emit dataChanged(changed, changed);
}

} // namespace slipway

#include "moc_runlistmodel.cpp"
