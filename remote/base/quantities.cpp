// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/base/quantities.h"

#include "remote/base/tr.h"

#include <QRegularExpression>
#include <QStringList>

#include <array>

namespace slipway {

namespace {

constexpr qint64 longestSeconds = qint64(10) * 365 * 24 * 3600; // more than any site's limit

Error badTime(const QString& text)
{
    return {ErrorKind::Invalid, tr("“%1” is not a time limit.").arg(text),
        tr("Write it as hours:minutes:seconds (0:30:00), days-hours (1-12) or minutes (30).")};
}

Error badMemory(const QString& text)
{
    return {ErrorKind::Invalid, tr("“%1” is not an amount of memory.").arg(text),
        tr("Write a whole number with K, M, G or T: 8G, 1500M.")};
}

} // namespace

Result<WallTime> WallTime::parse(const QString& text)
{
    const QString trimmed = text.trimmed();
    if (trimmed.compare(u"UNLIMITED", Qt::CaseInsensitive) == 0
        || trimmed.compare(u"INFINITE", Qt::CaseInsensitive) == 0)
        return unlimited();

    static const QRegularExpression form(
        QStringLiteral(R"(\A(?:(\d{1,5})-)?(\d{1,7})(?::(\d{1,4}))?(?::(\d{1,4}))?\z)"));
    const auto match = form.match(trimmed);
    if (!match.hasMatch())
        return badTime(text);
    const bool hasDays = match.hasCaptured(1);
    const qint64 first = match.captured(2).toLongLong();
    const qint64 second = match.captured(3).toLongLong();
    const qint64 third = match.captured(4).toLongLong();

    // The meaning of a single number or a pair depends on the days: "30" is minutes, "1-12" is
    // hours.
    qint64 seconds = 0;
    if (hasDays)
        seconds = match.captured(1).toLongLong() * 86400 + first * 3600 + second * 60 + third;
    else if (match.hasCaptured(4))
        seconds = first * 3600 + second * 60 + third;
    else
        seconds = first * 60 + second;
    if (seconds > longestSeconds)
        return badTime(text);
    return WallTime(std::chrono::seconds(seconds));
}

QString WallTime::slurmText() const
{
    if (isUnlimited())
        return QStringLiteral("UNLIMITED");
    const qint64 total = m_seconds.count();
    const QString clock = QStringLiteral("%1:%2:%3")
                              .arg(total / 3600 % 24, 2, 10, QLatin1Char('0'))
                              .arg(total / 60 % 60, 2, 10, QLatin1Char('0'))
                              .arg(total % 60, 2, 10, QLatin1Char('0'));
    return total < 86400 ? clock : QStringLiteral("%1-%2").arg(total / 86400).arg(clock);
}

std::strong_ordering WallTime::operator<=>(const WallTime& other) const
{
    if (isUnlimited() || other.isUnlimited())
        return isUnlimited() <=> other.isUnlimited();
    return m_seconds.count() <=> other.m_seconds.count();
}

QString ByteCount::text() const
{
    static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = double(m_bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    const int decimals = unit == 0 || value >= 100 ? 0 : 1;
    return QString::number(value, 'f', decimals) + QChar(u' ') + QLatin1String(units[unit]);
}

Result<MemorySize> MemorySize::parse(const QString& text)
{
    static const QRegularExpression form(QStringLiteral(R"(\A(\d{1,12})\s*([KMGT]?)(?:i?B)?\z)"),
        QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text.trimmed());
    if (!match.hasMatch())
        return badMemory(text);
    const qint64 number = match.captured(1).toLongLong();
    const QString unit = match.captured(2).toUpper();
    if (unit == u"K")
        return MemorySize((number + 1023) / 1024);
    if (unit == u"G")
        return MemorySize(number * 1024);
    if (unit == u"T")
        return MemorySize(number * 1024 * 1024);
    return MemorySize(number); // sbatch(1): megabytes are the default unit
}

QString MemorySize::slurmText() const
{
    if (m_mebibytes > 0 && m_mebibytes % 1024 == 0)
        return QStringLiteral("%1G").arg(m_mebibytes / 1024);
    return QStringLiteral("%1M").arg(m_mebibytes);
}

QString durationText(std::chrono::seconds duration)
{
    const qint64 total = std::max<qint64>(0, duration.count());
    const qint64 hours = total / 3600;
    const QString tail = QStringLiteral("%1:%2")
                             .arg(total / 60 % 60, hours > 0 ? 2 : 1, 10, QLatin1Char('0'))
                             .arg(total % 60, 2, 10, QLatin1Char('0'));
    if (hours == 0)
        return tail;
    if (hours < 24)
        return QStringLiteral("%1:%2").arg(hours).arg(tail);
    return QStringLiteral("%1 d %2:%3")
        .arg(hours / 24)
        .arg(hours % 24, 2, 10, QLatin1Char('0'))
        .arg(tail);
}

} // namespace slipway
