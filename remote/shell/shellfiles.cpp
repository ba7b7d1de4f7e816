// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/base/tr.h"
#include "remote/shell/framedrun.h"
#include "remote/shell/hashfunction.h"
#include "remote/shell/shell.h"

#include <QCryptographicHash>

#include <limits>

#include <algorithm>

namespace slipway {

namespace {

constexpr const char readFailed[] = "slipway: the file could not be read to its end";

/// A path as one shell word that no program mistakes for an option.
QByteArray pathWord(const QString& path)
{
    return shellQuoted(path.startsWith(u'-') ? QString(u"./" + path) : path);
}

/// The error of a file operation, from its stderr with LC_ALL=C.
Error fileError(
    const QString& what, const QString& path, const QString& where, const QByteArray& stderrText)
{
    const auto says = [&](const char* text) { return stderrText.contains(text); };
    Error error{
        ErrorKind::Io, tr("%1 could not be %2 on %3.").arg(path, what, where), {}, stderrText};
    if (says("No space left on device")) {
        error.kind = ErrorKind::DiskFull;
        error.summary = tr("%1 could not be %2: the disk of %3 is full.").arg(path, what, where);
        error.remedy = tr("Free some space there, or choose another folder.");
    } else if (says("Disk quota exceeded")) {
        error.kind = ErrorKind::DiskFull;
        error.summary =
            tr("%1 could not be %2: your disk quota on %3 is used up.").arg(path, what, where);
        error.remedy = tr("Remove files there, or choose a folder with another quota (scratch).");
    } else if (says("No such file") || says("Not a directory")) {
        error.kind = ErrorKind::NotFound;
        error.summary =
            tr("%1 could not be %2: there is no such path on %3.").arg(path, what, where);
        error.remedy = tr("Check the folder's name.");
    } else if (says("Permission denied")) {
        error.summary = tr("%1 could not be %2: %3 does not permit it.").arg(path, what, where);
        error.remedy = tr("Choose a folder of your own.");
    } else if (says("Read-only file system")) {
        error.summary =
            tr("%1 could not be %2: that folder of %3 is read-only.").arg(path, what, where);
        error.remedy = tr("Choose another folder (scratch).");
    }
    return error;
}

} // namespace

QCoro::Task<Result<void>> Shell::writeFile(QString path, QByteArray content, int mode)
{
    std::vector<NewFile> one;
    one.push_back({std::move(path), std::move(content), mode});
    const auto written = co_await writeFiles(std::move(one));
    co_return written;
}

namespace {

// The trap removes the partial file whatever ends the script, and names the file by its number;
// mktemp creates it exclusively, so a planted link is not followed. A connection lost during the
// transfer leads to a wrong checksum, and to no new file. head reads exactly this file's part of
// the input.
constexpr const char putFunction[] = R"(t= n=-1
ended() {
  code=$?
  [ -z "$t" ] || rm -f "$t"
  [ "$code" = 0 ] || echo "slipway: file $n" >&2
}
trap ended 0
trap 'exit 1' 1 2 13 15
put() {
  n=$((n+1))
  if [ -d "$4" ]; then echo "Is a directory" >&2; exit 1; fi
  t=$(mktemp "$4.XXXXXX") || exit 1
  head -c "$1" >"$t" || exit 1
  s=$(hash256 <"$t") || exit 1
  case $s in "$3"*) ;; *) echo 'sha256 differs' >&2; exit 4;; esac
  chmod "$2" "$t" && mv -f "$t" "$4" || exit 1
  t=
}
)";

/// The last line of putFunction on stderr when a file could not be written.
struct FailedPut {
    size_t file = 0;
    QByteArray said; ///< by the commands
};

FailedPut failedPut(const QByteArray& err)
{
    constexpr QByteArrayView mark("slipway: file ");
    const auto at = err.lastIndexOf(mark);
    if (at < 0)
        return {0, err};
    return {size_t(err.mid(at + mark.size()).trimmed().toULongLong()), err.left(at)};
}

} // namespace

