// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/values.h"

#include "remote/base/quantities.h"

#include <QRegularExpression>
#include <QTimeZone>

#include <algorithm>
#include <limits>

namespace slipway {

std::optional<QDateTime> slurmTime(const QByteArray& text)
{
    bool ok = false;
    const qint64 seconds = text.trimmed().toLongLong(&ok);
    constexpr qint64 yearThreeThousand = 32'503'680'000;
    if (!ok || seconds <= 0 || seconds > yearThreeThousand)
        return std::nullopt;
    return QDateTime::fromSecsSinceEpoch(seconds, QTimeZone::utc());
}

std::optional<std::chrono::seconds> slurmDuration(const QByteArray& text)
{
    const auto time = WallTime::parse(QString::fromLatin1(text.left(64)));
    if (!time.ok() || time->isUnlimited())
        return std::nullopt;
    return time->seconds();
}

int slurmCount(const QByteArray& text)
{
    qint64 number = 0;
    for (const char c : text.trimmed()) {
        if (c < '0' || c > '9')
            break;
        number = std::min<qint64>(number * 10 + (c - '0'), std::numeric_limits<int>::max());
    }
    return int(number);
}

int slurmRelease(const QString& version)
{
    static const QRegularExpression form(QStringLiteral("(?<![.\\d])(\\d{2})\\.(\\d{2})(?!\\d)"));
    const auto match = form.match(version);
    return match.hasMatch() ? 100 * match.captured(1).toInt() + match.captured(2).toInt() : 0;
}

QString shownJobNumber(const QByteArray& text)
{
    const auto digits =
        std::find_if(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; });
    const QByteArray number = text.left(digits - text.begin());
    const QByteArray rest = text.mid(number.size());
    if (!isJobNumber(number))
        return {};
    if (rest.isEmpty() || rest == "+0")
        return QString::fromLatin1(number);
    const auto plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || c == '-' || c == '_' || c == '.';
    };
    const bool known = (rest[0] == '+' && isJobNumber(rest.mid(1)))
        || (rest[0] == '@' && rest.size() > 1 && rest.size() <= 64
            && std::all_of(rest.begin() + 1, rest.end(), plain));
    return known ? QString::fromLatin1(text) : QString();
}

bool isJobNumber(const QByteArray& text)
{
    return !text.isEmpty() && text.size() <= 10
        && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace slipway
