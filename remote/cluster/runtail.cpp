// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/runtail.h"

#include "remote/base/tr.h"
#include "remote/cluster/followscript.h"
#include "remote/shell/frames.h"
#include "remote/shell/shell.h"

#include <QCoroTimer>
#include <QPointer>

#include <algorithm>

namespace slipway {

using namespace std::chrono_literals;

namespace {

constexpr int mostFailures = 6;
constexpr auto staleAfter = 30s; // files that have ended are left out of the loop by then

} // namespace

RunTail::RunTail(std::shared_ptr<Shell> shell, QObject* parent)
    : QObject(parent)
    , m_shell(std::move(shell))
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &RunTail::attach);
}

RunTail::~RunTail() = default;

void RunTail::join(LogFollower* file)
{
    if (std::find(m_files.begin(), m_files.end(), file) == m_files.end())
        m_files.push_back(file);
    m_failures = 0;
    restart();
}

/// A loop that has reported the end of a file costs little and need not be replaced at once.
void RunTail::leave(LogFollower* file, Loop loop)
{
    std::erase(m_files, file);
    std::replace(m_numbers.begin(), m_numbers.end(), file, static_cast<LogFollower*>(nullptr));
    if (m_files.empty()) {
        m_again.stop();
        dropProcess();
    } else if (loop == Loop::ReadsOn) {
        restart();
    } else if (!m_again.isActive()) {
        m_again.start(staleAfter);
    }
}

/// Files that join in the same turn of the event loop share the new loop.
void RunTail::restart()
{
    m_again.start(0ms);
}

/// One remote loop at a time: the previous one is ended, and what it had not confirmed is read
/// again.
void RunTail::attach()
{
    dropProcess();
    if (m_files.empty())
        return;
    const QByteArray nonce = newNonce();
    m_reader = std::make_unique<FollowReader>(nonce);
    m_errorText.clear();
    m_numbers = m_files;
    std::vector<FollowedFile> files;
    for (const LogFollower* file : m_numbers)
        files.push_back(file->followed());
    const QByteArray script = followScript(files, nonce, m_pace);
    ++m_starts;
    m_process = m_shell->start({followStarter(script.size()), Invocation::Place::Argument, true});
    connect(m_process.get(), &Process::output, this, &RunTail::take);
    connect(m_process.get(), &Process::errorOutput, this, [this](const QByteArray& text) {
        m_errorText += text;
        m_errorText = m_errorText.right(4096);
    });
    connect(m_process.get(), &Process::finished, this, &RunTail::processEnded);
    m_process->write(script);
}

void RunTail::take(const QByteArray& bytesOfLoop)
{
    using Kind = FollowItem::Kind;
    const QPointer<RunTail> self(this);
    const Process* const source = m_process.get();
    const auto items = m_reader->feed(bytesOfLoop);
    for (const auto& item : items) {
        // A receiver may delete or end followers, and with the last one this.
        if (!self || m_process.get() != source)
            return;
        if (item.kind == Kind::Nonsense)
            return retry({});
        if (item.kind == Kind::NewLoop)
            return restart();
        if (item.kind == Kind::Block || item.kind == Kind::Alive)
            m_failures = 0;
        const bool known = item.file >= 0 && std::size_t(item.file) < m_numbers.size();
        if (LogFollower* const file = known ? m_numbers[std::size_t(item.file)] : nullptr)
            file->take(item);
    }
}

void RunTail::processEnded(const Result<int>& exitCode)
{
    if (!exitCode.ok() && exitCode.error().kind == ErrorKind::LinkLost)
        return endAll(exitCode.error());
    if (!exitCode.ok() && exitCode.error().kind == ErrorKind::Refused) {
        // Not a fault of the loop: it is queued again, after what needed the session.
        dropProcess();
        return m_again.start(500ms);
    }
    if (m_shell->linkState() == LinkState::Down) {
        return endAll(
            {ErrorKind::LinkLost, tr("The connection to %1 was lost.").arg(m_shell->displayName()),
                tr("The log continues from where it stopped.")});
    }
    if (m_again.isActive() && m_again.remainingTimeAsDuration() == 0ms)
        return; // another loop is about to begin
    retry(exitCode.ok() ? tr("exit code %1").arg(*exitCode) : exitCode.error().summary);
}

/// The loop was ended on the cluster (a limit of the login node) or its output was invalid: a new
/// one continues.
void RunTail::retry(const QString& why)
{
    if (++m_failures >= mostFailures) {
        return endAll({ErrorKind::CommandFailed,
            tr("The output of the jobs cannot be followed: %1.")
                .arg(why.isEmpty() ? tr("the reader's output could not be parsed") : why),
            tr("This requires sh, stat, tail, head and sha256sum on the login node."),
            m_errorText});
    }
    dropProcess();
    m_again.start(m_failures == 1
            ? 0ms
            : std::min<std::chrono::milliseconds>(500ms * (1 << m_failures), 30s));
}

void RunTail::endAll(const Error& error)
{
    m_again.stop();
    dropProcess();
    std::vector<QPointer<LogFollower>> files(m_files.begin(), m_files.end());
    for (const auto& file : files) {
        if (file)
            file->end(error);
    }
}

/// Deleted later: this may be called from one of its signals.
void RunTail::dropProcess()
{
    m_numbers.clear();
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process->cancel();
    m_process.release()->deleteLater();
}

FileWatch::FileWatch(const std::shared_ptr<RunTail>& tail, const QStringList& paths)
{
    m_timer.setSingleShot(true);
    if (!tail)
        return;
    for (const QString& path : paths) {
        m_files.push_back(std::make_unique<LogFollower>(tail, path));
        connect(m_files.back().get(), &LogFollower::bytes, this, &FileWatch::wake);
        connect(m_files.back().get(), &LogFollower::restarted, this, &FileWatch::wake);
        m_files.back()->start();
    }
}

void FileWatch::wake()
{
    m_woken = true;
    if (m_timer.isActive())
        m_timer.start(0);
}

QCoro::Task<void> FileWatch::changed(std::chrono::milliseconds atMost)
{
    m_timer.start(m_woken ? 0ms : atMost);
    co_await m_timer;
    m_woken = false;
}

} // namespace slipway

#include "moc_runtail.cpp"
