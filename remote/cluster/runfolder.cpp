// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/runfolder.h"

#include "remote/base/tr.h"
#include "remote/slurm/records.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTimeZone>

#include <algorithm>
#include <iterator>

namespace slipway {

namespace {

constexpr qint64 mostEvents = 16 * 1024 * 1024; // bytes per read
constexpr std::size_t mostFiles = 10'000;

Error unsafeName(const QString& name)
{
    return {ErrorKind::Invalid,
        tr("The file name “%1” points outside the run folder.").arg(name.left(120)),
        tr("File names in a run folder must be plain relative paths.")};
}

/// The error kind of a failed file command, from its stderr (with LC_ALL=C).
Error fileError(const QString& what, const CommandOutput& output)
{
    const QString remedy = tr("Remove files there, or choose another scratch folder.");
    if (output.err.contains("uota exceeded"))
        return {ErrorKind::DiskFull, tr("%1 Your disk quota there is used up.").arg(what), remedy,
            output.err};
    if (output.err.contains("No space left"))
        return {
            ErrorKind::DiskFull, tr("%1 The disk there is full.").arg(what), remedy, output.err};
    return {ErrorKind::Io, what, tr("Choose a folder that you may write to."), output.err};
}

} // namespace

Result<ExitRecord> parseExit(const QByteArray& json)
{
    const auto document = QJsonDocument::fromJson(json);
    const auto object = document.object();
    const auto code = object.contains(QLatin1String("code"))
        ? object.value(QLatin1String("code"))
        : object.value(QLatin1String("exit_code"));
    if (!document.isObject() || !code.isDouble()) {
        return Error{ErrorKind::Protocol,
            tr("The job's exit record, exit.json, could not be read."), {}, json.left(4096)};
    }
    ExitRecord record;
    record.exitCode = code.toInt(-1);
    if (const double time = object.value(QLatin1String("t")).toDouble(); time > 0 && time < 3.2e10)
        record.ended = QDateTime::fromMSecsSinceEpoch(qint64(time * 1000), QTimeZone::utc());
    record.stage = object.value(QLatin1String("stage")).toString();
    record.node = object.value(QLatin1String("node")).toString();
    record.restarts = object.value(QLatin1String("restart")).toInt();
    record.bytes = json;
    return record;
}

bool isSafeRelativeName(const QString& name)
{
    if (name.isEmpty() || name.size() > 1024 || name.startsWith(u'-'))
        return false;
    for (const auto& part : name.split(u'/')) {
        if (part.isEmpty() || part == u"." || part == u"..")
            return false;
    }
    return std::none_of(name.begin(), name.end(), [](QChar c) {
        return c.category() == QChar::Other_Control || c == u'\\'
            || c.category() == QChar::Other_Format || c == QChar::ReplacementCharacter;
    });
}

bool isSecretFile(const QString& name)
{
    const QLatin1String folder(secretFolder);
    if (name == folder || name.startsWith(QString(folder + u'/')))
        return true;
    return std::any_of(std::begin(secretFiles), std::end(secretFiles), [&name](const char* file) {
        const QLatin1String whole(file);
        return name == whole || name.startsWith(QString(whole + u'.'));
    });
}

RemoteListing parseListing(const QByteArray& printed, const std::optional<QStringList>& patterns)
{
    std::vector<QRegularExpression> forms;
    for (const auto& pattern : patterns.value_or(QStringList()))
        forms.emplace_back(QRegularExpression::wildcardToRegularExpression(pattern));
    RemoteListing listing;
    QList<QByteArray> rows = printed.split('\0');
    rows.removeLast(); // empty, or cut off
    for (const auto& row : rows) {
        const auto space = row.indexOf(' ');
        const QByteArray bytes = row.mid(space + 1);
        const QString name = lenientText(bytes);
        const bool wanted = !patterns
            || std::any_of(forms.begin(), forms.end(),
                [&](const QRegularExpression& form) { return form.match(name).hasMatch(); });
        if (space <= 0 || !wanted || isSecretFile(name))
            continue;
        bool isNumber = false;
        const qint64 size = row.left(space).toLongLong(&isNumber);
        const bool isFile = isNumber && size >= 0 && name.toUtf8() == bytes;
        if (isFile && isSafeRelativeName(name) && listing.files.size() < mostFiles)
            listing.files.push_back({name, size});
        else
            ++listing.leftOut;
    }
    std::sort(listing.files.begin(), listing.files.end(),
        [](const RemoteFile& a, const RemoteFile& b) { return a.name < b.name; });
    return listing;
}

RunFolder::RunFolder(std::shared_ptr<Shell> shell, QString path)
    : m_shell(std::move(shell))
    , m_path(std::move(path))
{
}

QString RunFolder::filePath(const QString& name) const
{
    return QString(m_path + u'/' + name);
}

namespace {

/// A shared scratch may be writable for others, who could place their own folder or link where ours
/// is about to be, or move ours away while a job waits. So each folder below `top` must be ours,
/// and no other user may be able to rename its content: no write permission, or the sticky bit as
/// in /tmp. `top` and the folders above it belong to the centre or to a project, whose members
/// trust each other; where anybody may rename them, it is not known whose the files below are.
QByteArray makeFolderScript(const QString& top, const QString& rest)
{
    return "umask 077; at=" + shellQuoted(top) + " rest=" + shellQuoted(rest) + R"SH(
mkdir -p -- "$at/" && up=$(cd -P -- "$at/" && pwd -P) || exit 72
set --
while [ -n "${up%/}" ]; do set -- "$@" "$up"; up=${up%/*}; done
[ "$#" -eq 0 ] || shared=$(find "$@" -prune -perm -0002 ! -perm -1000)
if [ -n "${shared-}" ]; then echo "shared $shared" | head -n 1; exit 71; fi
while [ -n "$rest" ]; do
  at=$at/${rest%%/*}
  case $rest in */*) rest=${rest#*/} ;; *) rest= ;; esac
  [ -d "$at" ] || [ -L "$at" ] || mkdir -m 700 -- "$at" || [ -d "$at" ] || exit 72
  if [ -L "$at" ]; then echo "link $at"; exit 71; fi
  if [ ! -O "$at" ]; then echo "other $at"; exit 71; fi
  [ -n "$rest" ] || chmod 0700 -- "$at" || exit 72
  if [ -n "$(find "$at" -prune -perm /022 ! -perm -1000)" ]; then echo "open $at"; exit 71; fi
done
)SH";
}

/// What makeFolderScript prints for a folder that it refuses: "link|other|open|shared PATH".
Error refusedFolder(const QByteArray& said, const QString& path)
{
    const QString place = QString::fromUtf8(said.trimmed().mid(said.indexOf(' ') + 1)).left(1024);
    const QString folder = place.isEmpty() ? path : place;
    if (said.startsWith("open")) {
        return {ErrorKind::Io,
            tr("Others may write to %1: they could replace files of your job.").arg(folder),
            tr("Run there: chmod go-w %1").arg(QString::fromUtf8(shellQuoted(folder)))};
    }
    if (said.startsWith("shared")) {
        return {ErrorKind::Io,
            tr("Anybody may write to %1: they could replace files of your job.").arg(folder),
            tr("Choose another scratch folder, or, if it is yours, run there: chmod o-w %1")
                .arg(QString::fromUtf8(shellQuoted(folder)))};
    }
    return {ErrorKind::Io, tr("%1 is a symbolic link or belongs to someone else.").arg(folder),
        tr("Remove it, or choose another scratch folder.")};
}

QCoro::Task<Result<void>> makeFolder(std::shared_ptr<Shell> shell, QString path, QString scratch)
{
    if (!path.startsWith(u'/') || path.contains(u"/../") || path.endsWith(u"/.."))
        co_return Error{
            ErrorKind::Invalid, tr("“%1” is not an absolute path.").arg(path.left(200))};
    const bool below = !scratch.isEmpty() && path.startsWith(QString(scratch + u'/'));
    const QString top = below ? scratch : path.left(path.lastIndexOf(u'/'));
    const auto output = co_await shell->run(makeFolderScript(top, path.mid(top.size() + 1)));
    if (!output.ok())
        co_return output.error();
    if (output->exitCode == 71)
        co_return refusedFolder(output->out, path);
    if (output->exitCode != 0)
        co_return fileError(tr("The folder %1 could not be created.").arg(path), *output);
    co_return Result<void>();
}

QCoro::Task<Result<void>> writeFiles(
    std::shared_ptr<Shell> shell, RunFolder folder, std::vector<RunFolder::Upload> files)
{
    QByteArray script = "umask 077; cd -- " + shellQuoted(folder.path()) + " || exit 1\n";
    bool nested = false;
    for (const auto& file : files) {
        if (!isSafeRelativeName(file.name))
            co_return unsafeName(file.name);
        if (const auto slash = file.name.lastIndexOf(u'/'); slash > 0) {
            nested = true;
            script += "mkdir -p -- " + shellQuoted(file.name.left(slash)) + " || exit 1\n";
        }
    }
    if (nested) {
        const auto made = co_await shell->run(script);
        if (!made.ok())
            co_return made.error();
        if (made->exitCode != 0)
            co_return fileError(
                tr("Folders below %1 could not be created.").arg(folder.path()), *made);
    }
    std::vector<Shell::NewFile> whole;
    for (auto& file : files)
        whole.push_back({folder.filePath(file.name), std::move(file.bytes), file.mode});
    const auto written = co_await shell->writeFiles(std::move(whole));
    co_return written;
}

QCoro::Task<Result<QByteArray>> readFileFrom(
    std::shared_ptr<Shell> shell, QString path, qint64 offset)
{
    const QByteArray script = "f=" + shellQuoted(path) + "\n[ -f \"$f\" ] || exit 0\ntail -c +"
        + QByteArray::number(std::max<qint64>(0, offset) + 1) + " <\"$f\" | head -c "
        + QByteArray::number(mostEvents) + '\n';
    const auto output = co_await shell->run(script);
    if (!output.ok())
        co_return output.error();
    if (output->exitCode != 0)
        co_return fileError(tr("%1 could not be read.").arg(path), *output);
    co_return output->out;
}

constexpr int noFolderCode = 3; ///< exit codes of the scripts below
constexpr int emptyNoteCode = 4;

/// What Shell::writeFiles() was cut off in writing has six more characters.
QByteArray removeSecretsLine()
{
    QByteArray line = "rm -f --";
    for (const char* file : secretFiles)
        line += ' ' + QByteArray(file) + ' ' + file + ".??????";
    return line + " 2>/dev/null\nrm -rf -- " + secretFolder + " 2>/dev/null\n";
}

QCoro::Task<Result<ExitNote>> readExitOf(
    std::shared_ptr<Shell> shell, QString folder, bool hasEnded)
{
    // Listing the folder makes a network file system look for new files.
    const QByteArray script = "cd -- " + shellQuoted(folder) + " 2>/dev/null || exit 3\n"
        + (hasEnded ? removeSecretsLine() : QByteArray())
        + "ls -a >/dev/null 2>&1\n[ -f exit.json ] || exit 0\n"
          "[ -s exit.json ] || exit 4\nhead -c 65536 exit.json\n";
    const auto output = co_await shell->run(script);
    if (!output.ok())
        co_return output.error();
    if (output->exitCode == noFolderCode)
        co_return ExitNote{ExitNote::State::FolderGone, {}};
    if (output->exitCode == emptyNoteCode)
        co_return ExitNote{ExitNote::State::Unreadable, {}};
    if (output->exitCode != 0)
        co_return fileError(tr("exit.json could not be read."), *output);
    if (output->out.isEmpty())
        co_return ExitNote();
    const auto record = parseExit(output->out);
    if (!record.ok())
        co_return ExitNote{ExitNote::State::Unreadable, {}};
    co_return ExitNote{ExitNote::State::Read, *record};
}

QCoro::Task<Result<RemoteListing>> listFiles(
    std::shared_ptr<Shell> shell, QString folder, std::optional<QStringList> patterns)
{
    // Regular files only: a link could point anywhere. NUL is the one byte that no name contains.
    // The files that were sent as code/ are all of 2001 (StoreScripts::sourceTime).
    const QByteArray script = "cd -- " + shellQuoted(folder)
        + " 2>/dev/null || exit 3\nfind -P . -xdev -type f \\( ! -path './code/*' -o -newermt "
          "@1000000060 \\) -printf '%s %P\\0'\n";
    const auto output = co_await shell->run(script);
    if (!output.ok())
        co_return output.error();
    if (output->exitCode == noFolderCode)
        co_return Error{ErrorKind::NotFound, tr("The run folder %1 no longer exists.").arg(folder),
            tr("It may have been cleaned up by the site.")};
    if (output->exitCode != 0 && output->out.isEmpty())
        co_return fileError(tr("The files of %1 could not be listed.").arg(folder), *output);
    co_return parseListing(output->out, patterns);
}

QCoro::Task<Result<std::vector<RemoteFile>>> listFitting(
    std::shared_ptr<Shell> shell, QString folder, QStringList patterns)
{
    const auto listing = co_await listFiles(shell, folder, patterns);
    if (!listing.ok())
        co_return listing.error();
    co_return listing->files;
}

QCoro::Task<Result<void>> refuseName(QString name)
{
    co_return unsafeName(name);
}

QCoro::Task<Result<QByteArray>> refuseReading(QString name)
{
    co_return unsafeName(name);
}

QCoro::Task<Result<void>> fetchOf(
    std::shared_ptr<Shell> shell, QString path, QIODevice* destination, std::optional<qint64> size)
{
    const auto fetched = co_await shell->fetchFile(path, destination, size);
    co_return fetched;
}

} // namespace

QCoro::Task<Result<void>> RunFolder::make(QString scratch) const
{
    return makeFolder(m_shell, m_path, std::move(scratch));
}

QCoro::Task<Result<void>> RunFolder::write(std::vector<Upload> files) const
{
    return writeFiles(m_shell, *this, std::move(files));
}

QCoro::Task<Result<ExitNote>> RunFolder::readExit() const
{
    return readExitOf(m_shell, m_path, false);
}

QCoro::Task<Result<ExitNote>> RunFolder::readLastExit() const
{
    return readExitOf(m_shell, m_path, true);
}

QCoro::Task<Result<QByteArray>> RunFolder::readFrom(QString name, qint64 offset) const
{
    return isSafeRelativeName(name) ? readFileFrom(m_shell, filePath(name), offset)
                                    : refuseReading(name);
}

QCoro::Task<Result<std::vector<RemoteFile>>> RunFolder::list(QStringList patterns) const
{
    return listFitting(m_shell, m_path, std::move(patterns));
}

QCoro::Task<Result<RemoteListing>> RunFolder::listAll() const
{
    return listFiles(m_shell, m_path, std::nullopt);
}

QCoro::Task<Result<void>> RunFolder::fetch(QString name, QIODevice* destination) const
{
    return isSafeRelativeName(name) ? fetchOf(m_shell, filePath(name), destination, std::nullopt)
                                    : refuseName(name);
}

QCoro::Task<Result<void>> RunFolder::fetch(RemoteFile file, QIODevice* destination) const
{
    return isSafeRelativeName(file.name)
        ? fetchOf(m_shell, filePath(file.name), destination, file.size)
        : refuseName(file.name);
}

} // namespace slipway
