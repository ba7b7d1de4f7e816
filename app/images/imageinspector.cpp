// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imageinspector.h"

#include "app/catalogue/catalogue.h"
#include "app/catalogue/fields.h"
#include "app/catalogue/names.h"
#include "app/images/imagefolder.h"
#include "app/plan/stepimages.h"
#include "app/sessions/sessions.h"
#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/registry/networktransport.h"
#include "remote/registry/registryaddress.h"
#include "remote/registry/shelltransport.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr auto folderTimeout = std::chrono::seconds(15); ///< a file system may not answer
constexpr std::size_t mostOtherPlatforms = 4;

/// What is asked, and whom. A value; tasks own theirs.
struct InspectionTask {
    Site site;
    ImageReference image;
    std::optional<RegistryLogin> login;
    std::shared_ptr<RegistryTransport> here; ///< null: only the cluster can reach the registry
    std::shared_ptr<RegistryTransport> there; ///< null: not connected
};

/// What a registry said, and by which way.
struct RegistrySaid {
    ImageDescription image;
    std::shared_ptr<RegistryTransport> transport;
};

std::optional<Error> inspectProblem(const ImageReference& image)
{
    if (image.isFile())
        return Error{ErrorKind::Usage,
            tr("%1 is a file, and registries know images by their names only.").arg(image.path),
            tr("Write the image as nvcr.io/nvidia/pytorch:24.03-py3.")};
    if (image.scheme != u"docker")
        return Error{ErrorKind::Usage,
            tr("Slipway looks only at docker:// images before they are pulled, and this is one of "
               "%1://.")
                .arg(image.scheme),
            tr("Use an image of a container registry: docker://…")};
    return {};
}

/// A registry without a domain is known only inside its own cluster: "login:5000".
bool isOfCluster(const Site& site, const ImageReference& image)
{
    const QString host = image.registry.section(u':', 0, 0);
    return speaksPlainHttp(site, image)
        || (!host.isEmpty() && !host.contains(u'.') && !host.startsWith(u'['));
}

Error noWayTo(const Site& site, const ImageReference& image)
{
    return {ErrorKind::Network,
        tr("The registry %1 can only be asked from %2, and there is no connection to it.")
            .arg(image.registry, site.name),
        tr("Connect to it first.")};
}

bool isUnreachable(const Error& error)
{
    return error.kind == ErrorKind::Network || error.kind == ErrorKind::Timeout;
}

QCoro::Task<Result<ImageDescription>> describeBy(
    std::shared_ptr<RegistryTransport> transport, InspectionTask task, ImagePlatform wanted)
{
    const RegistryClient client(transport, task.site.plainHttpRegistries);
    auto described = co_await client.describe(task.image, wanted, task.login);
    co_return described;
}

/// From this computer, else from the cluster.
QCoro::Task<Result<RegistrySaid>> askRegistry(InspectionTask task, ImagePlatform wanted)
{
    if (!task.here && !task.there)
        co_return noWayTo(task.site, task.image);
    const auto first = task.here ? task.here : task.there;
    auto described = co_await describeBy(first, task, wanted);
    RegistrySaid said;
    if (described.ok()) {
        said = {*described, first};
        co_return said;
    }
    Error error = described.error();
    if (!task.here || !isUnreachable(error))
        co_return error;
    if (!task.there) {
        if (task.site.launchable())
            error.remedy =
                tr("Connect to %1: its login node may reach the registry.").arg(task.site.name);
        co_return error;
    }
    const auto second = task.there;
    auto again = co_await describeBy(second, task, wanted);
    if (!again.ok())
        co_return again.error();
    said = {*again, second};
    co_return said;
}

QCoro::Task<std::optional<ImageFolder>> askFolder(std::shared_ptr<Shell> shell, QString expression)
{
    if (!shell || !isPathExpression(expression))
        co_return std::nullopt;
    RunOptions options;
    options.timeout = folderTimeout;
    options.outputLimit = 1024 * 1024;
    const QByteArray script = imageFolderScript(expression);
    const auto answer = co_await shell->run(script, options);
    if (!answer.ok())
        co_return std::nullopt; // the space stays unknown
    const auto folder = parseImageFolder(answer->out);
    co_return folder;
}

/// The platforms of the partitions, in the order of the verdicts.
std::vector<ImagePlatform> platformsOf(const Site& site, const std::optional<ClusterInfo>& cluster)
{
    std::vector<ImagePlatform> platforms;
    for (const QString& name : partitionNames(site, cluster))
        platforms.push_back(partitionPlatform(partitionFacts(name, site, cluster).partition, site));
    return platforms;
}

/// Platforms of partitions that the image is offered for, but was not read for.
std::vector<ImagePlatform> unreadPlatforms(
    const std::vector<ImagePlatform>& nodes, const ImageDescription& image)
{
    std::vector<ImagePlatform> unread;
    for (const ImagePlatform& platform : nodes) {
        if (!image.platform.fits(platform) && image.offers(platform)
            && std::find(unread.begin(), unread.end(), platform) == unread.end()
            && unread.size() < mostOtherPlatforms)
            unread.push_back(platform);
    }
    return unread;
}

