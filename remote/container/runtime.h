// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// The container runtimes that clusters offer. Pyxis is enroot driven by srun options.
enum class RuntimeKind { Apptainer, Singularity, Enroot, Pyxis };

/// Enroot and pyxis: images are squashfs files without overlay or fakeroot, and a hook adds the
/// driver.
bool isEnrootLike(RuntimeKind runtime);

/// Its name in JSON, on the command line and in the form: "apptainer".
QString runtimeName(RuntimeKind runtime);
std::optional<RuntimeKind> runtimeNamed(const QString& name);

/// Where an image comes from: "docker://nvcr.io/nvidia/pytorch:24.03-py3", a file on the cluster
/// ("/scratch/me/x.sif"), "library://…", "oras://…". A value.
struct ImageReference {
    QString scheme; ///< "docker", "library", "oras", "shub"; empty for a file
    QString registry; ///< "login:5000", "nvcr.io"; empty: Docker Hub
    QString repository; ///< "nvidia/pytorch"
    QString tag; ///< "latest" when none was given
    QString digest; ///< "sha256:…"
    QString path; ///< for a file

    static Result<ImageReference> parse(const QString& text);
    bool isFile() const { return scheme.isEmpty(); }
    /// As passed to Apptainer and Singularity: "docker://nvcr.io/nvidia/pytorch:24.03-py3".
    QString text() const;
    /// As enroot and pyxis write it, with # after the registry:
    /// "docker://nvcr.io#nvidia/pytorch:24.03-py3".
    QString enrootText() const;
    bool operator==(const ImageReference&) const = default;
};

/// Whether a text is a digest: "sha256:" and 64 hexadecimal digits.
bool isDigest(const QString& text);
/// Its first twelve digits, enough to tell one from another: "7c1f0a9b2d3e"; empty: it is none.
QString shortDigest(const QString& digest);

/// A folder of the host inside the container. Paths are plain text; a leading variable ("$PWD",
/// "${SLURM_TMPDIR}/x") stays one and is expanded where the command runs.
struct Bind {
    QString source;
    QString destination; ///< empty: same as source
    bool readOnly = false;
};

/// One command inside a container. Values are arguments, not shell text, except where `raw` says
/// so.
struct ContainerCommand {
    QString image; ///< a shell word: a path or "$image", already quoted by the caller
    QStringList arguments; ///< shell words, already quoted by the caller
    bool nv = false; ///< bind the host's NVIDIA driver (no flag on enroot: a hook does it)
    std::vector<Bind> binds;
    bool contain =
        false; ///< without the home folder (and, with Apptainer, other folders of the node)
    QString workDir; ///< a plain path; quoted if necessary
    bool useRunScript = false; ///< apptainer run instead of exec
    bool fakeroot = false; ///< as root inside, by user namespaces
    QString overlay; ///< a folder for what the container writes: a plain path, as in a bind
    QStringList
        environment; ///< names of variables that must be passed inside (enroot drops the rest)
    QString settings; ///< enroot: a configuration script (--conf) that starts the command itself
};

/// The features of `command` that this runtime does not support, one sentence each; empty: all are
/// supported. For lint: containerExec() leaves unsupported features out.
QStringList containerShortcomings(RuntimeKind runtime, const ContainerCommand& command);

/// Options are always between subcommand and image (`apptainer exec --nv -B a:b IMG CMD`).
/// For pyxis these are options of srun and the command: what follows "srun ".
QString containerExec(RuntimeKind runtime, const ContainerCommand& command);

/// The command that opens a shell in the container; its arguments and run script are ignored.
/// For pyxis: what follows "srun ", the shell and its terminal with it.
QString containerShell(RuntimeKind runtime, ContainerCommand command);

/// Why the runtime cannot pull an image: enroot and pyxis support only docker://.
QStringList pullShortcomings(RuntimeKind runtime, const ImageReference& image, bool plainHttp);

/// The command that pulls an image into `file` (a shell word); an existing file is overwritten, so
/// use a temporary name and move it. Pyxis pulls with enroot. Empty for an image that is a file.
/// `plainHttp`: the registry does not use TLS.
QString containerPull(
    RuntimeKind runtime, const ImageReference& image, const QString& file, bool plainHttp);

/// The same for Singularity 2, which takes folder and name separately (singularity-pull(1), 2.5).
QString containerPullSingularity2(const ImageReference& image, const QString& file);

/// The command that builds an image from a definition file into `file` (shell words both); an
/// existing file is overwritten. Empty where the runtime cannot build: enroot and pyxis.
QString containerBuild(RuntimeKind runtime, const QString& definition, const QString& file,
    bool fakeroot, bool plainHttp);

/// The default file name a pull makes: "pytorch_2.4.1.sif", "nvidia+cuda+12.4.1.sqsh".
QString imageFileName(RuntimeKind runtime, const ImageReference& image);

} // namespace slipway
