// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/gitstate.h"
#include "app/project/hashkeeper.h"
#include "app/project/ignorerules.h"
#include "app/project/snapshot.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMap>
#include <QSet>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <unistd.h>

namespace slipway {

namespace {

constexpr int mostNamesSeen = 1'000'000;
constexpr qint64 mostIgnoreSteps = 4'000'000'000; ///< some ten seconds
constexpr int mostReadings = 3;
constexpr qint64 largestIgnoreFile = 1024 * 1024;

QString systemReason(int code)
{
    return QString::fromLocal8Bit(std::strerror(code));
}

/// Closes a file descriptor.
class OpenFile {
public:
    OpenFile(const QByteArray& path, int flags)
        : m_descriptor(::open(path.constData(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK))
    {
    }
    ~OpenFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    int get() const { return m_descriptor; }

private:
    int m_descriptor;
};

qint64 nowNs()
{
    struct timespec now = {};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return qint64(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// FolderReader walks through a folder and collects its snapshot. For one thread, and one read().
class FolderReader {
public:
    explicit FolderReader(const SnapshotRequest& request);
    Result<Snapshot> read();

private:
    enum class Hashing { Done, Changed, Gone, Failed };

    void readFolder(const QByteArray& path, int depth);
    bool addIgnoreFiles(const QByteArray& path);
    void readName(const QByteArray& path, int depth);
    void readLink(const QByteArray& path);
    void readFile(const QByteArray& path, const struct stat& status);
    Hashing hash(const QByteArray& path, SnapshotEntry* entry, FileStamp* stamp);
    void omit(const QByteArray& path, const QString& reason, qint64 bytes = 0, bool large = false);
    void count(const QByteArray& path);
    void fail(Error error);
    QByteArray at(const QByteArray& path) const;

    SnapshotRequest m_request;
    QByteArray m_top; ///< the folder, without links in its path
    QSet<QString> m_wanted;
    HashKeeper m_keeper;
    IgnoreRules m_rules;
    Snapshot m_snapshot;
    QMap<QString, int> m_counts; ///< of the folders at the top
    int m_namesSeen = 0;
    std::optional<Error> m_error;
};

FolderReader::FolderReader(const SnapshotRequest& request)
    : m_request(request)
    , m_top(QFile::encodeName(QFileInfo(request.folder).canonicalFilePath()))
    , m_wanted(request.wanted.begin(), request.wanted.end())
    , m_keeper(request.hashFile)
{
    m_snapshot.folder = QFileInfo(request.folder).absoluteFilePath();
}

QByteArray FolderReader::at(const QByteArray& path) const
{
    return path.isEmpty() ? m_top : QByteArray(m_top + '/' + path);
}

void FolderReader::fail(Error error)
{
    if (!m_error)
        m_error = std::move(error);
}

void FolderReader::omit(const QByteArray& path, const QString& reason, qint64 bytes, bool large)
{
    m_snapshot.omissions.push_back({QString::fromUtf8(path), bytes, reason, large});
    count(path);
}

/// More than can be meant: mostly an environment or data that no ignore file names.
void FolderReader::count(const QByteArray& path)
{
    if (const auto slash = path.indexOf('/'); slash > 0)
        ++m_counts[QString::fromUtf8(path.left(slash))];
    if (m_snapshot.entries.size() + m_snapshot.omissions.size() <= m_request.mostEntries)
        return;
    const auto most = std::max_element(m_counts.begin(), m_counts.end());
    const QString example = most == m_counts.end() ? QStringLiteral("data") : most.key();
    fail({ErrorKind::Invalid,
        tr("%1 has more than %2 files.").arg(m_snapshot.folder).arg(m_request.mostEntries),
        tr("Write what the run does not need into a file named .slipwayignore there, one pattern "
           "per line, for example: %1/")
            .arg(example)});
}

bool FolderReader::addIgnoreFiles(const QByteArray& path)
{
    for (const char* name : {".gitignore", ".slipwayignore"}) {
        const QByteArray file = path.isEmpty() ? QByteArray(name) : path + '/' + name;
        const OpenFile open(at(file), O_RDONLY); // as in Git, not if it is a link
        QFile reader;
        struct stat status = {};
        if (open.get() < 0 || ::fstat(open.get(), &status) != 0 || !S_ISREG(status.st_mode)
            || !reader.open(open.get(), QIODevice::ReadOnly))
            continue;
        const QByteArray text = reader.read(largestIgnoreFile + 1);
        if (m_rules.add(path, text))
            continue;
        fail({ErrorKind::Invalid,
            tr("%1 is too large: it says what stays here in more than 10,000 lines.")
                .arg(QString::fromUtf8(file)),
            tr("Use patterns in place of single names.")});
        return false;
    }
    return true;
}

void FolderReader::readFolder(const QByteArray& path, int depth)
{
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(at(path).constData()), ::closedir);
    if (!folder) {
        if (errno != ENOENT)
            omit(path, tr("This folder cannot be read: %1.").arg(systemReason(errno)));
        return;
    }
    const auto rules = m_rules.size();
    if (!addIgnoreFiles(path))
        return;
    std::vector<QByteArray> names;
    while (const auto* entry = ::readdir(folder.get())) {
        const QByteArray name = entry->d_name;
        if (name != "." && name != ".." && name != ".git")
            names.push_back(name);
        if (++m_namesSeen > mostNamesSeen) {
            fail({ErrorKind::Invalid,
                tr("%1 has more than %2 files.").arg(m_snapshot.folder).arg(mostNamesSeen),
                tr("Launch from a smaller folder, or move data out of it.")});
            return;
        }
    }
    std::sort(names.begin(), names.end());
    for (const auto& name : names) {
        if (m_error)
            return;
        readName(path.isEmpty() ? name : path + '/' + name, depth);
    }
    m_rules.cut(rules);
}

void FolderReader::readName(const QByteArray& path, int depth)
{
    struct stat status = {};
    if (::lstat(at(path).constData(), &status) != 0)
        return; // it has gone since
    const bool isFolder = S_ISDIR(status.st_mode);
    if (m_rules.isIgnored(path, isFolder))
        return;
    if (m_rules.steps() > mostIgnoreSteps)
        return fail({ErrorKind::Invalid,
            tr("The patterns of .gitignore and .slipwayignore take too long to compare."),
            tr("Use fewer or simpler patterns.")});
    const QString name = QString::fromUtf8(path);
    if (name.toUtf8() != path || !isSafeRelativeName(name))
        return omit(
            path, tr("The name has characters that are not safe on the cluster."), status.st_size);
    if (isFolder && depth > 100)
        return omit(path, tr("The folders are nested more than 100 deep."));
    if (isFolder)
        return readFolder(path, depth + 1);
    if (S_ISLNK(status.st_mode))
        return readLink(path);
    if (S_ISREG(status.st_mode))
        return readFile(path, status);
    omit(path, tr("It is not a regular file, but a device, a pipe or a socket."));
}

/// A link is kept if it leads to something in the folder: both as it is written, which is what the
/// cluster will see, and as it is resolved here, with other links on its way.
void FolderReader::readLink(const QByteArray& path)
{
    std::array<char, PATH_MAX> buffer = {};
    const auto size = ::readlink(at(path).constData(), buffer.data(), buffer.size());
    if (size <= 0)
        return;
    const QByteArray target(buffer.data(), qsizetype(size));
    if (target.startsWith('/'))
        return omit(path,
            tr("This link leads to an absolute path: %1.")
                .arg(QString::fromUtf8(target.left(200))));
    SnapshotEntry entry;
    entry.path = QString::fromUtf8(path);
    entry.linkTarget = QString::fromUtf8(target);
    Snapshot alone;
    alone.entries.push_back(entry);
    bool inside =
        entry.linkTarget.toUtf8() == target && Snapshot::readManifest(alone.manifest()).ok();
    const std::unique_ptr<char, void (*)(void*)> real(
        ::realpath(at(path).constData(), nullptr), ::free);
    // What is not there cannot be resolved; another link on its way could make ".." lead out.
    const auto named =
        std::find_if(target.begin(), target.end(), [](char c) { return c != '.' && c != '/'; });
    if (!real && QByteArrayView(named, target.end()).contains(".."))
        inside = false;
    if (inside && real) {
        const QByteArray there = real.get();
        inside = there == m_top || there.startsWith(QByteArray(m_top + '/'));
    }
    if (!inside)
        return omit(path,
            tr("This link leads out of the folder: %1.").arg(QString::fromUtf8(target.left(200))));
    m_snapshot.entries.push_back(std::move(entry));
    count(path);
}

void FolderReader::readFile(const QByteArray& path, const struct stat& status)
{
    SnapshotEntry entry;
    entry.path = QString::fromUtf8(path);
    if (status.st_size > m_request.largeBytes && !m_wanted.contains(entry.path))
        return omit(path, tr("It is larger than %1.").arg(ByteCount(m_request.largeBytes).text()),
            status.st_size, true);
    entry.bytes = status.st_size;
    entry.isExecutable = status.st_mode & S_IXUSR;
    auto stamp = FileStamp::of(status);
    entry.sha256 = m_keeper.find(entry.path, stamp);
    if (entry.sha256.isEmpty()) {
        const qint64 began = nowNs();
        auto hashed = Hashing::Changed;
        for (int i = 0; i < mostReadings && hashed == Hashing::Changed; ++i)
            hashed = hash(path, &entry, &stamp);
        if (hashed == Hashing::Gone)
            return;
        if (hashed == Hashing::Failed)
            return omit(path, tr("It cannot be read: %1.").arg(systemReason(errno)), entry.bytes);
        if (hashed == Hashing::Changed)
            return fail({ErrorKind::Io,
                tr("%1 changes while it is read: something is writing to it.").arg(entry.path),
                tr("Wait until it is complete, or name it in .slipwayignore.")});
        m_keeper.keep(entry.path, stamp, entry.sha256, began);
    }
    m_snapshot.entries.push_back(std::move(entry));
    count(path);
}

FolderReader::Hashing FolderReader::hash(
    const QByteArray& path, SnapshotEntry* entry, FileStamp* stamp)
{
    const OpenFile file(at(path), O_RDONLY);
    struct stat status = {};
    if (file.get() < 0)
        return errno == ENOENT ? Hashing::Gone
            : errno == ELOOP   ? Hashing::Changed
                               : Hashing::Failed;
    if (::fstat(file.get(), &status) != 0)
        return Hashing::Failed;
    if (!S_ISREG(status.st_mode))
        return Hashing::Changed;
    *stamp = FileStamp::of(status);
    QCryptographicHash sum(QCryptographicHash::Sha256);
    QByteArray block(1024 * 1024, Qt::Uninitialized);
    qint64 size = 0;
    while (size <= stamp->bytes) { // one that grows as fast as it is read has an end as well
        const auto got = ::read(file.get(), block.data(), std::size_t(block.size()));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return Hashing::Failed;
        if (got == 0)
            break;
        sum.addData(QByteArrayView(block).first(qsizetype(got)));
        size += got;
    }
    if (::fstat(file.get(), &status) != 0 || FileStamp::of(status) != *stamp
        || size != stamp->bytes)
        return Hashing::Changed;
    entry->bytes = size;
    entry->isExecutable = status.st_mode & S_IXUSR;
    entry->sha256 = sum.result().toHex();
    return Hashing::Done;
}

Result<Snapshot> FolderReader::read()
{
    const QFileInfo folder(m_request.folder);
    if (m_top.isEmpty() || !folder.isDir())
        return Error{ErrorKind::NotFound, tr("There is no folder %1.").arg(m_request.folder),
            tr("Choose the folder of your program.")};
    if (m_top == "/" || m_top == QFile::encodeName(QFileInfo(QDir::homePath()).canonicalFilePath()))
        return Error{ErrorKind::Invalid,
            tr("%1 is not uploaded as a whole.").arg(m_snapshot.folder),
            tr("Put your program into a folder of its own.")};
    readFolder({}, 0);
    if (m_error)
        return *m_error;
    const auto byPath = [](const auto& a, const auto& b) { return a.path < b.path; };
    std::sort(m_snapshot.entries.begin(), m_snapshot.entries.end(), byPath);
    std::sort(m_snapshot.omissions.begin(), m_snapshot.omissions.end(), byPath);
    (void)m_keeper.save(); // without it, the files are read again next time
    m_snapshot.git = readGitState(m_snapshot.folder);
    return std::move(m_snapshot);
}

} // namespace

Result<Snapshot> takeSnapshot(const SnapshotRequest& request)
{
    FolderReader reader(request);
    return reader.read();
}

} // namespace slipway