QCoro::Task<std::vector<PartitionVerdict>> judgeAll(
    RegistrySaid said, InspectionTask task, std::optional<ClusterInfo> cluster)
{
    auto verdicts = judgeImage(said.image, task.site, cluster);
    const auto nodes = platformsOf(task.site, cluster);
    if (isDigest(said.image.digest))
        task.image.digest = said.image.digest; // a tag may move in between
    const auto unread = unreadPlatforms(nodes, said.image);
    for (const ImagePlatform& platform : unread) {
        const auto more = co_await describeBy(said.transport, task, platform);
        if (!more.ok())
            continue; // its verdicts stay unknown
        const auto judged = judgeImage(*more, task.site, cluster);
        for (std::size_t i = 0; i < verdicts.size(); ++i) {
            if (nodes[i] == platform)
                verdicts[i] = judged[i];
        }
    }
    co_return verdicts;
}

/// Token services of large registries, which give one to anyone for a public image.
QString tokenAddress(const RegistryAddress& registry, const QString& repository)
{
    const QString scope = QStringLiteral("scope=repository:%1:pull").arg(repository);
    if (registry.isHub)
        return QStringLiteral("https://auth.docker.io/token?service=registry.docker.io&") + scope;
    if (registry.host == u"nvcr.io")
        return QStringLiteral("https://nvcr.io/proxy_auth?") + scope;
    if (registry.host == u"ghcr.io")
        return QStringLiteral("https://ghcr.io/token?") + scope;
    if (registry.host == u"quay.io")
        return QStringLiteral("https://quay.io/v2/auth?service=quay.io&") + scope;
    return {};
}

/// What a learner could type to see the manifest.
QString curlCommand(const InspectionTask& task)
{
    const auto registry = RegistryAddress::of(task.image.registry, task.site.plainHttpRegistries);
    if (!registry.ok())
        return {};
    const QString repository = registry->repositoryOf(task.image.repository);
    const QString name = task.image.digest.isEmpty() ? task.image.tag : task.image.digest;
    const auto quoted = [](const QString& text) { return QString::fromUtf8(shellQuoted(text)); };
    const QString login = task.login ? u" -u " + quoted(task.login->user) : QString();
    const QString token = tokenAddress(*registry, repository);
    QString command =
        QStringLiteral("curl -sL -H 'Accept: application/vnd.oci.image.index.v1+json, "
                       "application/vnd.oci.image.manifest.v1+json, "
                       "application/vnd.docker.distribution.manifest.list.v2+json, "
                       "application/vnd.docker.distribution.manifest.v2+json'");
    command += token.isEmpty()
        ? login
        : QStringLiteral(" -H \"Authorization: Bearer $(curl -s%1 %2 | jq -r .token)\"")
              .arg(login, quoted(token));
    const QUrl url = registry->url(QStringLiteral("/v2/%1/manifests/%2").arg(repository, name));
    command += u' ' + quoted(url.toString());
    if (token.isEmpty()) // before it, so that a pipe can be added
        command.prepend(u"# "
            + tr("If it answers “unauthorized”, it wants a token: its header www-authenticate "
                 "(curl -i) names the address that gives one.")
            + u'\n');
    return command;
}

} // namespace

ImageInspector::ImageInspector(Catalogue* catalogue, Sessions* sessions, QObject* parent)
    : QObject(parent)
    , m_catalogue(catalogue)
    , m_sessions(sessions)
{
}

void ImageInspector::setLocalTransport(std::shared_ptr<RegistryTransport> transport)
{
    m_local = std::move(transport);
}

bool ImageInspector::needsCluster(const QString& siteId, const ImageReference& image) const
{
    const Site* const site = m_catalogue->site(siteId);
    return site && isOfCluster(*site, image);
}

QCoro::Task<Result<ImageInspection>> ImageInspector::inspect(
    QString siteId, ImageReference image, std::optional<RegistryLogin> login)
{
    const Site* const known = m_catalogue->site(siteId);
    if (!known)
        co_return Error{ErrorKind::NotFound, tr("There is no site %1.").arg(siteId),
            tr("See the list of sites.")};
    if (const auto problem = inspectProblem(image))
        co_return *problem;
    InspectionTask task{*known, image, login, {}, {}};
    const auto cluster = m_sessions->cluster(siteId);
    const auto info = m_sessions->clusterInfo(siteId);
    const std::shared_ptr<Shell> shell = cluster ? cluster->shell() : nullptr;
    if (!isOfCluster(task.site, image)) {
        if (!m_local)
            m_local = std::make_shared<NetworkTransport>();
        task.here = m_local;
    }
    if (shell)
        task.there =
            std::make_shared<ShellTransport>(shell, tr("the login node of %1").arg(task.site.name));
    const ImagePlatform wanted = ImagePlatform::ofNodes(task.site.architecture);
    auto said = co_await askRegistry(task, wanted);
    if (!said.ok())
        co_return said.error();
    ImageInspection found;
    found.siteId = siteId;
    found.image = said->image;
    found.cuda = cudaOf(found.image);
    found.frameworks = frameworksOf(found.image);
    found.askedFrom = said->transport->place();
    found.command = curlCommand(task);
    const RegistrySaid answer = *said;
    found.verdicts = co_await judgeAll(answer, task, info);
    const QString expression = imageFolder(task.site);
    const auto folder = co_await askFolder(shell, expression);
    if (folder) {
        found.folder = folder->path;
        found.freeBytes = folder->freeBytes;
    }
    co_return found;
}

} // namespace slipway

#include "moc_imageinspector.cpp"
