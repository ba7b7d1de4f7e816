// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runcode.h"

#include "app/project/codeupload.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"
#include "remote/cluster/worker.h"

#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 largestKept = 16 * 1024 * 1024; ///< of a file that a run kept
constexpr qsizetype mostOmissions = 200; ///< that are recorded by name

/// The folder's state in Git, as a text: three facts, then the difference.
QByteArray gitText(const GitState& git)
{
    return "commit " + git.commit.toUtf8() + "\nbranch " + git.branch.toUtf8() + "\nchanged "
        + QByteArray::number(git.changedFiles) + "\n\n" + git.difference;
}

QByteArray keptFile(const QString& localFolder, const QString& name)
{
    QFile file(localFolder + u"/files/" + name);
    return file.open(QIODevice::ReadOnly) ? file.read(largestKept) : QByteArray();
}

CodeRecord recordFrom(const QJsonObject& json)
{
    CodeRecord record;
    record.files = json.value(u"files").toInt();
    record.filesSent = json.value(u"sent").toInt();
    record.bytesSent = qint64(json.value(u"bytes_sent").toDouble());
    record.git.commit = json.value(u"commit").toString();
    record.git.branch = json.value(u"branch").toString();
    record.git.changedFiles = json.value(u"changed_files").toInt();
    for (const auto& item : json.value(u"omissions").toArray()) {
        const QJsonObject one = item.toObject();
        record.omissions.push_back(
            {one.value(u"path").toString(), qint64(one.value(u"bytes").toDouble()),
                one.value(u"reason").toString(), one.value(u"large").toBool()});
    }
    return record;
}

/// Tells how far the upload is, at most twice a second: each sentence is stored. False once the
/// run was cancelled.
std::function<bool(qint64, qint64)> progressOf(const RunFlow& flow)
{
    const auto clock = std::make_shared<QElapsedTimer>();
    return [flow, clock](qint64 sent, qint64 total) {
        constexpr qint64 pause = 500; // ms
        if (flow.over() || flow.record->cancelAsked())
            return false;
        if (total <= 0 || (clock->isValid() && clock->elapsed() < pause))
            return true;
        clock->start();
        flow.record->say(tr("Uploading your folder: %1 of %2.")
                             .arg(ByteCount(sent).text(), ByteCount(total).text()));
        return true;
    };
}

std::vector<LaunchFile> filesOf(const Snapshot& snapshot, const CodeRecord& record)
{
    return {{QStringLiteral("code.manifest"), snapshot.manifest()},
        {QStringLiteral("code.json"), QJsonDocument(record.toJson()).toJson()}};
}

} // namespace

QString CodeRecord::sentence() const
{
    if (filesSent == 0)
        return tr("Sent no file: all %1 were there already.").arg(files);
    return tr("Sent %1 of %2 files, %3.")
        .arg(filesSent)
        .arg(files)
        .arg(ByteCount(bytesSent).text());
}

QJsonObject CodeRecord::toJson() const
{
    QJsonArray left;
    for (const SnapshotOmission& one : omissions) {
        if (left.size() >= mostOmissions)
            break;
        left.append(QJsonObject{{QStringLiteral("path"), one.path},
            {QStringLiteral("bytes"), double(one.bytes)}, {QStringLiteral("reason"), one.reason},
            {QStringLiteral("large"), one.isLarge}});
    }
    QJsonObject json{{QStringLiteral("files"), files}, {QStringLiteral("sent"), filesSent},
        {QStringLiteral("bytes_sent"), double(bytesSent)}, {QStringLiteral("omissions"), left}};
    if (git.commit.isEmpty())
        return json;
    json.insert(QStringLiteral("commit"), git.commit);
    json.insert(QStringLiteral("branch"), git.branch);
    json.insert(QStringLiteral("changed_files"), git.changedFiles);
    return json;
}

QCoro::Task<Result<std::vector<LaunchFile>>> sendCode(RunFlow flow, QString scratch)
{
    const auto record = flow.record;
    SnapshotRequest request;
    request.folder = record->run.spec.project;
    request.wanted = record->run.spec.largeFiles;
    request.hashFile = codeHashFile(record->local.folder(), request.folder);
    record->say(tr("Reading %1.").arg(request.folder));
    const auto read = [request] { return takeSnapshot(request); };
    const Result<Snapshot> snapshot = co_await onWorker(read);
    if (flow.over())
        co_return connectionGone();
    if (!snapshot.ok())
        co_return snapshot.error();
    if (snapshot->entries.empty())
        co_return Error{ErrorKind::NotFound,
            tr("%1 has no file to send: it is empty, or everything in it is left out.")
                .arg(request.folder),
            tr("Look into its .gitignore and .slipwayignore.")};
    const std::function<bool(qint64, qint64)> progress = progressOf(flow);
    const QString store = scratch + u"/slipway/code", code = record->run.folder + u"/code";
    const Result<CodeUploadSummary> sent =
        co_await uploadSnapshot(flow.cluster->shell(), *snapshot, store, code, progress);
    if (flow.over())
        co_return connectionGone();
    if (!sent.ok())
        co_return sent.error();
    CodeRecord done;
    done.files = int(snapshot->entries.size());
    done.filesSent = sent->filesSent;
    done.bytesSent = sent->bytesSent;
    done.omissions = snapshot->omissions;
    done.git = snapshot->git;
    record->say(done.sentence());
    const std::vector<LaunchFile> files = filesOf(*snapshot, done);
    std::vector<LaunchFile> keeps = files;
    // It stays here: the difference may have text of files that .slipwayignore leaves out.
    if (!snapshot->git.commit.isEmpty())
        keeps.push_back({QStringLiteral("code.git"), gitText(snapshot->git)});
    if (const auto kept = record->local.keepFiles(keeps); !kept.ok())
        co_return kept.error();
    co_return files;
}

CodeRecord keptCode(const QString& localFolder)
{
    const QByteArray json = keptFile(localFolder, QStringLiteral("code.json"));
    CodeRecord record = recordFrom(QJsonDocument::fromJson(json).object());
    const auto entries =
        Snapshot::readManifest(keptFile(localFolder, QStringLiteral("code.manifest")));
    if (entries.ok())
        record.entries = *entries;
    return record;
}

QString codeHashFile(const QString& localFolder, const QString& project)
{
    const QByteArray path = QDir::cleanPath(project).toUtf8();
    const QByteArray name = QCryptographicHash::hash(path, QCryptographicHash::Sha256).toHex();
    return QFileInfo(localFolder).path() + u"/code-hashes-" + QString::fromLatin1(name.left(16));
}

} // namespace slipway
