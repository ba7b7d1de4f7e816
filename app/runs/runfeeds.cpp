// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runfeeds.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype mostIdle = 8; ///< ended runs that are not displayed but open again at once

} // namespace

RunFeeds::RunFeeds(RunContext context, RunRegistry* registry, RunNodes* nodes)
    : m_context(std::move(context))
    , m_registry(registry)
    , m_nodes(nodes)
{
    connect(m_registry, &RunRegistry::reopened, this, &RunFeeds::touch);
    connect(m_registry, &RunRegistry::readingChanged, this, [this](const QString& runId) {
        const RunHandle* const handle = m_registry->existing(runId);
        const auto feed = m_feeds.value(runId);
        if (handle && feed)
            feed->readAgain(handle->reading().recognisers, handle->reading().patterns);
    });
}

std::shared_ptr<FileFeed> RunFeeds::feed(const QString& runId)
{
    RunHandle* const handle = m_registry->handle(runId);
    if (!handle)
        return nullptr;
    touch(runId);
    if (const auto known = m_feeds.value(runId))
        return known;
    const auto feed =
        std::make_shared<FileFeed>(handle->local().logFile(), handle->reading().recognisers,
            handle->reading().patterns, m_context.hints ? m_context.hints->book() : nullptr);
    m_feeds.insert(runId, feed);
    connect(feed.get(), &RunFeed::samplesAppended, this,
        [this, runId] { emit samplesAppended(runId); });
    feed->addSamples(keptNodeCurves(*handle));
    update(runId);
    return feed;
}

void RunFeeds::update(const QString& runId)
{
    RunHandle* const handle = m_registry->existing(runId);
    const auto feed = m_feeds.value(runId);
    if (!handle || !feed)
        return;
    feed->wake(handle->local().logRestarts(), {handle->logBegan(), handle->run().ended},
        handle->isAttached());
    feed->setLive(!isTerminal(handle->run().phase));
}

void RunFeeds::addSamples(const QString& runId, const std::vector<Sample>& points)
{
    if (const auto feed = m_feeds.value(runId))
        feed->addSamples(points);
}

void RunFeeds::touch(const QString& runId)
{
    m_used.removeOne(runId);
    m_used.append(runId);
}

/// The run has ended, all of it was read, and the feed is not in use.
bool RunFeeds::isIdle(const QString& runId) const
{
    const auto run = m_registry->run(runId);
    if (!run || !isTerminal(run->phase) || m_shown.contains(runId))
        return false;
    const RunHandle* const handle = m_registry->existing(runId);
    const auto feed = m_feeds.constFind(runId);
    const bool busy = (handle && handle->isAttached()) || m_nodes->isWatched(runId);
    return !busy && (feed == m_feeds.cend() || (feed->use_count() == 1 && (*feed)->isCaughtUp()));
}

void RunFeeds::dropIdle()
{
    for (const RunHandle* handle : m_registry->handles()) {
        const QString runId = handle->run().id;
        if (!m_used.contains(runId) && isIdle(runId))
            m_used.prepend(runId); // it ended and was never displayed
    }
    QStringList idle;
    std::copy_if(m_used.cbegin(), m_used.cend(), std::back_inserter(idle),
        [this](const QString& runId) { return isIdle(runId); });
    idle.resize(std::max<qsizetype>(0, idle.size() - mostIdle));
    for (const QString& runId : std::as_const(idle)) {
        m_feeds.remove(runId);
        m_nodes->drop(runId);
        m_used.removeOne(runId);
        m_registry->drop(runId);
    }
}

} // namespace slipway

#include "moc_runfeeds.cpp"
