// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/launchimage.h"

#include "app/plan/stepimages.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

using State = ImageAnswer::State;

/// A registry's texts have no bounds of their own.
QString boundedText(const QString& text)
{
    return text.simplified().left(400);
}

QString registryWord(const ImageReference& image)
{
    return image.registry.isEmpty() ? QStringLiteral("Docker Hub") : image.registry;
}

QStringList withTags(const ImageReference& image, const QStringList& tags)
{
    QStringList references;
    for (const QString& tag : tags) {
        ImageReference one = image;
        one.digest.clear();
        one.tag = tag;
        references << one.text();
    }
    return references;
}

LaunchImageState missingImage(const ImageAnswer& answer)
{
    LaunchImageState state;
    state.standing = ImageStanding::Error;
    state.isCertain = true;
    const ImageReference& image = answer.image;
    if (answer.nearest.isEmpty()) {
        state.sentence = boundedText(answer.why);
        return state;
    }
    state.sentence =
        tr("%1 has no tag %2 of %3. It has %4.")
            .arg(registryWord(image), image.tag, image.repository, answer.nearest.join(u", "));
    state.instead = withTags(image, answer.nearest);
    return state;
}

/// The job uses the file that is there, whatever the registry says.
void useKeptFile(const ImageAnswer& answer, LaunchImageState* state)
{
    if (answer.keptSince.isEmpty())
        return;
    state->isCertain = false;
    if (state->standing == ImageStanding::Error)
        state->standing = ImageStanding::Warning;
    state->sentence += u' '
        + tr("Its file has been kept on the cluster since %1, and is used.").arg(answer.keptSince);
}

/// The verdict that counts: that of the partition; of the scheduler's choice only one that is the
/// same for all.
std::optional<PartitionVerdict> verdictFor(
    const std::vector<PartitionVerdict>& verdicts, const QString& partition)
{
    if (verdicts.empty())
        return {};
    if (partition.isEmpty()) {
        const PartitionVerdict& first = verdicts.front();
        const bool same =
            std::all_of(verdicts.begin(), verdicts.end(), [&first](const PartitionVerdict& one) {
                return one.verdict == first.verdict && one.isOfPlatform == first.isOfPlatform;
            });
        return same ? std::optional(first) : std::nullopt;
    }
    const auto found = std::find_if(verdicts.begin(), verdicts.end(),
        [&partition](const PartitionVerdict& one) { return one.partition == partition; });
    return found == verdicts.end() ? std::nullopt : std::optional(*found);
}

/// "2.9 GiB to download"
QString sizeWords(const ImageInspection& found)
{
    return tr("%1 to download").arg(ByteCount(found.image.compressedBytes()).text());
}

LaunchImageState onPartition(const ImageInspection& found, const QString& partition, bool hasGpu)
{
    LaunchImageState state;
    const QString size = sizeWords(found);
    const QString where = partition.isEmpty() ? tr("this site") : partition;
    const auto verdict = verdictFor(found.verdicts, partition);
    if (!verdict) {
        state.sentence = tr("It exists: %1. Whether it runs on %2 is unknown.").arg(size, where);
        return state;
    }
    const QString why = boundedText(verdict->sentence);
    if (!hasGpu && !verdict->isOfPlatform) {
        state.standing = ImageStanding::Ok;
        state.sentence = tr("It exists: %1. It runs on %2, without a GPU.").arg(size, where);
    } else if (verdict->verdict == Verdict::Ok) {
        state.standing = ImageStanding::Ok;
        state.sentence = tr("It exists: %1. It runs on %2. %3").arg(size, where, why).trimmed();
    } else if (verdict->verdict == Verdict::Fail) {
        state.standing = ImageStanding::Error;
        state.isCertain = true;
        state.sentence = tr("It does not run on %1. %2").arg(where, why).trimmed();
    } else {
        state.sentence =
            tr("It exists: %1. Whether it runs on %2 is unknown. %3").arg(size, where, why);
    }
    return state;
}

