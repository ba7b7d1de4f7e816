// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/logfollower.h"

#include "remote/cluster/followscript.h"
#include "remote/slurm/records.h"

#include <QDataStream>
#include <QIODevice>
#include <QPointer>
#include <QTimer>

namespace slipway {

using namespace std::chrono_literals;

namespace {

constexpr qsizetype fingerprint = 4096;
constexpr quint32 positionMagic = 0x534c5031; // "SLP1"
constexpr int mostFailures = 6;

void advance(LogPosition& position, const QByteArray& block)
{
    if (position.head.size() < fingerprint && position.head.size() == position.offset)
        position.head += block.left(fingerprint - position.head.size());
    position.tail += block.right(fingerprint);
    position.tail = position.tail.right(fingerprint);
    position.offset += block.size();
}

} // namespace

QByteArray LogPosition::toBytes() const
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_0);
    stream << positionMagic << offset << inode << qint32(restarts) << head << tail;
    return bytes;
}

LogPosition LogPosition::fromBytes(const QByteArray& bytes)
{
    QDataStream stream(bytes);
    stream.setVersion(QDataStream::Qt_6_0);
    quint32 magic = 0;
    qint32 count = 0;
    LogPosition position;
    stream >> magic >> position.offset >> position.inode >> count >> position.head >> position.tail;
    position.restarts = count;
    const bool good = stream.status() == QDataStream::Ok && magic == positionMagic
        && position.offset >= 0
        && position.head.size() <= std::min<qint64>(fingerprint, position.offset)
        && position.tail.size() <= std::min<qint64>(fingerprint, position.offset);
    return good ? position : LogPosition();
}

struct LogFollower::Private {
    std::shared_ptr<Shell> shell;
    QString path;
    LogPosition position;
    FollowPace pace;
    std::unique_ptr<Process> process;
    std::optional<FollowReader> reader;
    QTimer again;
    bool running = false;
    bool finishing = false;
    int failures = 0;
    QByteArray errorText;
};

LogFollower::LogFollower(
    std::shared_ptr<Shell> shell, QString path, LogPosition position, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->shell = std::move(shell);
    d->path = std::move(path);
    d->position = std::move(position);
    d->again.setSingleShot(true);
    connect(&d->again, &QTimer::timeout, this, &LogFollower::attach);
}

LogFollower::~LogFollower() = default;

void LogFollower::setPace(const FollowPace& pace)
{
    d->pace = pace;
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
    d->failures = 0;
    attach();
}

void LogFollower::finish()
{
    if (d->running && d->finishing)
        return;
    d->running = true;
    d->finishing = true;
    d->failures = 0;
    attach();
}

void LogFollower::cancel()
{
    end(Error{ErrorKind::Cancelled, QStringLiteral("The log is no longer followed.")});
}

void LogFollower::jobRestarted(int restarts)
{
    if (restarts <= d->position.restarts)
        return;
    d->position.restarts = restarts;
    // With --open-mode=append the file goes on; without, it was truncated and may have grown past
    // the offset since. The comparison of a new attachment tells them apart.
    if (d->running && d->position.inode != 0)
        attach();
}

/// One far loop at a time: the one before is ended, and what it had not confirmed is read again.
void LogFollower::attach()
{
    d->again.stop();
    dropProcess();
    const QByteArray nonce = Separators::random().row.mid(4);
    d->reader.emplace(nonce);
    d->errorText.clear();
    d->process =
        d->shell->start({followScript(d->path, d->position, nonce, d->pace, d->finishing)});
    Process* process = d->process.get();
    connect(process, &Process::output, this, &LogFollower::take);
    connect(process, &Process::errorOutput, this, [this](const QByteArray& text) {
        d->errorText += text;
        d->errorText = d->errorText.right(4096);
    });
    connect(process, &Process::finished, this, &LogFollower::processEnded);
}

void LogFollower::take(const QByteArray& bytesOfLoop)
{
    using Kind = FollowItem::Kind;
    const QPointer<LogFollower> self(this);
    const auto* source = d->process.get();
    const auto items = d->reader->feed(bytesOfLoop);
    for (const auto& item : items) {
        // A receiver may delete, end or re-attach this follower.
        if (!self || !d->running || d->process.get() != source)
            return;
        if (item.kind == Kind::Block)
            takeBlock(qint64(item.number), item.bytes);
        else if (item.kind == Kind::Restart)
            takeRestart();
        else if (item.kind == Kind::Inode)
            d->position.inode = item.number;
        else if (item.kind == Kind::Waiting)
            emit waitingForFile();
        else if (item.kind == Kind::End || item.kind == Kind::NeverCame)
            end(Result<void>());
        else if (item.kind == Kind::Unreadable)
            end(Error{ErrorKind::Io, QStringLiteral("The log %1 may not be read.").arg(d->path),
                QStringLiteral("Look at its permissions on the cluster.")});
        else if (item.kind == Kind::Nonsense)
            tryAgain();
    }
}

void LogFollower::takeBlock(qint64 offset, const QByteArray& block)
{
    if (offset != d->position.offset) // cannot be: the loop and this side count alike
        return tryAgain();
    d->failures = 0;
    advance(d->position, block);
    emit bytes(block, offset);
}

void LogFollower::takeRestart()
{
    const int restarts = d->position.restarts;
    d->position = LogPosition();
    d->position.restarts = restarts;
    emit restarted();
}

void LogFollower::processEnded(const Result<int>& exitCode)
{
    if (!d->running)
        return;
    if (!exitCode.ok() && exitCode.error().kind == ErrorKind::LinkLost)
        return end(exitCode.error());
    if (d->shell->linkState() == LinkState::Down) {
        return end(Error{ErrorKind::LinkLost,
            QStringLiteral("The connection to %1 was lost.").arg(d->shell->displayName()),
            QStringLiteral("The log goes on from where it stopped.")});
    }
    tryAgain(
        exitCode.ok() ? QStringLiteral("exit code %1").arg(*exitCode) : exitCode.error().summary);
}

/// The loop was ended there (a limit of the login node) or made no sense: a new one goes on.
void LogFollower::tryAgain(const QString& why)
{
    if (++d->failures >= mostFailures) {
        return end(Error{ErrorKind::CommandFailed,
            QStringLiteral("The log %1 cannot be followed: %2.")
                .arg(d->path, why.isEmpty() ? QStringLiteral("its reader makes no sense") : why),
            QStringLiteral("It needs sh, stat, tail, head and sha256sum on the login node."),
            d->errorText});
    }
    dropProcess();
    d->again.start(std::min<std::chrono::milliseconds>(500ms * (1 << d->failures), 30s));
}

void LogFollower::end(const Result<void>& result)
{
    if (!d->running)
        return;
    d->running = false;
    d->finishing = false;
    d->again.stop();
    dropProcess();
    emit ended(result);
}

/// Deleted later: this may be called from one of its signals.
void LogFollower::dropProcess()
{
    if (!d->process)
        return;
    d->process->disconnect(this);
    d->process->cancel();
    d->process.release()->deleteLater();
}

} // namespace slipway
