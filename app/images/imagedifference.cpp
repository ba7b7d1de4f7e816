// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagedifference.h"

#include "app/images/imagecuda.h"
#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <QSet>

namespace slipway {

namespace {

using RowState = ImageDifferenceRow::State;

constexpr int mostLabels = 40;
constexpr qsizetype longestValue = 300;

QString boundedValue(const QString& text)
{
    const QString line = text.left(4 * longestValue).simplified();
    return line.size() > longestValue ? line.left(longestValue) + u'…' : line;
}

/// What both are compared by, from whichever source there is.
class RowMaker {
public:
    RowMaker(const ComparedImage& first, const ComparedImage& second, ImageDifference* difference)
        : m_first(first)
        , m_second(second)
        , m_difference(difference)
    {
    }

    /// `read` answers with an empty text where it is not said, and none where it is not known.
    template <typename Read> void add(const QString& key, const QString& title, Read read)
    {
        add(key, title, read(m_first), read(m_second));
    }

    void add(const QString& key, const QString& title, const std::optional<QString>& a,
        const std::optional<QString>& b)
    {
        if (a.value_or(QString()).isEmpty() && b.value_or(QString()).isEmpty())
            return; // nothing is to be read there
        const RowState state = !a || !b ? RowState::Unknown
            : *a == *b                  ? RowState::Same
                                        : RowState::Differs;
        m_difference->rows.push_back({key, title, boundedValue(a.value_or(QString())),
            boundedValue(b.value_or(QString())), state});
    }

private:
    const ComparedImage& m_first;
    const ComparedImage& m_second;
    ImageDifference* m_difference;
};

/// A property of what a registry says; none for a file on a cluster.
template <typename Read> auto described(Read read)
{
    return [read](const ComparedImage& image) -> std::optional<QString> {
        return image.described ? std::optional<QString>(read(*image.described)) : std::nullopt;
    };
}

template <typename Read> auto stored(Read read)
{
    return [read](const ComparedImage& image) -> std::optional<QString> {
        return image.stored ? std::optional<QString>(read(*image.stored)) : std::nullopt;
    };
}

QString comparedPlatforms(const ImageDescription& image)
{
    QStringList names;
    for (const ImagePlatform& platform : image.platforms)
        names << platform.text();
    names.sort();
    return names.join(u", ");
}

QString dayOf(const QDateTime& time)
{
    return time.isValid() ? time.toUTC().toString(u"yyyy-MM-dd HH:mm 'UTC'") : QString();
}

void addRegistryRows(RowMaker* rows)
{
    rows->add(QStringLiteral("bytes"), tr("Compressed size"),
        described([](const auto& image) { return ByteCount(image.compressedBytes()).text(); }));
    rows->add(QStringLiteral("layers"), tr("Layers"),
        described([](const auto& image) { return QString::number(image.layers.size()); }));
    rows->add(QStringLiteral("manifest_digest"), tr("Digest"),
        described([](const auto& image) { return image.manifestDigest; }));
    rows->add(QStringLiteral("platforms"), tr("Platforms"), described(comparedPlatforms));
    rows->add(QStringLiteral("created"), tr("Created"),
        described([](const auto& image) { return dayOf(image.created); }));
    rows->add(QStringLiteral("cuda"), tr("CUDA"),
        described([](const auto& image) { return cudaOf(image).version; }));
    rows->add(QStringLiteral("cuda_require"), tr("Requires"),
        described([](const auto& image) { return cudaOf(image).require; }));
    rows->add(QStringLiteral("frameworks"), tr("Contains"),
        described([](const auto& image) { return frameworksOf(image).join(u", "); }));
    rows->add(QStringLiteral("entrypoint"), tr("Entrypoint"),
        described([](const auto& image) { return image.entrypoint.join(u' '); }));
    rows->add(QStringLiteral("cmd"), tr("Command"),
        described([](const auto& image) { return image.command.join(u' '); }));
    rows->add(QStringLiteral("user"), tr("User"), described([](const auto& image) {
        return image.user.isEmpty() ? QStringLiteral("root") : image.user;
    }));
    rows->add(QStringLiteral("workdir"), tr("Folder to start in"),
        described([](const auto& image) { return image.workFolder; }));
}

void addFileRows(RowMaker* rows)
{
    rows->add(QStringLiteral("file_bytes"), tr("Size of the file"),
        stored([](const auto& image) { return ByteCount(image.bytes).text(); }));
    rows->add(QStringLiteral("file_digest"), tr("Digest of the file"),
        stored([](const auto& image) { return image.digest; }));
    rows->add(QStringLiteral("from"), tr("Made from"),
        stored([](const auto& image) { return image.from; }));
    rows->add(QStringLiteral("modified"), tr("Written"),
        stored([](const auto& image) { return dayOf(image.modified); }));
}

void addLabels(const ImageDescription& first, const ImageDescription& second, RowMaker* rows,
    ImageDifference* difference)
{
    const QStringList own = first.labels.keys(), other = second.labels.keys();
    QStringList keys = own;
    keys += other;
    keys.sort();
    keys.removeDuplicates();
    int listed = 0;
    for (const QString& key : keys) {
        const QString a = first.labels.value(key), b = second.labels.value(key);
        if (a == b && first.labels.contains(key) == second.labels.contains(key))
            continue;
        if (listed++ >= mostLabels) {
            ++difference->labelsLeftOut;
            continue;
        }
        const QString name = boundedValue(key);
        rows->add(u"label " + name, tr("Label %1").arg(name), std::optional(a), std::optional(b));
    }
}

/// A layer that an image has twice travels once.
void countLayers(
    const ImageDescription& first, const ImageDescription& second, ImageDifference* difference)
{
    QSet<QString> there, counted;
    for (const ImageLayer& layer : first.layers)
        there.insert(layer.digest);
    for (const ImageLayer& layer : second.layers) {
        if (counted.contains(layer.digest))
            continue;
        counted.insert(layer.digest);
        const bool isShared = there.contains(layer.digest);
        ++(isShared ? difference->sharedLayers : difference->addedLayers);
        (isShared ? difference->sharedBytes : difference->addedBytes) += layer.bytes;
    }
    difference->layersKnown = true;
}

} // namespace

ImageDifference compareImages(const ComparedImage& first, const ComparedImage& second)
{
    ImageDifference difference;
    RowMaker rows(first, second, &difference);
    addFileRows(&rows);
    addRegistryRows(&rows);
    if (first.described && second.described) {
        addLabels(*first.described, *second.described, &rows, &difference);
        countLayers(*first.described, *second.described, &difference);
    }
    return difference;
}

QString sharedLayersSentence(const ImageDifference& difference)
{
    if (!difference.layersKnown)
        return tr("Which layers both have is not known: only a registry tells the layers.");
    const QString added = counted(difference.addedLayers, tr("1 layer, %2"), tr("%1 layers, %2"))
                              .arg(ByteCount(difference.addedBytes).text());
    if (difference.addedLayers == 0)
        return tr("All layers of the second image are in the first one, so its pull downloads "
                  "nothing more.");
    if (difference.sharedLayers == 0)
        return tr("They have no layer in common: a pull of the second downloads all of it, %1.")
            .arg(added);
    return counted(difference.sharedLayers, tr("1 layer (%2) is in both"),
               tr("%1 layers (%2) are in both"))
               .arg(ByteCount(difference.sharedBytes).text())
        + tr("; where the first is in the cache, a pull of the second downloads %1.").arg(added);
}

} // namespace slipway
