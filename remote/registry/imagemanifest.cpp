// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/imagemanifest.h"

#include "remote/base/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>

namespace slipway {

using namespace manifestlimits;

namespace {

Error unreadable(const QString& what, const QString& why, const QByteArray& json)
{
    return {ErrorKind::Protocol, tr("The registry's %1 cannot be read: %2.").arg(what, why),
        tr("Try again; if it stays so, tell those who run the registry or made the image."),
        json.left(300)};
}

Error notAnImage(const QString& type)
{
    return {ErrorKind::Unsupported,
        tr("This is not a container image, but an artifact of another kind (%1).")
            .arg(type.left(100)),
        tr("Check the name; charts, signatures and single files are kept beside images in many "
           "registries. A SIF image in a registry is pulled with oras://.")};
}

Error tooOld()
{
    return {ErrorKind::Unsupported, tr("This image uses manifest schema 1, which is obsolete."),
        tr("Ask its owner to push it again with a current docker or podman, or choose another "
           "tag.")};
}

/// Text of a stranger for a screen or a terminal: no control characters, and not without end.
QString plain(QString text)
{
    if (text.size() > longestText)
        text = text.left(longestText) + QChar(0x2026);
    for (QChar& c : text)
        if (c.category() == QChar::Other_Control && c != u'\n' && c != u'\t')
            c = u' ';
    return text;
}

/// Why a document is not given to the parser of JSON, which would take it: nesting costs stack, and
/// many small values cost much more memory than they have bytes.
QString excessOf(const QByteArray& json, qint64 mostBytes)
{
    if (json.size() > mostBytes)
        return tr("it is larger than %1 MiB").arg(mostBytes / (1024 * 1024));
    int depth = 0;
    qsizetype containers = 0, values = 0;
    bool inText = false;
    for (qsizetype i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inText) {
            if (c == '\\')
                ++i;
            inText = c != '"';
        } else if (c == '"') {
            inText = true;
        } else if (c == '{' || c == '[') {
            ++containers;
            if (++depth > deepest)
                return tr("it is nested deeper than %1 levels").arg(deepest);
        } else if (c == '}' || c == ']') {
            --depth;
        } else if (c == ',') {
            ++values;
        }
        if (containers > mostContainers || values > mostValues)
            return tr("it has too many parts");
    }
    return {};
}

/// Reader takes values out of a document of JSON and keeps the first thing that is wrong with it.
/// What is null counts as absent: some builders write it for empty lists.
class Reader {
public:
    QString problem;

    void fail(const QString& why)
    {
        if (problem.isEmpty())
            problem = why;
    }

    QJsonObject object(const QJsonValue& value, const QString& name)
    {
        if (!value.isObject() && !value.isNull() && !value.isUndefined())
            fail(tr("“%1” is not an object").arg(name));
        return value.toObject();
    }

    QJsonArray list(const QJsonValue& value, const QString& name, qsizetype most)
    {
        if (!value.isArray() && !value.isNull() && !value.isUndefined())
            fail(tr("“%1” is not a list").arg(name));
        QJsonArray array = value.toArray();
        if (array.size() > most) {
            fail(tr("“%1” has more than %2 entries").arg(name).arg(most));
            array = {};
        }
        return array;
    }

    QString text(const QJsonValue& value, const QString& name)
    {
        if (!value.isString() && !value.isNull() && !value.isUndefined())
            fail(tr("“%1” is not a text").arg(name));
        return plain(value.toString());
    }

    QStringList texts(const QJsonValue& value, const QString& name)
    {
        QStringList result;
        for (const QJsonValue& one : list(value, name, mostVariables))
            result << text(one, name);
        return result;
    }

    qint64 bytes(const QJsonValue& value)
    {
        const qint64 size = value.isDouble() ? value.toInteger(-1) : -1;
        if (size < 0 || size > mostLayerBytes) {
            fail(tr("a size is missing or is no size"));
            return 0;
        }
        return size;
    }

