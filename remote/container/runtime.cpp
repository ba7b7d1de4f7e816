// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/container/runtime.h"

#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

namespace slipway {

namespace {

QString literalWord(const QString& text)
{
    static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9_./@%+=,:-]+\\z"));
    return text.isEmpty() || plain.match(text).hasMatch() ? text
                                                          : QString::fromUtf8(shellQuoted(text));
}

/// A path as one shell word; a variable or ~ at its beginning stays one: $SCRATCH/a b →
/// "$SCRATCH"'/a b'.
QString pathWord(const QString& path)
{
    static const QRegularExpression variable(
        QStringLiteral(
            "\\A\\$(?:\\{([A-Za-z_][A-Za-z0-9_]*)\\}|([A-Za-z_][A-Za-z0-9_]*))(/.*|)\\z"),
        QRegularExpression::DotMatchesEverythingOption);
    if (path == u"~" || path.startsWith(u"~/"))
        return QStringLiteral("\"$HOME\"") + literalWord(path.mid(1));
    const auto match = variable.match(path);
    if (!match.hasMatch())
        return literalWord(path);
    const QString name = match.captured(1) + match.captured(2);
    return QStringLiteral("\"$%1\"").arg(name) + literalWord(match.captured(3));
}

/// Bind lists are separated by colons and commas, without an escape.
bool canBeBound(const Bind& bind)
{
    return !bind.source.isEmpty() && !bind.source.contains(u':') && !bind.source.contains(u',')
        && !bind.destination.contains(u':') && !bind.destination.contains(u',');
}

/// `readOnly` is the suffix of a read-only bind in this runtime.
QString bindWord(const Bind& bind, const QString& readOnly)
{
    const QString destination = bind.destination.isEmpty() ? bind.source : bind.destination;
    return pathWord(bind.source) + u':' + pathWord(destination)
        + (bind.readOnly ? readOnly : QString());
}

QStringList bindWords(const ContainerCommand& command, const QString& readOnly)
{
    QStringList words;
    for (const auto& bind : command.binds) {
        if (canBeBound(bind))
            words << bindWord(bind, readOnly);
    }
    return words;
}

QString apptainerCall(const QString& program, const QString& verb, const ContainerCommand& command)
{
    QStringList words{program, verb};
    if (command.nv)
        words << QStringLiteral("--nv");
    if (command.fakeroot)
        words << QStringLiteral("--fakeroot");
    if (command.contain)
        words << QStringLiteral("--contain");
    for (const auto& bind : bindWords(command, QStringLiteral(":ro")))
        words << QStringLiteral("-B") << bind;
    if (!command.overlay.isEmpty())
        words << QStringLiteral("--overlay") << pathWord(command.overlay);
    if (!command.workDir.isEmpty())
        words << QStringLiteral("--pwd") << pathWord(command.workDir);
    words << command.image << command.arguments;
    return words.join(u' ');
}

QString apptainerExec(const QString& program, const ContainerCommand& command)
{
    return apptainerCall(
        program, command.useRunScript ? QStringLiteral("run") : QStringLiteral("exec"), command);
}

QString enrootExec(const ContainerCommand& command)
{
    QStringList words;
    // Mounting the home folder is a site setting, which a variable overrides.
    if (command.contain)
        words << QStringLiteral("env") << QStringLiteral("ENROOT_MOUNT_HOME=no");
    words << QStringLiteral("enroot") << QStringLiteral("start");
    if (!command.settings.isEmpty())
        words << QStringLiteral("--conf") << pathWord(command.settings);
    // A mount is a line of fstab with colons for blanks: source, target, type, options. Without
    // options enroot takes "rbind,x-create=auto"; those of a read-only bind must repeat both. A
    // plain bind of a folder with mounts below it is refused to a user without privileges. Those
    // mounts stay as they are: only the folder itself is closed.
    for (const auto& bind : bindWords(command, QStringLiteral(":none:x-create=auto,rbind,ro")))
        words << QStringLiteral("--mount") << bind;
    for (const QString& name : command.environment)
        words << QStringLiteral("--env") << name;
    // The GPUs of the job. Slurm sets the variable if there are any; enroot would pass an unset
    // variable as an empty one, which hides all GPUs.
    if (command.nv)
        words << QStringLiteral("${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES}");
    words << command.image;
    // The settings start the command past the image's entry point, as apptainer exec does; this is
    // where enroot import stores it.
    if (command.useRunScript && !command.settings.isEmpty())
        words << QStringLiteral("sh") << QStringLiteral("/etc/rc");
    words << command.arguments;
    return words.join(u' ');
}

QString pyxisOptions(const ContainerCommand& command)
{
    QStringList words{QStringLiteral("--container-image=") + command.image};
    if (const auto binds = bindWords(command, QStringLiteral(":ro")); !binds.isEmpty())
        words << QStringLiteral("--container-mounts=") + binds.join(u',');
    if (!command.workDir.isEmpty())
        words << QStringLiteral("--container-workdir=") + pathWord(command.workDir);
    if (command.contain)
        words << QStringLiteral("--no-container-mount-home");
    if (command.useRunScript)
        words << QStringLiteral("--container-entrypoint");
    words << command.arguments;
    return words.join(u' ');
}

} // namespace

bool isEnrootLike(RuntimeKind runtime)
{
    return runtime == RuntimeKind::Enroot || runtime == RuntimeKind::Pyxis;
}

