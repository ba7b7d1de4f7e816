// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/image.h"
#include "app/cli/jsonobjects.h"
#include "app/images/newesttag.h"
#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace slipway {

namespace {

QString registryName(const ImageReference& image)
{
    return image.registry.isEmpty() ? QStringLiteral("Docker Hub") : image.registry;
}

QStringList platformNames(const ImageDescription& image)
{
    QStringList names;
    for (const ImagePlatform& platform : image.platforms)
        names << platform.text();
    return names;
}

QJsonArray layerObjects(const ImageDescription& image)
{
    QJsonArray layers;
    for (const ImageLayer& layer : image.layers)
        layers.append(QJsonObject{{QStringLiteral("digest"), layer.digest},
            {QStringLiteral("bytes"), layer.bytes},
            {QStringLiteral("created_by"), textOrNull(layer.createdBy)}});
    return layers;
}

QJsonArray partitionObjects(const ImageInspection& found)
{
    QJsonArray partitions;
    for (const PartitionVerdict& verdict : found.verdicts)
        partitions.append(QJsonObject{{QStringLiteral("partition"), verdict.partition},
            {QStringLiteral("hardware"), verdict.hardware},
            {QStringLiteral("verdict"), verdictName(verdict.verdict)},
            {QStringLiteral("sentence"), verdict.sentence}, {QStringLiteral("rule"), verdict.rule},
            {QStringLiteral("source"), verdict.source},
            {QStringLiteral("cpu_only"), verdict.isCpuOnly}});
    return partitions;
}

QJsonObject inspectionObject(const ImageInspection& found)
{
    const ImageDescription& image = found.image;
    QJsonObject labels;
    for (auto it = image.labels.begin(); it != image.labels.end(); ++it)
        labels.insert(it.key(), it.value());
    return {{QStringLiteral("site"), found.siteId},
        {QStringLiteral("image"), image.reference.text()}, {QStringLiteral("digest"), image.digest},
        {QStringLiteral("manifest_digest"), image.manifestDigest},
        {QStringLiteral("platforms"), QJsonArray::fromStringList(platformNames(image))},
        {QStringLiteral("bytes"), image.compressedBytes()},
        {QStringLiteral("layers"), layerObjects(image)},
        {QStringLiteral("cuda"), textOrNull(found.cuda.version)},
        {QStringLiteral("cuda_require"), textOrNull(found.cuda.require)},
        {QStringLiteral("cuda_compat"), found.cuda.hasForwardCompatibility},
        {QStringLiteral("frameworks"), QJsonArray::fromStringList(found.frameworks)},
        {QStringLiteral("entrypoint"), QJsonArray::fromStringList(image.entrypoint)},
        {QStringLiteral("cmd"), QJsonArray::fromStringList(image.command)},
        {QStringLiteral("user"), image.user}, {QStringLiteral("labels"), labels},
        {QStringLiteral("created"), textOrNull(image.created.toString(Qt::ISODate))},
        {QStringLiteral("asked_from"), found.askedFrom}, {QStringLiteral("command"), found.command},
        {QStringLiteral("folder"), textOrNull(found.folder)},
        {QStringLiteral("free_bytes"),
            found.freeBytes ? QJsonValue(*found.freeBytes) : QJsonValue()},
        {QStringLiteral("partitions"), partitionObjects(found)}};
}

/// A line of what is known; nothing where it is not.
void printFact(Context& context, const QString& name, const QString& value)
{
    if (!value.isEmpty())
        context.out.line(name.leftJustified(12) + terminalText(value));
}

QString spaceText(const ImageInspection& found)
{
    if (!found.freeBytes)
        return {};
    const QString text = tr("%1 free in %2").arg(ByteCount(*found.freeBytes).text(), found.folder);
    return found.image.compressedBytes() > *found.freeBytes
        ? tr("%1: the image does not fit there").arg(text)
        : text;
}

void printFacts(Context& context, const ImageInspection& found)
{
    const ImageDescription& image = found.image;
    context.out.line(terminalText(image.reference.text()));
    printFact(context, tr("Digest"), image.digest);
    printFact(context, tr("Platforms"), platformNames(image).join(u", "));
    printFact(context, tr("Created"), image.created.toUTC().toString(u"yyyy-MM-dd"));
    printFact(context, tr("Size"),
        counted(qint64(image.layers.size()), tr("%2 compressed, 1 layer"),
            tr("%2 compressed, %1 layers"))
            .arg(ByteCount(image.compressedBytes()).text()));
    QString cuda = found.cuda.version.isEmpty() ? tr("it does not say") : found.cuda.version;
    if (found.cuda.hasForwardCompatibility)
        cuda = tr("%1, with cuda-compat").arg(cuda);
    printFact(context, tr("CUDA"), cuda);
    printFact(context, tr("Requires"), found.cuda.require.left(200));
    printFact(context, tr("Contains"), found.frameworks.join(u", "));
    printFact(context, tr("Entrypoint"), image.entrypoint.join(u' ').left(500));
    printFact(context, tr("Command"), image.command.join(u' ').left(500));
    printFact(context, tr("User"), image.user);
    printFact(context, tr("Folder"), spaceText(found));
    printFact(context, tr("Asked from"), found.askedFrom);
    const qsizetype last = found.command.lastIndexOf(u'\n') + 1; // a remark is before it
    printFact(context, tr("Shown by"), found.command.mid(last));
    if (const QString remark = found.command.left(last).trimmed(); !remark.isEmpty())
        context.out.line(QString(12, u' ') + terminalText(remark));
}

void printVerdicts(Context& context, const ImageInspection& found)
{
    std::vector<QStringList> rows;
    for (const PartitionVerdict& verdict : found.verdicts)
        rows.push_back(
            {verdict.partition, verdict.hardware, verdictName(verdict.verdict), verdict.sentence});
    if (rows.empty())
        return;
    context.out.line();
    context.out.table({tr("PARTITION"), tr("HARDWARE"), tr("VERDICT"), tr("WHY")}, rows);
}

/// The login for --user, whose secret is asked on the terminal; none: without a login.
QCoro::Task<Result<std::optional<RegistryLogin>>> loginFor(Context& context, QString registry)
{
    std::optional<RegistryLogin> login;
    if (!context.arguments.has("--user"))
        co_return login;
    RegistryLogin entered;
    entered.user = context.arguments.value("--user");
    PromptRound round;
    round.kind = PromptRound::Kind::Password;
    round.host = registry;
    round.user = entered.user;
    Prompt prompt;
    prompt.text = tr("Password or token of %1 at %2:").arg(entered.user, registry);
    round.prompts.push_back(prompt);
    const auto answers = co_await context.prompter()->answer(round);
    if (!answers || answers->isEmpty() || answers->first().isEmpty())
        co_return Error{ErrorKind::Cancelled, tr("No password or token was entered.")};
    entered.secret = answers->first();
    login = entered;
    co_return login;
}

/// The newest tag that runs, for --newest; of use for an image that was not found as well.
QCoro::Task<QJsonObject> printNewest(
    Context& context, QString siteId, ImageReference image, std::optional<RegistryLogin> login)
{
    const QString anyPartition;
    context.out.progress(tr("Looking for the newest tag that runs…"));
    const auto newest = co_await newestThatRuns(
        context.engine().imageInspector(), siteId, image, anyPartition, login);
    if (!newest.ok()) {
        context.out.note(newest.error().summary);
        co_return QJsonObject();
    }
    if (!context.out.json)
        printFact(context, tr("Newest"), newest->words());
    QJsonObject object{{QStringLiteral("image"), newest->image ? newest->image->text() : QString()},
        {QStringLiteral("tag"), newest->image ? newest->image->tag : QString()},
        {QStringLiteral("partition"), newest->partition},
        {QStringLiteral("sentence"), newest->words()},
        {QStringLiteral("looked_at"), QJsonArray::fromStringList(newest->lookedAt)},
        {QStringLiteral("all_tags"), newest->allTags}};
    co_return object;
}

} // namespace

