// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/registryclient.h"

#include "remote/base/tr.h"
#include "remote/registry/imagemanifest.h"
#include "remote/registry/registrysession.h"

#include <QCryptographicHash>

namespace slipway {

namespace {

constexpr qint64 mostGreetingBytes = 256 * 1024;

constexpr const char manifestTypes[] = "application/vnd.oci.image.index.v1+json, "
                                       "application/vnd.docker.distribution.manifest.list.v2+json, "
                                       "application/vnd.oci.image.manifest.v1+json, "
                                       "application/vnd.docker.distribution.manifest.v2+json";
constexpr const char configTypes[] = "application/vnd.oci.image.config.v1+json, "
                                     "application/vnd.docker.container.image.v1+json, */*";

/// A document and its digest, computed here.
struct Document {
    QByteArray bytes;
    QString digest;
};

Error onlyDocker(const ImageReference& image)
{
    return {ErrorKind::Unsupported,
        image.isFile()
            ? tr("%1 is a file, which no registry knows.").arg(image.path)
            : tr("Images of %1:// are not in a registry of containers that Slipway can ask.")
                  .arg(image.scheme),
        tr("Only docker:// images are looked at before the pull.")};
}

Error otherDigest(const RegistryAddress& address, const QString& wanted, const QString& found)
{
    return {ErrorKind::Protocol,
        tr("What %1 sent is not what was asked for: its SHA-256 differs.").arg(address.name),
        tr("Try again. If it stays so, do not use this image: somebody or something changes it on "
           "the way."),
        "expected " + wanted.toUtf8() + "\nreceived " + found.toUtf8()};
}

/// Reads one document of a repository. `digest`: what it must have; empty: it is named by a tag.
QCoro::Task<Result<Document>> fetchDocument(std::shared_ptr<RegistrySession> session,
    QString repository, QString place, QString digest, QByteArray accept, qint64 mostBytes)
{
    const QString path = QStringLiteral("/v2/") + repository + place;
    auto answer = co_await session->get(path, repository, accept, mostBytes);
    if (!answer.ok())
        co_return answer.error();
    const QByteArray sum = QCryptographicHash::hash(answer->body, QCryptographicHash::Sha256);
    const QString found = QStringLiteral("sha256:") + QString::fromLatin1(sum.toHex());
    const QString said =
        QString::fromLatin1(answer->headers.value("docker-content-digest").trimmed());
    const RegistryAddress address = session->about().address;
    if (!digest.isEmpty() && found != digest)
        co_return otherDigest(address, digest, found);
    if (said.startsWith(u"sha256:") && found != said)
        co_return otherDigest(address, said.left(100), found);
    Document document{answer->body, found};
    co_return document;
}

QCoro::Task<Result<Document>> fetchManifest(
    std::shared_ptr<RegistrySession> session, QString repository, QString tag, QString digest)
{
    const QString place = QStringLiteral("/manifests/") + (digest.isEmpty() ? tag : digest);
    const QByteArray accept(manifestTypes);
    auto document = co_await fetchDocument(
        session, repository, place, digest, accept, manifestlimits::mostManifestBytes);
    co_return document;
}

QCoro::Task<Result<ImageConfig>> fetchConfig(
    std::shared_ptr<RegistrySession> session, QString repository, QString digest)
{
    const QString place = QStringLiteral("/blobs/") + digest;
    const QByteArray accept(configTypes);
    const auto document = co_await fetchDocument(
        session, repository, place, digest, accept, manifestlimits::mostConfigBytes);
    if (!document.ok())
        co_return document.error();
    auto config = parseImageConfig(document->bytes);
    co_return config;
}

/// What an image is called in sentences: "library/python:3.13".
QString shownName(const QString& repository, const ImageReference& image)
{
    return image.digest.isEmpty() ? repository + u':' + image.tag
                                  : repository + u'@' + image.digest;
}

Error nestedIndex()
{
    return {ErrorKind::Protocol,
        tr("The registry's index leads to another index, which is not read."),
        tr("Name the image of one platform by its digest.")};
}

struct ChosenManifest {
    Document document;
    ImageManifest manifest;
    ImagePlatform platform; ///< as the index names it; empty: it does not
    std::vector<ImagePlatform> platforms; ///< of the index
};

/// The manifest for `wanted` below an index, or the first one.
QCoro::Task<Result<ChosenManifest>> fetchOfIndex(std::shared_ptr<RegistrySession> session,
    QString repository, ImageIndex index, ImagePlatform wanted)
{
    const IndexEntry entry = index.entryFor(wanted);
    const QString noTag;
    const auto document = co_await fetchManifest(session, repository, noTag, entry.digest);
    if (!document.ok())
        co_return document.error();
    const auto parsed = parseManifest(document->bytes);
    if (!parsed.ok())
        co_return parsed.error();
    if (parsed->index)
        co_return nestedIndex();
    ChosenManifest chosen{*document, parsed->manifest, entry.platform, index.platforms()};
    co_return chosen;
}

} // namespace

LoginCheck loginCheck(const Result<void>& answer)
{
    if (answer.ok())
        return {LoginCheck::State::Accepted, {}};
    return {answer.error().kind == ErrorKind::Authentication ? LoginCheck::State::Refused
                                                             : LoginCheck::State::Unknown,
        answer.error()};
}

RegistryClient::RegistryClient(std::shared_ptr<RegistryTransport> transport, QStringList plainHttp)
    : m_transport(std::move(transport))
    , m_plainHttp(std::move(plainHttp))
{
}

QCoro::Task<Result<ImageDescription>> RegistryClient::describe(
    ImageReference image, ImagePlatform wanted, std::optional<RegistryLogin> login) const
{
    if (image.scheme != u"docker")
        co_return onlyDocker(image);
    const auto address = RegistryAddress::of(image.registry, m_plainHttp);
    if (!address.ok())
        co_return address.error();
    if (image.tag.isEmpty() && image.digest.isEmpty())
        image.tag = QStringLiteral("latest");
    const QString repository = address->repositoryOf(image.repository);
    const RegistryQuestion about{*address, shownName(repository, image), {}};
    const auto session = std::make_shared<RegistrySession>(m_transport, about, login);
    const auto top = co_await fetchManifest(session, repository, image.tag, image.digest);
    if (!top.ok())
        co_return top.error();
    const auto parsed = parseManifest(top->bytes);
    if (!parsed.ok())
        co_return parsed.error();
    ChosenManifest chosen{*top, parsed->manifest, {}, {}};
    if (parsed->index) {
        const auto below = co_await fetchOfIndex(session, repository, *parsed->index, wanted);
        if (!below.ok())
            co_return below.error();
        chosen = *below;
    }
    const auto config = co_await fetchConfig(session, repository, chosen.manifest.configDigest);
    if (!config.ok())
        co_return config.error();
    ImageDescription description = describedImage(chosen.manifest, *config);
    description.reference = image;
    description.digest = top->digest;
    description.manifestDigest = chosen.document.digest;
    if (!chosen.platform.architecture.isEmpty())
        description.platform = chosen.platform;
    description.platforms = chosen.platforms;
    if (description.platforms.empty() && !description.platform.architecture.isEmpty())
        description.platforms.push_back(description.platform);
    co_return description;
}

QCoro::Task<Result<TagList>> RegistryClient::tags(
    ImageReference image, std::optional<RegistryLogin> login) const
{
    if (image.scheme != u"docker")
        co_return onlyDocker(image);
    const auto address = RegistryAddress::of(image.registry, m_plainHttp);
    if (!address.ok())
        co_return address.error();
    const QString repository = address->repositoryOf(image.repository);
    const RegistryQuestion about{*address, repository, {}};
    const auto session = std::make_shared<RegistrySession>(m_transport, about, login);
    const QByteArray accept("application/json");
    TagList list;
    QString page = QStringLiteral("/v2/%1/tags/list?n=%2").arg(repository).arg(taglimits::pageSize);
    for (int i = 0; i < taglimits::mostPages && !page.isEmpty(); ++i) {
        const auto answer = co_await session->get(page, repository, accept, taglimits::mostBytes);
        if (!answer.ok())
            co_return answer.error();
        const Result<QStringList> more = parseTagPage(answer->body);
        if (!more.ok())
            co_return more.error();
        list.tags += *more;
        page = nextTagPage(answer->headers.value("link"), address->url(page));
        if (list.tags.size() >= taglimits::mostTags)
            break;
    }
    list.complete = page.isEmpty() && list.tags.size() <= taglimits::mostTags;
    list.tags = list.tags.mid(0, taglimits::mostTags);
    co_return list;
}

QCoro::Task<Result<void>> RegistryClient::checkLogin(QString registry, RegistryLogin login) const
{
    const auto address = RegistryAddress::of(registry, m_plainHttp);
    if (!address.ok())
        co_return address.error();
    const RegistryQuestion about{*address, {}, {}};
    const auto session = std::make_shared<RegistrySession>(m_transport, about, login);
    const QString path = QStringLiteral("/v2/"), noRepository;
    const QByteArray accept("application/json");
    const auto answer = co_await session->get(path, noRepository, accept, mostGreetingBytes);
    if (!answer.ok())
        co_return answer.error();
    if (!session->wasChallenged())
        co_return Error{ErrorKind::Unsupported,
            tr("%1 answers everybody, so the login could not be checked.").arg(address->name),
            tr("Look at a private image there: only that shows whether the login is accepted.")};
    co_return Result<void>();
}

} // namespace slipway
