// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/knownhosts.h"

#include "remote/base/tr.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMessageAuthenticationCode>

#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace slipway {

namespace {

/// '*' and '?' as OpenSSH's match_pattern: iterative, so that every pattern is fast.
bool patternMatches(const QByteArray& pattern, const QByteArray& text)
{
    qsizetype p = 0;
    qsizetype t = 0;
    qsizetype star = -1;
    qsizetype mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])
            && pattern[p] != '*') {
            ++p;
            ++t;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (star >= 0) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

bool hashMatches(const QByteArray& field, const QByteArray& name)
{
    const auto parts = field.split('|'); // "", "1", salt, hash
    if (parts.size() != 4 || parts[1] != "1")
        return false;
    const auto salt = QByteArray::fromBase64(parts[2]);
    return QMessageAuthenticationCode::hash(name, salt, QCryptographicHash::Sha1).toBase64()
        == parts[3];
}

Error writeError(const QString& file)
{
    return {ErrorKind::Io, tr("The host key could not be saved in %1.").arg(file),
        tr("Check that you own the file and its folder and can write to them."),
        QByteArray(strerror(errno))};
}

} // namespace

QString HostKey::sha256() const
{
    const auto digest =
        QCryptographicHash::hash(QByteArray::fromBase64(base64), QCryptographicHash::Sha256);
    return QStringLiteral("SHA256:")
        + QString::fromLatin1(digest.toBase64(QByteArray::OmitTrailingEquals));
}

bool knownHostMatches(const QByteArray& field, const QByteArray& name)
{
    if (field.startsWith('|'))
        return hashMatches(field, name);
    bool matches = false;
    for (const auto& pattern : field.toLower().split(',')) {
        if (pattern.startsWith('!')) {
            if (patternMatches(pattern.mid(1), name))
                return false;
        } else if (patternMatches(pattern, name)) {
            matches = true;
        }
    }
    return matches;
}

QByteArray KnownHosts::recordName(const QString& host, int port)
{
    const auto name = host.toLower().toUtf8();
    return port == 22 ? name : QByteArray('[' + name + "]:" + QByteArray::number(port));
}

KnownHosts::KnownHosts(const QStringList& files, const QString& host, int port)
    : m_name(recordName(host, port))
{
    for (const auto& file : files)
        read(file);
}

void KnownHosts::read(const QString& file)
{
    QFile source(file);
    if (!source.open(QIODevice::ReadOnly))
        return;
    for (int line = 1; !source.atEnd(); ++line)
        readLine(source.readLine(), file, line);
}

void KnownHosts::addLines(const QByteArray& lines, const QString& name)
{
    int number = 0;
    for (const QByteArray& line : lines.split('\n'))
        readLine(line, name, ++number);
}

void KnownHosts::readLine(const QByteArray& text, const QString& file, int line)
{
    auto fields = text.simplified().split(' ');
    QByteArray mark;
    if (fields[0].startsWith('@'))
        mark = fields.takeFirst();
    if (fields.size() < 3 || fields[0].startsWith('#') || !knownHostMatches(fields[0], m_name))
        return;
    const HostKey key{fields[1], fields[2]};
    if (mark.isEmpty())
        m_entries.push_back({file, line, Entry::Mark::None, key});
    else if (mark == "@revoked")
        m_entries.push_back({file, line, Entry::Mark::Revoked, key});
    else if (mark == "@cert-authority")
        m_entries.push_back({file, line, Entry::Mark::Authority, key});
}

std::vector<HostKey> KnownHosts::authorities() const
{
    std::vector<HostKey> keys;
    for (const auto& entry : m_entries) {
        const bool revoked = std::any_of(m_entries.begin(), m_entries.end(), [&](const Entry& one) {
            return one.mark == Entry::Mark::Revoked && one.key.base64 == entry.key.base64;
        });
        if (entry.mark == Entry::Mark::Authority && !revoked)
            keys.push_back(entry.key);
    }
    return keys;
}

bool KnownHosts::isRevokedBy(const QByteArray& list, const HostKey& key)
{
    for (const QByteArray& line : list.split('\n')) {
        const auto fields = line.simplified().split(' ');
        if (fields.value(0) == key.type && fields.value(1) == key.base64)
            return true;
    }
    return false;
}

KnownHosts::Judgement KnownHosts::judge(const HostKey& key) const
{
    Judgement judgement;
    for (const auto& entry : m_entries) {
        const bool same = entry.key.base64 == key.base64 && entry.key.type == key.type;
        const bool revoked = entry.mark == Entry::Mark::Revoked;
        if (revoked && same) // wins over every other line
            return {Verdict::Revoked, entry.file, entry.line, entry.key.type};
        if (entry.mark != Entry::Mark::None || judgement.verdict == Verdict::Known)
            continue;
        if (same)
            judgement = {Verdict::Known, entry.file, entry.line, entry.key.type};
        else if (entry.key.type == key.type && judgement.verdict != Verdict::Changed)
            judgement = {Verdict::Changed, entry.file, entry.line, entry.key.type};
        else if (judgement.verdict == Verdict::Unknown)
            judgement = {Verdict::OtherType, entry.file, entry.line, entry.key.type};
    }
    return judgement;
}

QList<QByteArray> KnownHosts::types() const
{
    QList<QByteArray> types;
    for (const auto& entry : m_entries)
        if (entry.mark == Entry::Mark::None && !types.contains(entry.key.type))
            types.append(entry.key.type);
    return types;
}

Result<void> KnownHosts::append(
    const QString& file, const QString& host, int port, const HostKey& key)
{
    if (const QFileInfo there(file); there.exists() && !there.isFile() && !there.isDir())
        return {}; // /dev/null: the user wants no keys to be stored
    const auto folder = QFileInfo(file).absolutePath();
    if (!QDir().exists(folder)) {
        QDir().mkpath(folder);
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    QFile record;
    const int fd =
        ::open(QFile::encodeName(file).constData(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0
        || !record.open(fd, QIODevice::ReadWrite | QIODevice::Append, QFile::AutoCloseHandle))
        return writeError(file);
    ::flock(fd,
        LOCK_EX); // two instances may add a host at the same time; released when the file closes
    struct stat info { };
    char last = '\n';
    if (::fstat(fd, &info) == 0 && info.st_size > 0 && ::pread(fd, &last, 1, info.st_size - 1) != 1)
        last = 0;
    const QByteArray line = (last == '\n' ? QByteArray() : QByteArray("\n"))
        + recordName(host, port) + ' ' + key.type + ' ' + key.base64 + '\n';
    if (::write(fd, line.constData(), size_t(line.size())) != line.size() || ::fsync(fd) != 0)
        return writeError(file);
    return {};
}

} // namespace slipway
