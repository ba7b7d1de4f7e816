// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"
#include "remote/cluster/clustersurvey.h"
#include "remote/shell/connector.h"
#include "remote/slurm/clusterinfo.h"

#include <QDate>

namespace slipway {

/// FoundSite is a cluster that no site file described, as it described itself: who was asked, what
/// it said, and the id and name that its file will have. A value; its file is what is saved and
/// shared.
struct FoundSite {
    QString id;
    QString name;
    SiteLogin login; ///< host, port and user as the person gave them
    ClusterInfo info;
    ClusterSurvey survey;
    QDate asked;
};

/// An id and a name for a cluster, from what it calls itself, else from the host.
void nameFoundSite(FoundSite* found);

/// What was not found out, in sentences. They stand in the file as quirks, so that a reader of the
/// file knows them too.
QStringList unknownFacts(const FoundSite& found);

/// What was found, for a person: pairs of a word and its value.
struct FoundFact {
    QString name;
    QString value;
};
std::vector<FoundFact> foundFacts(const FoundSite& found);

/// The site file. It holds nothing of the person but the user name that was given.
QByteArray siteFile(const FoundSite& found);

/// The scratch of a found site as a site file writes it; empty: none was found.
QString foundScratch(const FoundSite& found);
/// Whether definition files can be built without root, as far as the login node tells: Apptainer
/// takes the command fakeroot where a person has no subordinate ids.
bool buildsWithFakeroot(const ClusterSurvey& survey);
/// The runtimes that jobs can use there, as far as the login node knows: those on its PATH, those
/// of modules, and pyxis.
std::vector<RuntimeKind> foundRuntimes(const FoundSite& found);

} // namespace slipway
