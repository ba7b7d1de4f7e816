// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/jsonobjects.h"

#include "app/catalogue/accountwords.h"
#include "app/runs/runjson.h"

#include <cmath>

namespace slipway {

namespace {

/// JSON has no NaN and no infinity: they become strings, as in the lines that are read.
QJsonValue numberValue(double number)
{
    if (std::isfinite(number))
        return number;
    if (std::isnan(number))
        return QStringLiteral("nan");
    return number > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
}

QString isoText(const QDateTime& date)
{
    return date.isValid() ? date.toString(Qt::ISODate) : QString();
}

void insertChange(const FieldChange& change, QJsonObject* object)
{
    object->insert(QStringLiteral("field"), change.field);
    object->insert(QStringLiteral("change"), changeName(change.kind));
    if (!change.value.isEmpty() || change.kind == FieldChange::Kind::Set)
        object->insert(QStringLiteral("value"), change.value);
}

} // namespace

QJsonObject explanationObject(const Explanation& explanation)
{
    QJsonObject object{{QStringLiteral("id"), explanation.id},
        {QStringLiteral("line"), explanation.line}, {QStringLiteral("title"), explanation.title},
        {QStringLiteral("cause"), explanation.cause},
        {QStringLiteral("remedy"), explanation.remedy},
        {QStringLiteral("evidence"), explanation.evidence},
        {QStringLiteral("severity"), severityName(explanation.severity)},
        {QStringLiteral("certainty"), certaintyName(explanation.certainty)},
        {QStringLiteral("lines"), explanation.lines}};
    if (!explanation.name.isEmpty())
        object.insert(QStringLiteral("name"), explanation.name);
    if (!explanation.facts.isEmpty())
        object.insert(QStringLiteral("facts"), explanation.facts);
    if (explanation.change)
        insertChange(*explanation.change, &object);
    QJsonArray further, others;
    for (const EvidenceLine& one : explanation.further)
        further.append(
            QJsonObject{{QStringLiteral("line"), one.line}, {QStringLiteral("text"), one.text}});
    for (const FieldChange& change : explanation.alternatives) {
        QJsonObject other;
        insertChange(change, &other);
        others.append(other);
    }
    if (!further.isEmpty())
        object.insert(QStringLiteral("further"), further);
    if (!others.isEmpty())
        object.insert(QStringLiteral("alternatives"), others);
    return object;
}

QJsonArray explanationObjects(const Run& run)
{
    QJsonArray objects;
    for (const Explanation& explanation : run.explanations)
        objects.append(explanationObject(explanation));
    return objects;
}

QJsonObject sampleObject(const Sample& sample)
{
    QJsonObject object{{QStringLiteral("series"), sample.series},
        {QStringLiteral("x"), numberValue(sample.x)}, {QStringLiteral("x_name"), sample.xName},
        {QStringLiteral("y"), numberValue(sample.y)}, {QStringLiteral("unit"), sample.unit},
        {QStringLiteral("line"), sample.line}};
    if (!sample.lane.isEmpty())
        object.insert(QStringLiteral("lane"), sample.lane);
    if (sample.low)
        object.insert(QStringLiteral("low"), numberValue(*sample.low));
    if (sample.high)
        object.insert(QStringLiteral("high"), numberValue(*sample.high));
    return object;
}

QJsonObject eventObject(const MetricEvent& event)
{
    QJsonObject object;
    for (auto it = event.values.begin(); it != event.values.end(); ++it)
        object.insert(it.key(), it.value());
    object.insert(QStringLiteral("event"), event.event);
    object.insert(QStringLiteral("text"), event.text);
    object.insert(QStringLiteral("line"), event.line);
    return object;
}

QJsonObject shareObject(const AccountShare& share)
{
    QJsonArray limits;
    for (const UsageLimit& one : share.limits)
        limits.append(QJsonObject{{QStringLiteral("tres"), one.tres},
            {QStringLiteral("limit_minutes"), qint64(one.limit.count())},
            {QStringLiteral("used_minutes"), qint64(one.used.count())},
            {QStringLiteral("left_minutes"), qint64(one.left().count())}});
    return {{QStringLiteral("account"), share.account},
        {QStringLiteral("partition"), textOrNull(share.partition)},
        {QStringLiteral("fair_share"),
            share.fairShare ? QJsonValue(*share.fairShare) : QJsonValue()},
        {QStringLiteral("limits"), limits},
        {QStringLiteral("sentence"), textOrNull(shareSentence(share))}};
}

QJsonObject checkObject(const CheckRow& row)
{
    QJsonObject object{
        {QStringLiteral("id"), row.id}, {QStringLiteral("state"), checkWord(row.state)}};
    const auto put = [&object](const char* key, const QString& text) {
        if (!text.isEmpty())
            object.insert(QLatin1String(key), text);
    };
    put("node", row.node);
    put("where", row.where);
    put("value", row.value);
    put("expected", row.expected);
    put("why", row.why);
    put("fix", row.fix);
    if (!row.data.isEmpty())
        object.insert(QStringLiteral("data"), row.data);
    return object;
}

QJsonArray checkObjects(const NodeReport& report)
{
    QJsonArray objects;
    for (const CheckRow& row : report.rows)
        objects.append(checkObject(row));
    return objects;
}

QJsonArray metricObjects(const RunDigest& digest)
{
    QJsonArray objects;
    for (const MetricValue& metric : digest.last) {
        QJsonObject object{{QStringLiteral("series"), metric.series},
            {QStringLiteral("last"), numberValue(metric.value)},
            {QStringLiteral("unit"), metric.unit}};
        if (!metric.lane.isEmpty())
            object.insert(QStringLiteral("lane"), metric.lane);
        objects.append(object);
    }
    return objects;
}

QJsonObject runObject(const Run& run)
{
    QJsonObject values;
    for (auto it = run.spec.values.begin(); it != run.spec.values.end(); ++it)
        values.insert(it.key(), it.value());
    QJsonArray stages;
    for (const RunStage& stage : run.stages)
        stages.append(
            QJsonObject{{QStringLiteral("id"), stage.id}, {QStringLiteral("title"), stage.title},
                {QStringLiteral("state"), stageStateName(stage.state)},
                {QStringLiteral("detail"), stage.detail}});
    QJsonObject object{{QStringLiteral("run"), run.id}, {QStringLiteral("site"), run.spec.siteId},
        {QStringLiteral("recipe"), run.spec.recipeId},
        {QStringLiteral("mode"),
            run.spec.mode == LaunchMode::Batch ? QStringLiteral("batch")
                                               : QStringLiteral("interactive")},
        {QStringLiteral("values"), values}, {QStringLiteral("job"), run.job.text},
        {QStringLiteral("phase"), phaseName(run.phase)}, {QStringLiteral("sentence"), run.sentence},
        {QStringLiteral("folder"), run.folder}, {QStringLiteral("nodes"), run.nodeList},
        {QStringLiteral("created"), isoText(run.created)},
        {QStringLiteral("started"), isoText(run.started)},
        {QStringLiteral("ended"), isoText(run.ended)},
        {QStringLiteral("fetched_to"), run.fetchedTo}, {QStringLiteral("stages"), stages}};
    if (!run.spec.continues.isEmpty())
        object.insert(QStringLiteral("continues"), run.spec.continues);
    if (!run.labels.name.isEmpty())
        object.insert(QStringLiteral("name"), run.labels.name);
    if (!run.labels.tags.isEmpty())
        object.insert(QStringLiteral("tags"), QJsonArray::fromStringList(run.labels.tags));
    if (!run.labels.note.isEmpty())
        object.insert(QStringLiteral("note"), run.labels.note);
    if (!run.digest.last.empty())
        object.insert(QStringLiteral("metrics"), metricObjects(run.digest));
    if (!run.imageDigest.isEmpty())
        object.insert(QStringLiteral("image_digest"), run.imageDigest);
    if (!run.registryDigest.isEmpty())
        object.insert(QStringLiteral("image_registry_digest"), run.registryDigest);
    if (run.exitCode)
        object.insert(QStringLiteral("exit_code"), *run.exitCode);
    if (run.error)
        object.insert(QStringLiteral("error"), run.error->text());
    if (!run.explanations.empty())
        object.insert(QStringLiteral("explanations"), explanationObjects(run));
    return object;
}

QJsonValue textOrNull(const QString& text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonObject pullObject(const PullState& state)
{
    return {{QStringLiteral("step"), state.step}, {QStringLiteral("phase"), state.phase},
        {QStringLiteral("bytes"), state.bytes},
        {QStringLiteral("of"), state.of ? QJsonValue(*state.of) : QJsonValue()},
        {QStringLiteral("rate"), state.rate ? QJsonValue(*state.rate) : QJsonValue()},
        {QStringLiteral("seconds_left"),
            state.left ? QJsonValue(qint64(state.left->count())) : QJsonValue()}};
}

} // namespace slipway
