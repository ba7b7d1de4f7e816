// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/recordfollower.h"

#include "app/runs/recordfinder.h"
#include "remote/cluster/runfolder.h"

#include <QCoroTimer>

#include <algorithm>

namespace slipway {

RecordFollower::RecordFollower(RunFlow flow)
    : RecordFollower(std::move(flow), Pace())
{
}

RecordFollower::RecordFollower(RunFlow flow, Pace pace)
    : m_flow(std::move(flow))
    , m_pace(pace)
    , m_kept(m_flow.record->local.folder())
    , m_next(pace.first)
{
    m_again.setSingleShot(true);
    m_rest.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, [this] { look(); });
    connect(&m_rest, &QTimer::timeout, this, &RecordFollower::resume);
}

RecordFollower::~RecordFollower() = default;

void RecordFollower::start()
{
    if (m_flow.over() || m_again.isActive() || m_looking)
        return;
    QStringList kept;
    for (const KeptRecords::File& file : m_kept.files())
        kept.append(file.name);
    follow(kept);
    m_again.start(m_next);
}

void RecordFollower::end()
{
    m_again.stop();
    m_rest.stop();
    pauseAll();
    m_fileEnded.open();
}

QCoro::Task<void> RecordFollower::look()
{
    const auto self = shared_from_this();
    if (m_looking || m_flow.over())
        co_return;
    m_looking = true;
    const QStringList names =
        co_await findRecords(m_flow.cluster->shell(), m_flow.record->run.folder);
    m_looking = false;
    if (m_flow.over())
        co_return;
    follow(names);
    m_next = std::min(2 * m_next, m_pace.longest);
    m_again.start(m_next);
}

void RecordFollower::follow(const QStringList& names)
{
    const RunFolder folder(m_flow.cluster->shell(), m_flow.record->run.folder);
    for (const QString& name : names) {
        if (m_known.contains(name) || m_known.size() >= KeptRecords::mostFiles)
            continue;
        m_known.append(name);
        m_followed.append(name);
        m_files.push_back(std::make_unique<LogFollower>(
            m_flow.cluster->tail(), folder.filePath(name), m_kept.position(name)));
        LogFollower* const file = m_files.back().get();
        connect(file, &LogFollower::bytes, this,
            [this, file, name](
                const QByteArray& bytes, qint64 offset) { onBytes(file, name, bytes, offset); });
        connect(file, &LogFollower::restarted, this, [this, name] { m_kept.restart(name); });
        connect(
            file, &LogFollower::ended, this, [this] { m_fileEnded.open(); }, Qt::QueuedConnection);
        if (!m_rest.isActive())
            file->start();
    }
}

void RecordFollower::onBytes(
    LogFollower* file, const QString& name, const QByteArray& bytes, qint64 offset)
{
    if (!m_kept.append(name, bytes, offset)) {
        m_followed.removeOne(name);
        return leave(file);
    }
    m_kept.noteInode(name, file->position().inode);
    emit grew();
    if (!m_since.isValid() || m_since.elapsed() > m_pace.rest.count()) {
        m_since.start();
        m_bytes = 0;
    }
    m_bytes += bytes.size();
    if (m_bytes > m_pace.most && !m_rest.isActive()) {
        pauseAll();
        m_rest.start(m_pace.rest);
    }
}

/// Deleted later: this may be called from one of its signals.
void RecordFollower::leave(LogFollower* file)
{
    const auto found = std::find_if(
        m_files.begin(), m_files.end(), [file](const auto& one) { return one.get() == file; });
    if (found == m_files.end())
        return;
    LogFollower* const dropped = found->release();
    m_files.erase(found);
    dropped->disconnect();
    dropped->cancel();
    dropped->deleteLater();
    m_fileEnded.open();
}

void RecordFollower::pauseAll()
{
    while (!m_files.empty())
        leave(m_files.back().get());
}

/// New followers continue where the copies end.
void RecordFollower::resume()
{
    m_bytes = 0;
    m_since.start();
    const QStringList names = std::exchange(m_followed, {});
    for (const QString& name : names)
        m_known.removeOne(name);
    follow(names);
}

QCoro::Task<void> RecordFollower::readToEnd()
{
    const auto self = shared_from_this();
    m_again.stop();
    if (m_flow.over())
        co_return;
    const QStringList names =
        co_await findRecords(m_flow.cluster->shell(), m_flow.record->run.folder);
    m_again.stop(); // a look may have ended meanwhile
    if (m_flow.over())
        co_return;
    if (m_rest.isActive()) {
        m_rest.stop();
        resume();
    }
    follow(names);
    for (const auto& file : m_files)
        file->finish();
    QTimer limit;
    limit.setSingleShot(true);
    connect(&limit, &QTimer::timeout, this, [this] { m_fileEnded.open(); });
    limit.start(m_pace.atEnd);
    const auto isRunning = [](const auto& file) { return file->isRunning(); };
    while (!m_flow.over() && limit.isActive()
        && std::any_of(m_files.begin(), m_files.end(), isRunning))
        co_await m_fileEnded.wait();
    pauseAll();
    m_followed.clear();
    m_known.clear();
    // Steps of an interactive run may follow.
    m_next = m_pace.first;
    if (!m_flow.over())
        m_again.start(m_next);
}

} // namespace slipway
