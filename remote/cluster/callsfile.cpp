// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/callsfile.h"

#include "remote/base/fd.h"
#include "remote/base/runtimefolder.h"

#include <QCryptographicHash>
#include <QFile>
#include <QRandomGenerator>
#include <QtEndian>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

using namespace std::chrono_literals;

namespace slipway {

namespace {

constexpr auto minute = 60s;
constexpr qsizetype mostCalls = 256;
constexpr qsizetype bootSize = 16;
constexpr qsizetype timeSize = 8;
constexpr int lockTries = 25;
constexpr auto longestHold = 1s; ///< a process that holds the lock for longer is stopped
constexpr int callerShift = 48; ///< above the time: 15 bits of the caller, and one of a wish
constexpr quint16 wishBit = 0x8000;
const QByteArray mark = QByteArrayLiteral("slipcal2");

/// Times of another boot mean nothing.
const QByteArray& thisBoot()
{
    static const QByteArray boot = [] {
        QFile file(QStringLiteral("/proc/sys/kernel/random/boot_id"));
        const QByteArray id = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        return QCryptographicHash::hash(id, QCryptographicHash::Sha256).left(bootSize);
    }();
    return boot;
}

struct LockedFile {
    Fd fd; ///< invalid: the file is not ours, or
    bool isBusy = false; ///< another process, perhaps a stopped one, does not give up its lock
};

LockedFile lockedFile(const QString& path)
{
    Fd fd(::open(
        QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    struct stat info { };
    if (!fd.valid() || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)
        || info.st_uid != ::geteuid() || (info.st_mode & 077) != 0)
        return {};
    for (int i = 0; i < lockTries; ++i) {
        if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0)
            return {std::move(fd), false};
        ::usleep(1000);
    }
    return {Fd(), true};
}

QByteArray contentOf(const Fd& fd)
{
    QByteArray bytes(mark.size() + bootSize + mostCalls * timeSize, '\0');
    const auto n = ::pread(fd.get(), bytes.data(), size_t(bytes.size()), 0);
    bytes.truncate(std::max<qsizetype>(0, n));
    return bytes;
}

} // namespace

NotedCalls callsIn(const QByteArray& bytes, const QByteArray& boot, std::chrono::milliseconds now)
{
    NotedCalls calls;
    if (!bytes.startsWith(mark) || bytes.mid(mark.size(), bootSize) != boot)
        return calls;
    for (qsizetype at = mark.size() + bootSize; at + timeSize <= bytes.size(); at += timeSize) {
        const auto word = qFromBigEndian<quint64>(bytes.constData() + at);
        const std::chrono::milliseconds time(qint64(word << 16) >> 16);
        const auto above = quint16(word >> callerShift);
        if (time > now - minute && time <= now)
            calls.push_back({time, quint16(above & ~wishBit), (above & wishBit) != 0});
    }
    std::sort(calls.begin(), calls.end());
    return calls;
}

QByteArray callsFileOf(const NotedCalls& calls, const QByteArray& boot)
{
    QByteArray bytes = mark + boot.leftJustified(bootSize, '\0', true);
    const qsizetype count = qsizetype(calls.size());
    for (qsizetype i = std::max<qsizetype>(0, count - mostCalls); i < count; ++i) {
        const NotedCall& call = calls[size_t(i)];
        const quint64 above = quint64(call.caller) | (call.isWish ? wishBit : 0);
        const quint64 time = quint64(call.time.count()) & ((quint64(1) << callerShift) - 1);
        char word[timeSize];
        qToBigEndian(above << callerShift | time, word);
        bytes.append(word, timeSize);
    }
    return bytes;
}

int roomFor(quint16 caller, const NotedCalls& calls, int limit)
{
    const auto made = [&calls](quint16 by) {
        return std::count_if(calls.begin(), calls.end(),
            [by](const NotedCall& call) { return call.caller == by && !call.isWish; });
    };
    const auto own = made(caller);
    int room = limit;
    for (const NotedCall& call : calls) {
        if (!call.isWish || (call.caller != caller && made(call.caller) < own))
            --room;
    }
    return room;
}

CallsFile::CallsFile(QString path)
    : m_path(std::move(path))
    , m_caller(quint16(QRandomGenerator::system()->bounded(int(wishBit))))
{
}

CallsFile CallsFile::forAccount(const QString& account)
{
    const auto folder = runtimeFolder();
    if (account.isEmpty() || !folder.ok())
        return CallsFile({});
    const QByteArray name =
        QCryptographicHash::hash(account.toUtf8(), QCryptographicHash::Sha256).toHex().left(32);
    return CallsFile(*folder + u'/' + QString::fromLatin1(name) + QStringLiteral(".calls"));
}

CallTimes CallsFile::calls() const
{
    if (m_path.isEmpty())
        return {};
    const Fd fd = lockedFile(m_path).fd;
    CallTimes times;
    for (const NotedCall& call :
        fd.valid() ? callsIn(contentOf(fd), thisBoot(), now()) : NotedCalls()) {
        if (!call.isWish)
            times.push_back(call.time);
    }
    return times;
}

bool CallsFile::add(int count, std::optional<int> limit) const
{
    if (m_path.isEmpty())
        return true;
    const auto [fd, isBusy] = lockedFile(m_path);
    const auto time = now();
    if (isBusy && !m_busySince)
        m_busySince = time;
    if (!fd.valid())
        return !limit || !isBusy || time - *m_busySince >= longestHold;
    m_busySince.reset();
    NotedCalls calls = callsIn(contentOf(fd), thisBoot(), time);
    std::erase_if(
        calls, [this](const NotedCall& call) { return call.isWish && call.caller == m_caller; });
    const bool hasRoom = !limit || count <= roomFor(m_caller, calls, *limit);
    calls.insert(calls.end(), size_t(std::max(0, count)), NotedCall{time, m_caller, !hasRoom});
    const QByteArray bytes = callsFileOf(calls, thisBoot());
    if (::pwrite(fd.get(), bytes.constData(), size_t(bytes.size()), 0) == bytes.size())
        [[maybe_unused]]
        const int cut = ::ftruncate(fd.get(), bytes.size());
    return hasRoom;
}

std::chrono::milliseconds CallsFile::now()
{
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

} // namespace slipway
