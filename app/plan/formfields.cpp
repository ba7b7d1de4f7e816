// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"
#include "app/plan/formdefaults.h"
#include "app/plan/launchlists.h"
#include "app/plan/pinning.h"
#include "app/plan/plan.h"
#include "app/plan/stepimages.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

using Type = Parameter::Type;

Parameter makeField(const char* key, const char* label, const QString& help, Type type)
{
    Parameter field;
    field.key = QLatin1String(key);
    field.label = tr(label);
    field.help = help;
    field.type = type;
    return field;
}

/// Builds the fields of one form in order: each default may depend on the values resolved before
/// it.
class FormBuilder {
public:
    FormBuilder(const Recipe& recipe, const Site& site, const std::optional<ClusterInfo>& cluster,
        const LaunchSpec& spec)
        : m_recipe(recipe)
        , m_site(site)
        , m_cluster(cluster)
        , m_spec(spec)
    {
    }

    std::vector<Parameter> build()
    {
        m_partition =
            partitionFacts(given(QStringLiteral("partition"))
                               .value_or(defaultPartition(m_recipe, m_site, m_cluster, m_spec)),
                m_site, m_cluster);
        m_lanes = chosenLanes();
        addAccount();
        addPartition();
        const bool wholeNode = m_site.gpuRequest == GpuRequestStyle::WholeNode;
        if (!wholeNode)
            addGpus();
        addTime();
        if (!wholeNode)
            addShare();
        addNodes();
        for (const Parameter& parameter : m_recipe.parameters)
            addParameter(parameter);
        addRest();
        return std::move(m_fields);
    }

private:
    /// The value of a field set by the user, else by the site file.
    std::optional<QString> given(const QString& key) const
    {
        return givenValue(m_recipe, m_site, m_spec, key);
    }

    void add(Parameter field, const QString& otherwise)
    {
        field.value = given(field.key).value_or(otherwise);
        field.value.replace(QStringLiteral("{built}"), builtFolder(m_site));
        m_fields.push_back(std::move(field));
    }

    QString wanted(const char* key) const { return m_recipe.resources.value(QLatin1String(key)); }

    /// The recipe's default for the requested number of GPUs: its entry for that number, else that
    /// for the nearest lower one, with CPUs and memory in proportion.
    QString wantedForGpus(const char* key) const
    {
        const QString name = QLatin1String(key);
        const int gpus = gpusAsked();
        auto entry = m_recipe.byGpus.upperBound(gpus);
        if (entry == m_recipe.byGpus.begin() || !(--entry)->contains(name))
            return wanted(key);
        const QString value = entry->value(name);
        if (const auto memory = MemorySize::parse(value); name == u"memory" && memory.ok())
            return entry.key() == gpus
                ? value
                : MemorySize(memory->mebibytes() * gpus / entry.key()).slurmText();
        return name == u"cpus" ? QString::number(value.toInt() * gpus / entry.key()) : value;
    }

    bool gpusCompute() const { return m_site.gpusAreReal.value_or(true); }

    QStringList chosenLanes() const
    {
        for (const Parameter& parameter : m_recipe.parameters) {
            if (parameter.type != Type::Lanes)
                continue;
            const QString value = given(parameter.key).value_or(parameter.value);
            if (!value.isEmpty())
                return listItems(value);
        }
        const bool gpu = m_partition.partition.gpusPerNode > 0 && gpusCompute()
            && given(QStringLiteral("gpus")).value_or(QStringLiteral("1")) != u"0";
        QStringList chosen;
        for (const Lane& lane : m_recipe.lanes) {
            if (gpu || !lane.needsGpu)
                chosen << lane.id;
        }
        return chosen;
    }

    void addAccount()
    {
        const QStringList accounts = m_cluster ? m_cluster->accounts : QStringList();
        const bool needed = m_site.account != AccountRule::None;
        if (!needed && accounts.isEmpty())
            return;
        Parameter field = makeField(
            "account", "Account", tr("The project that is charged for the time."), Type::Text);
        field.choices = accounts;
        field.required = m_site.account == AccountRule::Required;
        // Where none is needed, the scheduler knows which one is charged.
        add(field, needed && accounts.size() == 1 ? accounts.first() : QString());
    }

    void addPartition()
    {
        Parameter field =
            makeField("partition", "Partition", m_partition.partition.note, Type::Text);
        field.choices = partitionNames(m_site, m_cluster);
        add(field, m_partition.partition.name);
    }

    void addGpus()
    {
        const int there = m_partition.partition.gpusPerNode;
        const int asked = wanted("gpus").toInt();
        const bool lane = std::any_of(m_recipe.lanes.begin(), m_recipe.lanes.end(),
            [this](const Lane& one) { return one.needsGpu && m_lanes.contains(one.id); });
        int count = m_recipe.lanes.empty() ? asked : lane ? std::max(1, asked) : 0;
        if ((there == 0 || !gpusCompute()) && !(lane && lanesAsked()))
            count = 0;
        const bool limited = there > 0 && !m_partition.partition.gpusAtLeast;
        if (limited)
            count = std::min(count, there);
        Parameter field = makeField("gpus", "GPUs", gpuHelp(), Type::Integer);
        field.least = 0;
        if (limited)
            field.most = there;
        add(field, QString::number(count));
    }

