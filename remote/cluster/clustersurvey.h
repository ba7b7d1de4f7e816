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

/// A container runtime on the PATH of a login shell: "apptainer", "apptainer version 1.4.5".
struct FoundRuntime {
    QString name;
    QString version; ///< as it reports itself, may be empty
};

/// A candidate for scratch: its expression ("$SCRATCH"), its path on the cluster, and its state.
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

/// ClusterSurvey is what a login node shows beyond ClusterInfo, so that a site file can be written
/// for an unknown cluster. Every field may be unknown (empty). A value.
struct ClusterSurvey {
    SchedulerConfig config;
    std::vector<PartitionLimits> limits;
    QStringList architectures; ///< of the compute nodes, each once
    std::vector<FoundRuntime> runtimes; ///< on the PATH of a login shell
    bool hasModules = false; ///< there is a module command
    QStringList modules; ///< those that provide a container runtime, "apptainer/1.4.1"
    std::optional<bool> pyxis;
    std::optional<bool> enrootMpiHook; ///< enroot passes PMI into containers, on the login node
    std::optional<bool> userNamespaces; ///< on the login node
    std::optional<bool> subordinateIds; ///< of the user, on the login node
    QStringList tools; ///< of "ibrun", "idev": those that exist
    std::vector<ScratchFolder> scratch; ///< candidates, in the order of the query
    std::vector<QuotaLine> quotas;
};

/// The parts of a survey, in order; each is one script.
enum class SurveyPart { Limits, Containers, Storage };

// Parsers of the output; all pure, for any bytes.

/// `uname -m` values, one per line, possibly preceded by a count.
QStringList parseArchitectures(const QByteArray& output);
/// "name|version" per line; names that are not a runtime are left out.
std::vector<FoundRuntime> parseRuntimes(const QByteArray& output);
/// `module -t avail`: one name per line between lines with folders; keeps the names that provide a
/// container runtime, without marks such as "(default)".
QStringList parseRuntimeModules(const QByteArray& output);
/// The module to load for a runtime, without its version: "tacc-apptainer"; empty: none is known.
QString runtimeModule(const QStringList& modules, const QString& runtime);
/// "expression<tab>state<tab>path" per line; only the queried expressions.
std::vector<ScratchFolder> parseScratch(const QByteArray& output);
/// The folders that are queried, as written in a site file.
QStringList scratchExpressions();
/// The output of `quota -s -w` and `lfs quota -h`, one after the other.
std::vector<QuotaLine> parseQuotas(const QByteArray& output);

} // namespace slipway
