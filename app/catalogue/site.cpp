// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/site.h"

#include "app/catalogue/jsonfields.h"
#include "app/catalogue/names.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

/// A text of digits with dots, "12.4": versions of drivers, of CUDA, of GPUs.
QString readVersion(JsonFields& fields, const char* key, const char* example)
{
    static const QRegularExpression rule(QStringLiteral("\\A[0-9]{1,6}(\\.[0-9]{1,6}){0,3}\\z"));
    const QString text = fields.text(key);
    if (!text.isEmpty() && !rule.match(text).hasMatch())
        fields.report(key, tr("expected a version: %1.").arg(QLatin1String(example)));
    return text;
}

QString readArchitecture(JsonFields& fields)
{
    const QString text = fields.text("architecture");
    if (!text.isEmpty() && text != u"x86_64" && text != u"ppc64le" && text != u"aarch64")
        fields.report("architecture",
            tr("“%1” is not known; expected one of: x86_64, ppc64le, aarch64.").arg(text));
    return text;
}

SiteLogin readLogin(JsonFields& fields)
{
    SiteLogin login;
    login.host = fields.text("host", true);
    login.port = fields.count("port");
    if (login.port > 65535)
        fields.report("port", tr("expected a port, 1 to 65535."));
    login.user = fields.text("user");
    login.jump = fields.text("jump");
    login.purpose = fields.text("purpose");
    login.methods = fields.texts("methods");
    login.note = fields.text("note");
    return login;
}

SitePartition readPartition(JsonFields& fields)
{
    SitePartition partition;
    partition.name = fields.text("name", true);
    partition.isDefault = fields.flag("default");
    partition.nodes = fields.count("nodes");
    partition.gpusPerNode = fields.count("gpus_per_node");
    const int least = fields.count("gpus_at_least");
    partition.gpusAtLeast = least > 0;
    partition.gpusKnown = fields.has("gpus_per_node") || partition.gpusAtLeast;
    if (partition.gpusAtLeast && partition.gpusPerNode > 0)
        fields.report("gpus_at_least", tr("expected one of gpus_per_node and gpus_at_least."));
    if (partition.gpusAtLeast)
        partition.gpusPerNode = least;
    partition.gpuType = fields.text("gpu_type");
    partition.gpuName = fields.text("gpu_name");
    partition.cpusPerNode = fields.count("cpus_per_node");
    partition.memoryPerNode = fields.parsed("memory_per_node", MemorySize(), &MemorySize::parse);
    partition.timeLimit = fields.parsed("time_limit", WallTime::unlimited(), &WallTime::parse);
    partition.mostNodes = fields.count("most_nodes");
    partition.cpusPerGpu = fields.count("cpus_per_gpu");
    partition.cuda = readVersion(fields, "cuda", "12.4");
    partition.architecture = readArchitecture(fields);
    partition.computeCapability = readVersion(fields, "compute_capability", "8.0");
    partition.purpose = fields.word("purpose", PartitionPurpose::Any,
        {{"interactive", PartitionPurpose::Interactive}, {"batch", PartitionPurpose::Batch}});
    partition.note = fields.text("note");
    return partition;
}

SiteSource readSource(JsonFields& fields)
{
    static const QRegularExpression day(
        QStringLiteral("\\A([0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?|undated)\\z"));
    const SiteSource source{
        fields.text("fact", true), fields.text("source", true), fields.text("date", true)};
    if (!source.date.isEmpty() && !day.match(source.date).hasMatch())
        fields.report("date", tr("expected 2026, 2026-11, 2026-11-21 or undated."));
    return source;
}

void readKinds(JsonFields& fields, Site* site)
{
    site->gpuRequestKnown = fields.has("gpu_request");
    site->gpuRequest = fields.word("gpu_request", GpuRequestStyle::Gres,
        {{"gres", GpuRequestStyle::Gres}, {"gpus", GpuRequestStyle::Gpus},
            {"gpus-per-node", GpuRequestStyle::GpusPerNode},
            {"whole-node", GpuRequestStyle::WholeNode}});
    site->interactive = fields.word("interactive", InteractiveStyle::Salloc,
        {{"salloc", InteractiveStyle::Salloc}, {"srun-pty", InteractiveStyle::SrunPty},
            {"idev", InteractiveStyle::Idev}});
    site->launcher = fields.word("launcher", LauncherKind::Srun,
        {{"srun", LauncherKind::Srun}, {"ibrun", LauncherKind::Ibrun},
            {"mpirun", LauncherKind::Mpirun}});
    site->builds = fields.word("builds", BuildRule::Unknown,
        {{"fakeroot", BuildRule::Fakeroot}, {"none", BuildRule::None}});
    site->account = fields.word("account", AccountRule::IfSeveral,
        {{"required", AccountRule::Required}, {"if-several", AccountRule::IfSeveral},
            {"none", AccountRule::None}});
}

