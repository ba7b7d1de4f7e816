// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/patternspec.h"

#include "remote/base/tr.h"

#include <QRegularExpression>

namespace slipway {

namespace {

constexpr qsizetype longestPattern = 2000;
constexpr int mostCaptures = 64; // as many numbers as allowed per line elsewhere

} // namespace

QString patternProblem(const PatternSpec& spec)
{
    if (spec.match.isEmpty())
        return tr("a pattern is empty");
    const QString shown = spec.match.size() > 80 ? spec.match.left(80) + u'…' : spec.match;
    if (spec.match.size() > longestPattern)
        return tr("the pattern “%1” is longer than %2 characters").arg(shown).arg(longestPattern);
    const QRegularExpression expression(spec.match);
    if (!expression.isValid())
        return tr("the pattern “%1” is no regular expression: %2, at character %3")
            .arg(shown, expression.errorString())
            .arg(expression.patternErrorOffset());
    if (expression.captureCount() > mostCaptures)
        return tr("the pattern “%1” has more than %2 captures").arg(shown).arg(mostCaptures);
    QStringList names = expression.namedCaptureGroups();
    names.removeAll(QString());
    for (const QString& name : {spec.x, spec.lane}) {
        if (!name.isEmpty() && !names.contains(name))
            return tr("the pattern “%1” has no capture “%2”").arg(shown, name);
    }
    for (auto unit = spec.units.begin(); unit != spec.units.end(); ++unit) {
        if (!names.contains(unit.key()))
            return tr("the pattern “%1” has no capture “%2”, which has a unit")
                .arg(shown, unit.key());
    }
    names.removeAll(spec.x);
    names.removeAll(spec.lane);
    if (names.isEmpty())
        return tr("the pattern “%1” captures nothing to draw").arg(shown);
    return {};
}

} // namespace slipway
