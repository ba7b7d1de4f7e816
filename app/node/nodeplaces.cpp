// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/node/nodeplaces.h"
#include "remote/base/tr.h"

#include <QJsonArray>

#include <algorithm>

namespace slipway {

namespace {

void takeGpus(const CheckRow& row, NodePlace* place)
{
    const QJsonValue list = row.data.value(QLatin1String("gpus"));
    if (!list.isArray()) {
        // A probe without a driver counts no GPUs.
        place->gpus = row.state == CheckState::Skip || row.state == CheckState::Fail
            ? std::optional(0)
            : place->gpus;
        return;
    }
    const QJsonArray gpus = list.toArray();
    place->gpus = int(std::min<qsizetype>(gpus.size(), 1024));
    for (const auto& gpu : gpus)
        place->names << gpu.toObject().value(QLatin1String("name")).toString().left(80);
}

void takeRow(const CheckRow& row, NodePlace* place)
{
    const bool found = row.state == CheckState::Ok || row.state == CheckState::Warn;
    place->ran = place->ran
        || (!row.id.startsWith(u"probe.") && row.id != u"container" && row.id != u"nvidia-smi");
    if (row.id == u"gpu.list")
        takeGpus(row, place);
    else if (row.id == u"driver.version" && found)
        place->driver = row.value;
    else if (row.id == u"driver.version")
        place->noDriver = true;
    else if (row.id == u"driver.cuda" && found)
        place->cuda = row.value;
    else if (row.id == u"nvidia-smi" && row.state == CheckState::Skip)
        place->noDriver = true;
    else if (row.id == u"container")
        place->runtime = row.value;
}

} // namespace

std::vector<NodePlace> placesOf(const NodeReport& report)
{
    std::vector<NodePlace> places;
    for (const CheckRow& row : report.rows) {
        auto place = std::find_if(places.begin(), places.end(),
            [&](const NodePlace& one) { return one.node == row.node && one.where == row.where; });
        if (place == places.end()) {
            NodePlace fresh;
            fresh.node = row.node;
            fresh.where = row.where;
            place = places.insert(places.end(), fresh);
        }
        takeRow(row, &*place);
    }
    return places;
}

namespace {

/// The runtime in the command that started a container: "apptainer"; empty: unknown.
QString runtimeInCommand(const QString& command)
{
    static const QStringList known{QStringLiteral("apptainer"), QStringLiteral("singularity"),
        QStringLiteral("enroot"), QStringLiteral("docker"), QStringLiteral("podman")};
    for (const QString& word : command.split(u' ', Qt::SkipEmptyParts)) {
        if (known.contains(word.section(u'/', -1)))
            return word.section(u'/', -1);
        if (word.startsWith(u"--container-image"))
            return QStringLiteral("enroot"); // by pyxis
    }
    return {};
}

/// How a container that was started this way gets the node's driver.
QString driverFix(const QString& command)
{
    const QString program = runtimeInCommand(command);
    if (command.split(u' ').contains(QStringLiteral("--nv")))
        return tr("--nv was given but found no libraries to bind: check that the node's ldconfig "
                  "-p lists libcuda.so.1, and ask the site about its nvliblist.conf.");
    if (program == u"apptainer" || program == u"singularity")
        return tr("Start it with --nv: %1 exec --nv IMAGE COMMAND.").arg(program);
    if (program == u"enroot")
        return tr("enroot adds the driver through its hook 98-nvidia.sh, which needs "
                  "nvidia-container-cli on the node and "
                  "NVIDIA_VISIBLE_DEVICES in the image: ask the site, or set "
                  "NVIDIA_VISIBLE_DEVICES=all.");
    if (program == u"docker" || program == u"podman")
        return tr("Start it with --gpus all.");
    return tr("Start the container with the driver: --nv for Apptainer and Singularity, --gpus all "
              "for Docker, the hook of enroot.");
}

CheckRow gpuDifference(const NodePlace& host, const NodePlace& container)
{
    CheckRow row;
    row.id = QStringLiteral("container.gpu");
    row.node = host.node;
    row.where = tr("host and container");
    row.expected = QString::number(*host.gpus);
    row.value = QString::number(*container.gpus);
    row.data = {
        {QStringLiteral("host"), *host.gpus}, {QStringLiteral("container"), *container.gpus}};
    if (*container.gpus >= *host.gpus) {
        row.state = CheckState::Ok;
        row.value = tr("%1 of %2").arg(*host.gpus).arg(*host.gpus);
        return row;
    }
    row.value =
        *container.gpus == 0 ? tr("none") : tr("%1 of %2").arg(*container.gpus).arg(*host.gpus);
    row.state = *container.gpus == 0 ? CheckState::Fail : CheckState::Warn;
    row.why = *container.gpus == 0
        ? tr("The node has a GPU and its driver, but the container does not see them.")
        : tr("The container sees fewer GPUs than the job has on this node.");
    row.fix = *container.gpus == 0
        ? driverFix(container.runtime)
        : tr("Check CUDA_VISIBLE_DEVICES and NVIDIA_VISIBLE_DEVICES in the job and in the image.");
    return row;
}

} // namespace

std::vector<CheckRow> placeDifferences(const NodeReport& report)
{
    std::vector<CheckRow> rows;
    const std::vector<NodePlace> places = placesOf(report);
    for (const NodePlace& host : places) {
        if (host.where != u"host" || host.gpus.value_or(0) == 0)
            continue;
        for (const NodePlace& container : places)
            if (container.where == u"container" && container.node == host.node && container.gpus)
                rows.push_back(gpuDifference(host, container));
    }
    return rows;
}

} // namespace slipway
