// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imageinspector.h"

#include "app/catalogue/catalogue.h"
#include "app/catalogue/fields.h"
#include "app/catalogue/names.h"
#include "app/images/imagefolder.h"
#include "app/images/manifestcommand.h"
#include "app/plan/stepimages.h"
#include "app/runs/runlogin.h"
#include "app/secrets/registrylogins.h"
#include "app/sessions/sessions.h"
#include "remote/base/tr.h"
#include "remote/registry/networktransport.h"
#include "remote/registry/shelltransport.h"

#include <QPointer>

#include <algorithm>

namespace slipway {

bool isUnreachable(const Error& error)
{
    return error.kind == ErrorKind::Network || error.kind == ErrorKind::Timeout;
}

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

Error noSite(const QString& siteId)
{
    return {
        ErrorKind::NotFound, tr("There is no site %1.").arg(siteId), tr("See the list of sites.")};
}

Error noWayTo(const Site& site, const QString& registry)
{
    return {ErrorKind::Network,
        tr("The registry %1 can only be asked from %2, and there is no connection to it.")
            .arg(registry, site.name),
        tr("Connect to it first.")};
}

Error withConnectAdvice(Error error, const Site& site)
{
    if (site.launchable())
        error.remedy = tr("Connect to %1: its login node may reach the registry.").arg(site.name);
    return error;
}

QCoro::Task<Result<ImageDescription>> describeBy(
    std::shared_ptr<RegistryTransport> transport, InspectionTask task, ImagePlatform wanted)
{
    const RegistryClient client(transport, task.site.plainHttpRegistries);
    auto described = co_await client.describe(task.image, wanted, task.login);
    co_return described;
}

QCoro::Task<Result<TagList>> tagsBy(
    std::shared_ptr<RegistryTransport> transport, InspectionTask task)
{
    const RegistryClient client(transport, task.site.plainHttpRegistries);
    auto list = co_await client.tags(task.image, task.login);
    co_return list;
}

/// From this computer, else from the cluster.
QCoro::Task<Result<TagList>> askTags(InspectionTask task)
{
    if (!task.here && !task.there)
        co_return noWayTo(task.site, task.image.registry);
    const auto first = task.here ? task.here : task.there;
    auto list = co_await tagsBy(first, task);
    if (list.ok() || !task.here || !isUnreachable(list.error()))
        co_return list;
    if (!task.there)
        co_return withConnectAdvice(list.error(), task.site);
    const auto second = task.there;
    auto again = co_await tagsBy(second, task);
    co_return again;
}

/// From this computer, else from the cluster.
QCoro::Task<Result<RegistrySaid>> askRegistry(InspectionTask task, ImagePlatform wanted)
{
    if (!task.here && !task.there)
        co_return noWayTo(task.site, task.image.registry);
    const auto first = task.here ? task.here : task.there;
    auto described = co_await describeBy(first, task, wanted);
    RegistrySaid said;
    if (described.ok()) {
        said = {*described, first};
        co_return said;
    }
    if (!task.here || !isUnreachable(described.error()))
        co_return described.error();
    if (!task.there)
        co_return withConnectAdvice(described.error(), task.site);
    const auto second = task.there;
    auto again = co_await describeBy(second, task, wanted);
    if (!again.ok())
        co_return again.error();
    said = {*again, second};
    co_return said;
}

/// The files of an image that is pulled at a site, as shell words: each runtime has its own format.
QStringList imageFileWords(const Site& site, const ImageReference& image)
{
    std::vector<RuntimeKind> runtimes = site.runtimes;
    runtimes.push_back(site.runtime);
    QStringList words;
    Plan plan;
    plan.site = site;
    for (const RuntimeKind runtime : runtimes) {
        plan.site.runtime = runtime;
        words << imageFileWord(plan, image);
    }
    words.removeDuplicates();
    return words;
}

/// The site's folder of images, the space in it, and whether the file of `image` is there.
QCoro::Task<std::optional<ImageFolder>> askFolder(
    std::shared_ptr<Shell> shell, Site site, ImageReference image)
{
    const QString expression = imageFolder(site);
    if (!shell || !isPathExpression(expression))
        co_return std::nullopt;
    RunOptions options;
    options.timeout = folderTimeout;
    options.outputLimit = 1024 * 1024;
    const QByteArray script = imageFolderScript(expression, imageFileWords(site, image));
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

/// The login that is kept for a registry. None: there is none, or the keychain does not give it,
/// which `refusal` says then.
struct KeptLogin {
    std::optional<RegistryLogin> login;
    std::optional<Error> refusal;
};

QCoro::Task<KeptLogin> keptLogin(SecretStore* secrets, Site site, QString registry)
{
    KeptLogin kept;
    const auto name = registryLoginName(site.id.isEmpty() ? nullptr : &site, registry);
    if (!secrets || !name.ok())
        co_return kept;
    RegistryLogins logins(secrets);
    const QString key = *name;
    if (!logins.registries().contains(key))
        co_return kept;
    const auto found = co_await logins.find(key);
    if (found.ok())
        kept.login = *found;
    else
        kept.refusal = found.error();
    co_return kept;
}

/// What to do about a login that is missing or wrong.
Error withLoginAdvice(Error error, const InspectionTask& task, const std::optional<Error>& refusal)
{
    if (error.kind != ErrorKind::Authentication)
        return error;
    const QString& registry = task.image.registry;
    QString words = registry.isEmpty() ? QStringLiteral("docker.io") : registry;
    if (!task.site.id.isEmpty() && isRegistryOfCluster(task.site, registry))
        words += u" --site " + task.site.id;
    if (refusal)
        error.summary +=
            u' ' + tr("The login that is kept for it could not be read: %1").arg(refusal->summary);
    error.remedy += u' '
        + tr("Log in with “slipway-cli image login %1”, or on the Images page of the window.")
              .arg(words);
    return error;
}

} // namespace

ImageInspector::ImageInspector(
    Catalogue* catalogue, Sessions* sessions, SecretStore* secrets, QObject* parent)
    : QObject(parent)
    , m_catalogue(catalogue)
    , m_sessions(sessions)
    , m_secrets(secrets)
{
}

void ImageInspector::setLocalTransport(std::shared_ptr<RegistryTransport> transport)
{
    m_local = std::move(transport);
}

bool ImageInspector::needsCluster(const QString& siteId, const ImageReference& image) const
{
    const Site* const site = m_catalogue->site(siteId);
    return site && isRegistryOfCluster(*site, image.registry);
}

std::shared_ptr<RegistryTransport> ImageInspector::localTransport()
{
    if (!m_local)
        m_local = std::make_shared<NetworkTransport>();
    return m_local;
}

ImageInspector::Ways ImageInspector::waysTo(const Site& site, const QString& registry)
{
    Ways ways;
    if (!isRegistryOfCluster(site, registry))
        ways.here = localTransport();
    const auto cluster = m_sessions->cluster(site.id);
    if (const std::shared_ptr<Shell> shell = cluster ? cluster->shell() : nullptr)
        ways.there =
            std::make_shared<ShellTransport>(shell, tr("the login node of %1").arg(site.name));
    return ways;
}

QCoro::Task<Result<TagList>> ImageInspector::tags(
    QString siteId, ImageReference image, std::optional<RegistryLogin> login)
{
    const Site* const known = m_catalogue->site(siteId);
    if (!known)
        co_return noSite(siteId);
    if (const auto problem = inspectProblem(image))
        co_return *problem;
    const Ways ways = waysTo(*known, image.registry);
    InspectionTask task{*known, image, login, ways.here, ways.there};
    std::optional<Error> refusal;
    if (!login) {
        const auto kept = co_await keptLogin(m_secrets, task.site, image.registry);
        task.login = kept.login;
        refusal = kept.refusal;
    }
    auto list = co_await askTags(task);
    if (!list.ok())
        co_return withLoginAdvice(list.error(), task, refusal);
    co_return list;
}

QCoro::Task<Result<ImageDescription>> ImageInspector::describe(
    ImageReference image, ImagePlatform wanted)
{
    if (const auto problem = inspectProblem(image))
        co_return *problem;
    InspectionTask task{Site(), image, {}, localTransport(), {}};
    const auto kept = co_await keptLogin(m_secrets, task.site, image.registry);
    task.login = kept.login;
    auto described = co_await describeBy(task.here, task, wanted);
    if (!described.ok())
        co_return withLoginAdvice(described.error(), task, kept.refusal);
    co_return described;
}

QCoro::Task<QString> ImageInspector::keptSince(QString siteId, ImageReference image)
{
    const Site* const site = m_catalogue->site(siteId);
    const auto cluster = m_sessions->cluster(siteId);
    if (!site || !cluster)
        co_return QString();
    const std::shared_ptr<Shell> shell = cluster->shell();
    const Site known = *site;
    const auto folder = co_await askFolder(shell, known, image);
    co_return folder ? folder->keptSince : QString();
}

QCoro::Task<Result<ImageInspection>> ImageInspector::inspect(
    QString siteId, ImageReference image, std::optional<RegistryLogin> login)
{
    const Site* const known = m_catalogue->site(siteId);
    if (!known)
        co_return noSite(siteId);
    if (const auto problem = inspectProblem(image))
        co_return *problem;
    const QPointer<ImageInspector> self(this);
    const Ways ways = waysTo(*known, image.registry);
    InspectionTask task{*known, image, login, ways.here, ways.there};
    const auto cluster = m_sessions->cluster(siteId);
    const auto info = m_sessions->clusterInfo(siteId);
    const std::shared_ptr<Shell> shell = cluster ? cluster->shell() : nullptr;
    std::optional<Error> refusal;
    if (!login) {
        const auto kept = co_await keptLogin(m_secrets, task.site, image.registry);
        task.login = kept.login;
        refusal = kept.refusal;
    }
    const ImagePlatform wanted = ImagePlatform::ofNodes(task.site.architecture);
    auto said = co_await askRegistry(task, wanted);
    if (!said.ok())
        co_return withLoginAdvice(said.error(), task, refusal);
    ImageInspection found;
    found.siteId = siteId;
    found.image = said->image;
    found.cuda = cudaOf(found.image);
    found.frameworks = frameworksOf(found.image);
    found.askedFrom = said->transport->place();
    found.command = manifestCommand(task.site, task.image, task.login);
    const RegistrySaid answer = *said;
    found.verdicts = co_await judgeAll(answer, task, info);
    const auto folder = co_await askFolder(shell, task.site, image);
    if (folder) {
        found.folder = folder->path;
        found.freeBytes = folder->freeBytes;
        found.keptSince = folder->keptSince;
    }
    if (self && found.image.compressedBytes() > 0)
        emit sizeKnown(image.text(), found.image.compressedBytes());
    co_return found;
}

QCoro::Task<LoginInspection> ImageInspector::checkLogin(
    QString siteId, QString registry, RegistryLogin login)
{
    const Site* const known = m_catalogue->site(siteId);
    const Site site = known ? *known : Site();
    const Ways ways = waysTo(site, registry);
    LoginInspection found;
    if (!ways.here && !ways.there) {
        found.check.why = known
            ? noWayTo(site, registry)
            : Error{ErrorKind::Usage, tr("%1 is known only inside a cluster.").arg(registry),
                tr("Name its site: --site S.")};
        co_return found;
    }
    const std::vector<std::shared_ptr<RegistryTransport>> all{ways.here, ways.there};
    for (const auto& way : all) {
        if (!way)
            continue;
        const RegistryClient client(way, site.plainHttpRegistries);
        const auto answer = co_await client.checkLogin(registry, login);
        found = {loginCheck(answer), way->place()};
        if (answer.ok() || !isUnreachable(answer.error()))
            break;
    }
    co_return found;
}

} // namespace slipway

#include "moc_imageinspector.cpp"
