// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/imagefacts.h"

#include <QRegularExpression>

namespace slipway {

namespace {

struct KnownImage {
    const char* repository;
    const char* tag; ///< how it begins
    CudaVersion cuda;
};

// NGC: NVIDIA's release notes of the month. TensorFlow: its tested build configurations; its images
// are built on CUDA 12.3 since 2.15 (tensorflow/build, tensorflow_runtime_dockerfiles), and a
// program that was built with a newer CUDA than its image's base, as 2.18 was, requires a driver
// for the newer one.
constexpr KnownImage knownImages[] = {
    {"nvidia/pytorch", "21.06", {11, 3}},
    {"nvidia/pytorch", "21.08", {11, 4}},
    {"nvidia/pytorch", "24.03", {12, 4}},
    {"tensorflow/tensorflow", "1.12", {9, 0}},
    {"tensorflow/tensorflow", "1.15", {10, 0}},
    {"tensorflow/tensorflow", "2.4", {11, 0}},
    {"tensorflow/tensorflow", "2.10", {11, 2}},
    {"tensorflow/tensorflow", "2.11", {11, 2}},
    {"tensorflow/tensorflow", "2.12", {11, 8}},
    {"tensorflow/tensorflow", "2.13", {11, 8}},
    {"tensorflow/tensorflow", "2.14", {11, 8}},
    {"tensorflow/tensorflow", "2.15", {12, 3}},
    {"tensorflow/tensorflow", "2.16", {12, 3}},
    {"tensorflow/tensorflow", "2.17", {12, 3}},
    {"tensorflow/tensorflow", "2.18", {12, 5}},
    {"tensorflow/tensorflow", "2.19", {12, 5}},
    {"tensorflow/tensorflow", "2.20", {12, 5}},
};

/// TensorFlow's images without "-gpu" contain no CUDA.
bool isForCpus(const ImageReference& image)
{
    return image.repository == u"tensorflow/tensorflow" && !image.tag.contains(u"gpu");
}

} // namespace

std::optional<CudaVersion> CudaVersion::parse(const QString& text)
{
    static const QRegularExpression form(QStringLiteral(R"(\A(\d{1,2})\.(\d{1,2})(?:\.\d+)*\z)"));
    const auto match = form.match(text);
    if (!match.hasMatch())
        return {};
    return CudaVersion{match.captured(1).toInt(), match.captured(2).toInt()};
}

QString CudaVersion::text() const
{
    return minor == unknownMinor ? QString::number(major)
                                 : QStringLiteral("%1.%2").arg(major).arg(minor);
}

bool CudaVersion::isSurelyOlder(const CudaVersion& than) const
{
    if (major != than.major)
        return major < than.major;
    return minor != unknownMinor && than.minor != unknownMinor && minor < than.minor;
}

bool isMovingTag(const QString& tag)
{
    static const QRegularExpression moving(QStringLiteral("(?:\\A|[-_.])latest(?:\\z|[-_.])"));
    return tag.isEmpty() || moving.match(tag).hasMatch();
}

bool fitsImage(const QString& pattern, const ImageReference& image)
{
    const QString name = image.repository + u':' + image.tag;
    return !image.isFile() && name.startsWith(pattern)
        && (name.size() == pattern.size() || !name.at(pattern.size()).isDigit());
}

std::optional<CudaVersion> imageCuda(const ImageReference& image)
{
    if (image.isFile() || isForCpus(image))
        return {};
    static const QRegularExpression ofCuda(QStringLiteral(R"(\A(\d{1,2})\.(\d{1,2}))"));
    if (image.repository == u"nvidia/cuda") {
        const auto match = ofCuda.match(image.tag);
        if (match.hasMatch())
            return CudaVersion{match.captured(1).toInt(), match.captured(2).toInt()};
    }
    static const QRegularExpression named(
        QStringLiteral(R"((?:\A|[-_.])cuda-?(\d{1,2})(?:\.(\d{1,2}))?(?=\z|[-_.]))"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression packed(
        QStringLiteral(R"((?:\A|[-_.])cu(\d{2})(\d)(?:\z|[-_.]))"),
        QRegularExpression::CaseInsensitiveOption);
    for (const QRegularExpression& form : {named, packed}) {
        const auto match = form.match(image.tag);
        if (!match.hasMatch())
            continue;
        const QString minor = match.captured(2);
        return CudaVersion{
            match.captured(1).toInt(), minor.isEmpty() ? CudaVersion::unknownMinor : minor.toInt()};
    }
    for (const KnownImage& known : knownImages) {
        if (fitsImage(QLatin1String(known.repository) + u':' + QLatin1String(known.tag), image))
            return known.cuda;
    }
    return {};
}

std::optional<CudaVersion> firstCudaFor(const QString& computeCapability)
{
    const std::optional<CudaVersion> capability =
        CudaVersion::parse(computeCapability); // the same form
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
