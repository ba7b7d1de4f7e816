// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/workbench_p.h"

#include <algorithm>

namespace slipway {

// What is shown of runs: how long their feeds and samples are kept, and how often sites are asked.

namespace {

constexpr qsizetype mostIdle = 8; ///< ended runs that nobody looks at and that open at once again

} // namespace

std::shared_ptr<FileFeed> Workbench::Private::sharedFeed(const QString& runId)
{
    Launch* const launch = launchOf(runId);
    if (!launch)
        return nullptr;
    touch(runId);
    if (const auto known = feeds.value(runId))
        return known;
    const Recipe* const recipe = q->recipe(launch->run().spec.recipeId);
    const auto feed = std::make_shared<FileFeed>(launch->local().logFile(),
        recipe ? recipe->recognisers : QStringList(),
        recipe ? recipe->patterns : std::vector<PatternSpec>());
    feeds.insert(runId, feed);
    feed->setHints(resources.hints);
    connect(feed.get(), &RunFeed::samplesAppended, q, [this, runId] { emit q->raceChanged(runId); });
    feed->addSamples(keptNodeCurves(*launch));
    updateFeed(runId);
    return feed;
}

void Workbench::Private::updateFeed(const QString& runId)
{
    Launch* const launch = launches.value(runId);
    const auto feed = feeds.value(runId);
    if (!launch || !feed)
        return;
    feed->wake(launch->local().logRestarts());
    feed->setLive(!isTerminal(launch->run().phase));
}

void Workbench::Private::touch(const QString& runId) const
{
    used.removeOne(runId);
    used.append(runId);
}

/// It has ended, all of it was read, and nobody has a use for it.
bool Workbench::Private::isIdle(const QString& runId) const
{
    const auto run = runOf(runId);
    if (!run || !isTerminal(run->phase) || shown.contains(runId))
        return false;
    const Launch* const launch = launches.value(runId);
    const auto feed = feeds.constFind(runId);
    const bool busy = (launch && launch->isAttached()) || watches.contains(runId);
    return !busy && (feed == feeds.cend() || (feed->use_count() == 1 && (*feed)->isCaughtUp()));
}

/// Ended runs become rows of the list again, but for those that were used last.
void Workbench::Private::dropIdle()
{
    for (const QString& runId : launches.keys())
        if (!used.contains(runId) && isIdle(runId))
            used.prepend(runId); // it ended, and was never looked at
    QStringList idle;
    std::copy_if(used.cbegin(), used.cend(), std::back_inserter(idle),
        [this](const QString& runId) { return isIdle(runId); });
    idle.resize(std::max<qsizetype>(0, idle.size() - mostIdle));
    for (const QString& runId : std::as_const(idle)) {
        feeds.remove(runId);
        samples.remove(runId);
        used.removeOne(runId);
        if (Launch* const launch = launches.take(runId)) {
            ended.insert(runId, launch->run());
            launch->disconnect(q);
            launch->deleteLater(); // a task of it may be on its way out
        }
    }
}

void Workbench::setShownRuns(const QStringList& runIds)
{
    d->shown = runIds;
    d->updateAttention();
}

void Workbench::setHidden(bool hidden)
{
    d->hidden = hidden;
    d->updateAttention();
}

void Workbench::Private::updateAttention()
{
    for (const QString& siteId : links.keys())
        updateAttention(siteId);
}

void Workbench::Private::updateAttention(const QString& siteId)
{
    SiteLink* const link = connectedLink(siteId);
    if (!link)
        return;
    const bool watched = std::any_of(shown.cbegin(), shown.cend(), [&](const QString& runId) {
        const auto run = runOf(runId);
        return run && run->spec.siteId == siteId && !isTerminal(run->phase);
    });
    using Attention = JobWatcher::Attention;
    link->cluster()->watcher()->setAttention(hidden ? Attention::Hidden
            : watched                               ? Attention::Watched
                                                    : Attention::Normal);
}

} // namespace slipway
