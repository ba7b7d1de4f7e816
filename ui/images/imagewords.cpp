// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/imagewords.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <QLocale>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

const QString dot = u" · "_s;
constexpr int mostWord = 24; ///< characters; a longer word may be broken
constexpr int mostName = 80;
constexpr int mostLine = 240;
constexpr int mostNamed = 3; ///< partitions or layers that are named one by one
constexpr int mostPlatforms = 6;
constexpr int mostFrameworks = 10;
constexpr int mostRules = 12;

QString sizeText(qint64 bytes)
{
    return ByteCount(std::max<qint64>(0, bytes)).text();
}

QString layerCount(const ImageDescription& image)
{
    return counted(qint64(image.layers.size()), tr("in 1 layer"), tr("in %1 layers"));
}

/// "a, b, c and 4 more"
QString someOf(const QStringList& names, int most)
{
    QStringList shown;
    for (const QString& name : names.mid(0, most)) {
        shown << shownText(name, mostName);
    }
    const QString joined = shown.join(u", "_s);
    return names.size() <= most ? joined
                                : tr("%1 and %2 more").arg(joined).arg(names.size() - most);
}

/// Names of the partitions for which `matches` holds.
template <typename Matches>
QStringList partitionsWhere(const std::vector<PartitionVerdict>& verdicts, Matches matches)
{
    QStringList names;
    for (const PartitionVerdict& one : verdicts) {
        if (matches(one)) {
            names << one.partition;
        }
    }
    return names;
}

} // namespace

QString shownText(const QString& text, int most)
{
    const QString line = text.left(most * 4).simplified();
    const QString cut =
        line.size() > most || text.size() > most * 4 ? QString(line.left(most - 1) % u'…') : line;
    QString shown;
    int word = 0;
    for (const QChar c : cut) {
        word = c.isSpace() ? 0 : word + 1;
        shown += c.isPrint() || c.isSurrogate() ? c : QChar(u'�');
        const bool pair = c.isHighSurrogate();
        if (word >= mostWord && !pair) {
            shown += QChar(0x200b); // a label may break the line here
            word = 0;
        }
    }
    return shown;
}

StateWord verdictWord(const PartitionVerdict& verdict)
{
    if (verdict.verdict == Verdict::Fail) {
        return {Sign::Cross, tr("no"), Tint::Error};
    }
    if (verdict.verdict == Verdict::Unknown) {
        return {Sign::Query, tr("unknown"), Tint::Second};
    }
    return verdict.isCpuOnly ? StateWord{Sign::Bang, tr("CPU only"), Tint::Warning}
                             : StateWord{Sign::Check, tr("yes"), Tint::Done};
}

QString verdictSummary(const std::vector<PartitionVerdict>& verdicts)
{
    const auto where = [&](Verdict verdict, bool cpu) {
        return someOf(partitionsWhere(verdicts,
                          [&](const PartitionVerdict& one) {
                              return one.verdict == verdict
                                  && (verdict != Verdict::Ok || one.isCpuOnly == cpu);
                          }),
            mostNamed);
    };
    QStringList sentences;
    if (const QString names = where(Verdict::Ok, false); !names.isEmpty()) {
        sentences << tr("Runs on %1.").arg(names);
    }
    if (const QString names = where(Verdict::Ok, true); !names.isEmpty()) {
        sentences << tr("Runs without a GPU on %1.").arg(names);
    }
    if (const QString names = where(Verdict::Fail, false); !names.isEmpty()) {
        sentences << tr("Does not run on %1.").arg(names);
    }
    if (const QString names = where(Verdict::Unknown, false); !names.isEmpty()) {
        sentences << tr("Not known for %1.").arg(names);
    }
    return sentences.isEmpty() ? tr("Not known: no partition of this site is known yet.")
                               : sentences.join(u' ');
}

QString verdictRules(const std::vector<PartitionVerdict>& verdicts)
{
    QStringList lines;
    for (const PartitionVerdict& one : verdicts) {
        const QString rule = shownText(one.rule, mostLine);
        const QString line = one.source.isEmpty()
            ? rule
            : tr("%1 (source: %2)").arg(rule, shownText(one.source, mostLine));
        if (!rule.isEmpty() && !lines.contains(line) && lines.size() < mostRules) {
            lines << line;
        }
    }
    return lines.isEmpty() ? tr("No rule applied.") : lines.join(u'\n');
}

Error lookError(Error error, const ImageReference& image, const QString& siteId)
{
    if (!error.detail.startsWith("HTTP ")) {
        return error; // not of the registry
    }
    const QString registry = image.registry.isEmpty() ? u"docker.io"_s : image.registry;
    const QString command =
        u"slipway-cli image login %1 --site %2"_s.arg(shownText(registry, 80), siteId);
    if (error.kind == ErrorKind::Authentication) {
        error.remedy =
            tr("Check the name. If it is right, log in below, or in a terminal: %1").arg(command);
    } else if (error.kind == ErrorKind::Refused) {
        error.remedy = tr("Wait, use an image that is already on the cluster, or log in below. In "
                          "a terminal: %1")
                           .arg(command);
    }
    return error;
}

bool wantsLogin(const Error& error)
{
    return error.detail.startsWith("HTTP ")
        && (error.kind == ErrorKind::Authentication || error.kind == ErrorKind::Refused);
}

