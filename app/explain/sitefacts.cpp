// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/sitefacts.h"

namespace slipway {

QMap<QString, QString> siteFacts(const Site& site)
{
    QMap<QString, QString> facts{{QStringLiteral("site"), site.name},
        {QStringLiteral("driver"), site.driver}, {QStringLiteral("cuda"), site.cuda},
        {QStringLiteral("modules"), site.modules.join(u' ')},
        {QStringLiteral("binds"), site.binds.join(u", ")},
        {QStringLiteral("scratch"), site.scratch},
        {QStringLiteral("runtime"), runtimeName(site.runtime)}};
    if (site.purgeDays > 0)
        facts.insert(QStringLiteral("purge_days"), QString::number(site.purgeDays));
    if (site.defaultMemoryPerCpu.mebibytes() > 0)
        facts.insert(
            QStringLiteral("default_memory_per_cpu"), site.defaultMemoryPerCpu.slurmText());
    return facts;
}

} // namespace slipway
