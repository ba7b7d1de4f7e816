// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/discovering.h"

#include "remote/base/tr.h"
#include "remote/cluster/accountshares.h"
#include "remote/slurm/submission.h"

#include <QRegularExpression>

namespace slipway {

namespace {

constexpr int questions = 5; // scontrol show config, sinfo twice, sacctmgr, sshare

/// Only a login shell has the modules, and the variables of the user's start-up files.
QByteArray loginScript(const Sections& sections, const QString& scratchExpression)
{
    const QByteArray scratch = scratchExpression.trimmed().isEmpty()
        ? QByteArray()
        : sections.section(
            "scratch", "x=" + scratchExpression.trimmed().toUtf8() + "\nprintf '%s' \"$x\"");
    // `module` is a function that prints on stderr; a runtime may be available only through its
    // module.
    const QByteArray runtime =
        "for p in apptainer singularity; do\n"
        "  command -v $p >/dev/null || module load $p >/dev/null 2>&1 || continue\n"
        "  command -v $p >/dev/null && $p --version && exit 0\n"
        "done\n"
        "command -v enroot >/dev/null && echo enroot version \"$(enroot version)\" && exit 0\n"
        "exit 1";
    return scratch + sections.section("runtime", runtime)
        + sections.section("path", "printf '%s\\n' \"$(command -v squeue)\" \"$SLURM_CONF\"");
}

QString oneLine(const QByteArray& text)
{
    return lenientText(text.trimmed().split('\n').value(0).trimmed());
}

QStringList distinctColumn(const QByteArray& text, int column)
{
    QStringList values;
    for (const auto& line : text.split('\n')) {
        for (const auto& value :
            lenientText(line).section(u'|', column, column).split(u',', Qt::SkipEmptyParts)) {
            if (!values.contains(value.trimmed()))
                values << value.trimmed();
        }
    }
    return values;
}

/// `srun --mpi=list`: "MPI plugin types are..." and one name per line; old versions prefix it with
/// "srun: ".
QStringList mpiPlugins(const QByteArray& text)
{
    static const QRegularExpression word(QStringLiteral("\\A[a-z][a-z0-9_]{0,30}\\z"));
    static const QRegularExpression versions(
        QStringLiteral("specific pmix plugin versions available: (.*)"));
    QStringList names;
    for (const auto& line : lenientText(text).split(u'\n')) {
        QString name = line.trimmed();
        if (name.startsWith(u"srun: "))
            name = name.mid(6).trimmed();
        if (const auto match = versions.match(name); match.hasMatch()) {
            for (const auto& version : match.captured(1).split(u',', Qt::SkipEmptyParts))
                names << version.trimmed();
        } else if (word.match(name).hasMatch() && name != u"none") {
            names << name;
        }
    }
    names.removeDuplicates();
    return names;
}

QByteArray pathLineOf(const QByteArray& answer)
{
    const auto lines = answer.split('\n');
    const QByteArray squeue = lines.value(0).trimmed();
    const auto slash = squeue.lastIndexOf('/');
    if (!squeue.startsWith('/') || slash <= 0)
        return {};
    QByteArray line = "PATH=" + shellQuoted(squeue.left(slash)) + ":$PATH; export PATH\n";
    if (const QByteArray config = lines.value(1).trimmed(); !config.isEmpty())
        line += "SLURM_CONF=" + shellQuoted(config) + "; export SLURM_CONF\n";
    return line;
}

void readWho(ClusterInfo& info, const QByteArray& answer)
{
    const auto lines = answer.split('\n');
    info.userName = lenientText(lines.value(0));
    info.homeFolder = lenientText(lines.value(1));
    info.loginShell = lenientText(lines.value(2));
}

} // namespace

QByteArray discoverScript(
    const Sections& sections, const Separators& separators, const QString& scratchExpression)
{
    // Asked once: who has accounts depends on the configuration as well.
    const QByteArray ask = "config=$(scontrol show config </dev/null 2>/dev/null); asked=$?\n";
    const QByteArray unlessOff =
        // Of that line only: others are (null) where accounting is on.
        "case $(printf '%s\\n' \"$config\" | grep '^AccountingStorageType') in\n"
        "*'= (null)'*|*'accounting_storage/none'*) exit 3;;\n"
        "esac\n";
    const QByteArray accounts = unlessOff
        + "timeout 20 sacctmgr -n -P show assoc where user=\"$(id -un)\" format=Account,QOS";
    return ask + sections.section("version", "scontrol --version")
        + sections.section("config", "printf '%s\\n' \"$config\"; exit $asked")
        + sections.section("partitions", partitionsCommand(separators))
        + sections.section("nodes", nodesCommand(separators))
        + sections.section("mpi", "srun --mpi=list 2>&1")
        + sections.section("who",
            "id -un; printf '%s\\n' \"$HOME\"\n"
            "s=$(getent passwd \"$(id -un)\" | cut -d: -f7); printf '%s\\n' \"${s:-$SHELL}\"")
        + sections.section("accounts", accounts)
        + sections.section("shares", unlessOff + sharesScript()) + "bash -l -c "
        + shellQuoted(loginScript(sections, scratchExpression))
        + " </dev/null 2>/dev/null\nexit 0\n";
}

std::vector<PartitionInfo> mergedPartitions(
    const std::vector<PartitionRow>& rows, const std::vector<NodeRow>& nodes)
{
    const auto free = freeGpus(nodes);
    std::vector<PartitionInfo> partitions;
    for (const auto& row : rows) {
        auto at = std::find_if(partitions.begin(), partitions.end(),
            [&](const PartitionInfo& known) { return known.name == row.name; });
        if (at == partitions.end()) {
            PartitionInfo fresh;
            fresh.name = row.name;
            fresh.isDefault = row.isDefault;
            fresh.available = row.available;
            fresh.timeLimit = row.timeLimit;
            if (free.contains(row.name))
                fresh.gpusFree = free.value(row.name);
            partitions.push_back(fresh);
            at = partitions.end() - 1;
        }
        // A partition of mixed nodes: a job may request what the largest node offers.
        at->nodes += row.nodes;
        at->cpusPerNode = std::max(at->cpusPerNode, row.cpus);
        at->memoryPerNode = std::max(at->memoryPerNode, row.memory);
        if (const int gpus = gpuCount(row.gres); gpus > at->gpusPerNode) {
            at->gpusPerNode = gpus;
            for (const auto& gres : row.gres) {
                if (gres.name == u"gpu")
                    at->gpuType = gres.type;
            }
        }
    }
    return partitions;
}

Discovery parseDiscovery(
    const QByteArray& output, const Sections& sections, const Separators& separators)
{
    const auto answers = sections.parse(output);
    const auto good = [&](const char* name) {
        const auto answer = answers.value(name);
        return answer.exitCode == 0 ? answer.out : QByteArray();
    };
    Discovery found;
    ClusterInfo& info = found.info;
    static const QRegularExpression number(QStringLiteral("[0-9]+\\.[0-9]+(?:\\.[0-9A-Za-z-]+)*"));
    info.slurmVersion = number.match(oneLine(good("version"))).captured(0);
    found.hasSlurm = answers.value("version").exitCode == 0;
    const QByteArray config = good("config");
    info.clusterName = configValue(config, "ClusterName");
    const QString storage = configValue(config, "AccountingStorageType");
    info.accounting = !storage.isEmpty() && !storage.endsWith(u"/none");
    info.fairShareCounts = configValue(config, "PriorityType").endsWith(u"/multifactor");
    info.arraySize = std::max(0, configValue(config, "MaxArraySize").toInt());
    readWho(info, good("who"));

    const auto rows = parsePartitions(good("partitions"), separators);
    const auto nodes = parseNodes(good("nodes"), separators);
    if (rows.ok())
        info.partitions = mergedPartitions(*rows, nodes.ok() ? *nodes : std::vector<NodeRow>());
    info.accounts = distinctColumn(good("accounts"), 0);
    info.qos = distinctColumn(good("accounts"), 1);
    info.shares = readShares(good("shares"), info);
    info.mpiPlugins = mpiPlugins(answers.value("mpi").out);
    info.runtimeVersion = oneLine(good("runtime"));
    info.scratch = oneLine(good("scratch"));
    if (!info.scratch.startsWith(u'/'))
        info.scratch.clear();
    if (!found.hasSlurm)
        found.pathLine = pathLineOf(good("path"));
    return found;
}

QCoro::Task<Result<ClusterInfo>> discoverCluster(
    std::shared_ptr<SlurmContext> side, QString scratchExpression)
{
    for (int attempt = 0;; ++attempt) {
        const Sections sections(Separators::random().row.mid(4));
        const auto separators = Separators::random();
        const QByteArray script = discoverScript(sections, separators, scratchExpression);
        const auto output = co_await runOn(side, script, questions, std::chrono::minutes(2));
        if (!output.ok())
            co_return output.error();
        Discovery found = parseDiscovery(output->out, sections, separators);
        if (!found.hasSlurm && !found.pathLine.isEmpty() && attempt == 0) {
            side->preamble = found.pathLine;
            continue;
        }
        if (!found.hasSlurm) {
            const QString where = side->shell->displayName();
            co_return Error{ErrorKind::Unsupported, tr("There is no Slurm on %1.").arg(where),
                tr("Log in to a login node of a Slurm cluster.")};
        }
        side->accounting = found.info.accounting;
        if (scratchExpression.trimmed().isEmpty())
            found.info.scratch =
                found.info.homeFolder; // a site without scratch: the home folder is used
        found.info.asked = QDateTime::currentDateTimeUtc();
        co_return found.info;
    }
}

} // namespace slipway
