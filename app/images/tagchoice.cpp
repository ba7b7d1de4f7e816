// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/tagchoice.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype leastCommon = 2; ///< characters at the beginning, for tags to resemble

std::vector<int> numbersOf(const QString& text)
{
    std::vector<int> numbers;
    for (const QString& part : text.split(u'.'))
        numbers.push_back(part.toInt());
    return numbers;
}

/// A tag and its parts, to be sorted.
struct KnownTag {
    QString tag;
    TagParts parts;
};

/// The newest first; of the same version, that with the newest CUDA.
bool isNewer(const KnownTag& one, const KnownTag& other)
{
    if (one.parts.version != other.parts.version)
        return one.parts.version > other.parts.version;
    if (one.parts.isPreRelease != other.parts.isPreRelease)
        return other.parts.isPreRelease;
    if (one.parts.variant != other.parts.variant)
        return one.parts.variant > other.parts.variant;
    return one.tag > other.tag;
}

enum class Precision { AsAsked, Any };

/// Those of the flavour of `asked`, the newest first.
std::vector<KnownTag> ofFlavour(const QStringList& tags, const TagParts& asked, Precision precision)
{
    const bool any = precision == Precision::Any || asked.version.empty();
    std::vector<KnownTag> same;
    for (const QString& tag : tags) {
        TagParts parts = tagParts(tag);
        const bool fits = !parts.version.empty() && parts.flavour == asked.flavour
            && (any || parts.version.size() == asked.version.size())
            && (!parts.isPreRelease || asked.isPreRelease);
        if (fits)
            same.push_back({tag, std::move(parts)});
    }
    std::sort(same.begin(), same.end(), isNewer);
    return same;
}

/// With versions as precise as the one that was asked for, if there are such.
std::vector<KnownTag> sameFlavour(const QStringList& tags, const TagParts& asked)
{
    std::vector<KnownTag> same = ofFlavour(tags, asked, Precision::AsAsked);
    return same.empty() ? ofFlavour(tags, asked, Precision::Any) : same;
}

qsizetype commonBeginning(const QString& one, const QString& other)
{
    const auto end = std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first;
    return end - one.begin();
}

/// Those with the longest common beginning first.
QStringList similarTags(QStringList tags, const QString& asked, qsizetype most)
{
    tags.removeIf(
        [&asked](const QString& tag) { return commonBeginning(tag, asked) < leastCommon; });
    std::sort(tags.begin(), tags.end(), [&asked](const QString& one, const QString& other) {
        const auto first = commonBeginning(one, asked), second = commonBeginning(other, asked);
        return first != second ? first > second : one > other;
    });
    return tags.mid(0, most);
}

} // namespace

TagParts tagParts(const QString& tag)
{
    // Nine digits fit into a number; longer ones are dates with a time, or hashes.
    static const QRegularExpression form(
        QStringLiteral("\\A(?:v?([0-9]{1,9}(?:\\.[0-9]{1,9})*)(?![0-9]))?"
                       "((?:rc|a|b)[0-9]+|[-_.](?:rc|alpha|beta|dev|preview)[.-]?[0-9]*(?![a-z]))?"
                       "(.*)\\z"));
    static const QRegularExpression variant(
        QStringLiteral("(cuda|cudnn|cu)-?([0-9]{1,9}(?:\\.[0-9]{1,9})*)(?![0-9])"));
    const QString text = tag.toLower();
    const auto match = form.match(text);
    TagParts parts;
    if (!match.captured(1).isEmpty()) {
        parts.version = numbersOf(match.captured(1));
        parts.isPreRelease = !match.captured(2).isEmpty();
        parts.flavour = match.captured(3);
    } else {
        parts.flavour = text;
        // A name that moves stands for the newest version: “latest-gpu” is of the flavour “-gpu”.
        for (const char* moving : {"latest", "stable", "nightly", "main", "master"}) {
            if (text.startsWith(QLatin1String(moving)))
                parts.flavour = text.mid(qsizetype(qstrlen(moving)));
        }
    }
    QString flavour;
    qsizetype done = 0;
    for (const auto& found : variant.globalMatch(parts.flavour)) {
        flavour += QStringView(parts.flavour).mid(done, found.capturedStart() - done)
            + found.captured(1) + u'*';
        done = found.capturedEnd();
        const std::vector<int> numbers = numbersOf(found.captured(2));
        parts.variant.insert(parts.variant.end(), numbers.begin(), numbers.end());
    }
    parts.flavour = flavour + QStringView(parts.flavour).mid(done);
    return parts;
}

QStringList newestTags(const QStringList& tags, const QString& asked, qsizetype most)
{
    QStringList newest;
    for (const KnownTag& one : sameFlavour(tags, tagParts(asked))) {
        if (newest.size() < most && !newest.contains(one.tag))
            newest << one.tag;
    }
    return newest;
}

QStringList nearestTags(const QStringList& tags, const QString& asked, qsizetype most)
{
    const TagParts parts = tagParts(asked);
    const std::vector<KnownTag> same =
        parts.version.empty() ? std::vector<KnownTag>() : sameFlavour(tags, parts);
    if (same.empty())
        return similarTags(tags, asked, most);
    const KnownTag wanted{asked, parts};
    const auto older = std::find_if(
        same.begin(), same.end(), [&wanted](const KnownTag& one) { return !isNewer(one, wanted); });
    QStringList nearest;
    for (auto it = older; it != same.end() && nearest.size() < most; ++it)
        nearest << it->tag;
    for (auto it = older; it != same.begin() && nearest.size() < most;)
        nearest << (--it)->tag;
    return nearest;
}

} // namespace slipway
