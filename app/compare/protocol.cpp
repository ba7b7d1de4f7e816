// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/protocol.h"

#include "app/compare/fairness.h"
#include "app/compare/words.h"
#include "remote/base/counted.h"
#include "remote/base/tr.h"

#include <QLocale>

namespace slipway {

namespace {

using namespace racewords;

QString hardware(const Measurement& point)
{
    QStringList parts;
    if (!point.name.isEmpty())
        parts << point.name;
    if (point.device == QLatin1String("cpu") && point.threads && point.cpus)
        parts << tr("%1 of %2 CPUs that the job may use").arg(*point.threads).arg(*point.cpus);
    if (!point.library.isEmpty())
        parts << point.library;
    if (!point.node.isEmpty())
        parts << tr("node %1").arg(point.node);
    return parts.join(QStringLiteral(", "));
}

/// Clock, power and heat while it ran: a rate without the clock is no evidence.
QString conditions(const Measurement& point)
{
    QStringList parts;
    if (point.clockMedian) {
        QString clock = tr("clock %1").arg(quantity(*point.clockMedian, QStringLiteral("Hz")));
        if (point.clockLimit)
            clock += tr(" of %1").arg(quantity(*point.clockLimit, QStringLiteral("Hz")));
        parts << clock;
    }
    if (point.power)
        parts << quantity(*point.power, QStringLiteral("W"));
    if (point.temperature)
        parts << QString::number(*point.temperature, 'f', 0) + QStringLiteral(" °C");
    if (point.peak)
        parts << tr("measured peak %1")
                     .arg(quantity(*point.peak,
                         point.work == QLatin1String("triad") ? QStringLiteral("B/s")
                                                              : QStringLiteral("FLOP/s")));
    return parts.join(QStringLiteral(", "));
}

QString laneLine(const CompareLane& lane)
{
    if (lane.points.empty())
        return {};
    const Measurement& point = lane.points.back();
    QStringList parts;
    for (const QString& part : {hardware(point), conditions(point)})
        if (!part.isEmpty())
            parts << part;
    if (point.when.isValid())
        parts << QLocale().toString(point.when.toLocalTime(), QLocale::ShortFormat);
    if (parts.isEmpty())
        parts << tr("no details of the measurement are known");
    return lane.label + QStringLiteral(": ") + parts.join(QStringLiteral("; "));
}

QString repeatsLine(const Comparison& comparison)
{
    QStringList parts;
    for (const CompareLane* lane : {&comparison.a, &comparison.b}) {
        if (lane->points.empty())
            continue;
        const Measurement& point = lane->points.back();
        const QString warm = point.warmups
            ? counted(*point.warmups, tr("1 warm-up run"), tr("%1 warm-up runs"))
            : tr("warm-up unknown");
        const QString repeats = point.fromCurve && point.seconds.size() == 1
            ? tr("repeats unknown")
            : counted(qint64(point.seconds.size()), tr("1 repeat"), tr("%1 repeats"));
        parts << lane->label + QStringLiteral(": ") + warm + QStringLiteral(", ") + repeats;
    }
    return parts.join(QStringLiteral("; "));
}

} // namespace

QStringList protocolLines(const Comparison& comparison)
{
    QStringList lines;
    for (const CompareLane* lane : {&comparison.a, &comparison.b})
        if (const QString line = laneLine(*lane); !line.isEmpty())
            lines << line;
    lines << repeatsLine(comparison);
    lines << tr("The time covers the work alone, with its data in place before timing starts; "
                "“with transfers” includes the copies to the device and back.");
    lines << tr("A ratio is the ratio of the medians; its range holds 95 % of the ratios of 2000 "
                "bootstrap samples of the repeats.");
    lines.removeAll(QString());
    return lines;
}

} // namespace slipway