/// Room matters only where nothing worse is known.
void judgeRoom(const ImageInspection& found, LaunchImageState* state)
{
    if (!found.freeBytes || state->standing == ImageStanding::Error)
        return;
    const qint64 compressed = found.image.compressedBytes();
    const qint64 least = leastPullBytes(compressed), most = mostPullBytes(compressed);
    const QString free = ByteCount(*found.freeBytes).text();
    const QString folder = boundedText(found.folder);
    if (*found.freeBytes < least) {
        state->standing = ImageStanding::Error;
        state->sentence = tr("The pull needs about %1 in %2, and %3 are free there. If the image "
                             "is there from an earlier launch, nothing is pulled.")
                              .arg(ByteCount(least).text(), folder, free);
    } else if (*found.freeBytes < most) {
        state->standing = ImageStanding::Warning;
        state->sentence += u' '
            + tr("With its temporary files the pull needs up to %1, and %2 are free in %3.")
                  .arg(ByteCount(most).text(), free, folder);
    }
}

} // namespace

std::vector<LaunchImage> launchImages(const Plan& plan)
{
    std::vector<LaunchImage> images;
    for (const PlanImage& one : planImages(plan)) {
        const auto field = std::find_if(plan.fields.begin(), plan.fields.end(),
            [&one](const Parameter& known) { return known.key == one.key; });
        if (!one.reference || field == plan.fields.end())
            continue;
        const Result<ImageReference> named = ImageReference::parse(field->value);
        images.push_back({one.key, field->label, named.ok() ? *named : *one.reference});
    }
    return images;
}

qint64 leastPullBytes(qint64 compressed)
{
    // An image file is compressed as its layers are, a little less well.
    return compressed + compressed / 10 + compressed;
}

qint64 mostPullBytes(qint64 compressed)
{
    // CUDA images unpack to about twice their size: 4.2 GB of 8.3 GB for an image with the toolkit.
    return leastPullBytes(compressed) + 2 * compressed;
}

QString ImageAnswer::digest() const
{
    return inspection && isDigest(inspection->image.digest) ? inspection->image.digest : QString();
}

QString imageStateName(ImageAnswer::State state)
{
    switch (state) {
    case State::Unasked:
        return QStringLiteral("unasked");
    case State::Asking:
        return QStringLiteral("asking");
    case State::Exists:
        return QStringLiteral("exists");
    case State::Missing:
        return QStringLiteral("missing");
    case State::Unauthorized:
        return QStringLiteral("unauthorized");
    case State::Unreachable:
        return QStringLiteral("unreachable");
    case State::File:
        return QStringLiteral("file");
    }
    return {};
}

QString imageStandingName(ImageStanding standing)
{
    switch (standing) {
    case ImageStanding::Ok:
        return QStringLiteral("ok");
    case ImageStanding::Warning:
        return QStringLiteral("warning");
    case ImageStanding::Error:
        return QStringLiteral("error");
    case ImageStanding::Unknown:
        return QStringLiteral("unknown");
    }
    return {};
}

LaunchImageState judgeForLaunch(const ImageAnswer& answer, const QString& partition, bool hasGpu)
{
    LaunchImageState state;
    switch (answer.state) {
    case State::Unasked:
        state.sentence = tr("Unknown: the registry was not asked yet.");
        return state;
    case State::Asking:
        state.sentence = tr("Asking %1…").arg(registryWord(answer.image));
        return state;
    case State::File:
        state.sentence = answer.image.isFile()
            ? tr("Unknown: it is a file on the cluster, which the job looks for when it starts.")
            : tr("Unknown: only registries of docker:// images are asked.");
        return state;
    case State::Missing:
        state = missingImage(answer);
        useKeptFile(answer, &state);
        return state;
    case State::Unauthorized:
        state.standing = ImageStanding::Warning;
        state.sentence = boundedText(answer.why);
        useKeptFile(answer, &state);
        return state;
    case State::Unreachable:
        state.sentence = tr("Unknown: %1").arg(boundedText(answer.why));
        useKeptFile(answer, &state);
        return state;
    case State::Exists:
        break;
    }
    if (!answer.inspection)
        return state;
    state = onPartition(*answer.inspection, partition, hasGpu);
    if (answer.keptSince.isEmpty()) // else nothing is pulled
        judgeRoom(*answer.inspection, &state);
    return state;
}

} // namespace slipway
