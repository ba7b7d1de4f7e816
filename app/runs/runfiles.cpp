// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runfiles.h"

#include "app/runs/localrun.h"
#include "remote/base/tr.h"
#include "remote/cluster/worker.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QMap>

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

constexpr int mostHere = 10'000; ///< files below a local folder

/// Results are what a person looks for.
int fileRank(const RunFile& file)
{
    return file.own ? 2 : file.name.startsWith(QLatin1String("results/")) ? 0 : 1;
}

QJsonObject listingJson(const RemoteListing& listing)
{
    QJsonArray files;
    for (const RemoteFile& file : listing.files)
        files.append(QJsonArray{file.name, double(file.size)});
    return {{QStringLiteral("t"), double(QDateTime::currentSecsSinceEpoch())},
        {QStringLiteral("left_out"), double(listing.leftOut)}, {QStringLiteral("files"), files}};
}

/// Of files that the cluster did not list, those in a folder here.
void addHere(QMap<QString, qint64>* sizes, const QString& folder, const QString& below)
{
    const QDir base(folder);
    QDirIterator it(base.filePath(below), QDir::Files, QDirIterator::Subdirectories);
    for (int i = 0; it.hasNext() && i < mostHere; ++i) {
        it.next();
        const QString name = base.relativeFilePath(it.filePath());
        if (!sizes->contains(name))
            sizes->insert(name, it.fileInfo().size());
    }
}

} // namespace

bool isSlipwayFile(const QString& name)
{
    static const QStringList names{QStringLiteral("job.sh"), QStringLiteral("slipway.sh"),
        QStringLiteral("events.ndjson"), QStringLiteral("exit.json"),
        QStringLiteral("exit.json.part"), QStringLiteral("log.times"),
        QStringLiteral("probe.ndjson"), QStringLiteral("probe.sha256"),
        QStringLiteral("slipway-probe"), QStringLiteral("run.json"),
        QStringLiteral("code.manifest"), QStringLiteral("code.json"), QStringLiteral("code.git"),
        QStringLiteral("code.sha256"), QStringLiteral("packages.path")};
    return names.contains(name) || name.startsWith(QLatin1String("steps/"))
        || name.startsWith(QLatin1String("probe."));
}

RunFiles::RunFiles(Run run, QString localFolder, std::shared_ptr<Shell> shell)
    : m_run(std::move(run))
    , m_localFolder(std::move(localFolder))
    , m_shell(std::move(shell))
{
}

/// Empty: there is none.
QString RunFiles::copyOf(const QString& name) const
{
    if (!isSafeRelativeName(name))
        return {};
    QStringList places;
    if (!m_run.fetchedTo.isEmpty())
        places << m_run.fetchedTo + u'/' + name;
    if (name.startsWith(QLatin1String("results/")))
        places << m_localFolder + u'/' + name;
    places << m_localFolder + u"/files/" + name;
    for (const QString& place : std::as_const(places))
        if (QFileInfo(place).isFile())
            return place;
    return {};
}

RunFileList RunFiles::known() const
{
    RunFileList out;
    const QJsonObject kept = LocalRun(m_localFolder).listing();
    if (kept.contains(u"t")) {
        out.asOf = QDateTime::fromSecsSinceEpoch(qint64(kept.value(u"t").toDouble()));
        out.leftOut = qint64(kept.value(u"left_out").toDouble());
    }
    QMap<QString, qint64> sizes;
    for (const auto& value : kept.value(u"files").toArray())
        sizes.insert(value.toArray().at(0).toString(), qint64(value.toArray().at(1).toDouble()));
    if (!m_run.fetchedTo.isEmpty())
        addHere(&sizes, m_run.fetchedTo, {});
    addHere(&sizes, m_localFolder, QStringLiteral("results"));
    for (auto file = sizes.cbegin(); file != sizes.cend(); ++file) {
        // Files that were uploaded are those of the recipe, not what the job has made.
        const bool uploaded = QFileInfo(m_localFolder + u"/files/" + file.key()).isFile();
        out.files.push_back(
            {file.key(), file.value(), copyOf(file.key()), uploaded || isSlipwayFile(file.key())});
    }
    std::stable_sort(out.files.begin(), out.files.end(),
        [](const RunFile& a, const RunFile& b) { return fileRank(a) < fileRank(b); });
    return out;
}

QCoro::Task<Result<RunFileList>> RunFiles::list() const
{
    const RunFiles self = *this; // the task may outlive this value
    if (!self.m_shell)
        co_return Error{ErrorKind::Network, tr("There is no connection to the cluster."),
            tr("Connect to its site.")};
    const RunFolder there(self.m_shell, self.m_run.folder);
    const auto listing = co_await there.listAll();
    if (!listing.ok())
        co_return listing.error();
    const auto keep = [self, found = *listing] {
        LocalRun(self.m_localFolder).keepListing(listingJson(found));
        return self.known();
    };
    RunFileList known = co_await onWorker(keep);
    co_return known;
}

QCoro::Task<Result<QByteArray>> RunFiles::read(QString name, qint64 limit) const
{
    const RunFiles self = *this;
    if (!self.m_shell)
        co_return Error{ErrorKind::Network, tr("There is no connection to the cluster."),
            tr("Connect to its site.")};
    if (!isSafeRelativeName(name))
        co_return Error{ErrorKind::Invalid,
            tr("The file name “%1” points outside the run folder.").arg(name.left(120))};
    const auto bytes = co_await self.m_shell->readFile(
        RunFolder(self.m_shell, self.m_run.folder).filePath(name), limit);
    co_return bytes;
}

} // namespace slipway