QCoro::Task<Result<void>> Shell::writeFiles(std::vector<NewFile> files)
{
    if (files.empty())
        co_return Result<void>();
    const auto where = displayName();
    FramedRequest request;
    request.where = where;
    request.timeoutIsIdle = true;
    request.input = QByteArray();
    request.script = QByteArray(hashFunction) + putFunction;
    for (const NewFile& file : files) {
        *request.input += file.content;
        const auto sum = QCryptographicHash::hash(file.content, QCryptographicHash::Sha256).toHex();
        request.script += "put " + QByteArray::number(file.content.size()) + ' '
            + QByteArray::number(file.mode & 07777, 8) + ' ' + sum + ' ' + pathWord(file.path)
            + '\n';
    }
    FramedRun framed(*this, std::move(request));
    const auto done = co_await framed.result();
    if (!done.ok())
        co_return done.error();
    if (done->exitCode == 0)
        co_return Result<void>();
    const FailedPut failed = failedPut(done->err);
    const QString path = files[std::min(failed.file, files.size() - 1)].path;
    if (done->exitCode == 4)
        co_return Error{ErrorKind::Io,
            tr("%1 was damaged on the way to %2 and was discarded there.").arg(path, where),
            tr("Try again."), failed.said};
    co_return fileError(QStringLiteral("written"), path, where, failed.said);
}

QCoro::Task<Result<QByteArray>> Shell::readFile(QString path, qint64 limit)
{
    const auto where = displayName();
    FramedRequest request;
    request.where = where;
    request.timeoutIsIdle = true;
    request.outputLimit = limit + 1024 * 1024;
    request.script = "f=" + pathWord(path)
        + "\nif [ -d \"$f\" ]; then echo 'Is a directory' >&2; exit 1; fi\nhead -c "
        + QByteArray::number(limit + 1) + " <\"$f\"\n";
    FramedRun framed(*this, std::move(request));
    const auto done = co_await framed.result();
    if (!done.ok())
        co_return done.error();
    if (done->exitCode != 0)
        co_return fileError(QStringLiteral("read"), path, where, done->err);
    if (done->out.size() > limit)
        co_return Error{ErrorKind::Invalid,
            tr("%1 on %2 is larger than %3 bytes.").arg(path, where).arg(limit),
            tr("Fetch it as a file instead.")};
    co_return done->out;
}

QCoro::Task<Result<void>> Shell::fetchFile(
    QString path, QIODevice* destination, std::optional<qint64> size)
{
    const auto where = displayName();
    auto hash = std::make_shared<QCryptographicHash>(QCryptographicHash::Sha256);
    FramedRequest request;
    request.where = where;
    request.timeoutIsIdle = true;
    auto left = std::make_shared<qint64>(size.value_or(std::numeric_limits<qint64>::max()));
    request.sink = [hash, left, destination](const QByteArray& bytes) {
        *left -= bytes.size();
        if (*left < 0) // head would have stopped: the remote program misbehaves
            return false;
        hash->addData(bytes);
        return destination->write(bytes) == bytes.size();
    };
    const QByteArray part =
        size ? "head -c " + QByteArray::number(std::max<qint64>(0, *size)) : QByteArray("cat");
    // The checksum covers exactly the bytes that are sent, so a growing log is fetched correctly.
    // stdout may be a socket, which cannot be opened by name: tee prints to it and names the pipe
    // instead.
    request.script = QByteArray(hashFunction) + "f=" + pathWord(path) + R"(
if [ -d "$f" ]; then echo 'Is a directory' >&2; exit 1; fi
if [ -L "$f" ] || { [ -e "$f" ] && [ ! -f "$f" ]; }; then exit 5; fi
: <"$f" || exit 1
{ { { )" + part
        + R"( <"$f" || echo ')" + readFailed
        + R"(' >&2; } | tee /dev/fd/4 >&3; } 4>&1 | hash256 >&2; } 3>&1
)";
    FramedRun framed(*this, std::move(request));
    const auto done = co_await framed.result();
    if (*left < 0)
        co_return Error{ErrorKind::Protocol,
            tr("%1 from %2 was rejected: it is larger than the %3 bytes that were listed.")
                .arg(path, where)
                .arg(*size),
            tr("List the files again.")};
    if (!done.ok())
        co_return done.error();
    if (done->exitCode == 5)
        co_return Error{ErrorKind::Invalid,
            tr("%1 on %2 is a link or not a regular file, so it is not fetched.").arg(path, where),
            tr("Copy what it points to into the run's folder, and fetch again.")};
    if (done->exitCode != 0 || done->err.contains(readFailed))
        co_return fileError(QStringLiteral("read"), path, where, done->err);
    if (!done->err.contains(hash->result().toHex()))
        co_return Error{ErrorKind::Io, tr("%1 was damaged on the way from %2.").arg(path, where),
            tr("Try again."), done->err};
    co_return Result<void>();
}

} // namespace slipway
