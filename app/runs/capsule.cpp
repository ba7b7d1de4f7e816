// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/capsule.h"

#include "app/runs/keptrecords.h"
#include "app/runs/recordfeed.h"
#include "app/runs/runjson.h"
#include "plots/metrics/pipeline.h"
#include "remote/base/tr.h"
#include "remote/cluster/largedownload.h"
#include "remote/cluster/runfolder.h"
#include "remote/cluster/worker.h"

#include <QCoroTimer>

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QMap>
#include <QSaveFile>

#include <algorithm>
#include <optional>

namespace slipway {

namespace {

constexpr qint64 largestPacked = 512 * 1024 * 1024;
constexpr qint64 leastLarge = 2 * 1024 * 1024; ///< continued where an earlier fetch was cut off
constexpr qint64 packSlice = 1024 * 1024;

/// Images are large, and run.json names where they came from.
bool staysThere(const RemoteFile& file)
{
    return file.size > largestPacked || file.name.endsWith(QLatin1String(".sif"))
        || file.name.endsWith(QLatin1String(".sqsh")) || file.name.endsWith(QLatin1String(".part"));
}

Error writeError(const QString& path, const QString& reason)
{
    return Error{ErrorKind::Io, tr("%1 could not be written.").arg(path),
        tr("Choose another folder."), reason.toUtf8()};
}

/// What was not copied.
struct LeftBehind {
    std::optional<QJsonArray> names = QJsonArray(); ///< none: unknown, the cluster was not queried
    qint64 others = 0; ///< files with unsafe names, or beyond the limit of the list
};

/// The log's place in the capsule: as in the run's folder, so that script and log fit together.
QString logName(const Run& run)
{
    if (run.logFile.isEmpty())
        return QStringLiteral("log.txt");
    const QString inside = run.logFile.startsWith(run.folder + u'/')
        ? run.logFile.mid(run.folder.size() + 1)
        : QString();
    return isSafeRelativeName(inside) ? inside : QFileInfo(run.logFile).fileName();
}

Result<void> copyFile(const QString& from, const QString& to)
{
    QDir().mkpath(QFileInfo(to).path());
    QFile::remove(to);
    QFile file(from);
    return file.copy(to) ? Result<void>() : Result<void>(writeError(to, file.errorString()));
}

/// A file that was changed or deleted since it was listed must not stop the rest.
bool onlyThisFile(const Error& error)
{
    return error.kind == ErrorKind::NotFound || error.kind == ErrorKind::Invalid
        || error.kind == ErrorKind::Io || error.kind == ErrorKind::Protocol;
}

QCoro::Task<Result<RemoteListing>> listAll(CapsuleRequest request)
{
    const RunFolder there(request.shell, request.run.folder);
    auto listed = co_await there.listAll();
    co_return listed;
}

QCoro::Task<Result<void>> fetchFile(CapsuleRequest request, RemoteFile file)
{
    const QString path = request.destination + u'/' + file.name;
    const RunFolder there(request.shell, request.run.folder);
    QDir().mkpath(QFileInfo(path).path());
    if (file.size >= leastLarge) {
        const auto fetched =
            co_await downloadLargeFile(request.shell, there.filePath(file.name), file.size, path);
        co_return fetched.ok() ? Result<void>() : Result<void>(fetched.error());
    }
    QSaveFile here(path);
    if (!here.open(QIODevice::WriteOnly))
        co_return writeError(path, here.errorString());
    const auto fetched = co_await there.fetch(file, &here);
    if (here.error() != QFileDevice::NoError)
        co_return writeError(path, here.errorString());
    if (fetched.ok() && !here.commit())
        co_return writeError(path, here.errorString());
    co_return fetched.ok() ? Result<void>() : Result<void>(fetched.error());
}

/// Goes on over the next connection with what this one has not brought. False: there is none.
template <typename Value> QCoro::Task<bool> mayGoOn(CapsuleRequest& request, Result<Value> ended)
{
    if (ended.ok() || ended.error().kind != ErrorKind::LinkLost || !request.shellAfter)
        co_return false;
    auto next = co_await request.shellAfter(request.shell);
    if (next)
        request.shell = next;
    co_return next != nullptr;
}

QCoro::Task<Result<LeftBehind>> fetchAll(CapsuleRequest request)
{
    auto listed = co_await listAll(request);
    for (bool again = co_await mayGoOn(request, listed); again;
         again = co_await mayGoOn(request, listed))
        listed = co_await listAll(request);
    if (!listed.ok())
        co_return listed.error();
    LeftBehind left;
    left.others = listed->leftOut;
    for (const RemoteFile& file : listed->files) {
        if (staysThere(file)) {
            left.names->append(file.name);
            continue;
        }
        auto fetched = co_await fetchFile(request, file);
        for (bool again = co_await mayGoOn(request, fetched); again;
             again = co_await mayGoOn(request, fetched))
            fetched = co_await fetchFile(request, file);
        if (!fetched.ok() && !onlyThisFile(fetched.error()))
            co_return fetched.error();
        if (!fetched.ok())
            left.names->append(file.name);
    }
    co_return left;
}

/// The copies of what metrics loggers wrote, under the names that the files have on the cluster.
Result<void> copyRecords(const CapsuleRequest& request)
{
    const KeptRecords records(request.localFolder);
    for (const KeptRecords::File& file : records.files()) {
        const QString to = request.destination + u'/' + file.name;
        if (!isSafeRelativeName(file.name) || QFile::exists(to))
            continue;
        if (auto done = copyFile(file.path, to); !done.ok())
            return done;
    }
    return {};
}

Result<LeftBehind> copyKept(const CapsuleRequest& request)
{
    const QDir kept(request.localFolder);
    for (const QString& part : {QStringLiteral("files"), QStringLiteral("results")}) {
        const QDir base(part == QLatin1String("files") ? kept.filePath(part) : kept.path());
        QDirIterator it(kept.filePath(part), QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QString from = it.next();
            const QString to = request.destination + u'/' + base.relativeFilePath(from);
            if (auto done = copyFile(from, to); !done.ok())
                return done.error();
        }
    }
    for (const QString& name : {QStringLiteral("events.ndjson"), QStringLiteral("log.times")})
        if (kept.exists(name))
            if (auto done = copyFile(kept.filePath(name), request.destination + u'/' + name);
                !done.ok())
                return done.error();
    if (auto done = copyRecords(request); !done.ok())
        return done.error();
    LeftBehind left;
    if (!request.run.folder.isEmpty())
        left.names.reset();
    return left;
}

/// The log and the files beside it are read in slices, so that the window stays responsive.
QCoro::Task<QJsonArray> summaryOfRun(
    QString path, QString localFolder, QStringList recognisers, std::vector<PatternSpec> patterns)
{
    const auto store = std::make_shared<SeriesStore>();
    MetricsPipeline pipeline(recognisers, patterns);
    QFile file(path);
    if (file.open(QIODevice::ReadOnly)) {
        for (QByteArray bytes; !(bytes = file.read(packSlice)).isEmpty();) {
            pipeline.feed(bytes);
            store->add(pipeline.takeSamples());
            pipeline.takeEvents();
            if (!file.atEnd())
                co_await QCoro::sleepFor(std::chrono::milliseconds(0));
        }
    }
    pipeline.finish();
    store->add(pipeline.takeSamples());
    RecordFeed records(localFolder);
    for (bool atEnd = false; !atEnd;) {
        const RecordFeed::Given given = records.read(printedCurves(*store));
        atEnd = given.atEnd;
        if (given.renewed)
            store->clearRecorded();
        store->add(given.samples);
        if (!atEnd)
            co_await QCoro::sleepFor(std::chrono::milliseconds(0));
    }
    store->add(records.finish());
    const auto summarise = [store] { return metricsSummary(*store); };
    co_return co_await onWorker(summarise);
}

QByteArray sha256(const QString& path)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    return file.open(QIODevice::ReadOnly) && hash.addData(&file) ? hash.result().toHex()
                                                                 : QByteArray();
}

QJsonArray fileList(const QString& folder)
{
    QStringList names;
    QDirIterator it(folder, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext())
        names.append(QDir(folder).relativeFilePath(it.next()));
    names.sort();
    QJsonArray files;
    for (const QString& name : names)
        if (name != QLatin1String("run.json"))
            files.append(QJsonObject{{QStringLiteral("name"), name},
                {QStringLiteral("size"), double(QFileInfo(folder + u'/' + name).size())},
                {QStringLiteral("sha256"), QString::fromLatin1(sha256(folder + u'/' + name))}});
    return files;
}

} // namespace

