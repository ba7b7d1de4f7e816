// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runjson.h"

#include "remote/base/tr.h"

#include <QJsonArray>

#include <array>

namespace slipway {

namespace {

constexpr std::array<const char*, 9> phaseNames{"preparing", "submitting", "queued", "running",
    "allocated", "done", "failed", "cancelled", "unknown"};
constexpr std::array<const char*, 6> stageStateNames{
    "pending", "running", "done", "failed", "skipped", "cancelled"};

/// The index of a name in a list, -1 when it is not in it.
template <size_t N> int indexOf(const std::array<const char*, N>& names, const QString& name)
{
    for (size_t i = 0; i < N; ++i)
        if (name == QLatin1String(names[i]))
            return int(i);
    return -1;
}

QString timeText(const QDateTime& time)
{
    return time.isValid() ? time.toUTC().toString(Qt::ISODateWithMs) : QString();
}

QDateTime timeOf(const QJsonValue& value)
{
    return QDateTime::fromString(value.toString(), Qt::ISODateWithMs);
}

std::optional<QDateTime> optionalTime(const QJsonValue& value)
{
    const QDateTime time = timeOf(value);
    return time.isValid() ? std::optional(time) : std::nullopt;
}

QJsonObject specToJson(const LaunchSpec& spec)
{
    QJsonObject values;
    for (auto it = spec.values.begin(); it != spec.values.end(); ++it)
        values.insert(it.key(), it.value());
    QJsonObject json{{QStringLiteral("site"), spec.siteId},
        {QStringLiteral("recipe"), spec.recipeId},
        {QStringLiteral("mode"),
            spec.mode == LaunchMode::Interactive ? QStringLiteral("interactive")
                                                 : QStringLiteral("batch")},
        {QStringLiteral("values"), values}};
    if (spec.releaseAtEnd)
        json.insert(QStringLiteral("releaseAtEnd"), true);
    // base64: an edited script may contain any bytes.
    if (!spec.sweep.isEmpty()) {
        json.insert(QStringLiteral("sweep"), spec.sweep);
        json.insert(QStringLiteral("sweepLabel"), spec.sweepLabel);
    }
    if (!spec.project.isEmpty())
        json.insert(QStringLiteral("project"), spec.project);
    if (!spec.largeFiles.isEmpty())
        json.insert(QStringLiteral("largeFiles"), QJsonArray::fromStringList(spec.largeFiles));
    if (!spec.pins.isEmpty()) {
        QJsonObject pins;
        for (auto it = spec.pins.begin(); it != spec.pins.end(); ++it)
            pins.insert(it.key(), it.value());
        json.insert(QStringLiteral("pins"), pins);
    }
    for (const auto& [key, value] : {std::pair("continues", spec.continues), {"chain", spec.chain},
             {"afterJob", spec.afterJob}}) {
        if (!value.isEmpty())
            json.insert(QLatin1String(key), value);
    }
    if (!spec.editedScript.isEmpty())
        json.insert(
            QStringLiteral("editedScript"), QString::fromLatin1(spec.editedScript.toBase64()));
    return json;
}

LaunchSpec specFromJson(const QJsonObject& json)
{
    LaunchSpec spec;
    spec.siteId = json.value(u"site").toString();
    spec.recipeId = json.value(u"recipe").toString();
    if (json.value(u"mode").toString() == QLatin1String("interactive"))
        spec.mode = LaunchMode::Interactive;
    spec.releaseAtEnd = json.value(u"releaseAtEnd").toBool();
    const QJsonObject values = json.value(u"values").toObject();
    for (auto it = values.begin(); it != values.end(); ++it)
        spec.values.insert(it.key(), it.value().toString());
    const QJsonObject pins = json.value(u"pins").toObject();
    for (auto it = pins.begin(); it != pins.end(); ++it)
        spec.pins.insert(it.key(), it.value().toString());
    spec.sweep = json.value(u"sweep").toString();
    spec.sweepLabel = json.value(u"sweepLabel").toString();
    spec.project = json.value(u"project").toString(); // older ones have none
    for (const auto& path : json.value(u"largeFiles").toArray())
        spec.largeFiles << path.toString();
    spec.continues = json.value(u"continues").toString();
    spec.chain = json.value(u"chain").toString();
    spec.afterJob = json.value(u"afterJob").toString();
    spec.editedScript = QByteArray::fromBase64(json.value(u"editedScript").toString().toLatin1());
    return spec;
}

QJsonObject stageToJson(const RunStage& stage)
{
    QJsonObject json{{QStringLiteral("id"), stage.id}, {QStringLiteral("title"), stage.title},
        {QStringLiteral("state"), stageStateName(stage.state)},
        {QStringLiteral("detail"), stage.detail}};
    if (stage.begin)
        json.insert(QStringLiteral("begin"), timeText(*stage.begin));
    if (stage.end)
        json.insert(QStringLiteral("end"), timeText(*stage.end));
    return json;
}

RunStage stageFromJson(const QJsonObject& json)
{
    RunStage stage;
    stage.id = json.value(u"id").toString();
    stage.title = json.value(u"title").toString();
    stage.state =
        StageState(std::max(0, indexOf(stageStateNames, json.value(u"state").toString())));
    stage.begin = optionalTime(json.value(u"begin"));
    stage.end = optionalTime(json.value(u"end"));
    stage.detail = json.value(u"detail").toString();
    return stage;
}

QJsonObject errorToJson(const Error& error)
{
    return {{QStringLiteral("kind"), errorKindName(error.kind)},
        {QStringLiteral("summary"), error.summary}, {QStringLiteral("remedy"), error.remedy},
        {QStringLiteral("detail"), QString::fromUtf8(error.detail)}};
}

Error errorFromJson(const QJsonObject& json)
{
    Error error{ErrorKind::Unknown, json.value(u"summary").toString(),
        json.value(u"remedy").toString(), json.value(u"detail").toString().toUtf8()};
    const QString name = json.value(u"kind").toString();
    for (int kind = 0; kind < int(ErrorKind::Unknown); ++kind)
        if (errorKindName(ErrorKind(kind)) == name)
            error.kind = ErrorKind(kind);
    return error;
}

QJsonObject changeToJson(const FieldChange& change)
{
    return {{QStringLiteral("field"), change.field},
        {QStringLiteral("change"), changeName(change.kind)},
        {QStringLiteral("value"), change.value}};
}

std::optional<FieldChange> changeFromJson(const QJsonObject& json)
{
    const auto kind = changeOf(json.value(u"change").toString());
    if (!kind)
        return {};
    return FieldChange{json.value(u"field").toString(), *kind, json.value(u"value").toString()};
}

QJsonArray explanationsToJson(const std::vector<Explanation>& explanations)
{
    QJsonArray array;
    for (const Explanation& one : explanations) {
        QJsonObject json{{QStringLiteral("id"), one.id}, {QStringLiteral("line"), double(one.line)},
            {QStringLiteral("evidence"), one.evidence}, {QStringLiteral("title"), one.title},
            {QStringLiteral("cause"), one.cause}, {QStringLiteral("remedy"), one.remedy},
            {QStringLiteral("severity"), severityName(one.severity)},
            {QStringLiteral("certainty"), certaintyName(one.certainty)},
            {QStringLiteral("lines"), one.lines}};
        if (one.change)
            json.insert(QStringLiteral("fix"), changeToJson(*one.change));
        if (!one.name.isEmpty())
            json.insert(QStringLiteral("name"), one.name);
        if (!one.facts.isEmpty())
            json.insert(QStringLiteral("facts"), one.facts);
        QJsonArray further, alternatives;
        for (const EvidenceLine& line : one.further)
            further.append(QJsonObject{
                {QStringLiteral("line"), double(line.line)}, {QStringLiteral("text"), line.text}});
        for (const FieldChange& change : one.alternatives)
            alternatives.append(changeToJson(change));
        if (!further.isEmpty())
            json.insert(QStringLiteral("further"), further);
        if (!alternatives.isEmpty())
            json.insert(QStringLiteral("or_fix"), alternatives);
        array.append(json);
    }
    return array;
}

std::vector<Explanation> explanationsFromJson(const QJsonArray& array)
{
    std::vector<Explanation> explanations;
    for (const auto& item : array) {
        const QJsonObject json = item.toObject();
        Explanation one;
        one.id = json.value(u"id").toString();
        one.line = qint64(json.value(u"line").toDouble());
        one.evidence = json.value(u"evidence").toString();
        one.title = json.value(u"title").toString();
        one.cause = json.value(u"cause").toString();
        one.remedy = json.value(u"remedy").toString();
        if (json.value(u"severity").toString() == severityName(Explanation::Severity::Note))
            one.severity = Explanation::Severity::Note;
        one.certainty = certaintyOf(json.value(u"certainty").toString()).value_or(one.certainty);
        one.lines = json.value(u"lines").toInt(one.lines);
        one.name = json.value(u"name").toString();
        one.facts = json.value(u"facts").toString();
        one.change = changeFromJson(json.value(u"fix").toObject());
        for (const auto& line : json.value(u"further").toArray())
            one.further.push_back({qint64(line.toObject().value(u"line").toDouble()),
                line.toObject().value(u"text").toString()});
        for (const auto& change : json.value(u"or_fix").toArray())
            if (const auto read = changeFromJson(change.toObject()))
                one.alternatives.push_back(*read);
        explanations.push_back(std::move(one));
    }
    return explanations;
}

} // namespace

QString phaseName(RunPhase phase)
{
    return QString::fromLatin1(phaseNames[size_t(phase)]);
}

std::optional<RunPhase> phaseOf(const QString& name)
{
    const int index = indexOf(phaseNames, name);
    return index < 0 ? std::nullopt : std::optional(RunPhase(index));
}

QString stageStateName(StageState state)
{
    return QString::fromLatin1(stageStateNames[size_t(state)]);
}

QJsonObject runToJson(const Run& run)
{
    QJsonArray stages;
    for (const RunStage& stage : run.stages)
        stages.append(stageToJson(stage));
    QJsonObject json{{QStringLiteral("id"), run.id}, {QStringLiteral("tag"), run.tag},
        {QStringLiteral("spec"), specToJson(run.spec)}, {QStringLiteral("title"), run.title},
        {QStringLiteral("folder"), run.folder}, {QStringLiteral("logFile"), run.logFile},
        {QStringLiteral("job"), run.job.text}, {QStringLiteral("phase"), phaseName(run.phase)},
        {QStringLiteral("sentence"), run.sentence}, {QStringLiteral("stages"), stages},
        {QStringLiteral("nodeList"), run.nodeList},
        {QStringLiteral("created"), timeText(run.created)},
        {QStringLiteral("started"), timeText(run.started)},
        {QStringLiteral("ended"), timeText(run.ended)},
        {QStringLiteral("logBytes"), double(run.logBytes)},
        {QStringLiteral("fetchedTo"), run.fetchedTo}};
    if (run.clockAhead != 0)
        json.insert(QStringLiteral("clockAhead"), double(run.clockAhead));
    if (run.arrayTask >= 0)
        json.insert(QStringLiteral("arrayTask"), run.arrayTask);
    if (run.asOf.isValid())
        json.insert(QStringLiteral("asOf"), timeText(run.asOf));
    if (!run.digest.last.empty())
        json.insert(QStringLiteral("digest"), digestToJson(run.digest));
    if (const QJsonObject labels = labelsToJson(run.labels); !labels.isEmpty())
        json.insert(QStringLiteral("labels"), labels);
    if (!run.imageDigest.isEmpty())
        json.insert(QStringLiteral("image_digest"), run.imageDigest);
    if (!run.registryDigest.isEmpty())
        json.insert(QStringLiteral("registry_digest"), run.registryDigest);
    if (!run.endState.isEmpty())
        json.insert(QStringLiteral("endState"), run.endState);
    if (run.exitCode)
        json.insert(QStringLiteral("exitCode"), *run.exitCode);
    if (run.error)
        json.insert(QStringLiteral("error"), errorToJson(*run.error));
    if (!run.explanations.empty())
        json.insert(QStringLiteral("explanations"), explanationsToJson(run.explanations));
    return json;
}

Result<Run> runFromJson(const QJsonObject& json)
{
    Run run;
    run.id = json.value(u"id").toString();
    const auto phase = phaseOf(json.value(u"phase").toString());
    if (run.id.isEmpty() || !phase)
        return Error{ErrorKind::Invalid, tr("The record of a run has no id or no phase.")};
    run.phase = *phase;
    run.tag = json.value(u"tag").toString();
    run.spec = specFromJson(json.value(u"spec").toObject());
    run.title = json.value(u"title").toString();
    run.folder = json.value(u"folder").toString();
    run.logFile = json.value(u"logFile").toString();
    run.job.text = json.value(u"job").toString();
    run.arrayTask = json.value(u"arrayTask").toInt(-1);
    run.sentence = json.value(u"sentence").toString();
    for (const auto& stage : json.value(u"stages").toArray())
        run.stages.push_back(stageFromJson(stage.toObject()));
    run.imageDigest = json.value(u"image_digest").toString(); // older ones have none
    run.registryDigest = json.value(u"registry_digest").toString();
    run.nodeList = json.value(u"nodeList").toString();
    run.endState = json.value(u"endState").toString();
    if (json.contains(u"exitCode"))
        run.exitCode = json.value(u"exitCode").toInt();
    if (json.contains(u"error"))
        run.error = errorFromJson(json.value(u"error").toObject());
    run.explanations = explanationsFromJson(json.value(u"explanations").toArray());
    run.created = timeOf(json.value(u"created"));
    run.started = timeOf(json.value(u"started"));
    run.ended = timeOf(json.value(u"ended"));
    run.asOf = timeOf(json.value(u"asOf"));
    run.clockAhead = qint64(json.value(u"clockAhead").toDouble());
    run.digest = digestFromJson(json.value(u"digest").toObject());
    run.labels = labelsFromJson(json.value(u"labels").toObject());
    run.logBytes = qint64(json.value(u"logBytes").toDouble());
    run.fetchedTo = json.value(u"fetchedTo").toString();
    return run;
}

} // namespace slipway
