// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/jobwatcher.h"

#include "remote/cluster/queuereading.h"
#include "remote/cluster/slurmcontext.h"
#include "remote/cluster/worker.h"
#include "remote/slurm/jobstates.h"

#include <QCoroTask>
#include <QElapsedTimer>
#include <QPointer>
#include <QRandomGenerator>
#include <QTimer>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace slipway {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t mostExpandedRows =
    2000; // if there are more, a pending array is one row again
// Answers up to this size are read at once: a thread would cost more than it saves.
constexpr qsizetype shortAnswer = 64 * 1024;
constexpr std::size_t fewJobs = 500;
constexpr auto changedRecently = 60s;
// Between calls while a job's end is expected: by then slurmd has reported it to the controller.
constexpr std::array endLooks{0ms, 150ms, 250ms, 400ms, 800ms};
constexpr auto historyAgain =
    60s; // slurmdbd lags behind; an immediate second call brings nothing new

std::chrono::milliseconds jittered(std::chrono::milliseconds time)
{
    const double factor = 0.9 + 0.2 * QRandomGenerator::global()->generateDouble();
    return std::chrono::milliseconds(qint64(double(time.count()) * factor));
}

} // namespace

WatchPace WatchPace::demo()
{
    WatchPace pace;
    pace.busy = 2s;
    pace.calm = 10s;
    pace.hidden = 30s;
    pace.longest = 30s;
    pace.leastBetween = 500ms;
    pace.callsAMinute = 60;
    pace.eager = true;
    return pace;
}

struct JobWatcher::Private {
    std::shared_ptr<SlurmContext> side;
    WatchPace pace;
    Attention attention = Attention::Normal;
    std::shared_ptr<JobLedger> ledger = std::make_shared<JobLedger>();
    QTimer timer;
    bool running = false;
    bool asking = false;
    bool askAgain = false;
    bool expandArrays = true;
    bool reading = false; ///< a worker reads the ledger and an answer
    std::vector<std::function<void()>>
        meanwhile; ///< changes of the ledger that are deferred until then
    int oddRows = 0;
    int failures = 0;
    std::optional<Error> trouble;
    QDateTime lastAsked;
    std::vector<JobId> ending; ///< jobs whose end is expected
    std::size_t endLook = 0; ///< number of calls for that
    std::optional<std::chrono::steady_clock::time_point> lastTry, lastChange, lastHistory;

    std::chrono::milliseconds interval() const;
    std::chrono::milliseconds untilAllowed() const;
    void schedule(std::chrono::milliseconds wanted);
    bool scheduleEndLook();
    void change(std::function<void()> change);
};

/// While a worker reads, the ledger is about to be replaced: changes are deferred.
void JobWatcher::Private::change(std::function<void()> change)
{
    if (reading)
        meanwhile.push_back(std::move(change));
    else
        change();
}

std::chrono::milliseconds JobWatcher::Private::interval() const
{
    auto base = pace.calm;
    const auto now = std::chrono::steady_clock::now();
    if (attention == Attention::Hidden)
        base = pace.hidden;
    else if (attention == Attention::Watched || (lastChange && now - *lastChange < changedRecently)
        || (pace.eager && ledger->hasLive()))
        base = pace.busy;
    for (int i = 0; i < failures && base < pace.longest; ++i)
        base *= 2;
    return failures > 0 ? std::min(base, std::max(pace.longest, pace.busy)) : base;
}

/// Not sooner than leastBetween after the last call, and only within the budget.
std::chrono::milliseconds JobWatcher::Private::untilAllowed() const
{
    auto wait = side->budget->wait();
    if (lastTry) {
        const auto since = std::chrono::steady_clock::now() - *lastTry;
        wait =
            std::max(wait, std::chrono::ceil<std::chrono::milliseconds>(pace.leastBetween - since));
    }
    return std::max(0ms, wait);
}

void JobWatcher::Private::schedule(std::chrono::milliseconds wanted)
{
    if (running)
        timer.start(std::max(wanted, untilAllowed()));
}

/// False when no end is expected, or was expected for too long.
bool JobWatcher::Private::scheduleEndLook()
{
    std::erase_if(ending, [this](const JobId& id) {
        const auto job = ledger->job(id);
        return !job || finality(job->state) != Finality::Live;
    });
    if (!running || ending.empty() || endLook >= endLooks.size())
        return false;
    timer.start(std::max(endLooks[endLook++], side->budget->wait()));
    return true;
}

JobWatcher::JobWatcher(std::shared_ptr<SlurmContext> side, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    qRegisterMetaType<JobEvent>();
    d->side = std::move(side);
    d->side->budget->setLimit(d->pace.callsAMinute);
    d->timer.setSingleShot(true);
    connect(&d->timer, &QTimer::timeout, this, &JobWatcher::ask);
}

JobWatcher::~JobWatcher() = default;

void JobWatcher::setPace(const WatchPace& pace)
{
    d->pace = pace;
    d->side->budget->setLimit(pace.callsAMinute);
    d->schedule(jittered(d->interval()));
}

void JobWatcher::setAttention(Attention attention)
{
    if (attention == d->attention)
        return;
    d->attention = attention;
    if (!d->running || d->asking || !d->timer.isActive() || !d->lastTry)
        return;
    // Counted from the last call, so that repeated changes of attention do not delay it.
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - *d->lastTry);
    auto wanted = std::max(0ms, jittered(d->interval()) - since);
    if (!d->ending.empty()) // a check for an expected end is not delayed
        wanted = std::min(wanted, std::chrono::milliseconds(std::max(0, d->timer.remainingTime())));
    d->schedule(wanted);
}

