// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/runlauncher.h"

#include <QPointer>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

/// Why a sweep ended at `failed`, and which of its launches were not made for that reason.
Error sweepError(Error error, const std::vector<LaunchSpec>& specs, size_t failed)
{
    error.summary =
        RunLauncher::tr("%1 was not launched: %2").arg(specs[failed].sweepLabel, error.summary);
    QStringList rest;
    for (size_t left = failed + 1; left < specs.size(); ++left) {
        rest << specs[left].sweepLabel;
    }
    if (!rest.isEmpty()) {
        error.summary += u' ' % RunLauncher::tr("Also not launched: %1.").arg(rest.join(u", "_s));
    }
    return error;
}

} // namespace

RunLauncher::RunLauncher(Engine* engine, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
{
    connect(engine->runs(), &Runs::runAdded, this, [this](const QString& runId) {
        if (std::exchange(m_waiting, false) && m_shows) {
            emit started(runId);
        }
    });
}

QCoro::Task<RunLauncher::Attempt> RunLauncher::submit(LaunchSpec spec, bool shows)
{
    const QPointer<RunLauncher> self(this);
    m_waiting = true;
    m_shows = shows;
    emit busyChanged(true);
    const Result<QString> runId = co_await m_engine->runs()->launch(spec);
    if (!self) {
        co_return Attempt{runId, false};
    }
    const bool listed = !std::exchange(m_waiting, false);
    emit busyChanged(false);
    co_return Attempt{runId, listed};
}

QCoro::Task<Result<QString>> RunLauncher::launch(LaunchSpec spec)
{
    const QPointer<RunLauncher> self(this);
    const Attempt attempt = co_await submit(spec);
    if (self && !attempt.runId.ok() && !attempt.listed) {
        emit refused(attempt.runId.error());
    }
    co_return attempt.runId;
}

/// All runs are in the list before the first is submitted, so the page of one of them shows a
/// failure.
QCoro::Task<void> RunLauncher::launchArray(std::vector<LaunchSpec> specs)
{
    const QPointer<RunLauncher> self(this);
    m_waiting = m_shows = true;
    emit busyChanged(true);
    const Result<QStringList> runs = co_await m_engine->runs()->launchArray(specs);
    if (!self) {
        co_return;
    }
    const bool listed = !std::exchange(m_waiting, false);
    emit busyChanged(false);
    if (!runs.ok() && !listed) {
        emit refused(runs.error());
    }
}

QCoro::Task<void> RunLauncher::launchSweep(std::vector<LaunchSpec> specs)
{
    const QPointer<RunLauncher> self(this);
    if (!specs.empty() && specs.front().arrayAtOnce >= 0) {
        auto launching = launchArray(specs);
        co_await launching;
        co_return;
    }
    for (size_t i = 0; i < specs.size(); ++i) {
        const Attempt attempt = co_await submit(specs[i], i == 0);
        if (!self) {
            co_return;
        }
        if (!attempt.runId.ok()) {
            emit refused(sweepError(attempt.runId.error(), specs, i));
            co_return;
        }
    }
}

} // namespace slipway

#include "moc_runlauncher.cpp"
