// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/bearerchallenge.h"
#include "remote/registry/imagemanifest.h"
#include "remote/registry/shelltransport.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

namespace {

void hold(bool condition)
{
    if (!condition)
        std::abort();
}

void readManifest(const QByteArray& input)
{
    const auto document = parseManifest(input);
    if (!document.ok())
        return hold(document.error().detail.size() <= 300 && !document.error().summary.isEmpty());
    if (document->index) {
        hold(!document->index->entries.empty());
        const auto wanted = ImagePlatform::ofNodes(QStringLiteral("aarch64"));
        hold(isDigest(document->index->entryFor(wanted).digest));
        hold(document->index->platforms().size() <= document->index->entries.size());
        return;
    }
    hold(isDigest(document->manifest.configDigest));
    const auto config = parseImageConfig(input); // any document may be taken for another
    const ImageDescription image =
        describedImage(document->manifest, config.ok() ? *config : ImageConfig());
    hold(image.compressedBytes() >= 0);
    for (const ImageLayer& layer : image.layers)
        hold(layer.bytes >= 0 && !layer.digest.isEmpty());
}

void readConfig(const QByteArray& input)
{
    const auto config = parseImageConfig(input);
    if (!config.ok())
        return;
    hold(config->environment.size() <= manifestlimits::mostVariables);
    hold(config->layerOrigins.size() <= manifestlimits::mostHistory);
    hold(config->user.size() <= manifestlimits::longestText + 1);
    hold(!config->user.contains(QChar(0x1b)));
}

} // namespace

/// The answers of a registry, each taken for every kind of document that there is.
SLIPWAY_FUZZ_TARGET(registry)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    readManifest(input);
    readConfig(input);
    hold(parseChallenges(input).size() <= 16);
    if (const auto token = parseToken(input); token.ok())
        hold(!token->isEmpty() && !token->contains('\n') && !token->contains('\r'));
    if (const auto answer = parseCurlOutput(input); answer.ok())
        hold(answer->status >= 100 && answer->body.size() <= input.size());
    return 0;
}
