// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/demolines.h"

#include "remote/base/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace slipway {

namespace {

constexpr qsizetype longestLine = 1024 * 1024;

DemoStage stageOf(const QJsonObject& json)
{
    DemoStage stage;
    stage.id = json.value(u"stage").toString();
    stage.title = json.value(u"title").toString(stage.id);
    stage.state = json.value(u"state").toString(QStringLiteral("pending"));
    if (json.value(u"percent").isDouble())
        stage.percent = std::clamp(json.value(u"percent").toInt(), 0, 100);
    stage.seconds = json.value(u"seconds").toDouble();
    stage.detail = json.value(u"detail").toString();
    return stage;
}

DemoState stateOf(const QString& word)
{
    constexpr std::array<std::pair<const char*, DemoState>, 7> words{{{"absent", DemoState::Absent},
        {"partial", DemoState::Partial}, {"stopped", DemoState::Stopped},
        {"starting", DemoState::Starting}, {"running", DemoState::Running},
        {"broken", DemoState::Broken}, {"stopping", DemoState::Stopping}}};
    for (const auto& [name, state] : words)
        if (word == QLatin1String(name))
            return state;
    return DemoState::Unknown;
}

std::optional<DemoLine> demoLine(const QByteArray& text)
{
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    DemoLine line;
    line.event = json.value(u"event").toString();
    line.detail = json.value(u"detail").toString();
    line.connection = json.value(u"connection").toString();
    line.emulates = json.value(u"emulates").toString();
    line.slurm = json.value(u"slurm").toString();
    if (line.event == QLatin1String("plan")) {
        for (const auto& stage : json.value(u"stages").toArray())
            line.stages.push_back(stageOf(stage.toObject()));
    } else if (line.event == QLatin1String("stage")) {
        line.stage = stageOf(json);
        if (line.stage.id.isEmpty())
            return std::nullopt;
    } else if (line.event == QLatin1String("status")) {
        line.state = stateOf(json.value(u"state").toString());
    } else if (line.event == QLatin1String("error")) {
        const QString log = json.value(u"log").toString();
        line.error = Error{ErrorKind::CommandFailed, json.value(u"summary").toString(),
            log.isEmpty() ? QString() : tr("The whole log is %1.").arg(log), line.detail.toUtf8()};
    } else if (line.event != QLatin1String("ready")) {
        return std::nullopt;
    }
    return line;
}

QStringList wordsOf(const QJsonValue& list)
{
    QStringList words;
    for (const auto& word : list.toArray())
        words << word.toString();
    return words;
}

Emulation emulationOf(const QJsonObject& json)
{
    Emulation emulation;
    emulation.as = json.value(u"emulates").toString();
    if (emulation.as.isEmpty())
        emulation.as = json.value(u"dressed_as").toString(); // as earlier versions wrote it
    emulation.siteFile = json.value(u"site_file").toString();
    emulation.accounts = wordsOf(json.value(u"accounts"));
    emulation.loginMethods = wordsOf(json.value(u"login").toObject().value(u"methods"));
    for (const auto& value : json.value(u"partitions").toArray()) {
        const QJsonObject one = value.toObject();
        const Result<WallTime> limit = WallTime::parse(one.value(u"max_time").toString());
        SitePartition partition;
        partition.name = one.value(u"name").toString();
        partition.isDefault = one.value(u"default").toBool();
        partition.nodes = one.value(u"nodes").toInt();
        partition.gpusPerNode = one.value(u"gpus_per_node").toInt();
        partition.timeLimit = limit.ok() ? *limit : WallTime::unlimited();
        emulation.partitions.push_back(partition);
    }
    return emulation;
}

} // namespace

std::vector<DemoLine> takeDemoLines(QByteArray& pending)
{
    std::vector<DemoLine> lines;
    qsizetype begin = 0;
    for (qsizetype end; (end = pending.indexOf('\n', begin)) >= 0; begin = end + 1)
        if (auto line = demoLine(pending.mid(begin, end - begin)))
            lines.push_back(std::move(*line));
    pending.remove(0, begin);
    if (pending.size() > longestLine)
        pending.clear();
    return lines;
}

Result<DemoConnection> readDemoConnection(const QByteArray& bytes, const QString& file)
{
    const QJsonObject json = QJsonDocument::fromJson(bytes).object();
    DemoConnection connection;
    connection.target.host = json.value(u"host").toString();
    connection.target.port = json.value(u"port").toInt();
    connection.target.user = json.value(u"user").toString();
    connection.target.identityFile = json.value(u"identity_file").toString();
    connection.target.knownHostsFile = json.value(u"known_hosts_file").toString();
    // The user's ssh configuration does not apply to a machine that exists only in a folder.
    connection.target.useSshConfig = false;
    const QJsonObject gpu = json.value(u"gpu").toObject();
    connection.gpusAreReal = gpu.value(u"real").toBool();
    connection.gpusNote = gpu.value(u"reason").toString();
    if (const QJsonValue mpi = json.value(u"mpi"); mpi.isString())
        connection.mpi = mpi.toString();
    connection.emulation = emulationOf(json);
    if (connection.target.host.isEmpty() || connection.target.port <= 0)
        return Error{ErrorKind::Invalid, tr("%1 does not say where the demo cluster is.").arg(file),
            tr("Start the demo cluster again.")};
    return connection;
}

} // namespace slipway
