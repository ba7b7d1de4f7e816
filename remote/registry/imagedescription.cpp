// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/imagedescription.h"

#include <algorithm>

namespace slipway {

QString ImagePlatform::text() const
{
    QString text = os + u'/' + architecture;
    if (!variant.isEmpty())
        text += u'/' + variant;
    return text;
}

ImagePlatform ImagePlatform::ofNodes(const QString& architecture)
{
    // uname(1) and Slurm on the left, GOARCH, which images use, on the right.
    struct Name {
        const char* node;
        const char* image;
    };
    static constexpr Name names[]{{"", "amd64"}, {"x86_64", "amd64"}, {"x86-64", "amd64"},
        {"x64", "amd64"}, {"aarch64", "arm64"}, {"armv8l", "arm64"}, {"arm64e", "arm64"},
        {"armv7l", "arm"}, {"armv6l", "arm"}, {"i386", "386"}, {"i586", "386"}, {"i686", "386"},
        {"ppc64el", "ppc64le"}, {"loongarch64", "loong64"}};
    const QString wanted = architecture.trimmed().toLower();
    for (const Name& name : names)
        if (wanted == QLatin1String(name.node))
            return {QStringLiteral("linux"), QString::fromLatin1(name.image), {}};
    return {QStringLiteral("linux"), wanted, {}};
}

bool ImagePlatform::fits(const ImagePlatform& wanted) const
{
    return os == wanted.os && architecture == wanted.architecture
        && (variant.isEmpty() || wanted.variant.isEmpty() || variant == wanted.variant);
}

qint64 ImageDescription::compressedBytes() const
{
    qint64 sum = 0;
    for (const ImageLayer& layer : layers)
        sum += layer.bytes; // bounded when they were read
    return sum;
}

bool ImageDescription::offers(const ImagePlatform& wanted) const
{
    return std::any_of(platforms.begin(), platforms.end(),
        [&wanted](const ImagePlatform& one) { return one.fits(wanted); });
}

} // namespace slipway
