// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/localcommand.h"

#include "remote/base/tr.h"

#include <QDeadlineTimer>
#include <QProcess>

namespace slipway {

Result<LocalOutput> runLocally(const QString& program, const QStringList& arguments,
    const QByteArray& input, LinkGate& gate, std::chrono::milliseconds limit)
{
    constexpr qsizetype mostOutput = 1024 * 1024;
    QProcess process;
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    const QDeadlineTimer deadline(limit);
    LocalOutput output;
    const auto take = [&] {
        output.out = QByteArray(output.out + process.readAllStandardOutput()).left(mostOutput);
        output.err = QByteArray(output.err + process.readAllStandardError()).left(mostOutput);
    };
    while (!process.waitForFinished(50) && process.state() != QProcess::NotRunning) {
        take();
        if (gate.stopping() || deadline.hasExpired()) {
            process.kill();
            process.waitForFinished(1000);
            return Error{gate.stopping() ? ErrorKind::Cancelled : ErrorKind::Timeout,
                tr("%1 did not end within %2 s.").arg(program).arg(limit.count() / 1000.0),
                tr("Try the command in a terminal."), output.err};
        }
    }
    take();
    if (process.error() == QProcess::FailedToStart || process.exitStatus() != QProcess::NormalExit)
        return Error{ErrorKind::Io, tr("%1 could not be run.").arg(program),
            tr("Check that it is installed and can be run."), process.errorString().toUtf8()};
    output.exitCode = process.exitCode();
    return output;
}

} // namespace slipway