QCoro::Task<Result<ImageInspection>> inspected(
    Context& context, QString siteId, ImageReference image, std::optional<RegistryLogin> login)
{
    ImageInspector* const inspector = context.engine().imageInspector();
    const bool needsCluster = inspector->needsCluster(siteId, image);
    const bool canConnect = context.engine().catalogue()->site(siteId)->launchable();
    if (needsCluster) {
        const auto connected = co_await context.connectTo(siteId);
        if (!connected.ok())
            co_return connected.error();
    }
    context.out.progress(tr("Asking %1…").arg(registryName(image)));
    auto found = co_await inspector->inspect(siteId, image, login);
    if (found.ok() || needsCluster || !canConnect || !isUnreachable(found.error()))
        co_return found;
    context.out.note(found.error().summary);
    const auto connected = co_await context.connectTo(siteId);
    if (!connected.ok()) {
        context.out.note(connected.error().summary);
        co_return found;
    }
    auto again = co_await inspector->inspect(siteId, image, login);
    co_return again;
}

QCoro::Task<ExitCode> inspectImage(Context& context)
{
    if (context.arguments.positional.size() != 1)
        co_return context.misused(tr("“image inspect” takes one image."),
            tr("slipway-cli image inspect nvcr.io/nvidia/pytorch:24.03-py3 --site SITE"));
    if (!context.arguments.has("--site"))
        co_return context.misused(tr("--site is required."), tr("“slipway-cli sites” lists them."));
    const Site* const site = context.site(context.arguments.value("--site"));
    if (!site)
        co_return ExitCode::Usage;
    const QString siteId = site->id;
    const auto image = ImageReference::parse(context.arguments.positional.first());
    if (!image.ok())
        co_return context.misused(image.error().summary, image.error().remedy);
    const ImageReference reference = *image;
    const QString registry = registryName(reference);
    const auto login = co_await loginFor(context, registry);
    if (!login.ok())
        co_return context.fail(login.error());
    const std::optional<RegistryLogin> account = *login;
    const auto found = co_await inspected(context, siteId, reference, account);
    const bool wantsNewest = context.arguments.has("--newest");
    if (!found.ok()) {
        if (wantsNewest && found.error().kind == ErrorKind::NotFound) {
            const QJsonObject newest = co_await printNewest(context, siteId, reference, account);
            if (context.out.json)
                context.out.object({{QStringLiteral("newest"), newest}});
        }
        co_return context.fail(found.error());
    }
    if (!context.out.json) {
        printFacts(context, *found);
        printVerdicts(context, *found);
    }
    QJsonObject newest;
    if (wantsNewest)
        newest = co_await printNewest(context, siteId, reference, account);
    if (context.out.json) {
        QJsonObject object = inspectionObject(*found);
        if (wantsNewest)
            object.insert(QStringLiteral("newest"), newest);
        context.out.object(object);
    }
    const auto& verdicts = found->verdicts;
    const bool runsNowhere = !verdicts.empty()
        && std::all_of(verdicts.begin(), verdicts.end(),
            [](const PartitionVerdict& one) { return one.verdict == Verdict::Fail; });
    co_return runsNowhere ? ExitCode::Failed : ExitCode::Done;
}

} // namespace slipway
