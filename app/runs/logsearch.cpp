// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/logsearch.h"

#include "remote/base/tr.h"

#include <QFile>
#include <QMutex>
#include <QMutexLocker>
#include <QThreadPool>

#include <algorithm>
#include <atomic>
#include <utility>

namespace slipway {

namespace {

constexpr int searchPace = 50; ///< ms between two collections of results
constexpr qint64 searchBlock = 1024 * 1024; ///< bytes per read: they stay in the processor's cache

} // namespace

/// One search. The first part belongs to the thread that is reading, of which there is one at a
/// time; the second is what both sides see, under the mutex.
struct LogSearch::Job {
    explicit Job(const LogQuery& query)
        : scan(query)
    {
    }

    LogScan scan;
    LogSource source;
    qint64 read = 0;
    size_t restartsSeen = 0;
    bool ended = false;

    std::atomic<bool> cancelled = false;
    QMutex mutex;
    std::vector<LogHit> hits; ///< not collected yet
    qint64 count = 0;
    int percent = 0;
    bool done = false;
    QString trouble;

    void publish(qint64 size)
    {
        const std::vector<LogHit> fresh = scan.takeHits();
        const QMutexLocker lock(&mutex);
        hits.insert(hits.end(), fresh.begin(), fresh.end());
        count = scan.count();
        percent = size > 0 ? int(std::min<qint64>(100, 100 * read / size)) : 100;
    }
};

LogSearch::LogSearch(QObject* parent)
    : QObject(parent)
{
    m_pace.setInterval(searchPace);
    connect(&m_pace, &QTimer::timeout, this, &LogSearch::collect);
}

LogSearch::~LogSearch()
{
    if (m_job)
        m_job->cancelled = true;
}

void LogSearch::start(const LogSource& source, const LogQuery& query)
{
    cancel();
    m_job = std::make_shared<Job>(query);
    m_source = source;
    run();
}

void LogSearch::update(const LogSource& source)
{
    m_source = source;
    if (!m_job)
        return;
    m_pending = true; // with the next collection: a log may grow many times per second
    if (!m_pace.isActive())
        m_pace.start();
}

void LogSearch::cancel()
{
    if (m_job)
        m_job->cancelled = true;
    m_job.reset();
    m_pace.stop();
    m_running = false;
    m_pending = false;
    m_hits.clear();
    m_count = 0;
    m_percent = 0;
    m_trouble.clear();
}

void LogSearch::run()
{
    m_pending = false;
    m_running = true;
    m_job->source = m_source;
    m_job->done = false;
    m_pace.start();
    QThreadPool::globalInstance()->start([job = m_job] {
        work(*job);
        const QMutexLocker lock(&job->mutex);
        job->done = true;
    });
}

void LogSearch::collect()
{
    bool news = false;
    if (m_running) {
        const QMutexLocker lock(&m_job->mutex);
        news = m_job->done || !m_job->hits.empty() || m_job->count != m_count
            || m_job->percent != m_percent;
        m_hits.insert(m_hits.end(), m_job->hits.begin(), m_job->hits.end());
        m_job->hits.clear();
        m_count = m_job->count;
        m_percent = m_job->percent;
        m_trouble = m_job->trouble;
        m_running = !m_job->done;
    }
    if (news)
        emit changed(); // which may start another search, or cancel this one
    if (m_job && !m_running && m_pending)
        run();
    if (!m_running)
        m_pace.stop();
}

/// On a thread of the pool: from where the job stopped to the end of the file as it is now.
void LogSearch::work(Job& job)
{
    QFile file(job.source.file);
    if (!file.exists()) // a run that has printed nothing has no log yet
        return job.publish(0);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) || !file.seek(job.read)) {
        const QMutexLocker lock(&job.mutex);
        job.trouble = tr("The log could not be read: %1").arg(file.errorString());
        return;
    }
    QByteArray block(searchBlock, Qt::Uninitialized);
    while (!job.cancelled) {
        const auto& restarts = job.source.restarts;
        const bool more = job.restartsSeen < restarts.size();
        const qint64 border = more ? restarts[job.restartsSeen] - job.read : searchBlock;
        if (border <= 0) {
            ++job.restartsSeen;
            job.scan.endLine();
            continue;
        }
        const qint64 size = file.read(block.data(), std::min(searchBlock, border));
        if (size <= 0)
            break;
        job.read += size;
        job.ended = false;
        job.scan.feed(QByteArrayView(block).first(size));
        job.publish(file.size());
    }
    if (job.source.ended && !job.cancelled && !std::exchange(job.ended, true))
        job.scan.endLine();
    job.publish(job.read);
}

} // namespace slipway

#include "moc_logsearch.cpp"
