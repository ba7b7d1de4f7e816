// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"
#include "remote/cluster/clustersurvey.h"
#include "remote/shell/connector.h"
#include "remote/slurm/clusterinfo.h"

#include <QDate>

namespace slipway {

/// FoundSite is a cluster without a site file, described from its own answers: the login, the
/// answers, and the id and name of its future file. A value; its file is saved and can be shared.
struct FoundSite {
    QString id;
    QString name;
    SiteLogin login; ///< host, port and user as entered by the user
    ClusterInfo info;
    ClusterSurvey survey;
    QDate asked;
};

/// An id and a name for a cluster, from its own name, else from the host.
void nameFoundSite(FoundSite* found);

/// What could not be found out, in sentences. They are written to the file as quirks, so that
/// readers of the file know them too.
QStringList unknownFacts(const FoundSite& found);

/// What was found, for display: pairs of a label and its value.
struct FoundFact {
    QString name;
    QString value;
};
std::vector<FoundFact> foundFacts(const FoundSite& found);

/// The site file. It contains no personal data except the user name that was entered.
QByteArray siteFile(const FoundSite& found);
/// The file of a site that was queried again: what was found, and what only the earlier file says.
QByteArray mergedSiteFile(const QByteArray& earlier, const QByteArray& found);

/// The scratch of a found site as a site file writes it; empty: none was found.
QString foundScratch(const FoundSite& found);
/// Whether definition files can be built without root, judging by the login node: Apptainer uses
/// the command fakeroot where a user has no subordinate ids.
bool buildsWithFakeroot(const ClusterSurvey& survey);
/// The runtimes that jobs can use there, judging by the login node: those on its PATH, those of
/// modules, and pyxis.
std::vector<RuntimeKind> foundRuntimes(const FoundSite& found);

} // namespace slipway
