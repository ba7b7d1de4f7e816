// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/connectionwatch.h"
#include "app/cli/follow.h"
#include "app/cli/image.h"
#include "app/cli/interrupts.h"
#include "app/cli/problems.h"
#include "app/images/imagelaunch.h"
#include "app/images/localimagebuild.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <QElapsedTimer>
#include <QJsonObject>

namespace slipway {

namespace {

constexpr qint64 progressEveryMs = 200;

/// What the build does, as it does it: stages and commands on stderr, and how far the upload is.
class BuildPrinter : public QObject {
public:
    BuildPrinter(Context& context, LocalImageBuild* build)
        : m_context(context)
    {
        connect(build, &LocalImageBuild::stageBegan, this, &BuildPrinter::printStage);
        connect(build, &LocalImageBuild::line, this,
            [this](const QString& text) { m_context.out.note(u"  " + terminalText(text)); });
        connect(build, &LocalImageBuild::uploaded, this, &BuildPrinter::printUpload);
    }

private:
    void printStage(const QString& title, const QString& command)
    {
        m_context.out.note(title);
        if (!command.isEmpty())
            m_context.out.note(u"$ " + terminalText(command));
    }

    void printUpload(qint64 there, qint64 total)
    {
        const bool isSoon = m_shown.isValid() && m_shown.elapsed() < progressEveryMs;
        if (isSoon && there < total)
            return;
        m_shown.start();
        m_context.out.progress(
            tr("%1 of %2 uploaded").arg(ByteCount(there).text(), ByteCount(total).text()));
    }

    Context& m_context;
    QElapsedTimer m_shown;
};

void printArchive(Context& context, const LocalImageBuild::Archive& archive)
{
    context.out.clearProgress();
    const LargeUploadSummary& upload = archive.upload;
    if (context.out.json)
        return context.out.object(
            {{QStringLiteral("archive"), archive.path}, {QStringLiteral("bytes"), upload.bytes},
                {QStringLiteral("sent"), upload.sent}, {QStringLiteral("kept"), upload.kept}});
    const QString size = ByteCount(upload.bytes).text();
    context.out.note(upload.kept > 0
            ? tr("%1 (%2) is there; %3 of it had arrived earlier.")
                  .arg(terminalText(archive.path), size, ByteCount(upload.kept).text())
            : tr("%1 (%2) is there.").arg(terminalText(archive.path), size));
}

/// Launches the recipe that makes the image file, and follows its job.
QCoro::Task<ExitCode> buildThere(Context& context, LaunchSpec spec)
{
    const Plan plan = context.engine().runs()->plan(spec);
    if (plan.hasErrors()) {
        for (const Problem& problem : plan.problems)
            reportProblem(context, problem);
        co_return context.fail(
            {ErrorKind::Invalid, tr("The archive was uploaded, but this launch would fail."),
                tr("Launch the recipe archive-image with other values: “slipway-cli run "
                   "archive-image --site %1 --set archive=%2 --set name=%3”.")
                    .arg(spec.siteId, spec.values.value(QStringLiteral("archive")),
                        spec.values.value(QStringLiteral("name")))});
    }
    const ExitCode code = co_await launchAndFollow(context, spec);
    co_return code;
}

} // namespace

QCoro::Task<ExitCode> buildImageHere(Context& context)
{
    const QString siteId = context.arguments.value("--site");
    if (context.arguments.has("--test"))
        co_return context.misused(tr("--test and --local exclude each other."),
            tr("Run the command in the image afterwards: slipway-cli run run-a-command --site "
               "SITE --image FILE --set command=…"));
    if (siteId.isEmpty())
        co_return context.misused(tr("--site is required."), tr("“slipway-cli sites” lists them."));
    if (!context.site(siteId))
        co_return ExitCode::Usage;
    const Result<void> connected = co_await context.connectTo(siteId);
    if (!connected.ok())
        co_return context.fail(connected.error());
    LocalImageBuild::Request request;
    request.siteId = siteId;
    request.dockerfile = context.arguments.positional.value(0);
    request.name = context.arguments.value("--name");
    ConnectionWatch connection(context, siteId, {});
    request.mayWait = [&connection](ConnectionState::Phase) { return connection.mayWait(); };
    LocalImageBuild build(context.engine().catalogue(), context.engine().sessions());
    const BuildPrinter printer(context, &build);
    QObject::connect(context.engine().sessions(), &Sessions::connectionChanged, &build,
        [&connection] { connection.report(); });
    QObject::connect(
        &context.interrupts(), &Interrupts::interrupted, &build, &LocalImageBuild::cancel);
    const Result<LocalImageBuild::Archive> archive = co_await build.run(request);
    if (!archive.ok()) {
        context.out.clearProgress();
        const bool isResumable = archive.error().kind == ErrorKind::Cancelled
            || archive.error().kind == ErrorKind::LinkLost;
        if (isResumable)
            context.out.note(tr(
                "If the upload had begun, the same command continues it, as long as the files of "
                "the folder are the same."));
        const ExitCode code = context.fail(archive.error());
        co_return Interrupts::pending() ? ExitCode::Interrupted : code;
    }
    printArchive(context, *archive);
    const LaunchSpec spec = archiveImageLaunch(siteId, archive->name, archive->path, false);
    const ExitCode code = co_await buildThere(context, spec);
    co_return code;
}

} // namespace slipway
