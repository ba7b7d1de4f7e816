// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/shell/persistentshell.h"

#include "remote/base/tr.h"

namespace slipway {

KeptProcess::KeptProcess(PersistentShell* kept)
    : m_kept(kept)
{
}

KeptProcess::~KeptProcess()
{
    if (m_kept)
        m_kept->end();
}

void KeptProcess::cancel()
{
    if (!m_kept)
        return;
    std::exchange(m_kept, nullptr)->end();
    QMetaObject::invokeMethod(
        this,
        [this] {
            emit finished(Error{ErrorKind::Cancelled, tr("The command was cancelled.")});
        },
        Qt::QueuedConnection);
}

void KeptProcess::giveBack()
{
    if (m_kept && m_kept->m_state == PersistentShell::State::Lent) {
        disconnect(m_kept->m_process.get(), nullptr, this, nullptr);
        m_kept->m_state = PersistentShell::State::Idle;
        if (m_kept->m_retiring)
            m_kept->end();
    }
    m_kept.clear();
}

PersistentShell::PersistentShell(std::unique_ptr<Process> process)
    : m_process(std::move(process))
    , m_ready({})
{
    const QByteArray nonce = newNonce();
    m_ready = FrameReader(nonce);
    connect(m_process.get(), &Process::output, this, [this](const QByteArray& bytes) {
        if (m_state != State::Opening)
            return;
        m_ready.feed(bytes);
        if (m_ready.state() == FrameReader::State::Ended)
            m_state = State::Idle;
    });
    connect(m_process.get(), &Process::finished, this, &PersistentShell::onFinished);
    m_process->write(keptOpening(nonce));
}

PersistentShell::~PersistentShell()
{
    if (m_lent && m_state == State::Lent)
        emit m_lent->finished(Error{ErrorKind::LinkLost, tr("The connection was closed.")});
}

void PersistentShell::retire()
{
    m_retiring = true;
    if (m_state != State::Lent)
        end();
}

std::unique_ptr<KeptProcess> PersistentShell::lend(const QByteArray& text)
{
    m_state = State::Lent;
    auto lent = std::make_unique<KeptProcess>(this);
    m_lent = lent.get();
    connect(m_process.get(), &Process::output, lent.get(), &Process::output);
    connect(m_process.get(), &Process::errorOutput, lent.get(), &Process::errorOutput);
    m_process->write(text);
    return lent;
}

void PersistentShell::onFinished(const Result<int>& exitCode)
{
    const bool wasLent = std::exchange(m_state, State::Gone) == State::Lent;
    if (wasLent && m_lent)
        emit m_lent->finished(exitCode);
}

void PersistentShell::end()
{
    if (m_state == State::Gone)
        return;
    m_state = State::Gone;
    m_lent.clear();
    disconnect(m_process.get(), nullptr, this, nullptr);
    m_process->cancel();
}

} // namespace slipway

#include "moc_persistentshell.cpp"
