// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/curvesfeeder.h"

#include "app/runs/curvesrun.h"

namespace slipway {

namespace {

constexpr int updateInterval = 200; ///< ms

} // namespace

CurvesFeeder::CurvesFeeder(Engine* engine, CurvesModel* model, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_model(model)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(updateInterval);
    connect(&m_pause, &QTimer::timeout, this, &CurvesFeeder::refresh);
    if (engine) {
        connect(engine->runs(), &Runs::runChanged, this, [this](const QString& runId) {
            if (m_known.remove(runId)) {
                schedule();
            }
        });
    }
}

void CurvesFeeder::setRuns(const QStringList& runIds)
{
    if (!m_engine) {
        return;
    }
    m_runs = runIds;
    m_runs.removeDuplicates();
    m_known.clear();
    QHash<QString, std::shared_ptr<RunFeed>> feeds;
    hold(feeds);
    m_feeds.swap(feeds); // those before are released once the model has forgotten them
    refresh();
    for (auto feed = feeds.begin(); feed != feeds.end(); ++feed) {
        if (!m_feeds.contains(feed.key())) {
            feed.value()->disconnect(this);
        }
    }
}

void CurvesFeeder::hold(QHash<QString, std::shared_ptr<RunFeed>>& feeds)
{
    for (const QString& id : std::as_const(m_runs)) {
        std::shared_ptr<RunFeed> feed = m_feeds.value(id);
        if (!feed) {
            feed = m_engine->runs()->holdFeed(id);
        }
        if (!feed) {
            continue;
        }
        connect(feed.get(), &RunFeed::samplesAppended, this, &CurvesFeeder::schedule,
            Qt::UniqueConnection);
        connect(
            feed.get(), &RunFeed::restarted, this, &CurvesFeeder::schedule, Qt::UniqueConnection);
        feeds.insert(id, feed);
    }
}

void CurvesFeeder::schedule()
{
    if (!m_pause.isActive()) {
        m_pause.start();
    }
}

void CurvesFeeder::refresh()
{
    if (!m_engine) {
        m_model->setSources({});
        return;
    }
    std::vector<CurvesSource> sources;
    for (const QString& id : std::as_const(m_runs)) {
        const auto run = m_engine->runs()->run(id);
        const auto feed = m_feeds.value(id);
        if (!run || !feed) {
            continue;
        }
        if (!m_known.contains(id)) {
            m_known.insert(
                id, curvesRunOf(*m_engine->runs(), *run, QDateTime::currentDateTimeUtc()));
        }
        sources.push_back({m_known.value(id), &feed->series()});
    }
    m_model->setSources(std::move(sources));
}

} // namespace slipway

#include "moc_curvesfeeder.cpp"
