// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/image.h"
#include "app/cli/jsonobjects.h"
#include "app/images/imagedifference.h"
#include "remote/base/counted.h"
#include "remote/base/tr.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace slipway {

namespace {

QString stateName(ImageDifferenceRow::State state)
{
    switch (state) {
    case ImageDifferenceRow::State::Same:
        return QStringLiteral("same");
    case ImageDifferenceRow::State::Differs:
        return QStringLiteral("differs");
    case ImageDifferenceRow::State::Unknown:
        break;
    }
    return QStringLiteral("unknown");
}

QJsonObject differenceObject(
    const ComparedImage& first, const ComparedImage& second, const ImageDifference& difference)
{
    QJsonArray rows;
    for (const ImageDifferenceRow& row : difference.rows)
        rows.append(QJsonObject{{QStringLiteral("key"), row.key},
            {QStringLiteral("first"), textOrNull(row.first)},
            {QStringLiteral("second"), textOrNull(row.second)},
            {QStringLiteral("state"), stateName(row.state)}});
    QJsonObject object{{QStringLiteral("first"), first.name},
        {QStringLiteral("second"), second.name}, {QStringLiteral("rows"), rows}};
    if (difference.layersKnown) {
        object.insert(QStringLiteral("shared_layers"), difference.sharedLayers);
        object.insert(QStringLiteral("shared_bytes"), difference.sharedBytes);
        object.insert(QStringLiteral("added_layers"), difference.addedLayers);
        object.insert(QStringLiteral("added_bytes"), difference.addedBytes);
    }
    return object;
}

void printDifferenceOf(Context& context, const ComparedImage& first, const ComparedImage& second)
{
    const ImageDifference difference = compareImages(first, second);
    if (context.out.json)
        return context.out.object(differenceObject(first, second, difference));
    std::vector<QStringList> rows;
    for (const ImageDifferenceRow& row : difference.rows) {
        const bool differs = row.state == ImageDifferenceRow::State::Differs;
        rows.push_back({differs ? QStringLiteral("≠") : QString(), terminalText(row.title),
            terminalText(row.first), terminalText(row.second)});
    }
    context.out.table({{}, {}, terminalText(first.name), terminalText(second.name)}, rows);
    context.out.line(sharedLayersSentence(difference));
    if (difference.labelsLeftOut > 0)
        context.out.note(counted(
            difference.labelsLeftOut, tr("1 more label differs."), tr("%1 more labels differ.")));
}

/// The file on the site that a path or a name below the image folder means.
QCoro::Task<Result<ComparedImage>> storedThere(Context& context, QString siteId, QString name)
{
    const Result<void> connected = co_await context.connectTo(siteId);
    if (!connected.ok())
        co_return connected.error();
    const Result<ImageList> list = co_await context.engine().imageStore()->list(siteId);
    if (!list.ok())
        co_return list.error();
    const QString below = list->folder + u'/' + name;
    const auto& images = list->images;
    const auto found = std::find_if(images.begin(), images.end(),
        [&](const StoredImage& one) { return one.path == name || one.path == below; });
    if (found == images.end())
        co_return Error{ErrorKind::NotFound,
            tr("There is no image “%1” in %2.").arg(name, list->folder),
            tr("“slipway-cli image list --site %1” lists them.").arg(siteId)};
    ComparedImage image;
    image.name = name;
    image.stored = *found;
    co_return image;
}

QCoro::Task<Result<ComparedImage>> askedOf(Context& context, QString siteId, QString name)
{
    const auto reference = ImageReference::parse(name);
    if (!reference.ok())
        co_return reference.error();
    const ImageReference wanted = *reference;
    ComparedImage image;
    image.name = name;
    context.out.progress(tr("Asking for %1…").arg(terminalText(name)));
    if (siteId.isEmpty()) {
        const ImagePlatform platform = ImagePlatform::ofNodes({});
        const auto said = co_await context.engine().imageInspector()->describe(wanted, platform);
        if (!said.ok())
            co_return said.error();
        image.described = *said;
        co_return image;
    }
    const std::optional<RegistryLogin> account;
    const auto said = co_await inspected(context, siteId, wanted, account);
    if (!said.ok())
        co_return said.error();
    image.described = said->image;
    co_return image;
}

QCoro::Task<Result<ComparedImage>> comparedImage(Context& context, QString siteId, QString name)
{
    const Result<ImageReference> reference = ImageReference::parse(name);
    const bool isFile = reference.ok() && reference->isFile();
    if (isFile && siteId.isEmpty())
        co_return Error{ErrorKind::Usage,
            tr("%1 is a file on a cluster: --site is required.").arg(name),
            tr("“slipway-cli sites” lists them.")};
    auto asking = isFile ? storedThere(context, siteId, name) : askedOf(context, siteId, name);
    auto image = co_await std::move(asking);
    co_return image;
}

} // namespace

QCoro::Task<ExitCode> compareImages(Context& context)
{
    if (context.arguments.positional.size() != 2)
        co_return context.misused(tr("“image compare” takes two images."),
            tr("slipway-cli image compare nvcr.io/nvidia/pytorch:24.03-py3 "
               "nvcr.io/nvidia/pytorch:24.05-py3 --site SITE"));
    const QString siteId = context.arguments.value("--site");
    if (!siteId.isEmpty() && !context.site(siteId))
        co_return ExitCode::Usage;
    std::vector<ComparedImage> images;
    for (const QString& name : QStringList(context.arguments.positional)) {
        const Result<ComparedImage> image = co_await comparedImage(context, siteId, name);
        context.out.clearProgress();
        if (!image.ok())
            co_return context.fail(image.error());
        images.push_back(*image);
    }
    printDifferenceOf(context, images[0], images[1]);
    co_return ExitCode::Done;
}

} // namespace slipway
