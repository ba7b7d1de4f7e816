// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/shell/shell.h"

#include "remote/shell/framedrun.h"
#include "remote/shell/persistentshell.h"

namespace slipway {

namespace {

// A shell that a machine keeps ending is not reopened forever.
constexpr int mostKeptOpened = 5;

} // namespace

Shell::Shell(QObject* parent)
    : QObject(parent)
{
}

Shell::~Shell() = default;

PersistentShell* Shell::idlePersistentShell()
{
    if (!m_kept || m_kept->state() == PersistentShell::State::Gone) {
        std::unique_ptr<Process> process;
        if (m_keptOpened < mostKeptOpened && linkState() == LinkState::Up)
            process = startKept();
        if (!process)
            return nullptr;
        ++m_keptOpened;
        m_kept = std::make_unique<PersistentShell>(std::move(process));
    }
    return m_kept->state() == PersistentShell::State::Idle ? m_kept.get() : nullptr;
}

std::unique_ptr<Process> Shell::startKept()
{
    return nullptr;
}

void Shell::dropKept()
{
    m_kept.reset();
}

void Shell::retireKept()
{
    m_keptOpened = mostKeptOpened;
    if (m_kept)
        m_kept->retire();
    emit fewSessionsChanged(true);
}

void Shell::allowKept()
{
    m_keptOpened = 0;
    emit fewSessionsChanged(false);
}

QCoro::Task<Result<CommandOutput>> Shell::run(QByteArray script, RunOptions options)
{
    FramedRequest request;
    request.script = std::move(script);
    request.timeout = options.timeout;
    request.outputLimit = options.outputLimit;
    request.where = displayName();
    FramedRun framed(*this, std::move(request));
    auto result = co_await framed.result();
    co_return result;
}

} // namespace slipway

#include "moc_shell.cpp"
