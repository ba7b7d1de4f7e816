// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/follow.h"
#include "app/cli/image.h"
#include "app/cli/interrupts.h"
#include "app/cli/problems.h"
#include "app/images/imagelaunch.h"
#include "app/plan/stepimages.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <QJsonObject>

#include <algorithm>

namespace slipway {

namespace {

LaunchSpec pullSpec(const Arguments& arguments, const QString& siteId, const ImageReference& image)
{
    LaunchSpec spec = pullImageLaunch(siteId, image);
    if (arguments.has("--partition"))
        spec.values.insert(QStringLiteral("partition"), arguments.value("--partition"));
    if (arguments.has("--time"))
        spec.values.insert(QStringLiteral("time"), arguments.value("--time"));
    return spec;
}

/// Whether the file that this pull would write is on the cluster already, and so needs no more
/// room. (ImageInspection::keptSince wants one for each runtime of the site.)
QCoro::Task<bool> isThere(Context& context, LaunchSpec spec, ImageReference image)
{
    const Plan plan = context.engine().runs()->plan(spec);
    const QString file = imageFileWord(plan, image).remove(u'"');
    const QString inFolder = file.mid(imageFolder(plan.site).size()); // "/docker.io/…"
    const QString siteId = spec.siteId;
    const auto list = co_await context.engine().imageStore()->list(siteId);
    if (!list.ok())
        co_return true; // not known: the node looks once more
    const auto& images = list->images;
    co_return std::any_of(images.begin(), images.end(),
        [&](const StoredImage& one) { return !one.isPartial && one.path.endsWith(inFolder); });
}

/// Asks the registry first: what it has not got needs no job, and its size tells how far the pull
/// is. A registry that does not answer here may still answer the node.
QCoro::Task<Result<void>> askBefore(Context& context, LaunchSpec spec, ImageReference image)
{
    const QString siteId = spec.siteId;
    context.out.progress(tr("Asking the registry about %1…").arg(terminalText(image.text())));
    const auto found = co_await context.engine().imageInspector()->inspect(siteId, image);
    if (!found.ok()) {
        if (found.error().kind == ErrorKind::NotFound)
            co_return found.error();
        context.out.note(tr("The size of the image is not known: %1").arg(found.error().summary));
        co_return Result<void>();
    }
    const qint64 bytes = found->image.compressedBytes();
    if (!found->freeBytes || *found->freeBytes >= bytes)
        co_return Result<void>();
    const bool there = co_await isThere(context, spec, image);
    if (there)
        co_return Result<void>();
    co_return Error{ErrorKind::Invalid,
        tr("The image does not fit: it has %1, compressed, and %2 are free in %3. No job was "
           "submitted, and nothing was pulled.")
            .arg(ByteCount(bytes).text(), ByteCount(*found->freeBytes).text(), found->folder),
        tr("Delete images that are no longer needed: slipway-cli image list --site %1. Or set "
           "another image folder in the site file.")
            .arg(siteId)};
}

QCoro::Task<Result<QString>> submitPull(Context& context, LaunchSpec spec, ImageReference image)
{
    const auto connected = co_await context.connectTo(spec.siteId);
    if (!connected.ok())
        co_return connected.error();
    const auto asked = co_await askBefore(context, spec, image);
    if (!asked.ok())
        co_return asked.error();
    const Plan plan = context.engine().runs()->plan(spec);
    for (const Problem& problem : plan.problems)
        reportProblem(context, problem);
    if (plan.hasErrors())
        co_return Error{ErrorKind::Invalid, tr("This pull would fail; nothing was sent.")};
    const auto id = co_await context.engine().runs()->launch(spec);
    co_return id;
}

/// What the job printed of the image, in its log.
QString printedFile(Context& context, const QString& runId)
{
    const RunFeed* const feed = context.engine().runs()->feed(runId);
    const QString label = QStringLiteral("Image: ");
    QString file;
    for (const QString& line : feed ? feed->lines() : QStringList())
        if (line.startsWith(label))
            file = line.mid(label.size());
    return file;
}

std::optional<qint64> printedSize(Context& context, const QString& runId)
{
    const RunFeed* const feed = context.engine().runs()->feed(runId);
    if (!feed)
        return {};
    for (const auto& series : feed->series().all())
        if (series->series() == QLatin1String("image_size") && series->latest())
            return qint64(series->latest()->y);
    return {};
}

void printPulled(Context& context, const Run& run)
{
    const auto stage = std::find_if(run.stages.begin(), run.stages.end(),
        [](const RunStage& one) { return one.id == QLatin1String("image"); });
    if (stage == run.stages.end() || stage->state != StageState::Done)
        return;
    const QString file = printedFile(context, run.id);
    const auto size = printedSize(context, run.id);
    std::optional<qint64> seconds;
    if (stage->begin && stage->end)
        seconds = std::max<qint64>(0, stage->begin->secsTo(*stage->end));
    const bool reused = !stage->detail.isEmpty(); // a stage that is done says nothing else
    if (context.out.json) {
        context.out.object({{QStringLiteral("run"), run.id}, {QStringLiteral("file"), file},
            {QStringLiteral("digest"), run.imageDigest}, {QStringLiteral("reused"), reused},
            {QStringLiteral("bytes"), size ? QJsonValue(*size) : QJsonValue()},
            {QStringLiteral("seconds"), seconds ? QJsonValue(*seconds) : QJsonValue()}});
        return;
    }
    const auto line = [&](const QString& name, const QString& value) {
        if (!value.isEmpty())
            context.out.line(name.leftJustified(10) + terminalText(value));
    };
    line(tr("File"), file);
    line(tr("Digest"), run.imageDigest);
    line(tr("Size"), size ? ByteCount(*size).text() : QString());
    line(tr("Time"),
        reused        ? stage->detail
            : seconds ? durationText(std::chrono::seconds(*seconds))
                      : QString());
}

/// Ctrl-C: a pull that no one waits for is of no use, so its job is cancelled. It removes what it
/// has written.
QCoro::Task<ExitCode> cancelPull(Context& context, QString id)
{
    context.out.note(tr("Cancelling the pull; the job removes what it has written."));
    const auto cancelled = co_await context.engine().runs()->cancel(id);
    if (!cancelled.ok()) {
        context.fail(cancelled.error());
        printResumeHint(context, id);
        co_return ExitCode::Interrupted;
    }
    if (context.out.json)
        context.out.object({{QStringLiteral("run"), id}, {QStringLiteral("cancelled"), true}});
    else
        context.out.note(tr("The pull was cancelled."));
    co_return ExitCode::Interrupted;
}

} // namespace

QCoro::Task<ExitCode> pullImage(Context& context)
{
    if (context.arguments.positional.size() != 1)
        co_return context.misused(tr("“image pull” takes one image."),
            tr("slipway-cli image pull nvcr.io/nvidia/pytorch:24.03-py3 --site SITE"));
    if (!context.arguments.has("--site"))
        co_return context.misused(tr("--site is required."), tr("“slipway-cli sites” lists them."));
    const Site* const site = context.site(context.arguments.value("--site"));
    if (!site)
        co_return ExitCode::Usage;
    const auto image = ImageReference::parse(context.arguments.positional.first());
    if (!image.ok())
        co_return context.misused(image.error().summary, image.error().remedy);
    if (image->isFile())
        co_return context.misused(
            tr("%1 is a file on the cluster; there is nothing to pull.").arg(image->path),
            tr("Give an image of a registry: docker://ubuntu:24.04"));
    const ImageReference reference = *image;
    const LaunchSpec spec = pullSpec(context.arguments, site->id, reference);
    const auto submitted = co_await submitPull(context, spec, reference);
    if (!submitted.ok())
        co_return context.fail(submitted.error());
    const QString id = *submitted;
    const Run begun = *context.engine().runs()->run(id);
    if (context.out.json)
        context.out.object({{QStringLiteral("run"), id}, {QStringLiteral("job"), begun.job.text},
            {QStringLiteral("folder"), begun.folder}});
    else
        context.out.note(
            tr("Run %1 is job %2. The image is pulled on a compute node.").arg(id, begun.job.text));
    Follower follower(context, id, Follower::OwnLines::Hidden);
    const Follower::End end = co_await follower.untilEnd();
    if (end == Follower::End::Lost)
        co_return printLeaving(context, id, end);
    const Run run = *context.engine().runs()->run(id);
    if (end == Follower::End::Interrupted && !isTerminal(run.phase)) {
        const ExitCode code = co_await cancelPull(context, id);
        co_return code;
    }
    const ExitCode code = printEnding(context, run);
    printPulled(context, run);
    co_return code;
}

} // namespace slipway