    QString digest(const QJsonValue& value, bool isFetched)
    {
        static const QRegularExpression form(
            QStringLiteral("\\Asha256:[0-9a-f]{64}\\z|\\Asha512:[0-9a-f]{128}\\z"));
        const QString text = value.toString();
        if (!form.match(text).hasMatch())
            fail(tr("a digest is missing or invalid"));
        else if (isFetched && !isDigest(text))
            fail(tr("its digests are not of SHA-256"));
        return text;
    }
};

Result<QJsonObject> rootOf(const QByteArray& json, const QString& what, qint64 mostBytes)
{
    if (const QString excess = excessOf(json, mostBytes); !excess.isEmpty())
        return unreadable(what, excess, json);
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(json, &problem);
    if (problem.error != QJsonParseError::NoError)
        return unreadable(what, tr("it is not JSON (%1)").arg(problem.errorString()), json);
    if (!document.isObject())
        return unreadable(what, tr("it is not an object"), json);
    return document.object();
}

ImagePlatform platformOf(Reader& reader, const QJsonObject& object)
{
    return {reader.text(object[u"os"], QStringLiteral("os")),
        reader.text(object[u"architecture"], QStringLiteral("architecture")),
        reader.text(object[u"variant"], QStringLiteral("variant"))};
}

/// Build records and signatures that builders put beside the images of an index.
bool isAttestation(const QJsonObject& entry, const ImagePlatform& platform)
{
    return (platform.os == u"unknown" && platform.architecture == u"unknown")
        || entry[u"annotations"].toObject().contains(u"vnd.docker.reference.type");
}

ImageIndex indexOf(Reader& reader, const QJsonObject& root)
{
    ImageIndex index;
    const QString name = QStringLiteral("manifests");
    for (const QJsonValue& value : reader.list(root[name], name, mostEntries)) {
        const QJsonObject object = reader.object(value, name);
        IndexEntry entry;
        entry.digest = reader.digest(object[u"digest"], true);
        entry.bytes = reader.bytes(object[u"size"]);
        entry.platform =
            platformOf(reader, reader.object(object[u"platform"], QStringLiteral("platform")));
        if (!isAttestation(object, entry.platform))
            index.entries.push_back(entry);
    }
    if (index.entries.empty())
        reader.fail(tr("it offers no image"));
    return index;
}

ImageManifest manifestOf(Reader& reader, const QJsonObject& root)
{
    ImageManifest manifest;
    const QJsonObject config = reader.object(root[u"config"], QStringLiteral("config"));
    manifest.configDigest = reader.digest(config[u"digest"], true);
    manifest.configBytes = reader.bytes(config[u"size"]);
    if (manifest.configBytes > mostConfigBytes)
        reader.fail(
            tr("its configuration is larger than %1 MiB").arg(mostConfigBytes / (1024 * 1024)));
    const QString name = QStringLiteral("layers");
    for (const QJsonValue& value : reader.list(root[name], name, mostLayers)) {
        const QJsonObject object = reader.object(value, name);
        manifest.layers.push_back(
            {reader.digest(object[u"digest"], false), reader.bytes(object[u"size"]), {}});
    }
    return manifest;
}

/// The kind of an artifact that says that it is none; empty: an image as far as one can see.
QString foreignKind(const QJsonObject& root)
{
    static const QStringList images{
        QStringLiteral("application/vnd.oci.image.config.v1+json"),
        QStringLiteral("application/vnd.docker.container.image.v1+json"),
        QStringLiteral("application/octet-stream"), // as old registries store it
    };
    const QString own = root[u"mediaType"].toString();
    if (own == u"application/vnd.oci.artifact.manifest.v1+json")
        return plain(own);
    const QString config = root[u"config"].toObject()[u"mediaType"].toString();
    return config.isEmpty() || images.contains(config) ? QString() : plain(config);
}

QDateTime creationOf(const QString& text)
{
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    // Builders that give the same bytes every time write one of a few dates of long ago.
    static const QDateTime first(QDate(1990, 1, 1), QTime(0, 0), Qt::UTC);
    return time.isValid() && time > first ? time.toUTC() : QDateTime();
}

QString originOf(QString createdBy)
{
    createdBy = createdBy.trimmed();
    const QLatin1String noCommand("/bin/sh -c #(nop)"); // how docker notes what is not a RUN
    return createdBy.startsWith(noCommand) ? createdBy.mid(noCommand.size()).trimmed() : createdBy;
}

void readRunSettings(Reader& reader, const QJsonObject& settings, ImageConfig& config)
{
    const auto name = [](const char* text) { return QString::fromLatin1(text); };
    for (const QString& variable : reader.texts(settings[u"Env"], name("Env"))) {
        if (const auto equals = variable.indexOf(u'='); equals > 0)
            config.environment.insert(variable.left(equals), variable.mid(equals + 1));
    }
    const QJsonObject labels = reader.object(settings[u"Labels"], name("Labels"));
    if (labels.size() > mostVariables)
        return reader.fail(
            tr("“%1” has more than %2 entries").arg(name("Labels")).arg(mostVariables));
    for (auto it = labels.begin(); it != labels.end(); ++it)
        config.labels.insert(plain(it.key()), reader.text(it.value(), name("Labels")));
    config.entrypoint = reader.texts(settings[u"Entrypoint"], name("Entrypoint"));
    config.command = reader.texts(settings[u"Cmd"], name("Cmd"));
    config.user = reader.text(settings[u"User"], name("User"));
    config.workFolder = reader.text(settings[u"WorkingDir"], name("WorkingDir"));
}

} // namespace

