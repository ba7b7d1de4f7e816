// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/emulatedsite.h"

#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

/// Only Apptainer is installed there; it also provides the command `singularity`.
RuntimeKind runtimeThere(RuntimeKind kind)
{
    return kind == RuntimeKind::Singularity ? kind : RuntimeKind::Apptainer;
}

/// The site's partition as the demo cluster implements it.
std::vector<SitePartition> partitionsThere(
    const std::vector<SitePartition>& known, const std::vector<SitePartition>& there)
{
    std::vector<SitePartition> partitions;
    for (const SitePartition& real : there) {
        const auto same = std::find_if(known.begin(), known.end(),
            [&real](const SitePartition& one) { return one.name == real.name; });
        SitePartition partition = same == known.end() ? real : *same;
        partition.isDefault = real.isDefault;
        partition.nodes = real.nodes;
        partition.gpusPerNode = real.gpusPerNode;
        partition.gpusAtLeast = false;
        partition.gpusKnown = true;
        partition.timeLimit = real.timeLimit;
        partitions.push_back(partition);
    }
    return partitions;
}

} // namespace

bool Emulation::operator==(const Emulation& other) const
{
    // The partitions are derived from the site.
    return as == other.as && siteFile == other.siteFile && accounts == other.accounts
        && loginMethods == other.loginMethods;
}

Site emulatedSite(const Site& demo, const Site& as, const Emulation& emulation)
{
    Site site = as;
    site.id = demo.id;
    site.name = tr("Demo cluster, emulating %1").arg(as.name);
    site.institution = demo.institution;
    site.place = demo.place;
    site.summary = tr("An emulation of %1 on this computer: its partitions, resource requests, "
                      "modules and rules.")
                       .arg(as.name);
    site.archived = false;
    site.unsupported.clear();
    site.providedBy = demo.providedBy;
    site.logins = demo.logins;
    site.partitions = emulation.partitions.empty()
        ? as.partitions
        : partitionsThere(as.partitions, emulation.partitions);
    site.runtime = runtimeThere(as.runtime);
    site.runtimes = {site.runtime};
    site.singularityMajor = 0; // Singularity 2 is emulated by a current version, with its options
    if (!site.mpi.isEmpty())
        site.mpi = demo.mpi; // the plugin for the Open MPI of its own images
    site.architecture = demo.architecture; // that of this computer, and therefore of its images
    for (SitePartition& partition : site.partitions)
        partition.architecture.clear();
    site.outboundNetwork = demo.outboundNetwork;
    site.reservation.clear();
    site.plainHttpRegistries = demo.plainHttpRegistries;
    site.recipeValues = demo.recipeValues; // its images come from its own registry
    if (as.account == AccountRule::Required && !emulation.accounts.isEmpty())
        site.recipeValues[QStringLiteral("*")].insert(
            QStringLiteral("account"), emulation.accounts.first());
    site.gpusAreReal = demo.gpusAreReal;
    site.gpusNote = demo.gpusNote;
    site.quirks = demo.quirks + as.quirks;
    site.file = demo.file;
    return site;
}

} // namespace slipway
