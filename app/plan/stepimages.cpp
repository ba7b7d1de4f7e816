// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/stepimages.h"

#include "app/catalogue/names.h"
#include "app/catalogue/placeholders.h"
#include "app/plan/planfacts.h"

#include <algorithm>

namespace slipway {

namespace {

/// The user's value of an image field.
QString fieldLabel(const Plan& plan, const QString& key)
{
    for (const Parameter& field : plan.fields) {
        if (field.key == key)
            return field.label;
    }
    return key;
}

/// The pull as one program with its arguments, as pull_once requires. pull_once removes an old
/// .part file itself, and variables before a program are set with env.
QStringList pullWords(const Plan& plan, const ImageReference& image, const QString& part)
{
    const bool plainHttp = speaksPlainHttp(plan.site, image);
    if (plan.site.runtime == RuntimeKind::Singularity && plan.site.singularityMajor == 2)
        return commandWords(containerPullSingularity2(image, part));
    QStringList words = commandWords(containerPull(plan.site.runtime, image, part, plainHttp));
    words = words.mid(words.lastIndexOf(QStringLiteral("&&")) + 1);
    if (words.value(0).contains(u'='))
        words.prepend(QStringLiteral("env"));
    return words;
}

QString imageStepId(int number)
{
    return number == 1 ? QStringLiteral("image") : QStringLiteral("image-%1").arg(number);
}

PlanStep imageStep(const Plan& plan, const PlanImage& image, int number)
{
    const QString file = u"\"$" + image.variable + u'"';
    const QString field = fieldLabel(plan, image.key);
    PlanStep step;
    step.stage = QStringLiteral("image");
    step.id = imageStepId(number);
    const bool first = number == 1;
    if (image.reference->isFile()) {
        step.title = first ? QStringLiteral("Check the image")
                           : QStringLiteral("Check the image (%1)").arg(field);
        step.comment = QStringList{QStringLiteral("The image is a file on this cluster.")};
        step.body = "ls -lh " + file.toUtf8() + " &&\n    image_digest " + file.toUtf8() + '\n';
        return step;
    }
    step.title =
        first ? QStringLiteral("Pull the image") : QStringLiteral("Pull the image (%1)").arg(field);
    if (first)
        step.comment = QStringList{
            QStringLiteral(
                "The image is pulled once and kept for every later run: into a .part file under a"),
            QStringLiteral(
                "lock, then renamed, so that two jobs do not interfere. If it is there already, "
                "nothing is done.")};
    const QString part = u"\"$" + image.variable + u".part\"";
    step.body = "pull_once " + file.toUtf8() + " \\\n    "
        + wrapWords(pullWords(plan, *image.reference, part)).toUtf8() + '\n';
    return step;
}

bool isPulled(const PlanImage& image)
{
    return image.reference.has_value();
}

QString variableOf(const Plan& plan, const QString& key)
{
    const std::optional<Parameter> first = fieldOfType(plan, Parameter::Type::Image);
    return first && first->key == key ? QStringLiteral("image") : QStringLiteral("image_") + key;
}

std::optional<ImageReference> referenceOf(const Plan& plan, const QString& key)
{
    const QString value = plan.values.value(key).trimmed();
    if (value.isEmpty())
        return {};
    const Result<ImageReference> image = ImageReference::parse(value);
    return image.ok() ? std::optional(*image) : std::nullopt;
}

/// The variable of a built image: "nbody-efficient.sif" is $built_nbody_efficient, and "{name}"
/// is $built_name, whatever the person calls it.
QString builtVariable(const QString& output)
{
    QString name = output.section(u'.', 0, 0).remove(u'{').remove(u'}');
    for (QChar& c : name) {
        if (!c.isLetterOrNumber() || c.unicode() > 127)
            c = u'_';
    }
    return QStringLiteral("built_") + name.toLower();
}

/// A text with its placeholders replaced by the plain values.
QString withValues(const Plan& plan, QString text)
{
    for (const QString& name : placeholderNames(text))
        text.replace(u'{' + name + u'}', plan.values.value(name).trimmed());
    return text;
}

PlanImage builtImage(const Plan& plan, const RecipeStep& build)
{
    return {buildOutput(plan, build), builtVariable(build.output), {}};
}

} // namespace

QString buildDefinition(const Plan& plan, const RecipeStep& step)
{
    return withValues(plan, step.definition);
}

bool hasOwnDefinition(const RecipeStep& step)
{
    return step.kind == RecipeStep::Kind::Build && !placeholderNames(step.definition).isEmpty();
}

QString buildOutput(const Plan& plan, const RecipeStep& step)
{
    if (placeholderNames(step.output).isEmpty())
        return step.output;
    QString name = withValues(plan, step.output);
    if (name.isEmpty()) {
        name = buildDefinition(plan, step).section(u'/', -1);
        if (name.endsWith(u".def"))
            name.chop(4);
    }
    if (name.isEmpty())
        name = QStringLiteral("image"); // lint has reported that there is no definition file
    return name.endsWith(u".sif") ? name : name + u".sif";
}

std::optional<PlanImage> stepImage(const Plan& plan, const RecipeStep& step)
{
    for (const RecipeStep& build : plan.recipe.steps) {
        if (build.kind == RecipeStep::Kind::Build && !step.image.isEmpty()
            && build.output == step.image)
            return builtImage(plan, build);
    }
    const std::optional<Parameter> first = fieldOfType(plan, Parameter::Type::Image);
    const QString key = step.image.isEmpty() && first ? first->key : step.image;
    const std::optional<ImageReference> reference = referenceOf(plan, key);
    if (!reference)
        return {};
    return PlanImage{key, variableOf(plan, key), reference};
}

std::vector<PlanImage> planImages(const Plan& plan)
{
    std::vector<PlanImage> images;
    for (const RecipeStep& step : plan.recipe.steps) {
        // A step on the node needs an image only when it names one: to inspect the file.
        const bool needs = step.kind == RecipeStep::Kind::Exec
            || step.kind == RecipeStep::Kind::Packages
            || (step.kind == RecipeStep::Kind::Host && !step.image.isEmpty());
        const std::optional<PlanImage> image = needs ? stepImage(plan, step) : std::nullopt;
        const bool known = image
            && std::any_of(images.begin(), images.end(),
                [&](const PlanImage& one) { return one.variable == image->variable; });
        if (image && !known)
            images.push_back(*image);
        if (step.kind == RecipeStep::Kind::Build) {
            const PlanImage built = builtImage(plan, step);
            if (std::none_of(images.begin(), images.end(),
                    [&](const PlanImage& one) { return one.variable == built.variable; }))
                images.push_back(built);
        }
    }
    std::stable_partition(images.begin(), images.end(), isPulled);
    return images;
}

QString imagePathWord(const Plan& plan, const PlanImage& image)
{
    if (image.reference)
        return imageFileWord(plan, *image.reference);
    const QString path = builtFolder(plan.site) + u'/' + image.key;
    return isPathExpression(path) && path.contains(u'$') ? u'"' + path + u'"' : shellWord(path);
}

QString imageFolder(const Site& site)
{
    if (!site.imageFolder.isEmpty())
        return site.imageFolder;
    return (site.scratch.isEmpty() ? QStringLiteral("$HOME") : site.scratch)
        + QStringLiteral("/slipway/images");
}

QString builtFolder(const Site& site)
{
    return imageFolder(site) + QStringLiteral("/built");
}

bool usesPackages(const Plan& plan)
{
    return std::any_of(plan.recipe.steps.begin(), plan.recipe.steps.end(),
        [](const RecipeStep& step) { return step.kind == RecipeStep::Kind::Packages; });
}

QString packageFolder(const Site& site)
{
    return (site.scratch.isEmpty() ? QStringLiteral("$HOME") : site.scratch)
        + QStringLiteral("/slipway/packages");
}

std::vector<PlanStep> imageSteps(const Plan& plan)
{
    std::vector<PlanStep> steps;
    for (const PlanImage& image : planImages(plan)) {
        if (isPulled(image))
            steps.push_back(imageStep(plan, image, int(steps.size()) + 1));
    }
    return steps;
}

QByteArray imageBytesFile(const Plan& plan, const QMap<QString, qint64>& sizes)
{
    QByteArray lines;
    int number = 0;
    for (const PlanImage& image : planImages(plan)) {
        if (!isPulled(image))
            continue;
        ++number;
        const qint64 bytes = sizes.value(image.reference->text());
        if (!image.reference->isFile() && bytes > 0)
            lines += imageStepId(number).toUtf8() + ' ' + QByteArray::number(bytes) + '\n';
    }
    return lines;
}

bool speaksPlainHttp(const Site& site, const ImageReference& image)
{
    return !image.registry.isEmpty() && site.plainHttpRegistries.contains(image.registry);
}

QString imageFileWord(const Plan& plan, const ImageReference& image)
{
    if (image.isFile()) {
        const QString path =
            image.path.startsWith(u"~/") ? u"$HOME" + image.path.mid(1) : image.path;
        return isPathExpression(path) ? u'"' + path + u'"' : shellWord(path);
    }
    // The registry and the repository's owner are folders: names alone would collide
    // ("a/pytorch:1", "b/pytorch:1").
    QString folder = image.registry.isEmpty() ? QStringLiteral("docker.io") : image.registry;
    folder.replace(u':', u'_');
    const qsizetype slash = image.repository.lastIndexOf(u'/');
    if (slash > 0)
        folder += u'/' + image.repository.left(slash);
    QString path =
        imageFolder(plan.site) + u'/' + folder + u'/' + imageFileName(plan.site.runtime, image);
    if (plan.site.runtime == RuntimeKind::Singularity && plan.site.singularityMajor == 2
        && path.endsWith(u".sif"))
        path.chop(3), path += QStringLiteral("simg"); // Singularity 2 does not write SIF files
    return isPathExpression(path) ? u'"' + path + u'"' : shellWord(path);
}

} // namespace slipway
