// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/quantities.h"
#include "remote/base/result.h"
#include "remote/container/runtime.h"
#include "remote/slurm/jobspec.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

enum class InteractiveStyle { Salloc, SrunPty, Idev };
enum class LauncherKind { Srun, Ibrun, Mpirun };
enum class AccountRule { Required, IfSeveral, None };
/// Whether images can be built from definition files on the cluster itself.
enum class BuildRule { Unknown, Fakeroot, None };
enum class PartitionPurpose { Any, Interactive, Batch };

struct SitePartition {
    QString name;
    bool isDefault = false;
    int nodes = 0; ///< 0: unknown
    int gpusPerNode = 0;
    /// Whether a node may have more GPUs than that: a request that Slurm might grant is not
    /// refused.
    bool gpusAtLeast = false;
    bool gpusKnown = true; ///< false: the site file has no information on GPUs
    QString gpuType; ///< the type in a GPU request, "h100"
    QString gpuName; ///< for a person, "H100 80 GB"
    int cpusPerNode = 0;
    MemorySize memoryPerNode;
    WallTime timeLimit = WallTime::unlimited();
    int mostNodes = 0; ///< of one job; 0: unknown or no limit
    int cpusPerGpu = 0; ///< most CPUs for one GPU; 0: unknown or no limit
    QString cuda; ///< the newest CUDA that the driver there runs; empty: the site's
    QString architecture; ///< "x86_64", "ppc64le"; empty: the site's
    QString computeCapability; ///< of its GPUs, "8.0"
    PartitionPurpose purpose = PartitionPurpose::Any;
    QString note;
};

/// A way to log in. Two of them may lead to the same host.
struct SiteLogin {
    QString host;
    int port = 0;
    QString user;
    QString jump; ///< the jump hosts on the way, as ProxyJump in ssh_config(5); empty: none
    QString purpose; ///< "for GPU jobs"
    QStringList methods; ///< for a person: "password", "one-time code", "ssh key"
    QString note;

    /// What tells it apart from the others of its site: "kestrel.hpc.nrel.gov via kestrel.nrel.gov"
    QString name() const;
};

/// What is known of an image at one site: a warning, never a reason to refuse it.
struct SiteImage {
    QString match; ///< how its repository and tag begin, "tensorflow/tensorflow:2.18"
    QString problem; ///< a sentence
    QString instead; ///< an image that works there; empty: none is known
};

/// Where a fact of a site file comes from, and when it was true.
struct SiteSource {
    QString fact;
    QString source;
    QString date; ///< "2026", "2026-11", "2026-11-21" or "undated"
};

/// Site is what Slipway knows of one cluster before it has logged in: a value read from
/// resources/sites/<id>.json or from the person's own folder.
struct Site {
    QString id;
    QString name;
    QString institution;
    QString place;
    QString summary;
    bool archived = false;
    QString unsupported; ///< why Slipway cannot launch there ("It is not Slurm: …"); empty: it can
    QString providedBy; ///< "demo-cluster": the login comes from the demo cluster's connection.json
    std::vector<SiteLogin> logins; ///< the first is the default
    std::vector<SitePartition> partitions;
    GpuRequestStyle gpuRequest = GpuRequestStyle::Gres;
    bool gpuRequestKnown = true; ///< false: not documented, and Gres is what most clusters use
    InteractiveStyle interactive = InteractiveStyle::Salloc;
    LauncherKind launcher = LauncherKind::Srun;
    QString mpi; ///< srun --mpi=…
    RuntimeKind runtime = RuntimeKind::Apptainer; ///< used by a launch that names none
    std::vector<RuntimeKind>
        runtimes; ///< all that the site offers, `runtime` among them; never empty after parseSite()
    int singularityMajor = 0; ///< 2: the runtime is Singularity 2, which has other options;
                              ///< 0: unknown or 3 and later
    std::optional<bool> runtimeOnLogin; ///< whether containers can be used on the login node
    std::optional<bool> enrootMpiHook; ///< whether enroot passes PMI into containers
    BuildRule builds = BuildRule::Unknown;
    QString driver; ///< "550.54.15"
    QString cuda; ///< the newest CUDA that the driver runs, "12.4"
    QString cudaSeen; ///< the newest CUDA that a document shows in use there: the driver supports
                      ///< at least this
    std::vector<SiteImage> images; ///< what is known of some images here
    QString architecture; ///< of the compute nodes, "x86_64"
    std::optional<bool> outboundNetwork; ///< whether compute nodes reach the internet
    QStringList binds; ///< folders that are bound into every container
    QStringList modules;
    bool modulesKnown = true; ///< whether `modules` are known to bring the container runtime
    QString scratch; ///< a shell word, expanded on the cluster: "$SCRATCH", "/scratch/$USER"
    QString cache; ///< as above, for image layers; empty: below scratch
    QString imageFolder; ///< as above, for images; empty: slipway/images in scratch
    int purgeDays = 0; ///< 0: unknown or never
    AccountRule account = AccountRule::IfSeveral;
    QString reservation;
    QMap<QString, QString> environment;
    QStringList plainHttpRegistries; ///< registries without TLS: "login:5000"
    /// Values of a recipe's fields at this site, by recipe and key ("image" of "matmul-scaling");
    /// the recipe "*" means all. A new site needs no change to any recipe.
    QMap<QString, QMap<QString, QString>> recipeValues;
    MemorySize defaultMemoryPerCpu; ///< given to a job that requests none; zero: unknown
    std::optional<bool> gpusAreReal; ///< false: emulated GPUs that compute nothing (demo cluster);
                                     ///< none: assumed to be real
    QString gpusNote; ///< why they are not real, in a sentence
    bool liveSamples = true; ///< whether the nodes of a running job are sampled by a small job step
    QStringList quirks; ///< sentences
    std::vector<SiteSource> sources;
    QString file; ///< where it was read from
    bool own = false; ///< it is the user's own, not one of the program

    bool launchable() const { return !archived && unsupported.isEmpty(); }
};

/// Reads one site file. An error names the file, the line where JSON itself is broken, and the
/// field.
Result<Site> parseSite(const QByteArray& json, const QString& file);

} // namespace slipway