void JobWatcher::setAccounting(bool on)
{
    d->side->accounting = on;
}

void JobWatcher::start()
{
    if (d->running)
        return;
    d->running = true;
    d->schedule(0ms);
}

void JobWatcher::stop()
{
    d->running = false;
    d->timer.stop();
}

bool JobWatcher::isRunning() const
{
    return d->running;
}

void JobWatcher::refresh()
{
    if (d->asking)
        d->askAgain = true;
    else if (d->ending.empty()
        || d->endLook >= endLooks.size()) // otherwise a call is about to be made
        d->schedule(0ms);
}

void JobWatcher::endExpected(const JobId& id)
{
    if (std::find(d->ending.begin(), d->ending.end(), id) == d->ending.end())
        d->ending.push_back(id);
    d->endLook = 0;
    if (!d->asking)
        d->scheduleEndLook();
}

void JobWatcher::expect(const Job& job)
{
    d->change([this, job] { d->ledger->expect(job); });
}

void JobWatcher::forget(const JobId& id)
{
    d->change([this, id] { d->ledger->forget(id); });
}

std::vector<Job> JobWatcher::jobs() const
{
    return d->ledger->jobs();
}

std::optional<Job> JobWatcher::job(const JobId& id) const
{
    return d->ledger->job(id);
}

QDateTime JobWatcher::lastAsked() const
{
    return d->lastAsked;
}

int JobWatcher::callsLastMinute() const
{
    return d->side->budget->callsLastMinute();
}

int JobWatcher::oddRows() const
{
    return d->oddRows;
}

std::optional<Error> JobWatcher::trouble() const
{
    return d->trouble;
}

std::chrono::milliseconds JobWatcher::nextIn() const
{
    return std::chrono::milliseconds(std::max(0, d->timer.remainingTime()));
}

QCoro::Task<void> JobWatcher::ask()
{
    const QPointer<JobWatcher> self(this);
    const auto side = d->side;
    // Another program may have taken the room that was there when the timer was set.
    const int calls = d->failures > 0 ? 2 : 1;
    if (!side->budget->takeRoom(calls)) {
        d->schedule(std::max<std::chrono::milliseconds>(1s, side->budget->wait(calls)));
        co_return;
    }
    d->asking = true;
    d->askAgain = false;
    d->lastTry = std::chrono::steady_clock::now();
    auto answer = co_await askForJobs(side, d->failures > 0, d->expandArrays);
    if (!self)
        co_return;
    if (!answer.ok()) {
        failed(answer.error());
        co_return;
    }
    const QDateTime asked = QDateTime::currentDateTimeUtc();
    std::shared_ptr<QueueReading> reading;
    const bool large = answer->output.size() > shortAnswer || d->ledger->size() > fewJobs;
    if (!large) {
        reading = std::make_shared<QueueReading>(readQueue(*answer, *d->ledger, asked));
    } else {
        d->reading = true;
        // The ledger does not change meanwhile: the worker copies it.
        const std::shared_ptr<const JobLedger> ledger = d->ledger;
        const auto text = std::make_shared<QueueAnswer>(std::move(*answer));
        const auto read = [text, ledger, asked] {
            auto result = std::make_shared<QueueReading>(readQueue(*text, *ledger, asked));
            text->output.clear(); // freeing it takes time as well
            return result;
        };
        reading = co_await onWorker(read);
        if (!self)
            co_return;
        d->reading = false;
    }
    answered(*reading, asked);
    if (large)
        discardOnWorker(std::move(*reading));
    if (!self)
        co_return; // a receiver may close the connection
    if (d->trouble)
        co_return;

    const auto now = std::chrono::steady_clock::now();
    auto missing = d->ledger->missing();
    // One ID that sacct cannot parse would hide the history of the others.
    std::erase_if(missing, [](const JobId& id) { return id.text.contains(u'@'); });
    const bool askHistory = side->accounting && !missing.empty()
        && (!d->lastHistory || now - *d->lastHistory >= historyAgain) && side->budget->takeRoom();
    if (askHistory) {
        d->lastHistory = now;
        const auto records = co_await askForHistory(side, missing);
        if (!self)
            co_return;
        tell(d->ledger->onHistory(records));
        if (!self)
            co_return;
    }
    d->asking = false;
    if (d->scheduleEndLook())
        co_return;
    d->schedule(d->askAgain ? 0ms : jittered(d->interval()));
}

void JobWatcher::answered(QueueReading& reading, const QDateTime& asked)
{
    const QPointer<JobWatcher> self(this);
    if (!reading.error) {
        d->failures = 0;
        d->trouble.reset();
        d->lastAsked = asked;
        d->oddRows = reading.odd;
        d->expandArrays = reading.rows <= mostExpandedRows && d->expandArrays;
        reading.before =
            std::exchange(d->ledger, std::make_shared<JobLedger>(std::move(reading.ledger)));
        tell(reading.events);
    }
    for (const auto& change : self ? std::exchange(d->meanwhile, {}) : decltype(d->meanwhile)())
        if (self)
            change();
    if (self && reading.error)
        failed(*reading.error);
    else if (self)
        emit this->asked(asked);
}

void JobWatcher::failed(const Error& error)
{
    d->asking = false;
    ++d->failures;
    d->trouble = error;
    if (error.kind == ErrorKind::LinkLost)
        stop(); // this Shell is not used again; a new connection has its own watcher
    else
        d->schedule(jittered(d->interval()));
    emit unreachable(error);
}

void JobWatcher::tell(const std::vector<JobEvent>& list)
{
    if (list.empty())
        return;
    d->lastChange = std::chrono::steady_clock::now();
    emit events(list);
}

} // namespace slipway

#include "moc_jobwatcher.cpp"
