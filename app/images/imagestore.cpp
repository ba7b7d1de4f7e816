// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagestore.h"

#include "app/images/imagestorescan.h"
#include "app/images/packagescan.h"
#include "app/runs/runs.h"
#include "remote/base/tr.h"

#include <QHash>
#include <QPointer>

#include <algorithm>

namespace slipway {

namespace {

/// Folders with many files take long, and so does `apptainer cache clean`.
constexpr auto imagesTimeout = std::chrono::minutes(5);
constexpr qint64 mostAnswer = 16 * 1024 * 1024;
/// Different images of one site, as its runs name them. Each costs a plan.
constexpr qsizetype mostPlans = 60;

RunOptions patient()
{
    RunOptions options;
    options.timeout = imagesTimeout;
    options.outputLimit = mostAnswer;
    return options;
}

Error lostLink()
{
    return {ErrorKind::LinkLost, ImageStore::tr("The connection was lost."),
        ImageStore::tr("Connect again.")};
}

/// The fields of a launch that decide which images it uses. Most runs share them.
QString imageKey(const LaunchSpec& spec, const Recipe& recipe)
{
    QStringList parts{
        spec.recipeId, QString(spec.values.value(QStringLiteral("runtime"), QStringLiteral("-")))};
    for (const Parameter& field : recipe.parameters) {
        if (field.type == Parameter::Type::Image)
            parts << spec.values.value(field.key, QStringLiteral("\n"));
    }
    return parts.join(u'\n');
}

qint64 bytesOf(const StoredImage& image)
{
    return image.bytes;
}

qint64 bytesOf(const PackageSet& set)
{
    return set.bytes.value_or(0);
}

const PackageSet* packageSetAt(const ImageList& list, const QString& path)
{
    const auto set = std::find_if(list.packages.begin(), list.packages.end(),
        [&path](const PackageSet& one) { return one.path == path; });
    return set == list.packages.end() ? nullptr : &*set;
}

/// Of images, or of sets of packages.
template <typename Thing>
void noteRemoved(
    const QByteArray& answer, const std::vector<Thing>& doomed, ImageStore::Removed* removed)
{
    const QStringList why = readRemovedImages(answer, doomed.size());
    for (size_t i = 0; i < doomed.size(); ++i) {
        if (why[qsizetype(i)].isEmpty()) {
            removed->gone << doomed[i].path;
            removed->bytes += bytesOf(doomed[i]);
        } else {
            removed->left << doomed[i].path;
            removed->whyLeft << why[qsizetype(i)];
        }
    }
}

} // namespace

/// What a scan found.
struct ImageStore::Look {
    ImageList list;
    bool isBusy = false; ///< a job of Slipway has not ended
};

ImageStore::ImageStore(Catalogue* catalogue, Sessions* sessions, Runs* runs, QObject* parent)
    : QObject(parent)
    , m_catalogue(catalogue)
    , m_sessions(sessions)
    , m_runs(runs)
{
}

/// What the runs of this computer say of the images at a site. A run that has not ended and may use
/// any image makes all of them used.
ImageScan ImageStore::known(const Site& site) const
{
    ImageScan scan;
    scan.purgeDays = site.purgeDays;
    if (const auto info = m_sessions->clusterInfo(site.id))
        scan.scratch = info->scratch;
    QHash<QString, std::vector<ImageUse>> plans;
    for (const Run& run : m_runs->all()) {
        if (run.spec.siteId != site.id)
            continue;
        const bool isActive = !isTerminal(run.phase);
        const Recipe* const recipe = m_catalogue->recipe(run.spec.recipeId);
        if (isActive) {
            scan.activeTexts += run.spec.values.values();
            scan.allInUse = scan.allInUse || !recipe || !run.spec.editedScript.isEmpty();
        }
        if (!recipe || (!isActive && !run.started.isValid()))
            continue;
        const QString key = imageKey(run.spec, *recipe);
        if (!plans.contains(key) && (isActive || plans.size() < mostPlans))
            plans.insert(key, imageUses(m_runs->plan(run.spec)));
        std::vector<ImageUse> uses = plans.value(key);
        for (size_t i = 0; i < uses.size(); ++i) {
            uses[i].runId = run.id;
            uses[i].isActive = isActive;
            if (i == 0) // a run records the digest of its first image only
                uses[i].digest = run.imageDigest;
            scan.uses.push_back(uses[i]);
        }
    }
    return scan;
}

QCoro::Task<Result<ImageStore::Look>> ImageStore::look(QString siteId)
{
    const QPointer<ImageStore> self(this);
    const auto cluster = m_sessions->cluster(siteId);
    const Site* const found = m_catalogue->site(siteId);
    if (!cluster || !found)
        co_return m_sessions->notConnected(siteId);
    const Site site = *found;
    const QString prefix = QString::fromLatin1(jobCommentPrefix);
    const auto jobs = co_await cluster->orphans(prefix);
    if (!jobs.ok())
        co_return jobs.error();
    const QByteArray script = imageScanScript(site);
    const RunOptions options = patient();
    const auto shell = cluster->shell();
    const auto answer = co_await shell->run(script, options);
    if (!answer.ok())
        co_return answer.error();
    if (!self)
        co_return programClosed();
    ImageScan scan = known(site);
    const std::vector<Run> runs = m_runs->all();
    Look look;
    look.isBusy = !jobs->empty() || std::any_of(runs.begin(), runs.end(), [&site](const Run& run) {
        return run.spec.siteId == site.id && !isTerminal(run.phase);
    });
    // A job of another computer, or of a run that is thought to have ended, may use any image.
    for (const Allocation& job : *jobs) {
        const bool isKnown = std::any_of(runs.begin(), runs.end(),
            [&job](const Run& run) { return run.folder == job.folder && !isTerminal(run.phase); });
        scan.allInUse = scan.allInUse || !isKnown;
    }
    scan.packagesInUse = look.isBusy;
    Result<ImageList> list = readImageList(answer->out, scan);
    if (!list.ok())
        co_return list.error();
    look.list = *list;
    co_return look;
}

QCoro::Task<Result<ImageList>> ImageStore::list(QString siteId)
{
    const Result<Look> found = co_await look(siteId);
    if (!found.ok())
        co_return found.error();
    co_return found->list;
}

QCoro::Task<Result<ImageStore::Removed>> ImageStore::remove(QString siteId, QStringList paths)
{
    const QPointer<ImageStore> self(this);
    // Only what exists now is deleted, whatever an older list contains.
    const Result<Look> found = co_await look(siteId);
    if (!found.ok())
        co_return found.error();
    const auto cluster = self ? m_sessions->cluster(siteId) : nullptr;
    if (!cluster)
        co_return self ? lostLink() : programClosed();
    Removed removed;
    std::vector<StoredImage> doomed;
    std::vector<PackageSet> doomedSets;
    paths.removeDuplicates();
    for (const QString& path : paths) {
        if (const PackageSet* const set = packageSetAt(found->list, path)) {
            if (!set->inUse) {
                doomedSets.push_back(*set);
                continue;
            }
        }
        const auto& images = found->list.images;
        const auto image = std::find_if(images.begin(), images.end(),
            [&path](const StoredImage& one) { return one.path == path; });
        if (image != images.end() && !image->inUse) {
            doomed.push_back(*image);
            continue;
        }
        removed.left << path;
        const bool isThere = image != images.end() || packageSetAt(found->list, path);
        removed.whyLeft << (isThere ? tr("a job that has not ended may use it")
                                    : tr("it is not there"));
    }
    const RunOptions options = patient();
    const auto shell = cluster->shell();
    if (!doomed.empty()) {
        const QByteArray script = removeImagesScript(found->list.folder, doomed);
        const auto answer = co_await shell->run(script, options);
        if (!answer.ok())
            co_return answer.error();
        noteRemoved(answer->out, doomed, &removed);
    }
    if (!doomedSets.empty()) {
        const QByteArray script = removePackagesScript(found->list.packageFolder, doomedSets);
        const auto answer = co_await shell->run(script, options);
        if (!answer.ok())
            co_return answer.error();
        noteRemoved(answer->out, doomedSets, &removed);
    }
    co_return removed;
}

QCoro::Task<Result<qint64>> ImageStore::clearCaches(QString siteId)
{
    const QPointer<ImageStore> self(this);
    const Result<Look> found = co_await look(siteId);
    if (!found.ok())
        co_return found.error();
    const auto cluster = self ? m_sessions->cluster(siteId) : nullptr;
    if (!cluster)
        co_return self ? lostLink() : programClosed();
    if (found->isBusy)
        co_return Error{ErrorKind::Refused,
            tr("The caches were not cleared: a job that has not ended may be using them."),
            tr("Wait until the job has ended, or cancel it.")};
    if (found->list.caches.empty())
        co_return qint64(0);
    const QByteArray script = clearCachesScript(found->list.caches);
    const RunOptions options = patient();
    const auto shell = cluster->shell();
    const auto answer = co_await shell->run(script, options);
    if (!answer.ok())
        co_return answer.error();
    const Result<qint64> freed = readClearedCaches(answer->out, found->list.caches);
    co_return freed;
}

} // namespace slipway

#include "moc_imagestore.cpp"
