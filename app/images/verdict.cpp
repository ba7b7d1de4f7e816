// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/verdict.h"

#include "app/catalogue/fields.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

constexpr std::size_t mostPlatformsNamed = 8;

/// None: neither the site file nor the cluster says whether the nodes have GPUs.
std::optional<bool> hasGpus(const SitePartition& partition)
{
    if (partition.gpusPerNode > 0 || partition.gpusAtLeast || !partition.gpuName.isEmpty()
        || !partition.gpuType.isEmpty())
        return true;
    return partition.gpusKnown ? std::optional(false) : std::nullopt;
}

/// A partition with a CUDA of its own has a driver of its own, which the site file does not name.
bool hasSiteDriver(const SitePartition& partition, const Site& site)
{
    return partition.cuda.isEmpty() || partition.cuda == site.cuda;
}

GpuNode gpuNodeOf(const SitePartition& partition, const Site& site)
{
    GpuNode node;
    if (hasSiteDriver(partition, site))
        node.driver = site.driver;
    node.cuda = partition.cuda.isEmpty() ? site.cuda : partition.cuda;
    node.cudaSeen = site.cudaSeen;
    node.capability = partition.computeCapability;
    node.kind = gpuKindOf(partition.gpuName.isEmpty() ? partition.gpuType : partition.gpuName);
    node.checksRequirement = isEnrootLike(site.runtime);
    return node;
}

QString hardwareOf(const SitePartition& partition, const Site& site)
{
    const std::optional<bool> gpus = hasGpus(partition);
    if (!gpus)
        return tr("GPUs unknown");
    if (!*gpus)
        return tr("no GPU");
    QString name = partition.gpuName.isEmpty() ? partition.gpuType : partition.gpuName;
    if (name.isEmpty())
        name = tr("GPU");
    if (partition.gpusPerNode > 0)
        name = QStringLiteral("%1%2 × ")
                   .arg(partition.gpusPerNode)
                   .arg(partition.gpusAtLeast ? QStringLiteral("+") : QString())
            + name;
    if (site.gpusAreReal == false)
        return tr("%1, emulated").arg(name);
    const GpuNode node = gpuNodeOf(partition, site);
    if (!node.driver.isEmpty())
        return tr("%1, driver %2").arg(name, node.driver);
    return node.cuda.isEmpty() ? name : tr("%1, CUDA up to %2").arg(name, node.cuda);
}

/// "linux/amd64, linux/arm64 and 3 more"
QString offeredPlatforms(const ImageDescription& image)
{
    QStringList names;
    for (const ImagePlatform& platform : image.platforms) {
        if (names.size() < qsizetype(mostPlatformsNamed))
            names << platform.text().left(40);
    }
    const auto more = qsizetype(image.platforms.size()) - names.size();
    const QString list = names.join(u", ");
    return more > 0 ? tr("%1 and %2 more").arg(list, QString::number(more)) : list;
}

Judgement judgePlatform(const ImageDescription& image, const ImagePlatform& nodes)
{
    const QString rule = tr("platforms of the image");
    if (image.platforms.empty())
        return {Verdict::Unknown, tr("The image does not say for which processors it is built."),
            rule, {}};
    if (!image.offers(nodes))
        return {Verdict::Fail,
            tr("The image is built for %1, and the nodes are %2 (“Exec format error”): choose an "
               "image for %2.")
                .arg(offeredPlatforms(image), nodes.text()),
            rule, {}};
    return {Verdict::Ok, {}, rule, {}};
}

/// The image on GPUs that are real.
Judgement judgeGpus(const ImageDescription& image, const SitePartition& partition, const Site& site)
{
    const ImageCuda cuda = cudaOf(image);
    const GpuNode node = gpuNodeOf(partition, site);
    Judgement driver = judgeDriver(cuda, node);
    const Judgement gpus = judgeCapability(decidingCuda(cuda), node);
    const bool gpusDecide = driver.verdict != Verdict::Fail
        && (gpus.verdict == Verdict::Fail
            || (gpus.verdict == Verdict::Unknown && driver.verdict == Verdict::Ok));
    if (gpusDecide)
        return gpus;
    if (driver.verdict == Verdict::Ok && !gpus.sentence.isEmpty())
        driver.sentence += u' ' + gpus.sentence;
    return driver;
}

Judgement withoutGpu(const ImageDescription& image)
{
    const ImageCuda cuda = cudaOf(image);
    const bool hasCuda = !cuda.version.isEmpty() || !cuda.require.isEmpty();
    return {Verdict::Ok,
        hasCuda ? tr("The nodes have no GPU: what the image computes with CUDA finds none.")
                : tr("The nodes have no GPU: the image runs on their CPUs."),
        tr("no GPU in the partition"), {}};
}

Judgement onEmulatedGpus(const Site& site)
{
    QString why = site.gpusNote.isEmpty() ? tr("the GPUs here are emulated") : site.gpusNote;
    while (why.endsWith(u'.'))
        why.chop(1);
    return {Verdict::Ok, tr("The image runs on the CPUs: %1.").arg(why), tr("emulated GPUs"), {}};
}

/// Its configuration may differ between platforms, and only one was read.
Judgement ofOtherPlatform(const ImageDescription& image, const ImagePlatform& nodes)
{
    return {Verdict::Unknown,
        tr("The image is built for %1 as well, but what it says of CUDA was read for %2 only.")
            .arg(nodes.text(), image.platform.text()),
        tr("platforms of the image"), {}};
}

PartitionVerdict judgePartition(
    const ImageDescription& image, const SitePartition& partition, const Site& site)
{
    PartitionVerdict verdict;
    verdict.partition = partition.name;
    verdict.hardware = hardwareOf(partition, site);
    const ImagePlatform nodes = partitionPlatform(partition, site);
    const std::optional<bool> gpus = hasGpus(partition);
    const bool isEmulated = gpus.value_or(false) && site.gpusAreReal == false;
    Judgement judged = judgePlatform(image, nodes);
    verdict.isOfPlatform = judged.verdict != Verdict::Ok;
    if (!verdict.isOfPlatform) {
        verdict.isCpuOnly = isEmulated || gpus == false;
        if (isEmulated)
            judged = onEmulatedGpus(site);
        else if (gpus == false)
            judged = withoutGpu(image);
        else if (!image.platform.fits(nodes))
            judged = ofOtherPlatform(image, nodes);
        else
            judged = judgeGpus(image, partition, site);
        if (!gpus) {
            judged.verdict = Verdict::Unknown;
            judged.sentence = tr("Whether these nodes have GPUs is not known. If they do: %1")
                                  .arg(judged.sentence);
        }
    }
    verdict.verdict = judged.verdict;
    verdict.sentence = judged.sentence;
    verdict.rule = judged.rule;
    verdict.source = judged.source;
    return verdict;
}

} // namespace

ImagePlatform partitionPlatform(const SitePartition& partition, const Site& site)
{
    return ImagePlatform::ofNodes(
        partition.architecture.isEmpty() ? site.architecture : partition.architecture);
}

std::vector<PartitionVerdict> judgeImage(
    const ImageDescription& image, const Site& site, const std::optional<ClusterInfo>& cluster)
{
    std::vector<PartitionVerdict> verdicts;
    for (const QString& name : partitionNames(site, cluster))
        verdicts.push_back(
            judgePartition(image, partitionFacts(name, site, cluster).partition, site));
    return verdicts;
}

} // namespace slipway
