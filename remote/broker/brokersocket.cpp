// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/brokersocket.h"

#include "remote/base/runtimefolder.h"
#include "remote/base/tr.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace slipway {

namespace {

constexpr int backlog = 64;

Error failed(ErrorKind kind, const QString& socket)
{
    return {kind, tr("The socket “%1” cannot be used.").arg(socket), {}, std::strerror(errno)};
}

/// The address of a socket. A path that is longer than an address may be goes by way of the
/// folder's descriptor, which has to stay open meanwhile.
struct Address {
    Address(const QString& socket)
        : folder(::open(QFile::encodeName(QFileInfo(socket).path()).constData(),
            O_PATH | O_DIRECTORY | O_CLOEXEC))
    {
        QByteArray path = QFile::encodeName(socket);
        if (path.size() >= qsizetype(sizeof(un.sun_path)))
            path = "/proc/self/fd/" + QByteArray::number(folder.get()) + '/'
                + QFile::encodeName(QFileInfo(socket).fileName());
        un.sun_family = AF_UNIX;
        std::strncpy(un.sun_path, path.constData(), sizeof(un.sun_path) - 1);
    }
    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&un); }

    Fd folder;
    sockaddr_un un{};
};

bool isOwnPeer(int fd)
{
    ucred peer{};
    socklen_t size = sizeof(peer);
    return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

Fd newSocket()
{
    return Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

QByteArray lockName(const QString& socket)
{
    return QFile::encodeName(socket.chopped(QFileInfo(socket).suffix().size()))
        + QByteArrayLiteral("lock");
}

} // namespace

Result<Fd> connectToBroker(const QString& socket)
{
    const QString folder = QFileInfo(socket).path();
    if (!QFileInfo::exists(folder))
        return failed(ErrorKind::NotFound, socket);
    if (const auto isPrivate = checkPrivateFolder(folder); !isPrivate.ok())
        return isPrivate.error();
    struct stat info { };
    if (::lstat(QFile::encodeName(socket).constData(), &info) != 0)
        return failed(ErrorKind::NotFound, socket);
    if (!S_ISSOCK(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & 077) != 0)
        return Error{ErrorKind::Refused,
            tr("The socket “%1” is not used: it is not yours alone.").arg(socket),
            tr("Delete it; it must be a socket of your own with mode 0600.")};
    Fd fd = newSocket();
    const Address address(socket);
    if (::connect(fd.get(), address.get(), sizeof(address.un)) != 0)
        return failed(errno == ECONNREFUSED || errno == ENOENT || errno == EAGAIN
                ? ErrorKind::NotFound
                : ErrorKind::Io,
            socket);
    if (!isOwnPeer(fd.get()))
        return Error{ErrorKind::Refused,
            tr("The socket “%1” is not used: another person's process answers there.").arg(socket)};
    return fd;
}

Result<std::unique_ptr<BrokerSocket>> BrokerSocket::listenAt(const QString& socket)
{
    using Listening = Result<std::unique_ptr<BrokerSocket>>;
    const auto isPrivate = checkPrivateFolder(QFileInfo(socket).path());
    if (!isPrivate.ok())
        return isPrivate.error();
    Fd lock(::open(lockName(socket).constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!lock.valid() || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
        return failed(ErrorKind::Refused, socket);
    // With the lock, what is left of another one can only be of a broker that is gone.
    const QByteArray name = QFile::encodeName(socket);
    ::unlink(name.constData());
    Fd listener = newSocket();
    const Address address(socket);
    const mode_t before = ::umask(0177);
    const bool bound = ::bind(listener.get(), address.get(), sizeof(address.un)) == 0;
    ::umask(before);
    if (!bound || ::listen(listener.get(), backlog) != 0)
        return failed(ErrorKind::Io, socket);
    return Listening(std::unique_ptr<BrokerSocket>(
        new BrokerSocket(socket, std::move(lock), std::move(listener))));
}

BrokerSocket::BrokerSocket(const QString& socket, Fd lock, Fd listener)
    : m_socket(socket)
    , m_lock(std::move(lock))
    , m_listener(std::move(listener))
    , m_notifier(m_listener.get(), QSocketNotifier::Read)
{
    connect(&m_notifier, &QSocketNotifier::activated, this, &BrokerSocket::accept);
}

BrokerSocket::~BrokerSocket()
{
    m_notifier.setEnabled(false);
    ::unlink(QFile::encodeName(m_socket).constData()); // before the lock is free
}

void BrokerSocket::accept()
{
    Fd fd(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (fd.valid() && isOwnPeer(fd.get()) && onConnection)
        onConnection(std::move(fd));
}

} // namespace slipway

#include "moc_brokersocket.cpp"
