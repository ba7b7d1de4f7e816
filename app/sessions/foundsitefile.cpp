// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/foundsite.h"

#include "app/catalogue/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace slipway {

namespace {

using Json = nlohmann::ordered_json;

std::string text(const QString& value)
{
    return value.toStdString();
}

Json texts(const QStringList& values)
{
    Json list = Json::array();
    for (const QString& value : values)
        list.push_back(text(value));
    return list;
}

Json loginObject(const SiteLogin& login)
{
    Json object = Json::object();
    object["host"] = text(login.host);
    if (login.port > 0)
        object["port"] = login.port;
    if (!login.user.isEmpty())
        object["user"] = text(login.user);
    if (!login.jump.isEmpty())
        object["jump"] = text(login.jump);
    return object;
}

/// `countsGpus`: a partition without GPUs has none. Elsewhere it is not known.
Json partitionObject(
    const PartitionInfo& partition, const std::vector<PartitionLimits>& limits, bool countsGpus)
{
    Json object = Json::object();
    object["name"] = text(partition.name);
    if (partition.isDefault)
        object["default"] = true;
    const auto number = [&object](const char* key, int value) {
        if (value > 0)
            object[key] = value;
    };
    number("nodes", partition.nodes);
    if (partition.gpusPerNode > 0 || countsGpus)
        object["gpus_per_node"] = std::max(0, partition.gpusPerNode);
    if (!partition.gpuType.isEmpty())
        object["gpu_type"] = text(partition.gpuType);
    number("cpus_per_node", partition.cpusPerNode);
    if (partition.memoryPerNode.mebibytes() > 0)
        object["memory_per_node"] = text(partition.memoryPerNode.slurmText());
    if (!partition.timeLimit.isUnlimited())
        object["time_limit"] = text(partition.timeLimit.slurmText());
    for (const PartitionLimits& one : limits) {
        if (one.name == partition.name)
            number("most_nodes", one.mostNodes);
    }
    return object;
}

/// The plugin that containers with Open MPI need, unless the cluster has its own default.
QString mpiPlugin(const FoundSite& found)
{
    const QStringList& plugins = found.info.mpiPlugins;
    const QString byDefault = found.survey.config.mpiDefault;
    if (!byDefault.isEmpty() && isModuleName(byDefault))
        return byDefault;
    for (const QString& name : {QStringLiteral("pmix"), QStringLiteral("pmi2")}) {
        if (plugins.contains(name))
            return name;
    }
    return {};
}

void addScheduling(const FoundSite& found, Json* site)
{
    const ClusterSurvey& survey = found.survey;
    Json partitions = Json::array();
    const bool countsGpus = std::any_of(found.info.partitions.begin(), found.info.partitions.end(),
        [](const PartitionInfo& one) { return one.gpusPerNode > 0; });
    for (const PartitionInfo& partition : found.info.partitions) {
        if (!partition.name.isEmpty())
            partitions.push_back(partitionObject(partition, survey.limits, countsGpus));
    }
    (*site)["partitions"] = partitions;
    if (const auto style = gpuRequestOf(survey.config).style)
        (*site)["gpu_request"] = *style == GpuRequestStyle::WholeNode ? "whole-node" : "gres";
    (*site)["interactive"] = survey.tools.contains(u"idev") ? "idev" : "salloc";
    (*site)["launcher"] = survey.tools.contains(u"ibrun") ? "ibrun" : "srun";
    if (const QString mpi = mpiPlugin(found); !mpi.isEmpty())
        (*site)["mpi"] = text(mpi);
    (*site)["account"] = found.info.accounting ? "if-several" : "none";
    MemorySize memory = survey.config.memoryPerCpu;
    for (const PartitionLimits& one : survey.limits) {
        // The smallest value is what a user must expect.
        if (one.memoryPerCpu.mebibytes() > 0
            && (memory.mebibytes() == 0 || one.memoryPerCpu < memory))
            memory = one.memoryPerCpu;
    }
    if (memory.mebibytes() > 0)
        (*site)["default_memory_per_cpu"] = text(memory.slurmText());
}

void addContainers(const FoundSite& found, Json* site)
{
    static const char* const words[] = {"apptainer", "singularity", "enroot", "pyxis"};
    const ClusterSurvey& survey = found.survey;
    const std::vector<RuntimeKind> kinds = foundRuntimes(found);
    QStringList modules;
    if (!kinds.empty()) {
        const QString first = QLatin1String(words[int(kinds.front())]);
        Json runtimes = Json::array();
        for (const RuntimeKind kind : kinds)
            runtimes.push_back(words[int(kind)]);
        (*site)["runtime"] = text(first);
        (*site)["runtimes"] = runtimes;
        const bool there = std::any_of(survey.runtimes.begin(), survey.runtimes.end(),
            [&](const FoundRuntime& one) { return one.name == first; });
        const QString module = there ? QString() : runtimeModule(survey.modules, first);
        if (!module.isEmpty() && isModuleName(module))
            modules << module;
    }
    if (!survey.runtimes.empty())
        (*site)["runtime_on_login"] = true;
    if (survey.enrootMpiHook)
        (*site)["enroot_mpi_hook"] = *survey.enrootMpiHook;
    if (buildsWithFakeroot(survey))
        (*site)["builds"] = "fakeroot";
    (*site)["modules"] = texts(modules);
    const QStringList& kept = survey.architectures;
    if (kept.size() == 1
        && QStringList{QStringLiteral("x86_64"), QStringLiteral("ppc64le"),
            QStringLiteral("aarch64")}
               .contains(kept.first()))
        (*site)["architecture"] = text(kept.first());
}

QStringList quirks(const FoundSite& found)
{
    QStringList sentences;
    if (const auto request = gpuRequestOf(found.survey.config); request.style)
        sentences << request.why;
    if (!found.info.mpiPlugins.isEmpty())
        sentences << QStringLiteral("srun --mpi offers: %1.")
                         .arg(found.info.mpiPlugins.mid(0, 12).join(u", "));
    if (!found.info.qos.isEmpty())
        sentences << QStringLiteral("QOS available to the accounts that were queried: %1.")
                         .arg(found.info.qos.mid(0, 20).join(u", "));
    if (found.survey.architectures.size() > 1)
        sentences << QStringLiteral("It has several kinds of nodes: %1.")
                         .arg(found.survey.architectures.join(u", "));
    for (const QuotaLine& quota : found.survey.quotas) {
        if (!quota.limit.isEmpty())
            sentences << QStringLiteral("The quota per person is %1 on %2.")
                             .arg(quota.limit, quota.where);
    }
    sentences << QStringLiteral(
        "Containers and scratch were checked on the login node; compute nodes may differ.");
    return sentences + unknownFacts(found);
}

Json sources(const FoundSite& found)
{
    const QString day = found.asked.toString(Qt::ISODate);
    const std::string source = text(QStringLiteral("queried on %1").arg(day));
    Json list = Json::array();
    for (const char* fact :
        {"partitions, GPUs, limits, accounts and QOS, default memory: sinfo, scontrol, sacctmgr",
            "GPU request, launcher, MPI plugins, architecture: scontrol, srun",
            "container runtimes, modules, fakeroot: a login shell on the login node",
            "scratch, quota: a login shell on the login node"}) {
        Json object = Json::object();
        object["fact"] = fact;
        object["source"] = source;
        object["date"] = text(day);
        list.push_back(object);
    }
    return list;
}

} // namespace

