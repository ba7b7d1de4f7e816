// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/imagefacts.h"

#include <QRegularExpression>

namespace slipway {

namespace {

struct KnownImage {
    const char* repository;
    const char* tag; ///< how it begins
    CudaVersion cuda;
};

// From NVIDIA's framework support matrix and the documents that name these images.
constexpr KnownImage knownImages[] = {
    {"nvidia/pytorch", "21.06", {11, 3}},
    {"nvidia/pytorch", "21.08", {11, 4}},
    {"nvidia/pytorch", "24.03", {12, 4}},
    {"tensorflow/tensorflow", "2.15", {12, 3}},
    {"tensorflow/tensorflow", "2.17", {12, 3}},
};

} // namespace

std::optional<CudaVersion> CudaVersion::parse(const QString& text)
{
    static const QRegularExpression form(QStringLiteral(R"(\A(\d{1,2})\.(\d{1,2})(?:\.\d+)*\z)"));
    const auto match = form.match(text);
    if (!match.hasMatch())
        return {};
    return CudaVersion{match.captured(1).toInt(), match.captured(2).toInt()};
}

std::optional<CudaVersion> imageCuda(const ImageReference& image)
{
    if (image.isFile())
        return {};
    static const QRegularExpression ofCuda(QStringLiteral(R"(\A(\d{1,2})\.(\d{1,2}))"));
    if (image.repository == u"nvidia/cuda") {
        const auto match = ofCuda.match(image.tag);
        if (match.hasMatch())
            return CudaVersion{match.captured(1).toInt(), match.captured(2).toInt()};
    }
    static const QRegularExpression named(QStringLiteral(R"((?:\A|[-_.])cuda-?(\d{1,2})\.(\d{1,2}))"), QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression packed(QStringLiteral(R"((?:\A|[-_.])cu(\d{2})(\d)(?:\z|[-_.]))"), QRegularExpression::CaseInsensitiveOption);
    for (const QRegularExpression& form : {named, packed}) {
        const auto match = form.match(image.tag);
        if (match.hasMatch())
            return CudaVersion{match.captured(1).toInt(), match.captured(2).toInt()};
    }
    for (const KnownImage& known : knownImages) {
        if (image.repository == QLatin1String(known.repository) && image.tag.startsWith(QLatin1String(known.tag)))
            return known.cuda;
    }
    return {};
}

std::optional<CudaVersion> firstCudaFor(const QString& computeCapability)
{
    const std::optional<CudaVersion> capability = CudaVersion::parse(computeCapability); // the same form
    if (!capability)
        return {};
    const int number = capability->major * 10 + capability->minor;
    if (number >= 89)
        return CudaVersion{11, 8};
    if (number >= 80)
        return CudaVersion{11, 0};
    if (number >= 75)
        return CudaVersion{10, 0};
    if (number >= 70)
        return CudaVersion{9, 0};
    return {};
}

} // namespace slipway
