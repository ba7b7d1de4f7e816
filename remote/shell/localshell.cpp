// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/shell/localshell.h"

#include "remote/base/tr.h"

#include <QDir>
#include <QProcess>

#include <csignal>
#include <functional>
#include <optional>
#include <unistd.h>

namespace slipway {

namespace {

Error closedError()
{
    return {ErrorKind::LinkLost, tr("The shell on this computer was closed.")};
}

/// One /bin/sh on this computer, in its own process group so that cancel() reaches its children.
class LocalProcess : public Process {
public:
    explicit LocalProcess(const Invocation& invocation);
    ~LocalProcess() override;

    void write(const QByteArray& bytes) override;
    void closeInput() override;
    qint64 bytesToWrite() const override { return m_child ? m_child->bytesToWrite() : 0; }
    void cancel() override;
    void fail(const Error& error);

private:
    bool take(); ///< false when a slot deleted us
    void end(Result<int> exitCode);
    void killGroup() const;

    void inSignal(const std::function<void()>& work);

    QProcess* m_child = nullptr; // not by value: it must outlive its own signal, see the destructor
    bool m_inputClosed = false;
    bool m_ended = false;
    bool m_inSignal = false; ///< of m_child
};

LocalProcess::LocalProcess(const Invocation& invocation)
    : m_child(new QProcess)
{
    m_child->setWorkingDirectory(QDir::homePath());
    m_child->setChildProcessModifier([] { ::setpgid(0, 0); });
    const auto takeAll = [this] { inSignal([this] { take(); }); };
    connect(m_child, &QProcess::readyReadStandardOutput, this, takeAll);
    connect(m_child, &QProcess::readyReadStandardError, this, takeAll);
    connect(m_child, &QProcess::bytesWritten, this,
        [this] { inSignal([this] { emit bytesWritten(m_child->bytesToWrite()); }); });
    connect(m_child, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        inSignal([this, code, status] {
            if (take())
                end(status == QProcess::CrashExit ? 128 + code
                                                  : code); // as a shell reports a signal
        });
    });
    connect(
        m_child, &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                end(Error{ErrorKind::Unsupported,
                    tr("/bin/sh could not be started on this computer."), {},
                    m_child->errorString().toUtf8()});
        },
        Qt::QueuedConnection);
    const bool asArgument = invocation.place == Invocation::Place::Argument;
    m_child->start(QStringLiteral("/bin/sh"),
        asArgument ? QStringList{QStringLiteral("-c"), QString::fromUtf8(invocation.script)}
                   : QStringList{QStringLiteral("-s")});
    if (!asArgument) {
        m_child->write(invocation.script);
        closeInput();
    }
}

LocalProcess::~LocalProcess()
{
    m_child->disconnect(this);
    if (!m_ended)
        killGroup();
    m_child->kill();
    if (m_inSignal) { // a slot deletes us while the QProcess is still in its own signal
        m_child->deleteLater();
    } else {
        m_child->waitForFinished(1000); // it was killed: this takes about a millisecond
        delete m_child;
    }
}

void LocalProcess::write(const QByteArray& bytes)
{
    if (!m_inputClosed && !m_ended)
        m_child->write(bytes);
}

void LocalProcess::closeInput()
{
    m_inputClosed = true;
    m_child->closeWriteChannel();
}

void LocalProcess::cancel()
{
    fail({ErrorKind::Cancelled, tr("The command was cancelled.")});
}

void LocalProcess::fail(const Error& error)
{
    if (m_ended)
        return;
    killGroup();
    QMetaObject::invokeMethod(
        this, [this, error] { end(error); }, Qt::QueuedConnection);
}

void LocalProcess::inSignal(const std::function<void()>& work)
{
    const QPointer<LocalProcess> self(this);
    const bool before = std::exchange(m_inSignal, true);
    work();
    if (self)
        m_inSignal = before;
}

bool LocalProcess::take()
{
    QPointer<LocalProcess> self(this);
    if (const auto bytes = m_child->readAllStandardOutput(); !bytes.isEmpty() && !m_ended)
        emit output(bytes);
    if (!self)
        return false;
    if (const auto bytes = m_child->readAllStandardError(); !bytes.isEmpty() && !m_ended)
        emit errorOutput(bytes);
    return self;
}

void LocalProcess::end(Result<int> exitCode)
{
    if (m_ended)
        return;
    m_ended = true;
    emit finished(exitCode); // the last thing: a slot may delete us
}

void LocalProcess::killGroup() const
{
    const auto pid = m_child->processId();
    if (pid > 0 && ::kill(-pid_t(pid), SIGTERM) != 0)
        ::kill(pid_t(pid), SIGTERM); // it is not in its own group yet
}

} // namespace

LocalShell::LocalShell(QObject* parent)
    : Shell(parent)
{
}

LocalShell::~LocalShell()
{
    if (m_state != LinkState::Down)
        emit closing();
}

std::unique_ptr<Process> LocalShell::start(Invocation invocation)
{
    auto process = std::make_unique<LocalProcess>(invocation);
    auto* local = process.get();
    connect(this, &LocalShell::closing, local, [local] { local->fail(closedError()); });
    if (m_state == LinkState::Down)
        local->fail(closedError());
    return process;
}

void LocalShell::close()
{
    if (m_state == LinkState::Down)
        return;
    m_state = LinkState::Down;
    emit closing();
    emit linkStateChanged(m_state);
    emit closed(closedError());
}

} // namespace slipway

#include "moc_localshell.cpp"
