// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/sitewords.h"

#include "remote/base/tr.h"

#include <QDir>
#include <QFile>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QString joined(QStringList parts, const QString& between)
{
    parts.removeAll(QString());
    return parts.join(between);
}

QByteArray firstBytes(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(64).trimmed() : QByteArray();
}

} // namespace

QString placeLine(const Site& site)
{
    return joined({site.institution, site.place}, u" · "_s);
}

QString gpuLine(const Site& site)
{
    QStringList kinds;
    int perNode = 0;
    bool atLeast = false;
    for (const SitePartition& partition : site.partitions) {
        if (partition.gpusPerNode <= 0) {
            continue;
        }
        const QString kind = partition.gpuName.isEmpty() ? partition.gpuType : partition.gpuName;
        if (!kind.isEmpty() && !kinds.contains(kind)) {
            kinds << kind;
            perNode = partition.gpusPerNode;
            atLeast = partition.gpusAtLeast;
        }
    }
    if (kinds.isEmpty()) {
        return tr("no GPU");
    }
    if (kinds.size() > 1 || atLeast) {
        return kinds.join(u", "_s);
    }
    return tr("%1 × %2 per node").arg(perNode).arg(kinds.first());
}

QString toolLine(const Site& site)
{
    static const QString runtimes[] = {u"Apptainer"_s, u"Singularity"_s, u"enroot"_s, u"pyxis"_s};
    static const QString launchers[] = {u"srun"_s, u"ibrun"_s, u"mpirun"_s};
    QStringList offered;
    for (const RuntimeKind kind : site.runtimes) {
        offered << runtimes[int(kind)];
    }
    if (offered.isEmpty()) {
        offered << runtimes[int(site.runtime)];
    }
    return offered.join(u", "_s) % u" · "_s % launchers[int(site.launcher)];
}

QString loginLine(const Site& site)
{
    return site.logins.empty() ? QString() : site.logins.front().methods.join(u" + "_s);
}

QStringList siteOrder(const std::vector<Site>& sites, const QHash<QString, QDateTime>& lastUse,
    const QStringList& connected)
{
    const auto rank = [&](const Site& site) {
        return !site.launchable()         ? 4
            : site.own                    ? 0
            : lastUse.contains(site.id)   ? 1
            : connected.contains(site.id) ? 2
                                          : 3;
    };
    std::vector<Site> sorted = sites;
    std::stable_sort(sorted.begin(), sorted.end(), [&](const Site& a, const Site& b) {
        if (rank(a) != rank(b)) {
            return rank(a) < rank(b);
        }
        const QDateTime used = lastUse.value(a.id), otherUsed = lastUse.value(b.id);
        if (rank(a) <= 1 && used != otherUsed) {
            return !otherUsed.isValid() || (used.isValid() && used > otherUsed);
        }
        return a.name.localeAwareCompare(b.name) < 0;
    });
    QStringList ids;
    for (const Site& site : sorted) {
        ids << site.id;
    }
    return ids;
}

std::optional<bool> hasNvidiaGpu(const QString& root)
{
    if (QFile::exists(root % u"/proc/driver/nvidia/version"_s)
        || QFile::exists(root % u"/dev/nvidiactl"_s)) {
        return true;
    }
    const QDir devices(root % u"/sys/bus/pci/devices"_s);
    const QStringList entries = devices.entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    if (entries.isEmpty()) {
        return std::nullopt; // no PCI bus to read: a virtual machine or another system
    }
    for (const QString& entry : entries) {
        const QString folder = devices.filePath(entry);
        if (firstBytes(folder % u"/vendor"_s) == "0x10de"
            && firstBytes(folder % u"/class"_s).startsWith("0x03")) {
            return std::nullopt; // a GPU without its driver: whether it can be used is unknown
        }
    }
    return false;
}

} // namespace slipway
