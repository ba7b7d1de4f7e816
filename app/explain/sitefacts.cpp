// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/sitefacts.h"

namespace slipway {

namespace {

/// As registries and builders name it: "linux/amd64". Empty: not known.
QString platformOf(const QString& architecture)
{
    if (architecture == u"x86_64")
        return QStringLiteral("linux/amd64");
    if (architecture == u"aarch64" || architecture == u"arm64")
        return QStringLiteral("linux/arm64");
    return architecture.isEmpty() ? QString() : u"linux/" + architecture;
}

} // namespace

QMap<QString, QString> siteFacts(const Site& site)
{
    QMap<QString, QString> facts{{QStringLiteral("site"), site.name},
        {QStringLiteral("driver"), site.driver}, {QStringLiteral("cuda"), site.cuda},
        {QStringLiteral("modules"), site.modules.join(u' ')},
        {QStringLiteral("binds"), site.binds.join(u", ")},
        {QStringLiteral("scratch"), site.scratch},
        {QStringLiteral("architecture"), site.architecture},
        {QStringLiteral("runtime"), runtimeName(site.runtime)}};
    if (const QString platform = platformOf(site.architecture); !platform.isEmpty())
        facts.insert(QStringLiteral("platform"), platform);
    if (site.purgeDays > 0)
        facts.insert(QStringLiteral("purge_days"), QString::number(site.purgeDays));
    if (site.defaultMemoryPerCpu.mebibytes() > 0)
        facts.insert(
            QStringLiteral("default_memory_per_cpu"), site.defaultMemoryPerCpu.slurmText());
    return facts;
}

} // namespace slipway
