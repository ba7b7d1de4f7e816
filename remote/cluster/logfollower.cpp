// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/logfollower.h"

#include "remote/base/tr.h"
#include "remote/cluster/followscript.h"
#include "remote/cluster/runtail.h"

#include <QCryptographicHash>

#include <algorithm>

namespace slipway {

namespace {

void advance(LogPosition& position, const QByteArray& block)
{
    if (position.head.size() < followFingerprint)
        position.head += block.left(followFingerprint - position.head.size());
    position.tail += block.right(followFingerprint);
    position.tail = position.tail.right(followFingerprint);
    position.offset += block.size();
}

/// Without all of its first bytes a file cannot be recognised: it is read from its beginning.
LogPosition knownAgain(LogPosition position)
{
    if (position.head.size() == std::min<qint64>(followFingerprint, position.offset))
        return position;
    LogPosition beginning;
    beginning.restarts = position.restarts;
    return beginning;
}

} // namespace

struct LogFollower::Private {
    std::shared_ptr<RunTail> tail;
    QString path;
    LogPosition position;
    QByteArray seen; ///< the file's change time when the position was confirmed
    std::chrono::milliseconds settle{0};
    bool running = false;
    bool finishing = false;
};

LogFollower::LogFollower(
    std::shared_ptr<RunTail> tail, QString path, LogPosition position, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->tail = std::move(tail);
    d->path = std::move(path);
    d->position = knownAgain(std::move(position));
}

LogFollower::LogFollower(
    std::shared_ptr<Shell> shell, QString path, LogPosition position, QObject* parent)
    : LogFollower(
        std::make_shared<RunTail>(std::move(shell)), std::move(path), std::move(position), parent)
{
}

LogFollower::~LogFollower()
{
    if (d->running)
        d->tail->leave(this, RunTail::Loop::ReadsOn);
}

void LogFollower::setPace(const FollowPace& pace)
{
    d->tail->setPace(pace);
}

bool LogFollower::isRunning() const
{
    return d->running;
}

const LogPosition& LogFollower::position() const
{
    return d->position;
}

QString LogFollower::path() const
{
    return d->path;
}

void LogFollower::start()
{
    if (d->running)
        return;
    d->running = true;
    d->finishing = false;
    d->tail->join(this);
}

void LogFollower::finish(std::optional<std::chrono::milliseconds> settle)
{
    const auto time = settle.value_or(d->tail->pace().settle);
    if (d->running && d->finishing && time >= d->settle)
        return;
    d->running = true;
    d->finishing = true;
    d->settle = time;
    d->tail->join(this);
}

void LogFollower::cancel()
{
    end(Error{ErrorKind::Cancelled, tr("The log is no longer followed.")});
}

void LogFollower::jobRestarted(int restarts)
{
    if (restarts <= d->position.restarts)
        return;
    d->position.restarts = restarts;
    // With --open-mode=append the file continues; without, it was truncated and may have grown past
    // the offset since. The comparison of a new loop distinguishes the two.
    d->seen.clear();
    if (d->running && d->position.inode != 0)
        d->tail->join(this);
}

FollowedFile LogFollower::followed() const
{
    return {d->path, d->position, d->seen, d->finishing, d->settle};
}

void LogFollower::take(const FollowItem& item)
{
    using Kind = FollowItem::Kind;
    if (item.kind == Kind::Block)
        takeBlock(item);
    else if (item.kind == Kind::Restart)
        onRestart();
    else if (item.kind == Kind::Inode)
        d->position.inode = item.number;
    else if (item.kind == Kind::Waiting)
        emit waitingForFile();
    else if (item.kind == Kind::NeverCame && d->position.inode != 0)
        end(Error{ErrorKind::Io, tr("The log %1 was deleted on the cluster.").arg(d->path),
            tr("What had been read of it is kept here; what was written to it after that is "
               "lost.")});
    else if (item.kind == Kind::End || item.kind == Kind::NeverCame)
        end(Result<void>());
    else if (item.kind == Kind::Unreadable)
        end(Error{ErrorKind::Io, tr("The log %1 is not readable.").arg(d->path),
            tr("Check its permissions on the cluster.")});
}

void LogFollower::takeBlock(const FollowItem& item)
{
    if (qint64(item.number) != d->position.offset) // the loop and this side count in the same way
        return d->tail->retry({});
    LogPosition after = d->position;
    advance(after, item.bytes);
    d->seen.clear();
    // A different beginning: the file was rewritten since. A new loop compares.
    if (QCryptographicHash::hash(after.head, QCryptographicHash::Sha256).toHex() != item.hash)
        return d->tail->retry({});
    const qint64 offset = d->position.offset;
    d->position = std::move(after);
    d->seen = item.changed;
    emit bytes(item.bytes, offset);
}

void LogFollower::onRestart()
{
    const int restarts = d->position.restarts;
    d->position = LogPosition();
    d->position.restarts = restarts;
    d->seen.clear();
    emit restarted();
}

void LogFollower::end(const Result<void>& result)
{
    if (!d->running)
        return;
    d->running = false;
    d->finishing = false;
    d->tail->leave(this, result.ok() ? RunTail::Loop::KnowsIt : RunTail::Loop::ReadsOn);
    emit ended(result);
}

} // namespace slipway

#include "moc_logfollower.cpp"
