// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "proberun.h"

#include "tests/support/paths.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QThread>

#include <unistd.h>

FakeNode::FakeNode()
    : m_folder(std::make_shared<QTemporaryDir>(QFileInfo(QStringLiteral("/dev/shm")).isWritable()
            ? QStringLiteral("/dev/shm/slipway-probe-XXXXXX")
            : QDir::tempPath() + QStringLiteral("/slipway-probe-XXXXXX")))
{
    m_environment.insert(QStringLiteral("PATH"), folder() + QStringLiteral("/bin"));
    m_environment.insert(QStringLiteral("HOME"), folder());
    m_environment.insert(QStringLiteral("TMPDIR"), folder());
    m_environment.insert(QStringLiteral("SLIPWAY_PROBE_ROOT"), folder() + QStringLiteral("/root"));
    QDir(folder()).mkpath(QStringLiteral("bin"));
    QDir(folder()).mkpath(QStringLiteral("root/dev"));
}

FakeNode& FakeNode::set(const QString& name, const QString& value)
{
    m_environment.insert(name, value);
    return *this;
}

FakeNode& FakeNode::unset(const QString& name)
{
    m_environment.remove(name);
    return *this;
}

FakeNode& FakeNode::fake(const QString& words)
{
    return set(QStringLiteral("SLIPWAY_FAKE_GPU"), words)
        .library(slipway::buildPath(QStringLiteral("/tests/fakegpu")));
}

FakeNode& FakeNode::library(const QString& more)
{
    const QString name = QStringLiteral("LD_LIBRARY_PATH"), before = m_environment.value(name);
    return set(name, before.isEmpty() ? more : more + u':' + before);
}

FakeNode& FakeNode::kernelDriver(const QString& version, int cards)
{
    const auto write = [&](const QString& path, const QString& text) {
        const QString file = folder() + QStringLiteral("/root/") + path;
        QDir().mkpath(QFileInfo(file).path());
        QFile out(file);
        if (out.open(QIODevice::WriteOnly))
            out.write(text.toUtf8());
    };
    write(QStringLiteral("proc/driver/nvidia/version"),
        QStringLiteral(
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  %1  Sat Aug 19 01:15:15 UTC 2023\n")
            .arg(version));
    for (int i = 0; i < cards; ++i)
        write(QStringLiteral("dev/nvidia%1").arg(i), {});
    if (cards > 0) {
        write(QStringLiteral("dev/nvidiactl"), {});
        write(QStringLiteral("dev/nvidia-uvm"), {});
    }
    return *this;
}

FakeNode& FakeNode::jobWithGpus(int count)
{
    set(QStringLiteral("SLURM_JOB_ID"), QStringLiteral("7"))
        .set(QStringLiteral("SLURMD_NODENAME"), QStringLiteral("c1"));
    return count > 0 ? set(QStringLiteral("SLURM_GPUS_ON_NODE"), QString::number(count)) : *this;
}

QString ProbeRun::all(const char* id) const
{
    return QString::fromUtf8(
        QJsonDocument(rows.value(QLatin1String(id))).toJson(QJsonDocument::Compact));
}

void inOwnSession(QProcess& process)
{
    process.setChildProcessModifier([] { setsid(); });
}

int processesOfSession(qint64 session)
{
    int count = 0;
    for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile stat(QStringLiteral("/proc/%1/stat").arg(name));
        bool number = false;
        name.toInt(&number);
        if (!number || !stat.open(QIODevice::ReadOnly))
            continue;
        // pid (name) state parent group session …; the name may hold anything
        const QByteArray text = stat.readAll();
        const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
        count += fields.size() > 3 && fields[3].toLongLong() == session && fields[0] != "Z";
    }
    return count;
}

ProbeRun runProbe(const FakeNode& node, const QStringList& arguments)
{
    ProbeRun run;
    QProcess process;
    process.setProcessEnvironment(node.environment());
    process.setWorkingDirectory(node.folder());
    inOwnSession(process);
    QElapsedTimer timer;
    timer.start();
    process.start(slipway::buildPath(QStringLiteral("/bin/slipway-probe")), arguments);
    process.waitForStarted();
    const qint64 session = process.processId();
    process.waitForFinished(60'000);
    run.milliseconds = timer.elapsed();
    // A process that was killed takes a moment to go on a busy machine.
    const QDeadlineTimer gone(2000);
    while ((run.left = processesOfSession(session)) > 0 && !gone.hasExpired())
        QThread::msleep(20);
    run.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    run.out = process.readAllStandardOutput();
    run.error = process.readAllStandardError();
    for (const QByteArray& line : run.out.split('\n')) {
        const QJsonObject row = QJsonDocument::fromJson(line).object();
        if (row.isEmpty())
            continue;
        run.lines << row;
        run.rows.insert(row.value(QLatin1String("id")).toString(), row);
    }
    return run;
}
