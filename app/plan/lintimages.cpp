// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"
#include "app/plan/formdefaults.h"
#include "app/plan/imagefacts.h"
#include "app/plan/lint.h"
#include "app/plan/planfacts.h"
#include "app/plan/stepimages.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

using Problems = std::vector<Problem>;

/// Tags that move, and what the site knows of an image.
void lintName(const Plan& plan, const Parameter& field, Problems* problems)
{
    const Result<ImageReference> image = ImageReference::parse(field.value.trimmed());
    if (!image.ok() || image->isFile())
        return;
    if (image->digest.isEmpty() && isMovingTag(image->tag)) {
        const QString tag = image->tag.isEmpty() ? QStringLiteral("latest") : image->tag;
        problems->push_back(warningIn(field.key,
            tr("The tag “%1” can change: the same launch may run a different image next month.")
                .arg(tag),
            tr("Name a version")));
    }
    for (const SiteImage& known : plan.site.images) {
        if (!fitsImage(known.match, *image))
            continue;
        const bool better = !known.instead.isEmpty();
        problems->push_back(warningIn(field.key, known.problem,
            better ? tr("Use %1").arg(known.instead) : QString(),
            better ? std::optional(known.instead) : std::nullopt));
        return;
    }
}

/// The value that the field has at this site while nobody changes it.
QString defaultValue(const Plan& plan, const Parameter& field)
{
    if (const auto given = givenValue(plan.recipe, plan.site, {}, field.key))
        return *given;
    for (const Parameter& parameter : plan.recipe.parameters) {
        if (parameter.key == field.key)
            return parameter.value;
    }
    return {};
}

/// A registry without a domain is known only inside its own cluster: "login:5000".
bool isForeignRegistry(const Plan& plan, const QString& text)
{
    const Result<ImageReference> image = ImageReference::parse(text.trimmed());
    if (!image.ok() || image->isFile() || image->registry.isEmpty())
        return false;
    const QString host = image->registry.section(u':', 0, 0);
    return !host.contains(u'.') && !host.startsWith(u'[')
        && !plan.site.plainHttpRegistries.contains(image->registry);
}

void lintRegistry(const Plan& plan, const Parameter& field, Problems* problems)
{
    if (!isForeignRegistry(plan, field.value))
        return;
    const QString registry = ImageReference::parse(field.value.trimmed())->registry;
    const QString better = defaultValue(plan, field);
    const bool fits = !better.trimmed().isEmpty() && !isForeignRegistry(plan, better);
    problems->push_back(warningIn(field.key,
        tr("The registry %1 has no domain name, so usually only its own cluster knows it, and the "
           "site file of %2 does not list it: the pull may fail.")
            .arg(registry, plan.site.name),
        fits ? tr("Use this site's image") : tr("Choose an image that this site can pull"),
        fits ? std::optional(better) : std::nullopt));
}

/// Where a site file has no driver, Slipway cannot compare; a CUDA version that a document shows in
/// use there is known to run.
void lintUnknownDriver(const Plan& plan, const PlanImage& image, const CudaVersion& inside,
    const SitePartition& partition, Problems* problems)
{
    if (!plan.site.driver.isEmpty() || !partition.cuda.isEmpty())
        return;
    const std::optional<CudaVersion> seen = CudaVersion::parse(plan.site.cudaSeen);
    if (seen && inside.major <= seen->major)
        return;
    const QString known = seen
        ? tr(" The newest CUDA that is known to have run there is %1.").arg(seen->text())
        : QString();
    problems->push_back(warningIn(image.key,
        tr("Neither the driver nor the CUDA version of %1 is known, so the image's CUDA %2 cannot "
           "be checked in advance: slipway-probe checks the node before the program starts.%3")
            .arg(plan.site.name, inside.text(), known),
        tr("Set the node check to stop, so that a driver that is too old ends the job at once")));
}

