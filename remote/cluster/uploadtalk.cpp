// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/uploadtalk.h"

#include "remote/base/tr.h"

namespace slipway {

namespace {

constexpr std::chrono::milliseconds lookPause{500};
constexpr qint64 mostTalk = 256 * 1024; ///< an upload answers in a few short lines

} // namespace

UploadTalk::UploadTalk(Shell& shell, const QByteArray& script, Kind kind)
    : m_where(shell.displayName())
    , m_outFrame({})
    , m_errFrame({})
{
    const QByteArray nonce = newNonce();
    m_outFrame = FrameReader(nonce);
    m_errFrame = FrameReader(nonce);
    m_timer.setSingleShot(true);
    m_look.setSingleShot(true);
    connect(&m_look, &QTimer::timeout, this, &UploadTalk::resumeWaiter);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_process && m_process->isWaiting())
            return m_timer.start(); // it has not begun: it waits for a session
        finish(Error{ErrorKind::Timeout, tr("The upload to %1 has stopped.").arg(m_where),
            tr("The machine may be busy. Try again: what has arrived is kept."), m_err});
    });
    m_process = shell.start({framedScript(nonce, script, ScriptInput::Data),
        Invocation::Place::Argument, kind == Kind::Stream});
    connect(m_process.get(), &Process::output, this, &UploadTalk::onOutput);
    connect(m_process.get(), &Process::errorOutput, this, [this](const QByteArray& bytes) {
        m_received += bytes.size();
        m_errFrame.feed(bytes);
        m_err += m_errFrame.takePayload().left(mostTalk - m_err.size());
    });
    connect(m_process.get(), &Process::bytesWritten, this, &UploadTalk::wake);
    connect(m_process.get(), &Process::finished, this, &UploadTalk::onFinished);
}

UploadTalk::~UploadTalk() = default;

QFuture<void> UploadTalk::news(std::chrono::milliseconds patience)
{
    m_waiter.emplace();
    m_waiter->start();
    const QFuture<void> future = m_waiter->future();
    if (!m_timer.isActive() || m_timer.intervalAsDuration() != patience)
        m_timer.start(patience);
    m_look.start(lookPause);
    if (m_hasNews || m_end)
        wake();
    return future;
}

std::optional<QByteArray> UploadTalk::takeLine()
{
    const qsizetype end = m_lines.indexOf('\n');
    if (end < 0)
        return std::nullopt;
    const QByteArray line = m_lines.left(end);
    m_lines.remove(0, end + 1);
    return line;
}

void UploadTalk::write(const QByteArray& bytes)
{
    if (!m_end)
        m_process->write(bytes);
}

void UploadTalk::closeInput()
{
    if (!m_end)
        m_process->closeInput();
}

qint64 UploadTalk::waiting() const
{
    return m_end ? 0 : m_process->bytesToWrite();
}

void UploadTalk::onOutput(const QByteArray& bytes)
{
    if (m_end)
        return; // it goes on until its caller notices, which may be summing a file
    m_received += bytes.size();
    m_outFrame.feed(bytes);
    m_lines += m_outFrame.takePayload();
    if (m_received > mostTalk)
        return finish(Error{ErrorKind::Protocol,
            tr("%1 answered an upload with more than was asked.").arg(m_where), tr("Try again.")});
    wake();
}

void UploadTalk::onFinished(const Result<int>& exitCode)
{
    m_errFrame.flush();
    m_err += m_errFrame.takePayload().left(mostTalk - m_err.size());
    if (m_outFrame.state() == FrameReader::State::Ended)
        return finish(CommandOutput{m_outFrame.exitCode(), {}, m_err});
    if (!exitCode.ok())
        return finish(exitCode.error());
    finish(Error{ErrorKind::Protocol,
        tr("A command on %1 was cut short, so its result is unknown.").arg(m_where),
        tr("Try again: what has arrived is kept."), m_err});
}

void UploadTalk::finish(Result<CommandOutput> result)
{
    if (m_end)
        return;
    m_end = std::move(result);
    m_timer.stop();
    wake();
}

void UploadTalk::wake()
{
    m_timer.stop(); // the next wait is patient again
    m_hasNews = !m_waiter;
    resumeWaiter();
}

/// The waiting coroutine goes on from the event loop, so it may delete this object.
void UploadTalk::resumeWaiter()
{
    m_look.stop();
    if (!m_waiter)
        return;
    QPromise<void> waiter = std::move(*m_waiter);
    m_waiter.reset();
    waiter.finish();
}

} // namespace slipway

#include "moc_uploadtalk.cpp"