QString imageTitle(const ImageReference& image)
{
    const QString version = image.tag.isEmpty() ? foldedDigest(image.digest) : image.tag;
    const QString title =
        image.isFile() ? image.path : QString(image.repository % u' ' % version).trimmed();
    return title.left(mostLine).simplified();
}

QString registryName(const ImageReference& image)
{
    return image.registry.isEmpty() ? tr("Docker Hub") : image.registry.left(mostName);
}

QString foldedDigest(const QString& digest)
{
    return isDigest(digest) ? QString(digest.left(15) % u'…' % digest.right(4)) : QString();
}

QString originLine(const ImageDescription& image)
{
    QStringList platforms;
    for (const ImagePlatform& one : image.platforms) {
        platforms << one.text();
    }
    if (platforms.isEmpty()) {
        platforms << image.platform.text();
    }
    const QString built = image.created.isValid()
        ? tr("built %1").arg(image.created.toLocalTime().toString(u"d MMM yyyy"_s))
        : tr("its date is not said");
    return someOf(platforms, mostPlatforms) % dot % built;
}

QString downloadLine(const ImageDescription& image)
{
    return tr("%1, compressed, %2").arg(sizeText(image.compressedBytes()), layerCount(image));
}

QString selfLines(const ImageInspection& inspection)
{
    const ImageDescription& image = inspection.image;
    QStringList known;
    if (!inspection.cuda.version.isEmpty()) {
        known << tr("CUDA %1").arg(shownText(inspection.cuda.version, mostName));
    }
    for (const QString& one : inspection.frameworks.mid(0, mostFrameworks)) {
        known << shownText(one, mostName);
    }
    QStringList lines{known.isEmpty() ? tr("nothing about CUDA or frameworks") : known.join(dot)};
    if (!inspection.cuda.require.isEmpty()) {
        lines << u"NVIDIA_REQUIRE_CUDA: "_s % shownText(inspection.cuda.require, mostLine);
    }
    if (inspection.cuda.hasForwardCompatibility) {
        lines << tr("brings libraries for older drivers (forward compatibility)");
    }
    if (!image.entrypoint.isEmpty()) {
        lines << tr("entrypoint: %1").arg(shownText(image.entrypoint.join(u' '), mostLine));
    }
    lines << tr("user: %1").arg(image.user.isEmpty() ? u"root"_s : shownText(image.user, mostName));
    return lines.join(u'\n');
}

QString whereLine(const ImageInspection& inspection)
{
    if (inspection.folder.isEmpty()) {
        return tr("unknown until the site is connected");
    }
    const QString folder = shownText(inspection.folder, mostLine);
    if (!inspection.freeBytes) {
        return folder % dot % tr("free space unknown");
    }
    const QString free = tr("%1 free").arg(sizeText(*inspection.freeBytes));
    QStringList parts{folder, free};
    if (isTooLarge(inspection)) {
        parts << tr("not enough for this image");
    }
    return parts.join(dot);
}

bool isTooLarge(const ImageInspection& inspection)
{
    return inspection.freeBytes && *inspection.freeBytes < inspection.image.compressedBytes();
}

std::vector<ImageLayer> layersBySize(const ImageDescription& image)
{
    std::vector<ImageLayer> layers = image.layers;
    std::stable_sort(layers.begin(), layers.end(),
        [](const ImageLayer& a, const ImageLayer& b) { return a.bytes > b.bytes; });
    return layers;
}

QString layersLine(const ImageDescription& image)
{
    constexpr int mostInstruction = 48;
    const std::vector<ImageLayer> layers = layersBySize(image);
    QStringList named;
    for (size_t i = 0; i < layers.size() && i < size_t(mostNamed); ++i) {
        const QString made = shownText(layers[i].createdBy, mostInstruction);
        named << (made.isEmpty() ? sizeText(layers[i].bytes)
                                 : tr("%1 (%2)").arg(sizeText(layers[i].bytes), made));
    }
    if (layers.size() > size_t(mostNamed)) {
        named << tr("%1 more").arg(layers.size() - size_t(mostNamed));
    }
    return named.isEmpty() ? tr("It has no layers.")
                           : tr("Largest layers: %1").arg(named.join(u", "_s));
}

QString listSummary(const ImageList& list)
{
    const QString images = list.images.empty()
        ? tr("no images")
        : tr("%1, %2").arg(counted(qint64(list.images.size()), tr("1 image"), tr("%1 images")),
            sizeText(list.bytes()));
    return images % dot % spaceWords(list);
}

QString cachesLine(const std::vector<ImageCache>& caches)
{
    QStringList lines;
    for (const ImageCache& one : caches) {
        lines << tr("%1: %2 in %3")
                     .arg(shownText(one.runtime, mostName), sizeText(one.bytes),
                         shownText(one.path, mostLine));
    }
    return lines.join(u'\n');
}

QString storedLine(const StoredImage& image)
{
    return tr("%1 (%2)").arg(image.path.left(1024).simplified(), sizeText(image.bytes));
}

QString removedWords(const ImageStore::Removed& removed)
{
    const QString gone =
        tr("%1 removed, %2.").arg(removed.gone.size()).arg(sizeText(removed.bytes));
    if (removed.left.isEmpty()) {
        return gone;
    }
    QStringList why = removed.whyLeft;
    why.removeDuplicates();
    return gone % u' '
        % tr("%1 left: %2").arg(removed.left.size()).arg(shownText(why.join(u"; "_s), mostLine));
}

} // namespace slipway
