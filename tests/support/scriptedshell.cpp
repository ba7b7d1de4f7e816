// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/scriptedshell.h"

#include "remote/shell/frames.h"

#include <QCoreApplication>
#include <QCoroTimer>
#include <QThreadPool>
#include <QTimer>

namespace slipway {

namespace {

Error lostError()
{
    return {ErrorKind::LinkLost, QStringLiteral("The connection to test@scripted was lost.")};
}

} // namespace

ScriptedProcess::ScriptedProcess(QByteArray script, QByteArray nonce)
    : m_script(std::move(script))
    , m_nonce(std::move(nonce))
{
}

void ScriptedProcess::write(const QByteArray& bytes)
{
    if (m_inputClosed || m_ended)
        return;
    m_written += bytes;
    QMetaObject::invokeMethod(
        this, [this] { emit bytesWritten(0); }, Qt::QueuedConnection);
    emit dataArrived(bytes);
}

void ScriptedProcess::closeInput()
{
    if (m_inputClosed || m_ended)
        return;
    m_inputClosed = true;
    emit inputEnded();
}

void ScriptedProcess::cancel()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            fail({ErrorKind::Cancelled, QStringLiteral("The command was cancelled.")});
        },
        Qt::QueuedConnection);
}

void ScriptedProcess::begin()
{
    if (m_begun)
        return;
    m_begun = true;
    const QPointer<ScriptedProcess> self(this);
    if (!m_nonce.isEmpty())
        emit errorOutput(beginMark(m_nonce));
    if (self && !m_nonce.isEmpty())
        emit output(beginMark(m_nonce));
}

void ScriptedProcess::say(const QByteArray& out)
{
    if (m_ended)
        return;
    const QPointer<ScriptedProcess> self(this);
    begin();
    if (self && !m_ended && !out.isEmpty())
        emit output(out);
}

void ScriptedProcess::sayError(const QByteArray& err)
{
    if (m_ended)
        return;
    const QPointer<ScriptedProcess> self(this);
    begin();
    if (self && !m_ended && !err.isEmpty())
        emit errorOutput(err);
}

void ScriptedProcess::end(int exitCode)
{
    const QPointer<ScriptedProcess> self(this);
    if (!m_ended)
        begin();
    if (self && !m_ended && !m_nonce.isEmpty())
        emit output(endMark(m_nonce, exitCode));
    if (!self || m_ended)
        return;
    m_ended = true;
    emit finished(exitCode); // the last thing: a slot may delete us
}

void ScriptedProcess::fail(const Error& error)
{
    if (m_ended)
        return;
    m_ended = true;
    emit finished(error);
}

ScriptedShell::ScriptedShell(QObject* parent)
    : Shell(parent)
{
}

ScriptedShell::~ScriptedShell()
{
    for (const auto& process : processes())
        if (process)
            process->fail(lostError());
}

void ScriptedShell::on(const QByteArray& scriptContains, CommandOutput answer)
{
    on(scriptContains, [answer = std::move(answer)](const QByteArray&) { return answer; });
}

void ScriptedShell::on(const QByteArray& scriptContains, Answer answer)
{
    onStream(scriptContains, [answer = std::move(answer)](ScriptedProcess& process) {
        const QPointer<ScriptedProcess> self(&process);
        const auto output = answer(process.script());
        if (self)
            process.sayError(output.err);
        if (self)
            process.say(output.out);
        if (self)
            process.end(output.exitCode);
    });
}

void ScriptedShell::onEach(const QByteArray& scriptContains, QList<CommandOutput> answers)
{
    auto left = std::make_shared<QList<CommandOutput>>(std::move(answers));
    on(scriptContains, [left](const QByteArray&) {
        return left->size() > 1 ? left->takeFirst() : left->value(0);
    });
}

void ScriptedShell::onFail(const QByteArray& scriptContains, Error error)
{
    onStream(scriptContains,
        [error = std::move(error)](ScriptedProcess& process) { process.fail(error); });
}

void ScriptedShell::onStream(const QByteArray& scriptContains, Stream handler)
{
    m_rules.prepend({scriptContains, std::move(handler)});
}

qsizetype ScriptedShell::count(const QByteArray& scriptContains) const
{
    return std::count_if(m_scripts.begin(), m_scripts.end(),
        [&](const QByteArray& script) { return script.contains(scriptContains); });
}

QList<QPointer<ScriptedProcess>> ScriptedShell::processes() const
{
    QList<QPointer<ScriptedProcess>> live;
    for (const auto& process : m_processes)
        if (process && !process->ended())
            live.append(process);
    return live;
}