    /// The number of GPUs that the form requests so far.
    int gpusAsked() const
    {
        const auto field = std::find_if(m_fields.begin(), m_fields.end(),
            [](const Parameter& one) { return one.key == u"gpus"; });
        return field == m_fields.end() ? 0 : field->value.toInt();
    }

    /// Whether these lanes were chosen explicitly: such a lane gets its GPU in the form, and lint
    /// reports problems with it.
    bool lanesAsked() const
    {
        return std::any_of(m_recipe.parameters.begin(), m_recipe.parameters.end(),
            [this](const Parameter& one) { return one.type == Type::Lanes && given(one.key); });
    }

    QString gpuHelp() const
    {
        const SitePartition& partition = m_partition.partition;
        if (!gpusCompute())
            return m_site.gpusNote;
        if (partition.gpusPerNode == 0)
            return partition.gpusKnown ? tr("Nodes of this partition have no GPU.") : QString();
        const QString kind = partition.gpuName.isEmpty() ? partition.gpuType : partition.gpuName;
        return (partition.gpusAtLeast ? tr("A node has at least %1%2.") : tr("A node has %1%2."))
            .arg(partition.gpusPerNode)
            .arg(kind.isEmpty() ? kind : u' ' + kind);
    }

    void addTime()
    {
        Parameter field = makeField("time", "Time limit",
            tr("Slurm ends the job after this time. A job with a shorter limit often starts "
               "sooner."),
            Type::WallTime);
        field.required = true;
        QString time = wanted("time").isEmpty() ? QStringLiteral("00:30:00") : wanted("time");
        const Result<WallTime> asked = WallTime::parse(time);
        const WallTime limit = m_partition.partition.timeLimit;
        if (asked.ok() && *asked > limit && limit.seconds().count() != 0)
            time = limit.slurmText();
        add(field, time);
    }

    /// The job's share of a node: CPUs and memory.
    void addShare()
    {
        const SitePartition& partition = m_partition.partition;
        Parameter cpus = makeField("cpus", "CPUs", tr("For each task."), Type::Integer);
        cpus.least = 1;
        if (partition.cpusPerNode > 0)
            cpus.most = partition.cpusPerNode;
        int count = std::max(1, wantedForGpus("cpus").toInt());
        if (partition.cpusPerNode > 0)
            count = std::min(count, partition.cpusPerNode);
        const int gpus = gpusAsked();
        if (partition.cpusPerGpu > 0 && gpus > 0)
            count = std::min(count, partition.cpusPerGpu * gpus);
        add(cpus, QString::number(count));

        Parameter memory = makeField("memory", "Memory", tr("On each node."), Type::Memory);
        const QString each =
            given(QStringLiteral("memory_per_cpu")).value_or(wanted("memory_per_cpu"));
        QString size = each.isEmpty() ? wantedForGpus("memory") : QString();
        const Result<MemorySize> asked = MemorySize::parse(size);
        if (asked.ok() && partition.memoryPerNode.mebibytes() > 0
            && *asked > partition.memoryPerNode)
            size = partition.memoryPerNode.slurmText();
        add(memory, size);
    }

    void addNodes()
    {
        Parameter nodes = makeField("nodes", "Nodes", {}, Type::Integer);
        nodes.least = 1;
        nodes.advanced = m_recipe.mostNodes == 1;
        add(nodes, wanted("nodes").isEmpty() ? QStringLiteral("1") : wanted("nodes"));
        Parameter tasks = makeField("tasks_per_node", "Tasks per node", {}, Type::Integer);
        tasks.least = 1;
        const QString count = wantedForGpus("tasks_per_node");
        tasks.advanced = count.isEmpty();
        add(tasks, count.isEmpty() ? QStringLiteral("1") : count);
    }

    void addParameter(Parameter parameter)
    {
        if (parameter.type == Type::Lanes) {
            parameter.choices.clear();
            for (const Lane& lane : m_recipe.lanes)
                parameter.choices << lane.id;
            add(parameter, m_lanes.join(u','));
            return;
        }
        const QString value = parameter.value;
        add(std::move(parameter), value);
    }

    void addAdvanced(const char* key, const char* label, const char* help, const QString& value,
        const QStringList& choices = {})
    {
        Parameter field = makeField(key, label, tr(help), Type::Text);
        field.advanced = true;
        field.choices = choices;
        add(field, value);
    }

