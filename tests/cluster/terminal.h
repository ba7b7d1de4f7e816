// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <memory>

namespace slipway {

/// Terminal is a terminal program that was started, with what it has printed so far. It ends with
/// its object. Lives on the thread of the test.
struct Terminal {
    explicit Terminal(std::unique_ptr<QProcess> started)
        : process(std::move(started))
    {
        QObject::connect(process.get(), &QProcess::readyReadStandardOutput, process.get(),
            [this] { out += process->readAllStandardOutput(); });
        QObject::connect(process.get(), &QProcess::readyReadStandardError, process.get(),
            [this] { err += process->readAllStandardError(); });
    }
    ~Terminal()
    {
        process->disconnect();
        process->kill();
        process->waitForFinished();
    }

    bool prints(const QByteArray& text, int seconds = 60)
    {
        return QTest::qWaitFor(
            [&] { return out.contains(text) || err.contains(text); }, seconds * 1000);
    }
    /// The exit code; -1: it did not end in time, or by a signal.
    int ended(int seconds = 60)
    {
        const bool over = QTest::qWaitFor(
            [&] { return process->state() == QProcess::NotRunning; }, seconds * 1000);
        return over && process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1;
    }
    QString runId() const { return submitted().captured(1); }
    QString jobId() const { return submitted().captured(2); }
    QRegularExpressionMatch submitted() const
    {
        static const QRegularExpression line(QStringLiteral("Run (\\w+) is job (\\d+)"));
        return line.match(QString::fromUtf8(err));
    }
    QByteArray all() const { return "stdout:\n" + out + "stderr:\n" + err; }

    std::unique_ptr<QProcess> process;
    QByteArray out;
    QByteArray err;
};

/// The words of a launch of "Run a command" on the node itself, without a container.
inline QStringList runWords(
    const QString& site, const QString& command, const QStringList& more = {})
{
    return QStringList{QStringLiteral("run"), QStringLiteral("run-a-command"),
               QStringLiteral("--site"), site, QStringLiteral("--set"),
               QString(u"command=" + command), QStringLiteral("--set"), QStringLiteral("image="),
               QStringLiteral("--set"), QStringLiteral("cpus=1"), QStringLiteral("--set"),
               QStringLiteral("memory=200M")}
    + more;
}

} // namespace slipway
