// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/shell/framedrun.h"

#include "remote/base/tr.h"

#include <QAbstractEventDispatcher>

namespace slipway {

namespace {

// A script may leave a background process that keeps its output open; its answer is complete with
// the end mark, so this is how much longer to wait for the rest of stderr.
constexpr std::chrono::milliseconds graceAfterEnd{500};
constexpr qint64 inputAhead = 1024 * 1024;

Invocation framedInvocation(const FramedRequest& request, const QByteArray& nonce)
{
    if (request.input)
        return {
            framedScript(nonce, request.script, ScriptInput::Data), Invocation::Place::Argument};
    return {framedScript(nonce, request.script), Invocation::Place::StandardInput};
}

Error tooMuch(const QString& where, qint64 limit)
{
    return {ErrorKind::Protocol,
        tr("A command on %1 printed more than %2 MiB and was stopped.")
            .arg(where)
            .arg(double(limit) / (1024 * 1024), 0, 'g', 3),
        tr("Request less output, or fetch it as a file.")};
}

} // namespace

FramedRun::FramedRun(Shell& shell, FramedRequest request)
    : m_request(std::move(request))
    , m_outFrame({})
    , m_errFrame({})
{
    const auto nonce = newNonce();
    m_outFrame = FrameReader(nonce);
    m_errFrame = FrameReader(nonce);
    m_timer.setSingleShot(true);
    m_grace.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        end(Error{ErrorKind::Timeout,
            tr("A command on %1 did not respond within %2 s.")
                .arg(m_request.where)
                .arg(double(m_request.timeout.count()) / 1000),
            tr("The machine may be busy. Try again in a moment."), m_err});
    });
    connect(&m_grace, &QTimer::timeout, this, [this] { end(collected()); });

    m_process = begin(shell, nonce);
    connect(m_process.get(), &Process::output, this, &FramedRun::onOutput);
    connect(m_process.get(), &Process::errorOutput, this, &FramedRun::onErrorOutput);
    connect(m_process.get(), &Process::finished, this, &FramedRun::onFinished);
    if (m_request.input) {
        connect(m_process.get(), &Process::bytesWritten, this, &FramedRun::feedInput);
        feedInput();
    }
    // The time spent waiting for a session does not count for the script.
    if (m_process->isWaiting())
        connect(m_process.get(), &Process::started, &m_timer,
            [this] { m_timer.start(m_request.timeout); });
    else
        m_timer.start(m_request.timeout);
}

FramedRun::~FramedRun() = default;

/// A short script goes to the persistent shell if it is idle; a script that streams or has input
/// gets its own process.
std::unique_ptr<Process> FramedRun::begin(Shell& shell, const QByteArray& nonce)
{
    auto* kept = m_request.input || m_request.sink ? nullptr : shell.idlePersistentShell();
    if (!kept)
        return shell.start(framedInvocation(m_request, nonce));
    auto lent = kept->lend(keptScript(nonce, m_request.script));
    m_lent = lent.get();
    return lent;
}

void FramedRun::keep()
{
    if (m_request.timeoutIsIdle && !m_process->isWaiting())
        m_timer.start(m_request.timeout);
}

void FramedRun::onOutput(const QByteArray& bytes)
{
    if (m_result)
        return;
    keep();
    m_outFrame.feed(bytes);
    const auto payload = m_outFrame.takePayload();
    m_received += m_request.sink ? 0 : payload.size();
    if (m_received > m_request.outputLimit)
        return end(tooMuch(m_request.where, m_request.outputLimit));
    if (!m_request.sink) {
        m_out += payload;
    } else if (!payload.isEmpty() && !m_request.sink(payload)) {
        return end(Error{ErrorKind::Io,
            tr("The data received from %1 could not be written on this computer.")
                .arg(m_request.where)});
    }
    if (m_outFrame.state() != FrameReader::State::Ended)
        return;
    if (m_lent && m_errFrame.state() == FrameReader::State::Ended)
        end(collected());
    else if (!m_grace.isActive())
        m_grace.start(graceAfterEnd);
}

void FramedRun::onErrorOutput(const QByteArray& bytes)
{
    if (m_result)
        return;
    keep();
    m_errFrame.feed(bytes);
    const auto payload = m_errFrame.takePayload();
    m_received += payload.size();
    m_err += payload;
    if (m_received > m_request.outputLimit)
        return end(tooMuch(m_request.where, m_request.outputLimit));
    if (m_lent && m_errFrame.state() == FrameReader::State::Ended
        && m_outFrame.state() == FrameReader::State::Ended)
        end(collected());
}

void FramedRun::onFinished(const Result<int>& exitCode)
{
    if (m_result)
        return;
    m_errFrame.flush();
    m_err += m_errFrame.takePayload();
    if (m_outFrame.state() == FrameReader::State::Ended)
        end(collected());
    else
        endWithoutMark(exitCode);
}

/// The script's end mark never arrived: what it did is unknown, which is never treated as an empty
/// answer.
void FramedRun::endWithoutMark(const Result<int>& exitCode)
{
    if (!exitCode.ok())
        return end(exitCode.error());
    m_outFrame.flush();
    const bool begun = m_outFrame.state() == FrameReader::State::Inside;
    Error error{
        ErrorKind::Protocol, {}, {}, begun ? m_err : m_outFrame.noise() + m_errFrame.noise()};
    if (begun) {
        error.summary =
            tr("A command on %1 was cut short, so its result is unknown.").arg(m_request.where);
        error.remedy = tr("Try again; if it happens every time, a start-up file or a limit on that "
                          "machine ends the command.");
    } else {
        error.summary =
            tr("%1 did not start a shell (exit code %2).").arg(m_request.where).arg(*exitCode);
        error.remedy = tr("Log in with ssh in a terminal to see what the account may do.");
    }
    end(std::move(error));
}

void FramedRun::feedInput()
{
    const auto& input = *m_request.input;
    keep();
    while (m_inputSent < input.size() && m_process->bytesToWrite() < inputAhead) {
        const auto piece = input.mid(m_inputSent, 256 * 1024);
        m_inputSent += piece.size();
        m_process->write(piece);
        if (m_inputSent == input.size())
            m_process->closeInput();
    }
    if (input.isEmpty())
        m_process->closeInput();
}

CommandOutput FramedRun::collected() const
{
    return {m_outFrame.exitCode(), m_out, m_err};
}

void FramedRun::end(Result<CommandOutput> result)
{
    if (m_result)
        return;
    m_result = std::move(result);
    m_timer.stop();
    m_grace.stop();
    if (m_lent && m_outFrame.state() == FrameReader::State::Ended
        && m_errFrame.state() == FrameReader::State::Ended)
        m_lent->giveBack();
    QMetaObject::invokeMethod(
        QAbstractEventDispatcher::instance(),
        [waiting = QPointer<FramedRun>(this)] {
            if (!waiting)
                return;
            waiting->m_process.reset(); // ends what a timeout or a full buffer left running
            waiting->m_waiting.resume();
        },
        Qt::QueuedConnection);
}

} // namespace slipway

#include "moc_framedrun.cpp"
