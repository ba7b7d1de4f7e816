// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/node/nodewatch.h"

#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/slurm/arraytasks.h"
#include "remote/slurm/values.h"

namespace slipway {

namespace {

constexpr qsizetype longestWatchLine = 256 * 1024;
constexpr int mostWatchTries = 4;
constexpr auto watchGoodbye = std::chrono::seconds(5); ///< for the agent to exit by itself

/// What srun takes for a job: of a task of an array the number of its own, which only squeue knows.
QByteArray jobOfStep(const JobId& job)
{
    const QByteArray text = job.text.toLatin1();
    return taskOf(job) < 0 ? text : "\"$(squeue -h -j " + text + " -o %A)\"";
}

} // namespace

QString watchRefusal(const QString& slurmVersion)
{
    const int release = slurmRelease(slurmVersion);
    if (release >= firstSharingRelease)
        return {};
    if (release == 0)
        return tr("The cluster's Slurm version is not known. Before 22.05 the sampling step would "
                  "keep the job's own steps from starting, so no samples are taken.");
    return tr("On Slurm %1 the sampling step would keep the job's own steps from starting (fixed "
              "in 22.05), so no samples are taken.")
        .arg(slurmVersion);
}

QByteArray watchScript(const NodeWatchRequest& request)
{
    const QByteArray nodes = QByteArray::number(std::max(1, request.nodes));
    return "cd -- " + shellQuoted(request.folder) + R"SH( 2>/dev/null || exit 91
[ -O . ] && [ -O probe.sha256 ] && [ ! -L probe.sha256 ] || exit 91
read -r sum file 2>/dev/null <probe.sha256 || exit 91
[ -O "$file" ] || exit 92
[ "$(sha256sum 2>/dev/null <"$file")" = "$sum  -" ] || exit 92
command -v srun >/dev/null || exit 93
exec srun --jobid=)SH"
        + jobOfStep(request.job) + " --overlap -N " + nodes + " -n " + nodes
        + " --ntasks-per-node=1 --cpus-per-task=1 --cpu-bind=none --mpi=none --kill-on-bad-exit=0 "
          "--quiet"
          " --job-name=slipway-agent \"$file\" agent\n";
}

NodeWatch::NodeWatch(Start start, NodeWatchRequest request, QObject* parent)
    : NodeWatch(std::move(start), std::move(request), Pace(), parent)
{
}

NodeWatch::NodeWatch(Start start, NodeWatchRequest request, Pace pace, QObject* parent)
    : QObject(parent)
    , m_start(std::move(start))
    , m_request(std::move(request))
    , m_pace(pace)
    , m_trouble(watchRefusal(m_request.slurmVersion))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &NodeWatch::begin);
    if (m_trouble.isEmpty())
        m_timer.start(m_pace.first);
}

NodeWatch::~NodeWatch() = default;

void NodeWatch::stop()
{
    if (std::exchange(m_stopped, true))
        return;
    m_timer.stop();
    if (!m_process) {
        deleteLater();
        return;
    }
    m_process->closeInput();
    // An agent that does not respond ends with its channel.
    QTimer::singleShot(watchGoodbye, this, &QObject::deleteLater);
}

void NodeWatch::begin()
{
    ++m_tries;
    m_pending.clear();
    m_errors.clear();
    m_process = m_start(watchScript(m_request));
    connect(m_process.get(), &Process::output, this, &NodeWatch::take);
    connect(m_process.get(), &Process::errorOutput, this,
        [this](const QByteArray& bytes) { m_errors = QByteArray(m_errors + bytes).right(2000); });
    connect(m_process.get(), &Process::finished, this, &NodeWatch::ended, Qt::QueuedConnection);
}

void NodeWatch::take(const QByteArray& bytes)
{
    m_pending += bytes;
    for (qsizetype newline; (newline = m_pending.indexOf('\n')) >= 0;) {
        const QByteArray line = m_pending.left(newline);
        m_pending.remove(0, newline + 1);
        const auto sample = readNodeSample(line);
        if (!sample || m_stopped)
            continue;
        m_tries = 0; // it works: a later end has a new cause
        emit sampled(*sample, line);
    }
    if (m_pending.size() > longestWatchLine)
        m_pending.clear();
}

void NodeWatch::ended(const Result<int>& exitCode)
{
    m_process.reset();
    if (m_stopped) {
        deleteLater();
        return;
    }
    if (!exitCode.ok() && exitCode.error().kind == ErrorKind::LinkLost)
        return; // the next connection has its own watch
    if (!exitCode.ok() && exitCode.error().kind == ErrorKind::Refused) {
        --m_tries;
        return m_timer.start(m_pace.again);
    }
    const int code = exitCode.ok() ? *exitCode : 0;
    if (code == 91)
        m_trouble =
            tr("There is no slipway-probe on the cluster for this run, so no samples are taken.");
    else if (code == 92)
        m_trouble = tr("slipway-probe was removed from the cluster or changed there, so no samples "
                       "are taken.");
    else if (code == 93)
        m_trouble = tr("There is no srun on the login node, so no samples are taken.");
    else if (m_tries < mostWatchTries)
        return m_timer.start(m_pace.again * std::max(1, m_tries));
    else
        m_trouble = tr("The agent on the node ended: %1")
                        .arg(QString::fromUtf8(m_errors.trimmed().split('\n').last()).left(300));
    emit troubled();
}

} // namespace slipway

#include "moc_nodewatch.cpp"
