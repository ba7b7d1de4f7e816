// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/words.h"

#include "app/runs/runwords.h"
#include "remote/base/tr.h"

namespace slipway {

using namespace Qt::StringLiterals;

StateWord stateWord(RunPhase phase)
{
    switch (phase) {
    case RunPhase::Preparing:
        return {Sign::Clock, tr("preparing"), Tint::Running};
    case RunPhase::Submitting:
        return {Sign::Clock, tr("submitting"), Tint::Running};
    case RunPhase::Queued:
        return {Sign::Clock, tr("waiting"), Tint::Warning};
    case RunPhase::Running:
        return {Sign::Dot, tr("running"), Tint::Running};
    case RunPhase::Allocated:
        return {Sign::Dot, tr("allocation kept"), Tint::Running};
    case RunPhase::Done:
        return {Sign::Check, tr("done"), Tint::Done};
    case RunPhase::Failed:
        return {Sign::Cross, tr("failed"), Tint::Error};
    case RunPhase::Cancelled:
        return {Sign::Dash, tr("cancelled"), Tint::Second};
    case RunPhase::Unknown:
        break;
    }
    return {Sign::Bang, tr("ended, result unknown"), Tint::Warning};
}

StateWord stateWord(StageState state)
{
    switch (state) {
    case StageState::Running:
        return {Sign::Dot, tr("running"), Tint::Running};
    case StageState::Done:
        return {Sign::Check, tr("done"), Tint::Done};
    case StageState::Failed:
        return {Sign::Cross, tr("failed"), Tint::Error};
    case StageState::Skipped:
        return {Sign::Dash, tr("skipped"), Tint::Second};
    case StageState::Cancelled:
        return {Sign::Dash, tr("cancelled"), Tint::Second};
    case StageState::Pending:
        break;
    }
    return {Sign::None, tr("not started"), Tint::Second};
}

StateWord stateWord(ConnectionState::Phase phase)
{
    switch (phase) {
    case ConnectionState::Phase::Connecting:
        return {Sign::Clock, tr("connecting"), Tint::Running};
    case ConnectionState::Phase::Connected:
        return {Sign::Dot, tr("connected"), Tint::Done};
    case ConnectionState::Phase::Stalled:
        return {Sign::Bang, tr("not responding"), Tint::Warning};
    case ConnectionState::Phase::Reconnecting:
        return {Sign::Clock, tr("reconnecting"), Tint::Warning};
    case ConnectionState::Phase::NeedsUser:
        return {Sign::Cross, tr("connection lost"), Tint::Error};
    case ConnectionState::Phase::Disconnected:
        break;
    }
    return {Sign::Ring, tr("not connected"), Tint::Second};
}

QString clockText(const QDateTime& when, const QDateTime& now)
{
    const QDateTime local = when.toLocalTime();
    const QDate day = local.date(), today = now.toLocalTime().date();
    return local.toString(day == today   ? u"HH:mm"_s
            : day.year() == today.year() ? u"d MMM, HH:mm"_s
                                         : u"d MMM yyyy, HH:mm"_s);
}

QString agoText(const QDateTime& when, const QDateTime& now)
{
    if (!when.isValid()) {
        return tr("never");
    }
    const qint64 seconds = when.secsTo(now);
    if (seconds < 0 || seconds < 2) {
        return tr("just now");
    }
    if (seconds < 60) {
        return tr("%1 s ago").arg(seconds);
    }
    if (seconds < 3600) {
        return tr("%1 min ago").arg(seconds / 60);
    }
    const QDateTime local = when.toLocalTime();
    const qint64 days = local.date().daysTo(now.toLocalTime().date());
    if (days == 0) {
        return tr("today %1").arg(local.toString(u"HH:mm"_s));
    }
    if (days == 1) {
        return tr("yesterday %1").arg(local.toString(u"HH:mm"_s));
    }
    return local.toString(u"d MMM yyyy, HH:mm"_s);
}

QString runTitle(const Run& run)
{
    return runName(run);
}

QString foldedPath(const QString& path)
{
    const QStringList parts = path.split(u'/', Qt::SkipEmptyParts);
    if (path.size() < 44 || parts.size() < 4) {
        return path;
    }
    return u"/"_s % parts.first() % u"/…/"_s % parts.mid(parts.size() - 2).join(u'/');
}

} // namespace slipway
