// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/sinfo.h"

#include "remote/base/shellquoting.h"
#include "remote/slurm/values.h"

#include <QSet>

#include <limits>

namespace slipway {

namespace {

/// The list without its parentheses ("(S:0-1)", "(IDX:0,2)"), whose commas separate nothing.
QString withoutParentheses(const QString& text)
{
    QString result;
    int depth = 0;
    for (const QChar c : text) {
        if (c == u'(')
            ++depth;
        else if (c == u')' && depth > 0)
            --depth;
        else if (depth == 0)
            result += c;
    }
    return result;
}

std::optional<int> countOf(const QString& text)
{
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    if (!ok || number < 0 || number > std::numeric_limits<int>::max())
        return std::nullopt;
    return int(number);
}

/// "gpu", "gpu:2", "gpu:h200", "gpu:h200:2", "gres/gpu:h200=2", "gres:gpu:2", "shard:no_consume:8".
std::optional<Gres> gresOf(QString entry)
{
    if (entry.startsWith(u"gres/") || entry.startsWith(u"gres:"))
        entry.remove(0, 5);
    entry.replace(u'=', u':');
    QStringList parts = entry.split(u':', Qt::SkipEmptyParts);
    parts.removeAll(QStringLiteral("no_consume"));
    if (parts.isEmpty() || parts.size() > 3)
        return std::nullopt;
    Gres gres{parts.first(), {}, 1};
    if (parts.size() == 1)
        return gres;
    const auto count = countOf(parts.last());
    if (parts.size() == 3 && !count)
        return std::nullopt;
    gres.count = count.value_or(1);
    if (parts.size() == 3 || !count)
        gres.type = parts[1];
    return gres;
}

MemorySize memoryOf(const QByteArray& text)
{
    return MemorySize(slurmCount(text));
}

} // namespace

std::vector<Gres> parseGres(const QString& text)
{
    std::vector<Gres> list;
    const QString plain = withoutParentheses(text.trimmed());
    if (plain.isEmpty() || plain == u"N/A" || plain == u"null")
        return list;
    for (const auto& entry : plain.split(u',', Qt::SkipEmptyParts)) {
        if (const auto gres = gresOf(entry.trimmed()))
            list.push_back(*gres);
    }
    return list;
}

int gpuCount(const std::vector<Gres>& list)
{
    qint64 count = 0;
    for (const auto& gres : list)
        count += gres.name == u"gpu" ? gres.count : 0;
    return int(std::min<qint64>(count, std::numeric_limits<int>::max()));
}

QByteArray partitionsCommand(const Separators& separators)
{
    // %P marks the default partition with a star, %R is the bare name (sinfo(1)).
    QByteArray format;
    for (const char* field : {"%R", "%P", "%a", "%l", "%D", "%T", "%c", "%m", "%G", "%f"})
        format += QByteArray(field) + separators.field;
    return "sinfo -h -o " + shellQuoted(format + "%N" + separators.row);
}

Result<std::vector<PartitionRow>> parsePartitions(
    const QByteArray& output, const Separators& separators)
{
    int odd = 0; // a node or partition that cannot be parsed does not affect the others
    const auto records = splitRecords(output, separators, 11, &odd);
    if (!records.ok())
        return records.error();
    std::vector<PartitionRow> rows;
    for (const auto& record : *records) {
        PartitionRow row;
        row.name = lenientText(record[0]);
        row.isDefault = record[1] == record[0] + '*';
        row.available = record[2].trimmed() == "up";
        if (const auto limit = WallTime::parse(lenientText(record[3])); limit.ok())
            row.timeLimit = *limit;
        row.nodes = slurmCount(record[4]);
        row.state = lenientText(record[5]);
        row.cpus = slurmCount(record[6]);
        row.memory = memoryOf(record[7]);
        row.gres = parseGres(lenientText(record[8]));
        row.features = record[9] == "(null)" ? QString() : lenientText(record[9]);
        row.nodeList = lenientText(record[10]);
        rows.push_back(std::move(row));
    }
    return rows;
}

QByteArray nodesCommand(const Separators& separators)
{
    QByteArray format;
    for (const char* field : {"NodeHost", "Partition", "StateLong", "CPUsState", "Gres"})
        format += QByteArray(field) + ':' + separators.field + ',';
    return "sinfo -h -N -O " + shellQuoted(format + "GresUsed:" + separators.row);
}

Result<std::vector<NodeRow>> parseNodes(const QByteArray& output, const Separators& separators)
{
    int odd = 0; // a node or partition that cannot be parsed does not affect the others
    const auto records = splitRecords(output, separators, 6, &odd);
    if (!records.ok())
        return records.error();
    std::vector<NodeRow> rows;
    for (const auto& record : *records) {
        NodeRow row;
        row.name = lenientText(record[0]);
        row.partition = lenientText(record[1]);
        if (row.partition.endsWith(u'*'))
            row.partition.chop(1);
        row.state = lenientText(record[2]);
        const auto cpus = record[3].split('/'); // allocated/idle/other/total
        if (cpus.size() == 4) {
            row.cpusAllocated = slurmCount(cpus[0]);
            row.cpusIdle = slurmCount(cpus[1]);
            row.cpus = slurmCount(cpus[3]);
        }
        row.gres = parseGres(lenientText(record[4]));
        row.gresUsed = parseGres(lenientText(record[5]));
        rows.push_back(std::move(row));
    }
    return rows;
}

bool NodeRow::usable() const
{
    // sinfo(1), NODE STATE CODES: * does not respond, $ maintenance, @ and ^ reboot, ! and % power
    // down,
    // - planned for another job. ~ and # are nodes that power up for a job.
    for (const QChar flag : {u'*', u'$', u'@', u'^', u'!', u'%', u'-'}) {
        if (state.endsWith(flag))
            return false;
    }
    QString base = state.toLower();
    while (!base.isEmpty() && !base.back().isLetter())
        base.chop(1);
    static const QSet<QString> good{QStringLiteral("idle"), QStringLiteral("mixed"),
        QStringLiteral("mix"), QStringLiteral("allocated"), QStringLiteral("alloc")};
    return good.contains(base);
}

QMap<QString, int> freeGpus(const std::vector<NodeRow>& nodes)
{
    QMap<QString, int> free;
    QSet<QString> seen;
    for (const auto& node : nodes) {
        int& count = free[node.partition];
        const QString key = node.partition + u'\n' + node.name;
        if (seen.contains(key))
            continue;
        seen.insert(key);
        if (node.usable())
            count += std::max(0, gpuCount(node.gres) - gpuCount(node.gresUsed));
    }
    return free;
}

} // namespace slipway
