// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/pinning.h"

#include "app/plan/lint.h"
#include "app/plan/planfacts.h"
#include "app/plan/stepimages.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

const QString pinKey = QStringLiteral("pin");

bool isPinned(const Plan& plan)
{
    return plan.values.value(pinKey) == u"true";
}

/// What a registry can name by a digest; none: a file, or nothing that can be read.
std::optional<ImageReference> pulledImage(const QString& text)
{
    const Result<ImageReference> image = ImageReference::parse(text.trimmed());
    if (!image.ok() || image->isFile())
        return {};
    return *image;
}

} // namespace

std::optional<Parameter> pinField(const Recipe& recipe)
{
    bool hasImage = false;
    for (const Parameter& parameter : recipe.parameters)
        hasImage = hasImage || parameter.type == Parameter::Type::Image;
    if (!hasImage)
        return {};
    Parameter field;
    field.key = pinKey;
    field.label = tr("Pin the image");
    field.help = tr("The script names the image by the digest that the registry has for it at the "
                    "launch: a run with the same digest gets the same image, even if the tag has "
                    "moved.");
    field.type = Parameter::Type::Flag;
    field.advanced = true;
    return field;
}

void pinImages(Plan* plan)
{
    if (!isPinned(*plan))
        return;
    for (const Parameter& parameter : plan->recipe.parameters) {
        if (parameter.type != Parameter::Type::Image)
            continue;
        auto image = pulledImage(plan->values.value(parameter.key));
        const QString digest = image ? plan->spec.pins.value(image->text()) : QString();
        if (!image || !image->digest.isEmpty() || !isDigest(digest))
            continue;
        image->digest = digest;
        plan->values.insert(parameter.key, image->text());
    }
}

std::vector<ImageReference> unpinnedImages(const Plan& plan)
{
    std::vector<ImageReference> images;
    if (!isPinned(plan))
        return images;
    for (const PlanImage& one : planImages(plan)) {
        if (one.reference && !one.reference->isFile() && one.reference->digest.isEmpty())
            images.push_back(*one.reference);
    }
    return images;
}

void lintPin(const Plan& plan, std::vector<Problem>* problems)
{
    const std::vector<ImageReference> images = unpinnedImages(plan);
    if (images.empty())
        return;
    problems->push_back(errorIn(pinKey,
        tr("The image cannot be pinned: the digest that its registry has for %1 is not known.")
            .arg(images.front().text()),
        tr("Launch without pinning it, or name the image by its digest"), QStringLiteral("false")));
}

Result<LaunchSpec> withPinnedImage(LaunchSpec spec, const Plan& plan, const QString& digest)
{
    const auto image = fieldOfType(plan, Parameter::Type::Image);
    const QString text = image ? spec.values.value(image->key, image->value) : QString();
    const auto reference = pulledImage(text);
    if (!isDigest(digest) || !reference)
        return Error{ErrorKind::NotFound,
            tr("The run has not noted which digest its image had in the registry."),
            tr("Launch it without pinning the image.")};
    if (reference->digest.isEmpty()) {
        spec.values.insert(pinKey, QStringLiteral("true"));
        spec.pins.insert(reference->text(), digest);
    }
    return spec;
}

} // namespace slipway
