// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/localimagebuild.h"

#include "app/catalogue/catalogue.h"
#include "app/images/imagefolder.h"
#include "app/images/localarchives.h"
#include "app/images/localprogram.h"
#include "app/plan/stepimages.h"
#include "app/project/definitionkeeper.h"
#include "app/sessions/sessions.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"
#include "remote/cluster/worker.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QSysInfo>

namespace slipway {

namespace {

constexpr std::chrono::seconds builderPatience{20};

/// What a program must answer to be of use: Docker's client is often installed without its daemon.
QStringList builderQuestion(LocalBuilder::Kind kind)
{
    switch (kind) {
    case LocalBuilder::Kind::Docker:
        return {QStringLiteral("version"), QStringLiteral("--format"),
            QStringLiteral("{{.Server.Version}}")};
    case LocalBuilder::Kind::Podman:
        return {QStringLiteral("info"), QStringLiteral("--format"),
            QStringLiteral("{{.Version.Version}}")};
    case LocalBuilder::Kind::Buildah:
        break;
    }
    return {QStringLiteral("--version")};
}

bool needsChroot()
{
    const bool isContainer = QFileInfo::exists(QStringLiteral("/.dockerenv"))
        || QFileInfo::exists(QStringLiteral("/run/.containerenv"));
    const bool hasRuntime = !QStandardPaths::findExecutable(QStringLiteral("crun")).isEmpty()
        || !QStandardPaths::findExecutable(QStringLiteral("runc")).isEmpty();
    return isContainer || !hasRuntime;
}

QString lastLineOf(const QByteArray& text)
{
    const QByteArray trimmed = text.trimmed();
    return QString::fromUtf8(trimmed.mid(trimmed.lastIndexOf('\n') + 1)).left(300);
}

/// "buildah version 1.28.2 (image-spec …)" and "28.2.2" alike.
QString versionIn(const QByteArray& text)
{
    for (const QByteArray& word : text.simplified().split(' ')) {
        if (!word.isEmpty() && word[0] >= '0' && word[0] <= '9')
            return QString::fromUtf8(word.left(40));
    }
    return {};
}

/// The files that a build reads, as far as that can be told without an ignore file's rules.
Result<LocalBuild> buildOf(const LocalImageBuild::Request& request)
{
    const QFileInfo info(dockerfileOf(request.dockerfile));
    if (!info.isFile() || !info.isReadable())
        return Error{ErrorKind::NotFound,
            tr("%1 is not a Dockerfile that can be read.").arg(info.filePath()),
            tr("Check the path.")};
    LocalBuild build;
    build.dockerfile = info.absoluteFilePath();
    build.folder = info.absolutePath();
    build.name = request.name.isEmpty() ? buildNameFor(build.folder) : request.name;
    if (!isBuildName(build.name))
        return Error{ErrorKind::Invalid,
            tr("“%1” cannot be the name of the image.").arg(build.name.left(100)),
            tr("Use small letters and digits, with single dots, hyphens or underscores between "
               "them.")};
    return build;
}

Error buildCancelled()
{
    return {ErrorKind::Cancelled, tr("Cancelled by you.")};
}

} // namespace

QCoro::Task<LocalBuilders> findLocalBuilders()
{
    LocalBuilders builders;
    using Kind = LocalBuilder::Kind;
    for (const Kind kind : {Kind::Docker, Kind::Podman, Kind::Buildah}) {
        const QString name = builderName(kind);
        LocalBuilder builder;
        builder.kind = kind;
        builder.path = QStandardPaths::findExecutable(name);
        if (builder.path.isEmpty())
            continue;
        LocalProgram program(builder.path, builderQuestion(kind));
        const Result<int> code = co_await program.end(builderPatience);
        if (!code.ok() || *code != 0) {
            const QString why = code.ok() ? lastLineOf(program.lastLines()) : code.error().summary;
            builders.whyNot << name + u": " + why;
            continue;
        }
        builder.version = versionIn(program.lastLines());
        builder.chroot = kind == Kind::Buildah && needsChroot();
        builders.found.push_back(builder);
    }
    co_return builders;
}

Error noLocalBuilder(const LocalBuilders& builders)
{
    return {ErrorKind::Unsupported,
        builders.whyNot.isEmpty() ? tr("This computer has neither docker nor podman nor buildah.")
                                  : tr("No program of this computer can build images now."),
        tr("Install podman, which needs neither root nor a daemon, or convert the Dockerfile to a "
           "definition file, which is built on the cluster."),
        builders.whyNot.join(u'\n').toUtf8()};
}

LocalImageBuild::LocalImageBuild(Catalogue* catalogue, Sessions* sessions, QObject* parent)
    : QObject(parent)
    , m_catalogue(catalogue)
    , m_sessions(sessions)
{
}

LocalImageBuild::~LocalImageBuild()
{
    cancel();
}

void LocalImageBuild::cancel()
{
    m_cancelled = true;
    if (m_program)
        m_program->cancel();
}

QCoro::Task<Result<LocalImageBuild::Archive>> LocalImageBuild::run(Request request)
{
    const QPointer<LocalImageBuild> self(this);
    m_cancelled = false;
    m_mayWait = request.mayWait;
    Result<LocalBuild> build = buildOf(request);
    if (!build.ok())
        co_return build.error();
    const Site* const site = m_catalogue->site(request.siteId);
    if (!site || !m_sessions->cluster(request.siteId))
        co_return m_sessions->notConnected(request.siteId);
    build->platform = buildPlatform(site->architecture, QSysInfo::currentCpuArchitecture());
    Archive made;
    made.name = build->name;
    const LocalBuild wanted = *build;
    const Result<QString> file = co_await makeArchive(wanted, &made);
    if (!file.ok())
        co_return file.error();
    if (!self)
        co_return programClosed();
    Result<Archive> done = co_await upload(request.siteId, *file, made);
    if (done.ok())
        forgetArchive(*file);
    co_return done;
}

/// The archive of an earlier attempt with the same files, or a new one.
QCoro::Task<Result<QString>> LocalImageBuild::makeArchive(LocalBuild build, Archive* made)
{
    const QPointer<LocalImageBuild> self(this);
    const auto look = [build] { return archiveStamp(build); };
    const Result<QByteArray> stamp = co_await onWorker(look);
    if (!stamp.ok())
        co_return stamp.error();
    if (!self)
        co_return programClosed();
    const Result<QString> file = archiveFile(build.name);
    if (!file.ok())
        co_return file.error();
    if (isArchiveOf(*file, *stamp)) {
        emit stageBegan(tr("The image was built earlier from the same files"), {});
        co_return *file;
    }
    forgetArchive(*file);
    build.archive = *file;
    const Result<void> built = co_await this->build(build, &made->builder);
    if (!built.ok()) {
        forgetArchive(*file);
        co_return built.error();
    }
    noteArchive(*file, *stamp);
    co_return *file;
}

QCoro::Task<Result<void>> LocalImageBuild::build(LocalBuild build, QString* builder)
{
    const QPointer<LocalImageBuild> self(this);
    emit stageBegan(tr("Look for docker, podman or buildah"), {});
    const LocalBuilders builders = co_await findLocalBuilders();
    if (!self)
        co_return programClosed();
    if (m_cancelled)
        co_return buildCancelled();
    if (builders.found.empty())
        co_return noLocalBuilder(builders);
    const LocalBuilder& first = builders.found.front();
    *builder = builderName(first.kind) + u' ' + first.version;
    const std::vector<LocalCommand> commands = localBuildCommands(first, build);
    for (const LocalCommand& command : commands) {
        if (m_cancelled)
            co_return buildCancelled();
        emit stageBegan(command.title, command.text());
        LocalProgram program(command.program, command.arguments);
        connect(&program, &LocalProgram::line, this, &LocalImageBuild::line);
        m_program = &program;
        const Result<int> code = co_await program.end();
        if (!code.ok())
            co_return code.error();
        if (!self)
            co_return programClosed();
        if (*code != 0)
            co_return localBuildError(command, *code, program.lastLines());
    }
    co_return Result<void>();
}

QCoro::Task<Result<LocalImageBuild::Archive>> LocalImageBuild::upload(
    QString siteId, QString file, Archive made)
{
    const QPointer<LocalImageBuild> self(this);
    const auto cluster = m_sessions->cluster(siteId);
    const Site* const site = m_catalogue->site(siteId);
    if (!cluster || !site)
        co_return m_sessions->notConnected(siteId);
    const QByteArray script = imageFolderScript(imageFolder(*site));
    std::shared_ptr<Shell> shell = cluster->shell();
    const auto asked = co_await shell->run(script);
    if (!asked.ok())
        co_return asked.error();
    const auto folder = parseImageFolder(asked->out);
    if (!folder)
        co_return Error{ErrorKind::Io,
            tr("The folder for images on the cluster is not known: a variable is not set there."),
            tr("Name it as image_folder in the site's file.")};
    const QString archives = folder->path + u"/archives";
    const RunFolder there(shell, archives);
    const auto ready = co_await there.make();
    if (!ready.ok())
        co_return ready.error();
    if (!self)
        co_return programClosed();
    made.path = archives + u'/' + made.name + u".tar";
    emit stageBegan(tr("Upload the archive"), {});
    const std::function<bool(qint64, qint64)> progress = [self](qint64 now, qint64 total) {
        if (self)
            emit self->uploaded(now, total);
        return self && !self->m_cancelled;
    };
    auto sent = co_await uploadLargeFile(shell, file, made.path, progress);
    while (!sent.ok() && sent.error().kind == ErrorKind::LinkLost) {
        if (!self)
            co_return programClosed();
        const auto mayWait = [self](ConnectionState::Phase phase) {
            return self && !self->m_cancelled && (!self->m_mayWait || self->m_mayWait(phase));
        };
        auto next = co_await m_sessions->shellAfter(siteId, shell, mayWait);
        if (!next)
            break;
        shell = std::move(next);
        sent = co_await uploadLargeFile(shell, file, made.path, progress);
    }
    if (!sent.ok())
        co_return sent.error();
    made.upload = *sent;
    co_return made;
}

} // namespace slipway

#include "moc_localimagebuild.cpp"