std::unique_ptr<Process> ScriptedShell::start(Invocation invocation)
{
    const auto framed = unframedScript(invocation.script);
    const auto script = framed ? framed->script : invocation.script;
    auto process = std::make_unique<ScriptedProcess>(script, framed ? framed->nonce : QByteArray());
    m_scripts.append(script);
    m_processes = processes();
    m_processes.append(process.get());
    QTimer::singleShot(
        0, process.get(), [shell = QPointer<ScriptedShell>(this), self = process.get()] {
            if (shell && shell->m_state != LinkState::Down)
                shell->play(*self);
            else
                self->fail(lostError());
        });
    return process;
}

void ScriptedShell::play(ScriptedProcess& process)
{
    const auto rules = m_rules; // a handler may add rules
    for (const auto& rule : rules) {
        if (!process.script().contains(rule.contains))
            continue;
        return rule.play(process);
    }
    const QPointer<ScriptedProcess> self(&process);
    process.sayError("ScriptedShell: no rule fits this script:\n" + process.script() + '\n');
    if (self)
        process.end(127);
}

void ScriptedShell::loseLink()
{
    end(lostError());
}

void ScriptedShell::close()
{
    end({ErrorKind::LinkLost, QStringLiteral("The connection to %1 was closed.").arg(m_name)});
}

void ScriptedShell::end(const Error& error)
{
    if (m_state == LinkState::Down)
        return;
    m_state = LinkState::Down;
    const QPointer<ScriptedShell> self(this);
    for (const auto& process : processes())
        if (process)
            process->fail(error);
    if (self)
        emit linkStateChanged(m_state);
    if (self)
        emit closed(error);
}

QCoro::Task<void> ScriptedShell::turn()
{
    QTimer timer;
    timer.setSingleShot(true);
    timer.start(0);
    ++s_pending;
    co_await timer;
    --s_pending;
}

void ScriptedShell::finishPending()
{
    do {
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
    } while (s_pending > 0 || QThreadPool::globalInstance()->activeThreadCount() > 0);
}

QCoro::Task<Result<void>> ScriptedShell::writeFile(QString path, QByteArray content, int mode)
{
    const QPointer<ScriptedShell> self(this);
    co_await turn();
    if (!self || m_state == LinkState::Down)
        co_return lostError();
    if (m_writeError)
        co_return Result<void>(*m_writeError); // a bare member would be moved from (QCoro 0.8)
    m_files[path] = content;
    m_modes[path] = mode;
    co_return Result<void>();
}

QCoro::Task<Result<void>> ScriptedShell::writeFiles(std::vector<NewFile> files)
{
    for (const NewFile& file : files) {
        const auto written = co_await writeFile(file.path, file.content, file.mode);
        if (!written.ok())
            co_return written.error();
    }
    co_return Result<void>();
}

QCoro::Task<Result<QByteArray>> ScriptedShell::readFile(QString path, qint64 limit)
{
    const QPointer<ScriptedShell> self(this);
    co_await turn();
    if (!self || m_state == LinkState::Down)
        co_return lostError();
    if (!m_files.contains(path))
        co_return Error{ErrorKind::NotFound,
            QStringLiteral("%1 could not be read: there is no such path on %2.").arg(path, m_name)};
    if (m_files[path].size() > limit)
        co_return Error{ErrorKind::Invalid,
            QStringLiteral("%1 on %2 is larger than %3 bytes.").arg(path, m_name).arg(limit)};
    co_return Result<QByteArray>(m_files.value(path));
}

QCoro::Task<Result<void>> ScriptedShell::fetchFile(
    QString path, QIODevice* destination, std::optional<qint64> size)
{
    const auto content = co_await readFile(path);
    if (!content.ok())
        co_return content.error();
    const QByteArray wanted = content->left(size.value_or(content->size()));
    if (destination->write(wanted) != wanted.size())
        co_return Error{ErrorKind::Io, QStringLiteral("%1 could not be written here.").arg(path)};
    co_return Result<void>();
}

QCoro::Task<Result<std::shared_ptr<Shell>>> ScriptedConnector::connectTo(
    ConnectTarget target, Prompter* prompter)
{
    Q_UNUSED(prompter)
    targets.append(target);
    if (shells.isEmpty())
        co_return Result<std::shared_ptr<Shell>>(error);
    co_return shells.takeFirst();
}

} // namespace slipway

#include "moc_scriptedshell.cpp"