/// CUDA in the image compared with the driver and the GPU.
void lintCuda(const Plan& plan, const std::optional<ClusterInfo>& cluster, const PlanImage& image,
    Problems* problems)
{
    const std::optional<CudaVersion> inside = imageCuda(*image.reference);
    if (!inside || !jobHasGpu(plan, cluster) || !plan.site.gpusAreReal.value_or(true))
        return;
    const SitePartition partition =
        partitionFacts(plan.job.partition, plan.site, cluster).partition;
    const std::optional<CudaVersion> driver =
        CudaVersion::parse(partition.cuda.isEmpty() ? plan.site.cuda : partition.cuda);
    if (!driver)
        lintUnknownDriver(plan, image, *inside, partition, problems);
    else if (inside->major > driver->major)
        problems->push_back(errorIn(image.key,
            tr("The image is built with CUDA %1, and the driver of %2 supports CUDA up to %3: it "
               "would find no usable GPU, or silently compute on the CPU.")
                .arg(inside->text(), plan.site.name, driver->text()),
            tr("Choose an image with CUDA %1").arg(driver->major)));
    else if (inside->isSurelyNewer(*driver))
        problems->push_back(warningIn(image.key,
            tr("The image's CUDA %1 is newer than the driver's %2. Within one major version this "
               "usually works.")
                .arg(inside->text(), driver->text())));
    const std::optional<CudaVersion> first = firstCudaFor(partition.computeCapability);
    if (first && inside->isSurelyOlder(*first))
        problems->push_back(errorIn(image.key,
            tr("The image's CUDA %1 is older than the GPUs of %2, which need CUDA %3 or newer.")
                .arg(inside->text(), partition.name, first->text()),
            tr("Choose an image with CUDA %1 or newer").arg(first->text())));
}

/// Whether the images run on the nodes of the job, and are stored in a suitable place.
void lintFit(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    const SitePartition partition =
        partitionFacts(plan.job.partition, plan.site, cluster).partition;
    const QString architecture =
        partition.architecture.isEmpty() ? plan.site.architecture : partition.architecture;
    const bool foreign = !architecture.isEmpty() && architecture != u"x86_64";
    for (const PlanImage& image : planImages(plan)) {
        if (!image.reference)
            continue;
        lintCuda(plan, cluster, image, problems);
        const QString name = image.reference->text();
        if (foreign && !name.contains(architecture))
            problems->push_back(warningIn(image.key,
                tr("Nodes of %1 are %2: an image built only for x86-64 cannot run there (“Exec "
                   "format error”).")
                    .arg(partition.name, architecture),
                tr("Choose an image for %1").arg(architecture)));
        if (!foreign
            && (name.contains(u"ppc64le") || name.contains(u"arm64") || name.contains(u"aarch64")))
            problems->push_back(warningIn(image.key,
                tr("By its name, the image is built for a different architecture than that of the "
                   "nodes.")));
        const bool outside =
            !image.reference->isFile() && !speaksPlainHttp(plan.site, *image.reference);
        if (outside && plan.site.outboundNetwork == false)
            problems->push_back(warningIn(image.key,
                tr("Compute nodes of %1 have no internet access: the image must be on the cluster "
                   "before the job starts.")
                    .arg(plan.site.name),
                tr("Give the path of an image on the cluster")));
        const QString folder = imageFolder(plan.site);
        const bool home = image.reference->isFile()
            ? name.startsWith(u"~/") || name.startsWith(u"$HOME")
            : folder.startsWith(u"$HOME");
        if (home)
            problems->push_back(warningIn(image.key,
                tr("The image is in the home folder: images of several GB fill its "
                   "quota."),
                image.reference->isFile()
                    ? tr("Move it to a larger file system and enter its path there")
                    : tr("Set image_folder in the site's file: outside $HOME")));
    }
}

} // namespace

void lintImages(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    lintFit(plan, cluster, problems);
    for (const Parameter& field : plan.fields) {
        if (field.type == Parameter::Type::Image && !field.value.trimmed().isEmpty())
            lintName(plan, field, problems);
        if (field.type == Parameter::Type::Image)
            lintRegistry(plan, field, problems);
    }
}

} // namespace slipway
