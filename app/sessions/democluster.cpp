// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/democluster.h"

#include "app/sessions/demolines.h"
#include "remote/shell/gate.h"

#include <QCoreApplication>
#include <QPointer>
#include <QProcess>
#include <QTimer>

#include <algorithm>

namespace slipway {

namespace {

constexpr auto stopGrace = std::chrono::seconds(20); ///< the script unmounts and ends its children
constexpr qsizetype errorTextLimit = 16 * 1024;

} // namespace

struct DemoCluster::Private {
    QString folder;
    DemoState state = DemoState::Unknown;
    QString detail;
    QString connectionFile;
    QString emulates;
    QString slurm;
    std::vector<DemoStage> stages;
    QPointer<QProcess> starting; ///< "up" under way
    std::vector<QPointer<QProcess>> live;
    bool cancelled = false;
    quint64 changes = 0; ///< times that something that changes the cluster began or ended

    DemoStage& stage(const QString& id)
    {
        const auto known = std::find_if(
            stages.begin(), stages.end(), [&](const DemoStage& s) { return s.id == id; });
        if (known != stages.end())
            return *known;
        stages.push_back({id, id, QStringLiteral("pending"), std::nullopt, 0, {}});
        return stages.back();
    }

    /// Applies one line of the script's output to the state.
    void take(const DemoLine& line, std::optional<Error>& error)
    {
        if (line.event == QLatin1String("plan")) {
            stages = line.stages;
        } else if (line.event == QLatin1String("stage")) {
            stage(line.stage.id) = line.stage;
            if (line.stage.state == QLatin1String("running"))
                detail = line.stage.title;
        } else if (line.event == QLatin1String("ready")) {
            connectionFile = line.connection;
            emulates = line.emulates;
            slurm = line.slurm;
            state = DemoState::Running;
            detail.clear();
        } else if (line.event == QLatin1String("status")) {
            state = line.state;
            detail = line.detail;
            emulates = line.emulates;
            slurm = line.slurm;
            if (!line.connection.isEmpty())
                connectionFile = line.connection;
        } else if (line.event == QLatin1String("error")) {
            error = line.error;
            detail = line.error.summary;
        }
    }
};

DemoCluster::DemoCluster(QString scriptFolder, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->folder = std::move(scriptFolder);
}

DemoCluster::~DemoCluster()
{
    // A start in progress ends with its window: an incomplete cluster is of no use. Waiting lets
    // the coroutines end while the objects that they refer to still exist.
    const auto live = d->live;
    for (const auto& process : live)
        if (process)
            process->terminate();
    for (const auto& process : live)
        if (process)
            process->waitForFinished(3000);
}

DemoState DemoCluster::state() const
{
    return d->state;
}

QString DemoCluster::detail() const
{
    return d->detail;
}

const std::vector<DemoStage>& DemoCluster::stages() const
{
    return d->stages;
}

QString DemoCluster::connectionFile() const
{
    return d->connectionFile;
}

QString DemoCluster::emulates() const
{
    return d->emulates;
}

QString DemoCluster::slurm() const
{
    return d->slurm;
}

void DemoCluster::cancel()
{
    if (!d->starting)
        return;
    d->cancelled = true;
    d->starting->terminate();
    QTimer::singleShot(stopGrace, d->starting, [process = d->starting] { process->kill(); });
}

QCoro::Task<Result<void>> DemoCluster::perform(QString verb, QStringList more)
{
    const QPointer<DemoCluster> self(this);
    // Shared: the coroutine may outlive this object, and the process must outlive neither.
    const auto process = std::make_shared<QProcess>();
    const auto error = std::make_shared<std::optional<Error>>();
    const auto errorText = std::make_shared<QByteArray>();
    const auto pending = std::make_shared<QByteArray>();
    std::erase_if(d->live, [](const auto& other) { return other.isNull(); });
    d->live.push_back(process.get());
    if (verb == QLatin1String("up")) {
        d->starting = process.get();
        d->cancelled = false;
    }
    const bool isQuestion = verb == QLatin1String("status");
    if (!isQuestion)
        ++d->changes;
    connect(process.get(), &QProcess::readyReadStandardOutput, this,
        [this, raw = process.get(), error, pending, isQuestion, begin = d->changes] {
            *pending += raw->readAllStandardOutput();
            const std::vector<DemoLine> lines = takeDemoLines(*pending);
            if (isQuestion && d->changes != begin)
                return; // an answer to what was asked before a start or a stop
            for (const DemoLine& line : lines)
                d->take(line, *error);
            emit changed();
        });
    connect(
        process.get(), &QProcess::readyReadStandardError, this, [raw = process.get(), errorText] {
            *errorText += raw->readAllStandardError();
            *errorText = errorText->right(errorTextLimit);
        });
    // From the event loop: a receiver may delete the process.
    const auto ended = std::make_shared<Gate>();
    connect(
        process.get(), &QProcess::stateChanged, process.get(),
        [ended](QProcess::ProcessState state) {
            if (state == QProcess::NotRunning)
                ended->open();
        },
        Qt::QueuedConnection);
    process->start(QStringLiteral("bash"),
        QStringList{d->folder + u"/demo-cluster", verb, QStringLiteral("--json")} + more,
        QIODevice::ReadOnly);
    if (process->state() != QProcess::NotRunning)
        co_await ended->wait();
    if (!self)
        co_return programClosed();
    co_return end(verb, *process, *error, *errorText);
}

Result<void> DemoCluster::end(const QString& verb, const QProcess& process,
    const std::optional<Error>& error, const QByteArray& errorText)
{
    const bool wasCancelled = verb == QLatin1String("up") && d->cancelled;
    if (verb == QLatin1String("up"))
        d->starting = nullptr;
    if (verb != QLatin1String("status"))
        ++d->changes;
    if (process.error() == QProcess::FailedToStart)
        return Error{ErrorKind::Unsupported,
            tr("The demo cluster needs bash, which could not be started."), tr("Install bash."),
            process.errorString().toUtf8()};
    if (wasCancelled)
        return Error{ErrorKind::Cancelled, tr("The start of the demo cluster was stopped."),
            tr("Finished parts are kept; the next start continues from there.")};
    if (process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
        return {};
    Error failure = error.value_or(Error{ErrorKind::CommandFailed,
        tr("The demo cluster’s program failed (exit code %1).").arg(process.exitCode()), {},
        errorText.trimmed()});
    if (process.exitCode() == 3)
        failure.kind = ErrorKind::Unsupported;
    else if (process.exitCode() == 2)
        failure.kind = ErrorKind::Usage;
    return failure;
}

QCoro::Task<Result<DemoState>> DemoCluster::refresh()
{
    const QPointer<DemoCluster> self(this);
    const auto done = co_await perform(QStringLiteral("status"));
    if (!done.ok())
        co_return done.error();
    if (!self)
        co_return programClosed();
    if (d->starting)
        d->state = DemoState::Starting;
    emit changed();
    co_return d->state;
}

QCoro::Task<Result<void>> DemoCluster::up(QString site, QString slurm, bool accounting)
{
    if (d->starting)
        co_return Error{ErrorKind::Usage, tr("The demo cluster is being started already.")};
    const QPointer<DemoCluster> self(this);
    d->state = DemoState::Starting;
    d->detail.clear();
    d->stages.clear();
    emit changed();
    QStringList more;
    if (!site.isEmpty())
        more << QStringLiteral("--as") << site;
    if (!slurm.isEmpty())
        more << QStringLiteral("--slurm") << slurm;
    if (accounting)
        more << QStringLiteral("--accounting");
    auto done = co_await perform(QStringLiteral("up"), more);
    if (!self)
        co_return done;
    if (done.ok() && d->state != DemoState::Running)
        done = Error{ErrorKind::Protocol,
            tr("The demo cluster’s program ended without reporting that the cluster is ready.")};
    if (!done.ok())
        d->state =
            done.error().kind == ErrorKind::Cancelled ? DemoState::Partial : DemoState::Broken;
    emit changed();
    co_return done;
}

QCoro::Task<Result<void>> DemoCluster::down()
{
    return stop(QStringLiteral("down"), DemoState::Stopped);
}

QCoro::Task<Result<void>> DemoCluster::reset()
{
    return stop(QStringLiteral("reset"), DemoState::Absent);
}

QCoro::Task<Result<void>> DemoCluster::stop(QString verb, DemoState after)
{
    const QPointer<DemoCluster> self(this);
    d->state = DemoState::Stopping;
    d->stages.clear();
    emit changed();
    const auto done = co_await perform(verb);
    if (!self)
        co_return done;
    d->state = done.ok() ? after : DemoState::Broken;
    if (done.ok())
        d->connectionFile.clear();
    emit changed();
    co_return done;
}

} // namespace slipway

#include "moc_democluster.cpp"
