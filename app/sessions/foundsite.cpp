// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/foundsite.h"

#include "app/catalogue/accountwords.h"
#include "app/catalogue/names.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

const char* const runtimeWords[] = {"apptainer", "singularity", "enroot", "pyxis"};

bool onPath(const ClusterSurvey& survey, const QString& runtime)
{
    return std::any_of(survey.runtimes.begin(), survey.runtimes.end(),
        [&](const FoundRuntime& one) { return one.name == runtime; });
}

bool hasGpus(const FoundSite& found)
{
    return std::any_of(found.info.partitions.begin(), found.info.partitions.end(),
        [](const PartitionInfo& one) { return one.gpusPerNode > 0; });
}

QString partitionText(const PartitionInfo& partition)
{
    QString text = partition.name;
    if (partition.nodes > 0)
        text += tr(": %1 nodes").arg(partition.nodes);
    if (partition.gpusPerNode > 0)
        text +=
            tr(", %1 GPUs per node%2")
                .arg(partition.gpusPerNode)
                .arg(partition.gpuType.isEmpty() ? QString()
                                                 : QStringLiteral(" (%1)").arg(partition.gpuType));
    if (!partition.timeLimit.isUnlimited())
        text += tr(", at most %1").arg(partition.timeLimit.slurmText());
    return text;
}

} // namespace

void nameFoundSite(FoundSite* found)
{
    static const QRegularExpression address(QStringLiteral("\\A[0-9.:]+\\z"));
    const QString host = found->login.host;
    QString word = found->info.clusterName;
    if (word.isEmpty() || word == u"cluster" || word == u"linux")
        word = address.match(host).hasMatch() ? QStringLiteral("my-cluster")
                                              : host.section(u'.', 0, 0);
    found->name = word.left(60);
    QString id;
    for (const QChar c : word.toLower().left(40)) {
        const bool fits = (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9');
        if (fits)
            id += c;
        else if (!id.isEmpty() && !id.endsWith(u'-'))
            id += u'-';
    }
    while (id.endsWith(u'-'))
        id.chop(1);
    found->id = isIdentifier(id) ? id : QStringLiteral("my-cluster");
}

QString foundScratch(const FoundSite& found)
{
    for (const ScratchFolder& folder : found.survey.scratch) {
        if (folder.writable)
            return folder.expression;
    }
    return {};
}

bool buildsWithFakeroot(const ClusterSurvey& survey)
{
    const bool command =
        onPath(survey, QStringLiteral("apptainer")) && survey.tools.contains(u"fakeroot");
    return survey.userNamespaces.value_or(false)
        && (survey.subordinateIds.value_or(false) || command);
}

std::vector<RuntimeKind> foundRuntimes(const FoundSite& found)
{
    const ClusterSurvey& survey = found.survey;
    std::vector<RuntimeKind> kinds;
    for (const RuntimeKind kind :
        {RuntimeKind::Apptainer, RuntimeKind::Singularity, RuntimeKind::Enroot}) {
        const QString word = QLatin1String(runtimeWords[int(kind)]);
        // Apptainer brings a command singularity: it is not a second runtime.
        const bool alias =
            kind == RuntimeKind::Singularity && onPath(survey, QStringLiteral("apptainer"));
        if ((onPath(survey, word) && !alias) || !runtimeModule(survey.modules, word).isEmpty())
            kinds.push_back(kind);
    }
    if (survey.pyxis.value_or(false))
        kinds.push_back(RuntimeKind::Pyxis);
    return kinds;
}

QStringList unknownFacts(const FoundSite& found)
{
    QStringList facts;
    const ClusterSurvey& survey = found.survey;
    const GpuRequestFinding request = gpuRequestOf(survey.config);
    if (found.info.partitions.empty())
        facts << tr("Its partitions are unknown: sinfo did not list them.");
    if (!request.style)
        facts << request.why;
    else if (!hasGpus(found))
        facts << tr(
            "No partition lists a GPU: where GPUs come with the node, Slurm does not count them.");
    if (foundRuntimes(found).empty())
        facts << tr("No container runtime was found on the login node, and no module for one: it "
                    "may be available in jobs only.");
    if (foundScratch(found).isEmpty())
        facts << tr("No writable scratch folder was found: enter one, or images will fill the home "
                    "folder.");
    if (!buildsWithFakeroot(survey))
        facts << tr("It is unknown whether definition files can be built in a job.");
    facts << tr("The driver of its GPUs and the CUDA version that it supports are unknown until a "
                "job has run there.")
          << tr("It is unknown whether compute nodes have internet access.")
          << tr("It is unknown whether scratch is purged.");
    return facts;
}

std::vector<FoundFact> foundFacts(const FoundSite& found)
{
    std::vector<FoundFact> facts;
    const auto add = [&facts](const QString& name, const QString& value) {
        if (!value.isEmpty())
            facts.push_back({name, value});
    };
    add(QStringLiteral("Slurm"), found.info.slurmVersion);
    QStringList partitions;
    for (const PartitionInfo& partition : found.info.partitions)
        partitions << partitionText(partition);
    add(tr("Partitions"), partitions.join(u'\n'));
    const GpuRequestFinding request = gpuRequestOf(found.survey.config);
    add(tr("GPU request"), request.style ? request.why : QString());
    add(tr("Your accounts"), found.info.accounts.join(u", "));
    QStringList shares;
    for (const AccountShare& share : found.info.shares) {
        if (const QString sentence = shareSentence(share); !sentence.isEmpty())
            shares << QStringLiteral("%1: %2").arg(share.account, sentence);
    }
    add(tr("Fair-share and hours"), shares.join(u'\n'));
    add(tr("Your QOS"), found.info.qos.join(u", "));
    QStringList runtimes;
    for (const RuntimeKind kind : foundRuntimes(found)) {
        const QString word = QLatin1String(runtimeWords[int(kind)]);
        const auto there = std::find_if(found.survey.runtimes.begin(), found.survey.runtimes.end(),
            [&](const FoundRuntime& one) { return one.name == word && !one.version.isEmpty(); });
        // enroot prints only a number.
        const QString version = there == found.survey.runtimes.end() ? QString() : there->version;
        runtimes << (version.contains(word) ? version : QString(word + u' ' + version).trimmed());
    }
    add(tr("Container runtimes"), runtimes.join(u", "));
    if (found.survey.enrootMpiHook)
        add(tr("MPI in enroot"),
            *found.survey.enrootMpiHook
                ? tr("the hook is installed")
                : tr("the hook 50-slurm-pmi.sh is missing: each rank would compute alone"));
    add(tr("Container modules"), found.survey.modules.mid(0, 12).join(u", "));
    add(tr("MPI plugins"), found.info.mpiPlugins.join(u", "));
    add(tr("Nodes"), found.survey.architectures.join(u", "));
    add(tr("Scratch"), foundScratch(found));
    QStringList quotas;
    for (const QuotaLine& quota : found.survey.quotas)
        quotas << (quota.limit.isEmpty()
                ? tr("%1: %2, no limit").arg(quota.where, quota.used)
                : tr("%1: %2 of %3").arg(quota.where, quota.used, quota.limit));
    add(tr("Quota"), quotas.join(u'\n'));
    if (buildsWithFakeroot(found.survey))
        add(tr("Definition files"),
            tr("can be built with --fakeroot, if compute nodes are set up like the login node"));
    return facts;
}

} // namespace slipway
