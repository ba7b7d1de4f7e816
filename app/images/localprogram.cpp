// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/localprogram.h"

#include <QCoroFuture>
#include <QFileInfo>

#include <csignal>
#include <unistd.h>

namespace slipway {

namespace {

constexpr qsizetype longestProgramLine = 4096;
constexpr qsizetype mostLastLines = 16 * 1024;

} // namespace

LocalProgram::LocalProgram(const QString& program, const QStringList& arguments, QObject* parent)
    : QObject(parent)
{
    m_done.start();
    m_timer.setSingleShot(true);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([] { ::setsid(); }); // so that its children end with it
    connect(&m_process, &QProcess::readyRead, this, &LocalProgram::readMore);
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        readMore();
        if (!m_line.isEmpty())
            emit line(QString::fromUtf8(std::exchange(m_line, {})));
        settle(status == QProcess::NormalExit ? Result<int>(code) : Result<int>(128));
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this, program](QProcess::ProcessError e) {
        if (e == QProcess::FailedToStart)
            settle(Error{ErrorKind::Unsupported,
                tr("%1 could not be started: %2.")
                    .arg(QFileInfo(program).fileName(), m_process.errorString())});
    });
    connect(&m_timer, &QTimer::timeout, this, [this, program] {
        settle(Error{ErrorKind::Timeout,
            tr("%1 did not answer within %2 s.")
                .arg(QFileInfo(program).fileName())
                .arg(m_timer.interval() / 1000)});
        kill();
    });
    m_process.start(program, arguments);
    m_group = m_process.processId();
}

LocalProgram::~LocalProgram()
{
    m_process.disconnect(this);
    kill();
    m_process.waitForFinished(1000);
}

QCoro::Task<Result<int>> LocalProgram::end(std::chrono::milliseconds atMost)
{
    if (atMost.count() > 0 && !m_result)
        m_timer.start(atMost);
    const QFuture<void> done = m_done.future();
    co_await done;
    co_return *m_result;
}

void LocalProgram::cancel()
{
    settle(Error{ErrorKind::Cancelled, tr("Cancelled by you.")});
    kill();
}

void LocalProgram::readMore()
{
    const QByteArray bytes = m_process.readAll();
    m_last = (QByteArray(m_last + bytes)).right(mostLastLines);
    m_line += bytes;
    m_line.replace('\r', '\n'); // what a progress bar overwrites
    for (qsizetype end = m_line.indexOf('\n'); end >= 0; end = m_line.indexOf('\n')) {
        const QByteArray text = m_line.left(std::min(end, longestProgramLine));
        m_line.remove(0, end + 1);
        if (!text.trimmed().isEmpty())
            emit line(QString::fromUtf8(text));
    }
    m_line.truncate(longestProgramLine);
}

void LocalProgram::settle(Result<int> result)
{
    if (m_result)
        return;
    m_result = std::move(result);
    m_timer.stop();
    m_done.finish();
}

void LocalProgram::kill()
{
    if (m_group > 0 && m_process.state() != QProcess::NotRunning)
        ::kill(-pid_t(m_group), SIGKILL);
}

} // namespace slipway

#include "moc_localprogram.cpp"