QByteArray siteFile(const FoundSite& found)
{
    Json site;
    site["id"] = text(found.id);
    site["name"] = text(found.name);
    site["summary"] = text(QStringLiteral("Found by querying the cluster on %1.")
                               .arg(found.asked.toString(Qt::ISODate)));
    site["logins"] = Json::array();
    site["logins"].push_back(loginObject(found.login));
    addScheduling(found, &site);
    addContainers(found, &site);
    if (const QString scratch = foundScratch(found); !scratch.isEmpty())
        site["scratch"] = text(scratch);
    site["quirks"] = texts(quirks(found));
    site["sources"] = sources(found);
    const std::string out = site.dump(2, ' ', false, Json::error_handler_t::replace);
    return QByteArray::fromStdString(out) + '\n';
}

QByteArray mergedSiteFile(const QByteArray& earlier, const QByteArray& found)
{
    const Json before = Json::parse(earlier.toStdString(), nullptr, false);
    Json site = Json::parse(found.toStdString(), nullptr, false);
    if (!before.is_object() || !site.is_object())
        return found;
    for (auto field = before.begin(); field != before.end(); ++field) {
        if (!site.contains(field.key()))
            site[field.key()] = field.value();
    }
    const std::string out = site.dump(2, ' ', false, Json::error_handler_t::replace);
    return QByteArray::fromStdString(out) + '\n';
}

} // namespace slipway
