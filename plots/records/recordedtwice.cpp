// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/records/recordedtwice.h"

#include <QHash>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace slipway {

namespace {

bool isWholeEpoch(const QString& xName, double x)
{
    return xName == u"epoch" && x == std::floor(x);
}

/// "val", "val.csv", of a folder or a file.
bool namesValidation(const QString& part)
{
    static const QStringList words{QStringLiteral("val"), QStringLiteral("valid"),
        QStringLiteral("validation"), QStringLiteral("test"), QStringLiteral("eval"),
        QStringLiteral("evaluation"), QStringLiteral("dev")};
    return words.contains(part.section(u'.', 0, 0));
}

/// The name of a quantity, however the log or the file calls it.
QString quantityOf(const CurveId& curve)
{
    const QString train = QStringLiteral("train_");
    const QString name =
        curve.series.startsWith(train) ? curve.series.mid(train.size()) : curve.series;
    const QStringList parts = curve.lane.toLower().split(u'/');
    const bool validates = std::any_of(parts.begin(), parts.end(), namesValidation);
    return validates && !namesValidation(name.section(u'_', 0, 0)) ? u"valid_" + name : name;
}

/// What tells the files of one logger from those of another: "csv"; empty for a folder.
QString kindOf(const QString& lane)
{
    const QString file = lane.section(u'/', -1);
    const qsizetype dot = file.lastIndexOf(u'.');
    return dot < 0 ? QString() : file.mid(dot + 1);
}

} // namespace

CurveId curveIdOf(const Sample& first)
{
    return {first.series, first.lane, isWholeEpoch(first.xName, first.x)};
}

std::vector<CurveId> printedCurves(const SeriesStore& store)
{
    std::vector<CurveId> printed;
    for (const auto& curve : store.all()) {
        if (curve->source() == SampleSource::Node || curve->source() == SampleSource::LoggerFile)
            continue;
        const bool byEpoch = !curve->empty() && isWholeEpoch(curve->xName(), curve->at(0).x);
        printed.push_back({curve->series(), curve->lane(), byEpoch});
    }
    return printed;
}

QSet<CurveKey> recordedTwice(
    const std::vector<CurveId>& printed, const std::vector<CurveId>& recorded)
{
    QSet<std::pair<QString, bool>> inLog;
    for (const CurveId& curve : printed) {
        if (curve.lane.isEmpty())
            inLog.insert({quantityOf(curve), curve.byEpoch});
    }
    std::vector<std::tuple<QString, QString, CurveKey>> found;
    QHash<std::pair<QString, QString>, int> files; // by quantity and kind
    for (const CurveId& curve : recorded) {
        const QString quantity = quantityOf(curve);
        if (!inLog.contains({quantity, curve.byEpoch}))
            continue;
        const QString kind = kindOf(curve.lane);
        ++files[{quantity, kind}];
        found.emplace_back(quantity, kind, CurveKey(curve.series, curve.lane));
    }
    QSet<CurveKey> twice;
    for (const auto& [quantity, kind, key] : found) {
        if (files.value({quantity, kind}) == 1)
            twice.insert(key);
    }
    return twice;
}

} // namespace slipway