    void addRest()
    {
        if (m_site.gpuRequest != GpuRequestStyle::WholeNode)
            addAdvanced("gpu_type", "GPU type",
                "The GPU type as Slurm names it. Leave empty for any.", wanted("gpu_type"));
        addAdvanced("qos", "QOS", "Leave empty for your account's default.", wanted("qos"),
            m_cluster ? m_cluster->qos : QStringList());
        addAdvanced("reservation", "Reservation",
            "Nodes that are reserved, for a course for example. Leave empty for none.",
            m_site.reservation);
        addAdvanced("constraint", "Constraint", "A feature that the nodes must have.",
            wanted("constraint"));
        addAdvanced("job_name", "Job name", "The name that squeue shows.",
            wanted("job_name").isEmpty() ? m_recipe.id : wanted("job_name"));
        addWholeNode();
        addRuntime();
        if (std::optional<Parameter> pin = pinField(m_recipe))
            add(std::move(*pin), QStringLiteral("false"));
        addLists();
        addRequeue();
        addCheck();
        const QString scratch = m_site.scratch.isEmpty() ? QStringLiteral("$HOME") : m_site.scratch;
        addAdvanced("cache", "Image cache", "Where the container runtime keeps image layers.",
            m_site.cache.isEmpty() ? scratch + QStringLiteral("/slipway/cache") : m_site.cache);
    }

    /// For shared nodes: memory per CPU, or all CPUs of the node.
    void addWholeNode()
    {
        if (m_site.gpuRequest == GpuRequestStyle::WholeNode)
            return;
        Parameter each = makeField("memory_per_cpu", "Memory per CPU",
            tr("Instead of the memory per node."), Type::Memory);
        each.advanced = true;
        add(each, wanted("memory_per_cpu"));
        Parameter exclusive = makeField("exclusive", "Whole node",
            tr("All CPUs of the node, shared with no other job. Memory is still requested "
               "separately."),
            Type::Flag);
        exclusive.advanced = true;
        add(exclusive,
            wanted("exclusive").isEmpty() ? QStringLiteral("false") : wanted("exclusive"));
    }

    /// What every step inherits: the site's values, unless the user changes them.
    void addLists()
    {
        const auto otherwise = [this](const char* key, const QString& ofSite) {
            return wanted(key).isEmpty() ? ofSite : wanted(key);
        };
        addAdvanced("modules", "Modules",
            "Loaded in this order before the work begins, for example apptainer cuda/12.3.",
            otherwise("modules", m_site.modules.join(u' ')));
        addAdvanced("binds", "Folders in the container",
            "Folders of the node to bind in addition to the run's own: SOURCE, SOURCE:DESTINATION "
            "or SOURCE:DESTINATION:ro, separated by commas.",
            otherwise("binds", m_site.binds.join(u',')));
        addAdvanced("environment", "Variables",
            "Set for every step: NAME=value, separated by spaces.",
            otherwise("environment", environmentText(m_site.environment)));
    }

    void addRequeue()
    {
        Parameter field = makeField("requeue", "Requeue if the node fails",
            tr("If its node fails or the job is requeued, Slurm starts it again from the "
               "beginning."),
            Type::Flag);
        field.advanced = true;
        add(field, wanted("requeue").isEmpty() ? QStringLiteral("false") : wanted("requeue"));
    }

    /// A recipe that can use a GPU checks its node first.
    void addCheck()
    {
        const bool wholeNode = m_site.gpuRequest == GpuRequestStyle::WholeNode;
        const bool lane = std::any_of(m_recipe.lanes.begin(), m_recipe.lanes.end(),
            [](const Lane& one) { return one.needsGpu; });
        const bool gpu = lane || wanted("gpus").toInt() > 0
            || (wholeNode ? m_partition.partition.gpusPerNode > 0 : gpusAsked() > 0);
        Parameter field = makeField("check", "Node check",
            tr("slipway-probe checks the node before the work begins. report: the job continues "
               "whatever it finds; stop: a failed check ends the job before the image is pulled; "
               "none: no check."),
            Type::Choice);
        field.choices =
            QStringList{QStringLiteral("report"), QStringLiteral("stop"), QStringLiteral("none")};
        field.advanced = true;
        add(field,
            !wanted("check").isEmpty() ? wanted("check")
                : gpu                  ? QStringLiteral("report")
                                       : QStringLiteral("none"));
    }

    /// Where the site offers several runtimes that the recipe supports.
    void addRuntime()
    {
        const std::vector<RuntimeKind> offered = offeredRuntimes(m_recipe, m_site);
        if (offered.size() < 2)
            return;
        Parameter field =
            makeField("runtime", "Runtime", tr("The container runtime to use."), Type::Choice);
        field.advanced = true;
        for (RuntimeKind runtime : offered)
            field.choices << runtimeName(runtime);
        add(field, field.choices.first());
    }

    const Recipe& m_recipe;
    const Site& m_site;
    const std::optional<ClusterInfo>& m_cluster;
    const LaunchSpec& m_spec;
    PartitionFacts m_partition;
    QStringList m_lanes;
    std::vector<Parameter> m_fields;
};

} // namespace

std::vector<Parameter> formFields(const Recipe& recipe, const Site& site,
    const std::optional<ClusterInfo>& cluster, const LaunchSpec& spec)
{
    return FormBuilder(recipe, site, cluster, spec).build();
}

} // namespace slipway