std::vector<ImagePlatform> ImageIndex::platforms() const
{
    std::vector<ImagePlatform> platforms;
    for (const IndexEntry& entry : entries) {
        const bool isKnown =
            std::find(platforms.begin(), platforms.end(), entry.platform) != platforms.end();
        if (!isKnown && !entry.platform.architecture.isEmpty())
            platforms.push_back(entry.platform);
    }
    return platforms;
}

const IndexEntry& ImageIndex::entryFor(const ImagePlatform& wanted) const
{
    const auto first = [this](auto fits) {
        return std::find_if(entries.begin(), entries.end(), fits);
    };
    auto found = first([&](const IndexEntry& entry) { return entry.platform == wanted; });
    if (found == entries.end())
        found = first([&](const IndexEntry& entry) { return entry.platform.fits(wanted); });
    return found == entries.end() ? entries.front() : *found;
}

Result<ManifestDocument> parseManifest(const QByteArray& json)
{
    const QString what = tr("manifest");
    const Result<QJsonObject> read = rootOf(json, what, mostManifestBytes);
    if (!read.ok())
        return read.error();
    const QJsonObject root = *read;
    if (root[u"schemaVersion"].toInteger() == 1 || root.contains(u"fsLayers"))
        return tooOld();
    const bool isIndex = root.contains(u"manifests");
    // Two programs could take such a document for two different images.
    if (isIndex && (root.contains(u"config") || root.contains(u"layers")))
        return unreadable(what, tr("it is an index and a manifest at once"), json);
    if (const QString kind = foreignKind(root); !kind.isEmpty())
        return notAnImage(kind);
    if (!isIndex && !root.contains(u"config"))
        return unreadable(what, tr("it is neither an index nor a manifest"), json);
    Reader reader;
    ManifestDocument document;
    if (isIndex)
        document.index = indexOf(reader, root);
    else
        document.manifest = manifestOf(reader, root);
    if (!reader.problem.isEmpty())
        return unreadable(what, reader.problem, json);
    return document;
}

Result<ImageConfig> parseImageConfig(const QByteArray& json)
{
    const QString what = tr("configuration of the image");
    const Result<QJsonObject> read = rootOf(json, what, mostConfigBytes);
    if (!read.ok())
        return read.error();
    const QJsonObject root = *read;
    Reader reader;
    ImageConfig config;
    config.platform = platformOf(reader, root);
    config.created = creationOf(reader.text(root[u"created"], QStringLiteral("created")));
    readRunSettings(reader, reader.object(root[u"config"], QStringLiteral("config")), config);
    const QString history = QStringLiteral("history");
    for (const QJsonValue& value : reader.list(root[history], history, mostHistory)) {
        const QJsonObject step = reader.object(value, history);
        if (!step[u"empty_layer"].toBool())
            config.layerOrigins << originOf(
                reader.text(step[u"created_by"], QStringLiteral("created_by")));
    }
    if (!reader.problem.isEmpty())
        return unreadable(what, reader.problem, json);
    return config;
}

ImageDescription describedImage(const ImageManifest& manifest, const ImageConfig& config)
{
    ImageDescription image;
    image.platform = config.platform;
    image.layers = manifest.layers;
    if (config.layerOrigins.size() == qsizetype(image.layers.size()))
        for (size_t i = 0; i < image.layers.size(); ++i)
            image.layers[i].createdBy = config.layerOrigins[qsizetype(i)];
    image.created = config.created;
    image.environment = config.environment;
    image.labels = config.labels;
    image.entrypoint = config.entrypoint;
    image.command = config.command;
    image.user = config.user;
    image.workFolder = config.workFolder;
    return image;
}

} // namespace slipway
