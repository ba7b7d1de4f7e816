// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/scontrol.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// A container runtime that a login shell finds: "apptainer", "apptainer version 1.4.5".
struct FoundRuntime {
    QString name;
    QString version; ///< as it says itself, may be empty
};

/// A folder that may be scratch: how it is written ("$SCRATCH"), what that is there, and its state.
struct ScratchFolder {
    QString expression;
    QString path;
    bool exists = false;
    bool writable = false;
};

/// One line of a quota table: "/home", "12G", "50G".
struct QuotaLine {
    QString where;
    QString used;
    QString limit; ///< empty: none
};

/// ClusterSurvey is what a login node tells beyond ClusterInfo, so that a cluster which no site
/// file describes can be described. Every field may be unknown (empty). A value.
struct ClusterSurvey {
    SchedulerConfig config;
    std::vector<PartitionLimits> limits;
    QStringList architectures; ///< of the compute nodes, each once
    std::vector<FoundRuntime> runtimes; ///< on the PATH of a login shell
    bool hasModules = false; ///< there is a module command
    QStringList modules; ///< those that bring a container runtime, "apptainer/1.4.1"
    std::optional<bool> pyxis;
    std::optional<bool> enrootMpiHook; ///< enroot hands PMI on to containers, on the login node
    std::optional<bool> userNamespaces; ///< on the login node
    std::optional<bool> subordinateIds; ///< of the person, on the login node
    QStringList tools; ///< of "ibrun", "idev": those that are there
    std::vector<ScratchFolder> scratch; ///< candidates, in the order in which they were asked for
    std::vector<QuotaLine> quotas;
};

/// The parts of a survey, in the order in which they are asked; each is one script.
enum class SurveyPart { Limits, Containers, Storage };

// What the answers say; all pure, for any bytes.

/// `uname -m` words, one a line, perhaps with a count before each.
QStringList parseArchitectures(const QByteArray& output);
/// "name|version" a line; names that are no runtime are left out.
std::vector<FoundRuntime> parseRuntimes(const QByteArray& output);
/// `module -t avail`: a name a line between lines that name folders; keeps the names that bring a
/// container runtime, without marks such as "(default)".
QStringList parseRuntimeModules(const QByteArray& output);
/// The module to load for a runtime, without its version: "tacc-apptainer"; empty: none is known.
QString runtimeModule(const QStringList& modules, const QString& runtime);
/// "expression<tab>state<tab>path" a line; only the expressions that were asked for.
std::vector<ScratchFolder> parseScratch(const QByteArray& output);
/// The folders that are asked for, as a site file would write them.
QStringList scratchExpressions();
/// What `quota -s -w` and `lfs quota -h` print, one after the other.
std::vector<QuotaLine> parseQuotas(const QByteArray& output);

} // namespace slipway