QJsonArray metricsSummary(const SeriesStore& series)
{
    QJsonArray summary;
    for (const auto& curve : series.all()) {
        QMap<double, std::vector<double>> byX;
        for (size_t i = 0; i < curve->size(); ++i)
            byX[curve->at(i).x].push_back(curve->at(i).y);
        QJsonArray points;
        for (auto it = byX.begin(); it != byX.end(); ++it) {
            auto& values = it.value();
            std::sort(values.begin(), values.end());
            const size_t middle = values.size() / 2;
            const double median =
                values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
            points.append(QJsonObject{{QStringLiteral("x"), it.key()},
                {QStringLiteral("median"), median}, {QStringLiteral("least"), values.front()},
                {QStringLiteral("most"), values.back()},
                {QStringLiteral("count"), double(values.size())}});
        }
        summary.append(QJsonObject{{QStringLiteral("series"), curve->series()},
            {QStringLiteral("lane"), curve->lane()}, {QStringLiteral("unit"), curve->unit()},
            {QStringLiteral("x_name"), curve->xName()}, {QStringLiteral("points"), points}});
    }
    return summary;
}

QCoro::Task<Result<void>> makeCapsule(CapsuleRequest request)
{
    if (!QDir().mkpath(request.destination))
        co_return writeError(request.destination, {});
    auto leftOut = Result<LeftBehind>(LeftBehind());
    if (request.shell)
        leftOut = co_await fetchAll(request);
    // If the folder no longer exists on the cluster, the local copies are used.
    const auto copy = [request] { return copyKept(request); };
    if (!request.shell || (!leftOut.ok() && leftOut.error().kind == ErrorKind::NotFound))
        leftOut = co_await onWorker(copy);
    if (!leftOut.ok())
        co_return leftOut.error();

    const QString log = request.destination + u'/' + logName(request.run);
    const QString keptLog = request.localFolder + u"/log.bin";
    if (!QFile::exists(log) && QFile::exists(keptLog)) {
        const auto copyLog = [keptLog, log] { return copyFile(keptLog, log); };
        const auto copied = co_await onWorker(copyLog);
        if (!copied.ok())
            co_return copied.error();
    }
    QJsonObject json = request.facts;
    json.insert(QStringLiteral("schema"), 1);
    json.insert(QStringLiteral("slipway"), QCoreApplication::applicationVersion());
    json.insert(QStringLiteral("run"), runToJson(request.run));
    if (!request.run.imageDigest.isEmpty()) // beside the image of the facts
        json.insert(QStringLiteral("image_digest"), request.run.imageDigest);
    if (!request.run.registryDigest.isEmpty())
        json.insert(QStringLiteral("image_registry_digest"), request.run.registryDigest);
    json.insert(QStringLiteral("script_sha256"),
        QString::fromLatin1(sha256(request.destination + u"/job.sh")));
    json.insert(QStringLiteral("log"), logName(request.run));
    json.insert(QStringLiteral("left_on_the_cluster"),
        leftOut->names ? QJsonValue(*leftOut->names) : QJsonValue());
    if (leftOut->others > 0)
        json.insert(QStringLiteral("left_on_the_cluster_unlisted"), double(leftOut->others));
    QJsonArray metrics;
    // Those of the run's end are of the log on this computer, which may lack a part.
    if (request.metrics && QFileInfo(log).size() == QFileInfo(keptLog).size())
        metrics = *request.metrics;
    else
        metrics =
            co_await summaryOfRun(log, request.localFolder, request.recognisers, request.patterns);
    json.insert(QStringLiteral("metrics"), metrics);
    const auto list = [folder = request.destination] { return fileList(folder); };
    const QJsonArray files = co_await onWorker(list);
    json.insert(QStringLiteral("files"), files);
    QSaveFile file(request.destination + u"/run.json");
    if (!file.open(QIODevice::WriteOnly))
        co_return writeError(file.fileName(), file.errorString());
    file.write(QJsonDocument(json).toJson());
    if (!file.commit())
        co_return writeError(file.fileName(), file.errorString());
    co_return Result<void>();
}

} // namespace slipway
