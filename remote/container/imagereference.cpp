// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/container/runtime.h"

#include "remote/base/tr.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace slipway {

namespace {

constexpr std::array schemes{"docker", "library", "oras", "shub"};

Error notAnImage(const QString& text, const QString& why)
{
    return {ErrorKind::Invalid, tr("“%1” is not an image name: %2.").arg(text.left(200), why),
        tr("Write it as docker://python:3.13, nvcr.io/nvidia/pytorch:24.03-py3, or the "
           "path of a .sif or .sqsh file on the cluster.")};
}

bool isPath(const QString& text)
{
    if (text.startsWith(u'/') || text.startsWith(u'.') || text.startsWith(u'~')
        || text.startsWith(u'$'))
        return true;
    for (const QStringView ending : {u".sif", u".sqsh", u".simg", u".img"}) {
        if (text.endsWith(ending) && !text.contains(u"://"))
            return true;
    }
    return false;
}

/// A registry is recognised by the first part of a name, as in Docker: a dot, a port, or localhost.
bool isRegistry(const QString& part)
{
    static const QRegularExpression form(QStringLiteral("\\A[A-Za-z0-9.-]+(?::[0-9]{1,5})?\\z"));
    return form.match(part).hasMatch()
        && (part.contains(u'.') || part.contains(u':') || part == u"localhost");
}

/// Removes "@sha256:…" and ":tag" from the end of `name`; returns the problem, or nothing.
QString takeTagAndDigest(QString& name, ImageReference& image)
{
    static const QRegularExpression tagForm(
        QStringLiteral("\\A[A-Za-z0-9_][A-Za-z0-9._-]{0,127}\\z"));
    if (const auto at = name.indexOf(u'@'); at >= 0) {
        image.digest = name.mid(at + 1);
        name.truncate(at);
        if (!isDigest(image.digest))
            return tr("expected a digest after @: sha256: and 64 hexadecimal digits");
    }
    const auto colon = name.lastIndexOf(u':');
    if (colon > name.lastIndexOf(u'/')) {
        image.tag = name.mid(colon + 1);
        name.truncate(colon);
        if (!tagForm.match(image.tag).hasMatch())
            return tr("its tag contains characters that are not allowed in a tag");
    } else if (image.digest.isEmpty()) {
        image.tag = QStringLiteral("latest");
    }
    return {};
}

QString checkRepository(const ImageReference& image)
{
    static const QRegularExpression lower(
        QStringLiteral("\\A[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*\\z"));
    static const QRegularExpression mixed(QStringLiteral(
        "\\A[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*(?:/[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*)*\\z"));
    if (lower.match(image.repository).hasMatch())
        return {};
    if (!mixed.match(image.repository).hasMatch())
        return tr("its name contains characters that are not allowed in an image name");
    if (image.scheme == u"docker" || image.scheme == u"oras")
        return tr("image names must be in lower case");
    return {};
}

/// "sha256-0123456789ab": enough of a digest for a file name.
QString versionWord(const ImageReference& image)
{
    if (!image.digest.isEmpty())
        return QStringLiteral("sha256-") + image.digest.mid(7, 12);
    return image.tag;
}

QString uri(const ImageReference& image, QChar afterRegistry)
{
    QString text = image.scheme + QStringLiteral("://");
    if (!image.registry.isEmpty())
        text += image.registry + afterRegistry;
    text += image.repository;
    // A tag together with a digest is refused by Apptainer's image library; the digest is more
    // precise.
    if (!image.digest.isEmpty())
        return text + u'@' + image.digest;
    return image.tag.isEmpty() ? text : text + u':' + image.tag;
}

} // namespace

Result<ImageReference> ImageReference::parse(const QString& input)
{
    const QString text = input.trimmed();
    ImageReference image;
    if (text.isEmpty())
        return notAnImage(text, tr("it is empty"));
    if (std::any_of(
            text.begin(), text.end(), [](QChar c) { return c.category() == QChar::Other_Control; }))
        return notAnImage(text, tr("it contains a control character"));
    if (isPath(text)) {
        image.path = text;
        return image;
    }
    QString name = text;
    image.scheme = QStringLiteral("docker");
    if (const auto at = text.indexOf(u"://"); at >= 0) {
        image.scheme = text.left(at).toLower();
        name = text.mid(at + 3);
        if (std::none_of(schemes.begin(), schemes.end(),
                [&](const char* known) { return image.scheme == QLatin1String(known); }))
            return notAnImage(
                text, tr("%1:// is not a source that Slipway can pull from").arg(image.scheme));
    }
    if (name.count(u'#') == 1) { // the notation of enroot
        image.registry = name.section(u'#', 0, 0);
        name = name.section(u'#', 1);
        if (!isRegistry(image.registry))
            return notAnImage(text, tr("the part before # is not a registry"));
    } else if (name.contains(u'/') && isRegistry(name.section(u'/', 0, 0))) {
        image.registry = name.section(u'/', 0, 0);
        name = name.section(u'/', 1);
    }
    if (const QString why = takeTagAndDigest(name, image); !why.isEmpty())
        return notAnImage(text, why);
    image.repository = name;
    if (const QString why = checkRepository(image); !why.isEmpty())
        return notAnImage(text, why);
    return image;
}

bool isDigest(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("\\Asha256:[0-9a-f]{64}\\z"));
    return form.match(text).hasMatch();
}

QString shortDigest(const QString& digest)
{
    return isDigest(digest) ? digest.mid(7, 12) : QString();
}

QString ImageReference::text() const
{
    return isFile() ? path : uri(*this, u'/');
}

QString ImageReference::enrootText() const
{
    return isFile() ? path : uri(*this, u'#');
}

QString imageFileName(RuntimeKind runtime, const ImageReference& image)
{
    const bool squash = isEnrootLike(runtime);
    if (image.isFile())
        return image.path.section(u'/', -1);
    if (squash) {
        return QString(image.repository).replace(u'/', u'+') + u'+' + versionWord(image)
            + QStringLiteral(".sqsh");
    }
    return image.repository.section(u'/', -1) + u'_' + versionWord(image) + QStringLiteral(".sif");
}

} // namespace slipway