QString runtimeName(RuntimeKind runtime)
{
    switch (runtime) {
    case RuntimeKind::Apptainer:
        return QStringLiteral("apptainer");
    case RuntimeKind::Singularity:
        return QStringLiteral("singularity");
    case RuntimeKind::Enroot:
        return QStringLiteral("enroot");
    case RuntimeKind::Pyxis:
        return QStringLiteral("pyxis");
    }
    return {};
}

std::optional<RuntimeKind> runtimeNamed(const QString& name)
{
    for (RuntimeKind runtime : {RuntimeKind::Apptainer, RuntimeKind::Singularity,
             RuntimeKind::Enroot, RuntimeKind::Pyxis}) {
        if (runtimeName(runtime) == name)
            return runtime;
    }
    return {};
}

QStringList containerShortcomings(RuntimeKind runtime, const ContainerCommand& command)
{
    QStringList sentences;
    for (const auto& bind : command.binds) {
        if (!bind.source.isEmpty() && !canBeBound(bind)) { // an empty one is a field to fill in
            sentences << tr("The folder “%1” cannot be bound: no runtime takes a colon or a "
                            "comma in a bind path.")
                             .arg(bind.source.left(120));
        }
    }
    if (isEnrootLike(runtime) && !command.overlay.isEmpty())
        sentences << tr("%1 does not support overlays: what is written inside is lost, or the "
                        "image is unpacked and changed.")
                         .arg(runtimeName(runtime));
    if (isEnrootLike(runtime) && command.fakeroot)
        sentences << tr("%1 has no --fakeroot.").arg(runtimeName(runtime));
    if (runtime == RuntimeKind::Enroot && !command.workDir.isEmpty())
        sentences << tr(
            "enroot has no option for the working directory; begin the command with cd.");
    return sentences;
}

QString containerExec(RuntimeKind runtime, const ContainerCommand& command)
{
    switch (runtime) {
    case RuntimeKind::Apptainer:
        return apptainerExec(QStringLiteral("apptainer"), command);
    case RuntimeKind::Singularity:
        return apptainerExec(QStringLiteral("singularity"), command);
    case RuntimeKind::Enroot:
        return enrootExec(command);
    case RuntimeKind::Pyxis:
        return pyxisOptions(command);
    }
    return {};
}

QString containerShell(RuntimeKind runtime, ContainerCommand command)
{
    command.useRunScript = false;
    command.arguments.clear();
    switch (runtime) {
    case RuntimeKind::Apptainer:
    case RuntimeKind::Singularity:
        return apptainerCall(runtimeName(runtime), QStringLiteral("shell"), command);
    case RuntimeKind::Enroot: // it has no subcommand for it
        command.arguments = QStringList{QStringLiteral("bash")};
        return enrootExec(command);
    case RuntimeKind::Pyxis:
        command.arguments = QStringList{QStringLiteral("--pty"), QStringLiteral("bash")};
        return pyxisOptions(command);
    }
    return {};
}

QStringList pullShortcomings(RuntimeKind runtime, const ImageReference& image, bool plainHttp)
{
    QStringList sentences;
    if (image.isFile())
        return sentences;
    if (isEnrootLike(runtime) && image.scheme != u"docker") {
        sentences
            << tr("enroot pulls from Docker registries only, not from %1://.").arg(image.scheme);
    }
    if (plainHttp && image.scheme == u"shub")
        sentences << tr("Singularity Hub is available over TLS only.");
    return sentences;
}

QString containerPull(
    RuntimeKind runtime, const ImageReference& image, const QString& file, bool plainHttp)
{
    if (image.isFile())
        return {};
    if (isEnrootLike(runtime)) {
        // enroot refuses to overwrite a file and has no option for it.
        return QStringLiteral("rm -f %1 && %2enroot import --output %1 %3")
            .arg(file, plainHttp ? QStringLiteral("ENROOT_ALLOW_HTTP=yes ") : QString(),
                image.enrootText());
    }
    QStringList words;
    if (runtime == RuntimeKind::Singularity) {
        // The flag was renamed between versions (--nohttps, --no-https); the variable was not.
        if (plainHttp)
            words << QStringLiteral("SINGULARITY_NOHTTPS=1");
        words << QStringLiteral("singularity") << QStringLiteral("pull")
              << QStringLiteral("--force");
    } else {
        words << QStringLiteral("apptainer") << QStringLiteral("pull") << QStringLiteral("--force");
        if (plainHttp)
            words << QStringLiteral("--no-https");
    }
    words << file << image.text();
    return words.join(u' ');
}

QString containerPullSingularity2(const ImageReference& image, const QString& file)
{
    if (image.isFile())
        return {};
    return QStringLiteral("env SINGULARITY_PULLFOLDER=\"$(dirname %1)\" singularity pull --force "
                          "--name \"$(basename %1)\" %2")
        .arg(file, image.text());
}

QString containerBuild(RuntimeKind runtime, const QString& definition, const QString& file,
    bool fakeroot, bool plainHttp)
{
    if (isEnrootLike(runtime))
        return {};
    QStringList words;
    if (plainHttp && runtime == RuntimeKind::Singularity)
        words << QStringLiteral("SINGULARITY_NOHTTPS=1");
    words << runtimeName(runtime) << QStringLiteral("build") << QStringLiteral("--force");
    if (fakeroot)
        words << QStringLiteral("--fakeroot");
    if (plainHttp && runtime == RuntimeKind::Apptainer)
        words << QStringLiteral("--no-https");
    words << file << definition;
    return words.join(u' ');
}

} // namespace slipway