/// What containers are run with. `runtime` is the default of `runtimes`; either may be given alone.
void readRuntimes(JsonFields& fields, Site* site)
{
    static const std::pair<const char*, RuntimeKind> words[] = {
        {"apptainer", RuntimeKind::Apptainer}, {"singularity", RuntimeKind::Singularity},
        {"enroot", RuntimeKind::Enroot}, {"pyxis", RuntimeKind::Pyxis}};
    for (const QString& name : fields.texts("runtimes")) {
        const auto known = std::find_if(std::begin(words), std::end(words),
            [&name](const auto& word) { return name == QLatin1String(word.first); });
        if (known == std::end(words))
            fields.report("runtimes",
                tr("“%1” is not known; expected some of: apptainer, singularity, enroot, pyxis.")
                    .arg(name));
        else if (std::find(site->runtimes.begin(), site->runtimes.end(), known->second)
            == site->runtimes.end())
            site->runtimes.push_back(known->second);
    }
    const RuntimeKind first =
        site->runtimes.empty() ? RuntimeKind::Apptainer : site->runtimes.front();
    site->runtime = fields.word("runtime", first, {words[0], words[1], words[2], words[3]});
    if (site->runtimes.empty())
        site->runtimes.push_back(site->runtime);
    else if (std::find(site->runtimes.begin(), site->runtimes.end(), site->runtime)
        == site->runtimes.end())
        fields.report("runtime", tr("it is not listed in runtimes."));
    site->singularityMajor = fields.count("singularity_major");
    if (site->singularityMajor != 0 && site->singularityMajor != 2 && site->singularityMajor != 3)
        fields.report("singularity_major", tr("expected 2 or 3."));
    site->runtimeOnLogin = fields.optionalFlag("runtime_on_login");
    site->enrootMpiHook = fields.optionalFlag("enroot_mpi_hook");
}

/// Values that are written into scripts must be harmless there.
void readScriptParts(JsonFields& fields, Site* site)
{
    site->mpi = fields.text("mpi");
    if (!site->mpi.isEmpty() && !isModuleName(site->mpi))
        fields.report("mpi", tr("expected an MPI plugin of srun, such as pmix or pmi2."));
    site->modules = fields.texts("modules");
    site->modulesKnown = fields.optionalFlag("modules_known").value_or(true);
    for (const QString& module : site->modules) {
        if (!isModuleName(module))
            fields.report("modules", tr("“%1” is not a module name.").arg(module));
    }
    for (auto [key, place] : {std::pair{"scratch", &site->scratch},
             std::pair{"cache", &site->cache}, std::pair{"image_folder", &site->imageFolder}}) {
        *place = fields.text(key);
        if (!place->isEmpty() && !isPathExpression(*place))
            fields.report(key,
                tr("expected an absolute path or one that begins with a variable: "
                   "$SCRATCH, /scratch/$USER."));
    }
    site->binds = fields.texts("binds");
    for (const QString& folder : site->binds) {
        if (!isPathExpression(folder) || folder.contains(u':') || folder.contains(u','))
            fields.report("binds",
                tr("“%1” is not a folder: expected an absolute path or one that begins "
                   "with a variable, without “:” and “,”.")
                    .arg(folder));
    }
    site->environment = fields.textMap("environment");
    for (const QString& name : site->environment.keys()) {
        if (!isVariableName(name))
            fields.report("environment", tr("“%1” is not a variable name.").arg(name));
    }
}

void readRecipeValues(JsonFields& fields, Site* site)
{
    fields.object("recipe_values", [site](JsonFields& recipes) {
        for (const QString& id : recipes.keys()) {
            if (id != u"*" && !isIdentifier(id))
                recipes.report(id.toUtf8().constData(), tr("expected a recipe's id, or *."));
            site->recipeValues.insert(id, recipes.textMap(id.toUtf8().constData()));
        }
    });
}

} // namespace

QString SiteLogin::name() const
{
    return jump.isEmpty() ? host : tr("%1 via %2").arg(host, jump);
}

Result<Site> parseSite(const QByteArray& json, const QString& file)
{
    Result<JsonFile> parsed = JsonFile::parse(json, file);
    if (!parsed.ok())
        return parsed.error();
    JsonFields fields(&*parsed, parsed->root(), {});
    Site site;
    site.file = file;
    site.id = fields.text("id", true);
    if (!isIdentifier(site.id))
        fields.report("id", tr("expected a word of a-z, 0-9 and -."));
    site.name = fields.text("name", true);
    site.institution = fields.text("institution");
    site.place = fields.text("place");
    site.summary = fields.text("summary");
    site.archived = fields.flag("archived");
    site.unsupported = fields.text("unsupported");
    site.providedBy = fields.text("provided_by");
    fields.objects("logins", [&](JsonFields& login) { site.logins.push_back(readLogin(login)); });
    // An empty list is valid: no host is published, and the user enters one.
    if (!fields.has("logins") && site.providedBy.isEmpty() && site.launchable())
        fields.report("logins",
            tr("missing; expected at least one login, or provided_by, or [] where no "
               "host is published."));
    fields.objects("partitions",
        [&](JsonFields& partition) { site.partitions.push_back(readPartition(partition)); });
    readKinds(fields, &site);
    readRuntimes(fields, &site);
    site.driver = readVersion(fields, "driver", "550.54.15");
    site.cuda = readVersion(fields, "cuda", "12.4");
    site.cudaSeen = readVersion(fields, "cuda_seen", "12.3");
    fields.objects("images", [&](JsonFields& image) {
        site.images.push_back(
            {image.text("match", true), image.text("problem", true), image.text("instead")});
    });
    site.architecture = readArchitecture(fields);
    site.outboundNetwork = fields.optionalFlag("outbound_network");
    readScriptParts(fields, &site);
    site.purgeDays = fields.count("purge_days");
    site.reservation = fields.text("reservation");
    site.plainHttpRegistries = fields.texts("plain_http_registries");
    readRecipeValues(fields, &site);
    site.defaultMemoryPerCpu =
        fields.parsed("default_memory_per_cpu", MemorySize(), &MemorySize::parse);
    site.gpusAreReal = fields.optionalFlag("gpus_are_real");
    site.liveSamples = fields.optionalFlag("live_samples").value_or(true);
    site.gpusNote = fields.text("gpus_note");
    site.quirks = fields.texts("quirks");
    fields.objects(
        "sources", [&](JsonFields& source) { site.sources.push_back(readSource(source)); });
    fields.finish();
    if (!parsed->clean())
        return parsed->error();
    return site;
}

} // namespace slipway
