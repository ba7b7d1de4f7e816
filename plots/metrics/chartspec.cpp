// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/chartspec.h"

#include "plots/metrics/seriesstore.h"
#include "remote/base/tr.h"

#include <QStringView>

namespace slipway {

namespace {

/// Matches a name against a pattern in which "*" matches any text. Written by hand because a
/// QRegularExpression would be compiled for each series of each frame.
bool matches(QStringView pattern, QStringView name)
{
    qsizetype p = 0, n = 0, star = -1, resume = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == u'*') {
            star = p++;
            resume = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (star >= 0) {
            p = star + 1;
            n = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == u'*')
        ++p;
    return p == pattern.size();
}

bool isSeparator(QChar c)
{
    return c == u' ' || c == u',';
}

bool passesFilter(const ChartSpec& spec, const QString& series, bool fromNode)
{
    if (!spec.only.isEmpty() && !spec.only.contains(series))
        return false;
    const QStringView filter(spec.series);
    bool empty = true;
    for (qsizetype i = 0; i < filter.size();) {
        if (isSeparator(filter[i])) {
            ++i;
            continue;
        }
        qsizetype end = i;
        while (end < filter.size() && !isSeparator(filter[end]))
            ++end;
        const QStringView pattern = filter.mid(i, end - i);
        if (fromNode ? pattern == series : matches(pattern, series))
            return true;
        empty = false;
        i = end;
    }
    return empty && !fromNode;
}

} // namespace

bool chartShows(const ChartSpec& spec, const QString& series)
{
    return passesFilter(spec, series, false);
}

bool chartShows(const ChartSpec& spec, const MetricSeries& series)
{
    return passesFilter(spec, series.series(), series.isFromNode());
}

QString xNameOf(const ChartSpec& spec, const MetricSeries& series)
{
    const bool own = spec.x.name.isEmpty() || spec.x.name == QLatin1String("line");
    return own ? series.xName() : spec.x.name;
}

bool isLossSeries(const QString& series)
{
    return series == QLatin1String("loss") || series.endsWith(QLatin1String("_loss"))
        || series.startsWith(QLatin1String("loss_"));
}

bool isMeasuredBeside(const QString& series)
{
    return series.startsWith(u"gpu_") ? series == u"gpu_utilization" || series == u"gpu_memory"
            || series == u"gpu_power" || series == u"gpu_temperature"
                                      : series == u"cpu_utilization" || series == u"host_memory";
}

QString referenceWords(const ReferenceSeries& reference)
{
    if (!reference.notComparable.isEmpty())
        return tr("not comparable: %1").arg(reference.notComparable);
    return reference.conditions.isEmpty()
        ? reference.source
        : reference.source + QStringLiteral("; ") + reference.conditions;
}

} // namespace slipway
