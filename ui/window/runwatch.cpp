// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/runwatch.h"

#include "ui/parts/words.h"
#include "ui/runs/runpage.h"
#include "ui/window/notifysettings.h"
#include "ui/window/pagestack.h"

#include <algorithm>
#include <cmath>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::seconds watchPause{2};

bool isGoing(RunPhase phase)
{
    return phase == RunPhase::Running || phase == RunPhase::Allocated;
}

} // namespace

QString windowTitleOf(int running, const QString& name, std::optional<double> share)
{
    if (running > 0 && share) {
        return RunWatch::tr("▶ %1 % · %2 – Slipway").arg(int(std::floor(*share * 100))).arg(name);
    }
    return running > 0 ? RunWatch::tr("Slipway – %1 running").arg(running) : u"Slipway"_s;
}

std::optional<double> shareOf(const std::optional<RunProgress>& progress)
{
    // Counters of the whole run; others begin again with each epoch, or count a download.
    static const QStringList ofRun{u"step"_s, u"epoch"_s, u"iteration"_s, u"update"_s};
    if (!progress || !(progress->total > 0) || !(progress->done >= 0)
        || !ofRun.contains(progress->name)) {
        return std::nullopt;
    }
    return std::min(1.0, progress->done / progress->total);
}

RunWatch::RunWatch(Engine* engine, PageStack* pages, QWidget* window)
    : QObject(window)
    , m_engine(engine)
    , m_pages(pages)
    , m_window(window)
{
    for (const Run& run : engine->runs()->all()) {
        m_phases.insert(run.id, run.phase);
    }
    connect(engine->runs(), &Runs::runAdded, this, &RunWatch::onRun);
    connect(engine->runs(), &Runs::runChanged, this, &RunWatch::onRun);
    connect(&m_timer, &QTimer::timeout, this, &RunWatch::tick);
    m_timer.start(watchPause);
    tick();
}

void RunWatch::onRun(const QString& runId)
{
    const std::optional<Run> run = m_engine->runs()->run(runId);
    if (!run) {
        return;
    }
    const auto known = m_phases.constFind(runId);
    // A run that was found on the cluster is no news: nothing has happened to it just now.
    const RunPhase before = known == m_phases.cend() ? run->phase : *known;
    m_phases.insert(runId, run->phase);
    tell(runId, newsOf(before, *run, siteName(*run), QDateTime::currentDateTimeUtc()));
    if (before != run->phase) {
        tick();
    }
}

void RunWatch::tick()
{
    QStringList running;
    for (auto it = m_phases.cbegin(); it != m_phases.cend(); ++it) {
        if (!isGoing(it.value())) {
            continue;
        }
        const std::optional<Run> run = m_engine->runs()->run(it.key());
        if (run && isKnownToRun(*run)) {
            checkTime(*run);
            if (run->phase == RunPhase::Running) {
                running << run->id;
            }
        }
    }
    follow(running);
    showProgress(int(running.size()));
}

bool RunWatch::isKnownToRun(const Run& run) const
{
    return m_engine->sessions()->connection(run.spec.siteId).phase
        == ConnectionState::Phase::Connected;
}

void RunWatch::checkTime(const Run& run)
{
    if (m_timeTold.contains(run.id)) {
        return;
    }
    if (!m_limits.contains(run.id)) {
        const std::optional<QString> text = m_engine->runs()->launchFacts(run.id).timeLimit;
        const Result<WallTime> limit = WallTime::parse(text.value_or(QString()));
        m_limits.insert(run.id, limit.ok() ? *limit : WallTime::unlimited());
    }
    const auto news =
        timeNews(run, m_limits.value(run.id), siteName(run), QDateTime::currentDateTimeUtc());
    if (news) {
        m_timeTold.insert(run.id);
        tell(run.id, news);
    }
}

/// The log of the run that was shown last is read anyway; others are not read for a title.
void RunWatch::follow(const QStringList& running)
{
    const RunPage* shown = m_pages->shownRun();
    const QString wanted = shown && running.contains(shown->runId()) ? shown->runId() : m_followed;
    if (!running.contains(wanted)) {
        m_followed.clear();
        m_feed.reset();
    } else if (wanted != m_followed) {
        m_followed = wanted;
        m_feed = m_engine->runs()->holdFeed(wanted);
    }
}

void RunWatch::showProgress(int running)
{
    const std::optional<double> share = m_feed ? shareOf(m_feed->progress()) : std::nullopt;
    const std::optional<Run> run = m_engine->runs()->run(m_followed);
    const QString title = windowTitleOf(running, run ? runTitle(*run) : QString(), share);
    if (title != m_window->windowTitle()) {
        m_window->setWindowTitle(title);
    }
    const std::pair now(running, share);
    if (m_reported != now) {
        m_reported = now;
        emit progressed(running, share);
    }
}

bool RunWatch::isInFront(const QString& runId) const
{
    const RunPage* shown = m_pages->shownRun();
    return shown && shown->runId() == runId && m_window->isActiveWindow();
}

void RunWatch::tell(const QString& runId, const std::optional<RunNews>& news)
{
    const NotifySettings settings = NotifySettings::stored();
    if (news && settings.on && !isInFront(runId)) {
        emit noted({runId, *news, settings.sound});
    }
}

QString RunWatch::siteName(const Run& run) const
{
    const Site* site = m_engine->catalogue()->site(run.spec.siteId);
    return site ? site->name : run.spec.siteId;
}

} // namespace slipway

#include "moc_runwatch.cpp"
