// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runrace.h"

#include "app/compare/racecurves.h"

#include <QDir>
#include <QFile>
#include <QJsonObject>

namespace slipway {

namespace {

constexpr qint64 largestRaceFile = 20 * 1024 * 1024;

/// The form values that determine the amount of work; not where it runs, nor how often it is
/// measured.
QMap<QString, QString> settingsOf(const Recipe& recipe, const QJsonObject& values)
{
    static const QStringList measuring{QStringLiteral("repeats"), QStringLiteral("warmup"),
        QStringLiteral("sizes"), QStringLiteral("data")};
    QMap<QString, QString> settings;
    for (const Parameter& parameter : recipe.parameters)
        if (parameter.type != Parameter::Type::Lanes && parameter.type != Parameter::Type::Image
            && !measuring.contains(parameter.key) && values.contains(parameter.key))
            settings.insert(parameter.key, values.value(parameter.key).toString());
    return settings;
}

CurveRun curveRun(const Run& run, const Recipe* recipe, const QJsonObject& values)
{
    CurveRun known{run.id, run.spec.recipeId, {}, {}};
    if (!recipe)
        return known;
    for (const Lane& lane : recipe->lanes)
        known.lanes.push_back(
            {lane.id, lane.label, lane.needsGpu ? QStringLiteral("gpu") : QStringLiteral("cpu")});
    known.settings = settingsOf(*recipe, values);
    return known;
}

/// A program may identify its lane by the label only.
void nameLanes(std::vector<Measurement>& points, const CurveRun& known)
{
    for (Measurement& point : points)
        for (const KnownLane& lane : known.lanes)
            if (lane.label == point.label)
                point.lane = lane.id;
}

/// The rows that the run's lanes wrote, as far as they have arrived.
QByteArray keptRows(const QStringList& folders)
{
    for (const QString& folder : folders) {
        QByteArray rows;
        for (const QString& name :
            QDir(folder).entryList({QStringLiteral("race*.ndjson")}, QDir::Files, QDir::Name)) {
            QFile file(folder + u'/' + name);
            if (file.open(QIODevice::ReadOnly))
                rows += file.read(largestRaceFile) + '\n';
        }
        if (!rows.isEmpty())
            return rows;
    }
    return {};
}

} // namespace

RaceFile raceOf(RunHandle& handle, const Recipe* recipe, const RunFeed* feed)
{
    const Run& run = handle.run();
    QStringList folders{handle.local().filePath(QStringLiteral("results"))};
    if (!run.fetchedTo.isEmpty())
        folders << run.fetchedTo + u"/results";
    RaceFile file = readRace(keptRows(folders), run.id);
    const QJsonObject values = handle.local().facts().value(u"values").toObject();
    const CurveRun known = curveRun(run, recipe, values);
    nameLanes(file.points, known);
    if (feed)
        addLanes(file, raceOfCurves(feed->series(), feed->events(), known));
    file.title = run.title;
    const bool oneNode = !run.nodeList.contains(u',') && !run.nodeList.contains(u'[');
    for (Measurement& point : file.points) {
        if (point.node.isEmpty() && oneNode)
            point.node = run.nodeList;
        if (!point.when.isValid())
            point.when = run.started;
        if (point.label.isEmpty())
            point.label = run.title;
    }
    return file;
}

} // namespace slipway
