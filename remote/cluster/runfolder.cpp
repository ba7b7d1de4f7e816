// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/runfolder.h"

#include "remote/slurm/records.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 mostEvents = 16 * 1024 * 1024; // bytes at one reading
constexpr std::size_t mostFiles = 10'000;

Error unsafeName(const QString& name)
{
    return {ErrorKind::Invalid,
        QStringLiteral("The file name “%1” leaves the run folder.").arg(name.left(120)),
        QStringLiteral("Names in a run folder are relative and plain.")};
}

/// The kind of a failed command on files, from its stderr (LC_ALL=C there).
Error fileError(const QString& what, const CommandOutput& output)
{
    const bool full = output.err.contains("uota exceeded") || output.err.contains("No space left");
    return {full ? ErrorKind::DiskFull : ErrorKind::Io, what,
        full ? QStringLiteral("Remove files there, or choose another scratch folder.")
             : QStringLiteral("Choose a folder that you may write to."),
        output.err};
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
            QStringLiteral("The job's note of its end, exit.json, could not be read."), {},
            json.left(4096)};
    }
    ExitRecord record;
    record.exitCode = code.toInt(-1);
    if (const double time = object.value(QLatin1String("t")).toDouble(); time > 0 && time < 3.2e10)
        record.ended = QDateTime::fromMSecsSinceEpoch(qint64(time * 1000), Qt::UTC);
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

QCoro::Task<Result<void>> makeFolder(std::shared_ptr<Shell> shell, QString path)
{
    if (!path.startsWith(u'/') || path.contains(u"/../") || path.endsWith(u"/.."))
        co_return Error{
            ErrorKind::Invalid, QStringLiteral("“%1” is no absolute path.").arg(path.left(200))};
    // The owner is compared because a shared scratch may be writable for others, who could put a
    // folder or a link of theirs where ours is about to be.
    const QByteArray script = "umask 077; p=" + shellQuoted(path)
        + "\nif [ -L \"$p\" ]; then exit 71; fi\nmkdir -p -- \"$p\" || exit 72\n"
          "if [ -L \"$p\" ] || [ ! -O \"$p\" ]; then exit 71; fi\nchmod 0700 \"$p\" || exit 72\n";
    const auto output = co_await shell->run(script);
    if (!output.ok())
        co_return output.error();
    if (output->exitCode == 71) {
        co_return Error{ErrorKind::Io,
            QStringLiteral("%1 is a symbolic link or belongs to someone else.").arg(path),
            QStringLiteral("Remove it, or choose another scratch folder.")};
    }
    if (output->exitCode != 0)
        co_return fileError(QStringLiteral("The folder %1 could not be made.").arg(path), *output);
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
                QStringLiteral("Folders below %1 could not be made.").arg(folder.path()), *made);
    }
    for (const auto& file : files) {
        const QString path = folder.filePath(file.name);
        const auto written = co_await shell->writeFile(path, file.bytes, file.mode);
        if (!written.ok())
            co_return written.error();
    }
    co_return Result<void>();
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
        co_return fileError(QStringLiteral("%1 could not be read.").arg(path), *output);
    co_return output->out;
}

QCoro::Task<Result<std::optional<ExitRecord>>> readExitOf(
    std::shared_ptr<Shell> shell, QString path)
{
    using Found = Result<std::optional<ExitRecord>>;
    const auto bytes = co_await readFileFrom(shell, path, 0);
    if (!bytes.ok())
        co_return Found(bytes.error());
    if (bytes->isEmpty())
        co_return Found(std::optional<ExitRecord>());
    const auto record = parseExit(*bytes);
    if (!record.ok())
        co_return Found(record.error());
    co_return Found(std::optional<ExitRecord>(*record));
}

QCoro::Task<Result<std::vector<RemoteFile>>> listFiles(
    std::shared_ptr<Shell> shell, QString folder, QStringList patterns)
{
    // Regular files only: a link could point anywhere. NUL is the one byte no name holds.
    const QByteArray script =
        "cd -- " + shellQuoted(folder) + " && find -P . -xdev -type f -printf '%s %P\\0'\n";
    const auto output = co_await shell->run(script);
    if (!output.ok())
        co_return output.error();
    if (output->exitCode != 0 && output->out.isEmpty())
        co_return fileError(
            QStringLiteral("The files of %1 could not be listed.").arg(folder), *output);
    std::vector<QRegularExpression> forms;
    for (const auto& pattern : patterns)
        forms.emplace_back(QRegularExpression::wildcardToRegularExpression(pattern));
    std::vector<RemoteFile> files;
    for (const auto& row : output->out.split('\0')) {
        const auto space = row.indexOf(' ');
        const QString name = lenientText(row.mid(space + 1));
        const bool wanted = std::any_of(forms.begin(), forms.end(),
            [&](const QRegularExpression& form) { return form.match(name).hasMatch(); });
        if (space > 0 && wanted && isSafeRelativeName(name) && files.size() < mostFiles)
            files.push_back({name, row.left(space).toLongLong()});
    }
    std::sort(files.begin(), files.end(),
        [](const RemoteFile& a, const RemoteFile& b) { return a.name < b.name; });
    co_return files;
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
    std::shared_ptr<Shell> shell, QString path, QIODevice* destination)
{
    const auto fetched = co_await shell->fetchFile(path, destination);
    co_return fetched;
}

} // namespace

QCoro::Task<Result<void>> RunFolder::make() const
{
    return makeFolder(m_shell, m_path);
}

QCoro::Task<Result<void>> RunFolder::write(std::vector<Upload> files) const
{
    return writeFiles(m_shell, *this, std::move(files));
}

QCoro::Task<Result<std::optional<ExitRecord>>> RunFolder::readExit() const
{
    return readExitOf(m_shell, filePath(QStringLiteral("exit.json")));
}

QCoro::Task<Result<QByteArray>> RunFolder::readFrom(QString name, qint64 offset) const
{
    return isSafeRelativeName(name) ? readFileFrom(m_shell, filePath(name), offset)
                                    : refuseReading(name);
}

QCoro::Task<Result<std::vector<RemoteFile>>> RunFolder::list(QStringList patterns) const
{
    return listFiles(m_shell, m_path, std::move(patterns));
}

QCoro::Task<Result<void>> RunFolder::fetch(QString name, QIODevice* destination) const
{
    return isSafeRelativeName(name) ? fetchOf(m_shell, filePath(name), destination)
                                    : refuseName(name);
}

} // namespace slipway
