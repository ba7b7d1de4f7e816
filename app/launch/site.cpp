// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/site.h"

#include "app/launch/jsonfields.h"
#include "app/launch/names.h"

namespace slipway {

namespace {

SiteLogin readLogin(JsonFields& fields)
{
    SiteLogin login;
    login.host = fields.text("host", true);
    login.port = fields.count("port");
    if (login.port > 65535)
        fields.complain("port", QStringLiteral("expected a port, 1 to 65535."));
    login.user = fields.text("user");
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
    partition.gpuType = fields.text("gpu_type");
    partition.gpuName = fields.text("gpu_name");
    partition.cpusPerNode = fields.count("cpus_per_node");
    partition.memoryPerNode = fields.parsed("memory_per_node", MemorySize(), &MemorySize::parse);
    partition.timeLimit = fields.parsed("time_limit", WallTime::unlimited(), &WallTime::parse);
    partition.note = fields.text("note");
    return partition;
}

void readKinds(JsonFields& fields, Site* site)
{
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
    site->runtime = fields.word("runtime", RuntimeKind::Apptainer,
        {{"apptainer", RuntimeKind::Apptainer}, {"singularity", RuntimeKind::Singularity},
            {"enroot", RuntimeKind::Enroot}, {"pyxis", RuntimeKind::Pyxis}});
    site->account = fields.word("account", AccountRule::IfSeveral,
        {{"required", AccountRule::Required}, {"if-several", AccountRule::IfSeveral},
            {"none", AccountRule::None}});
}

/// What will stand in scripts must be harmless there.
void readScriptParts(JsonFields& fields, Site* site)
{
    site->mpi = fields.text("mpi");
    if (!site->mpi.isEmpty() && !isModuleName(site->mpi))
        fields.complain("mpi", QStringLiteral("expected a plug-in of srun --mpi: pmix, pmi2."));
    site->modules = fields.texts("modules");
    for (const QString& module : site->modules) {
        if (!isModuleName(module))
            fields.complain("modules", QStringLiteral("“%1” is not a module's name.").arg(module));
    }
    for (auto [key, place] : {std::pair{"scratch", &site->scratch}, std::pair{"cache", &site->cache}}) {
        *place = fields.text(key);
        if (!place->isEmpty() && !isPathExpression(*place))
            fields.complain(key, QStringLiteral("expected an absolute path or one that begins with a variable: $SCRATCH, /scratch/$USER."));
    }
    site->environment = fields.textMap("environment");
    for (const QString& name : site->environment.keys()) {
        if (!isVariableName(name))
            fields.complain("environment", QStringLiteral("“%1” is not a variable's name.").arg(name));
    }
}

void readRecipeValues(JsonFields& fields, Site* site)
{
    fields.object("recipe_values", [site](JsonFields& recipes) {
        for (const QString& id : recipes.keys()) {
            if (id != u"*" && !isIdentifier(id))
                recipes.complain(id.toUtf8().constData(), QStringLiteral("expected a recipe's id, or *."));
            site->recipeValues.insert(id, recipes.textMap(id.toUtf8().constData()));
        }
    });
}

} // namespace

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
        fields.complain("id", QStringLiteral("expected a word of a-z, 0-9 and -."));
    site.name = fields.text("name", true);
    site.institution = fields.text("institution");
    site.place = fields.text("place");
    site.summary = fields.text("summary");
    site.archived = fields.flag("archived");
    site.providedBy = fields.text("provided_by");
    fields.objects("logins", [&](JsonFields& login) { site.logins.push_back(readLogin(login)); });
    if (site.logins.empty() && site.providedBy.isEmpty() && !site.archived)
        fields.complain("logins", QStringLiteral("missing; expected at least one login, or provided_by."));
    fields.objects("partitions",
        [&](JsonFields& partition) { site.partitions.push_back(readPartition(partition)); });
    readKinds(fields, &site);
    readScriptParts(fields, &site);
    site.purgeDays = fields.count("purge_days");
    site.reservation = fields.text("reservation");
    site.plainHttpRegistries = fields.texts("plain_http_registries");
    readRecipeValues(fields, &site);
    site.defaultMemoryPerCpu = fields.parsed("default_memory_per_cpu", MemorySize(), &MemorySize::parse);
    site.gpusAreReal = fields.optionalFlag("gpus_are_real");
    site.gpusNote = fields.text("gpus_note");
    site.quirks = fields.texts("quirks");
    fields.objects("sources", [&](JsonFields& source) {
        site.sources.push_back({source.text("fact", true), source.text("source", true), source.text("date", true)});
    });
    fields.finish();
    if (!parsed->clean())
        return parsed->error();
    return site;
}

} // namespace slipway
