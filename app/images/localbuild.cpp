// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/localbuild.h"

#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/registry/imagedescription.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace slipway {

namespace {

using BuilderKind = LocalBuilder::Kind;

/// What says of a failed build what to do: the first that its last lines contain.
struct BuildHint {
    const char* match;
    const char* remedy;
};
constexpr BuildHint buildHints[] = {
    {"No space left on device",
        QT_TRANSLATE_NOOP("slipway", "The disk of this computer is full: free some space.")},
    {"exec format error",
        QT_TRANSLATE_NOOP("slipway",
            "The image is for another processor. To run its programs here, install "
            "qemu-user-static, or convert the Dockerfile to a definition file and build it on the "
            "cluster.")},
    {"permission denied while trying to connect",
        QT_TRANSLATE_NOOP("slipway",
            "Your account may not use Docker: add it to the group docker, "
            "or install podman, which needs no group.")},
    {"Cannot connect to the Docker daemon",
        QT_TRANSLATE_NOOP("slipway", "Start Docker, or install podman, which needs no daemon.")},
    {"toomanyrequests",
        QT_TRANSLATE_NOOP("slipway",
            "The registry limits pulls: wait, or log in with the same "
            "program.")},
    {"unauthorized", QT_TRANSLATE_NOOP("slipway", "Log in at the registry with the same program.")},
    {"newuidmap",
        QT_TRANSLATE_NOOP("slipway",
            "Builds without root need the package uidmap and lines for "
            "your account in /etc/subuid and /etc/subgid.")},
};

QString commandWord(const QString& word)
{
    static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9_./:=@%+,-]+\\z"));
    return plain.match(word).hasMatch() ? word : QString::fromUtf8(shellQuoted(word));
}

} // namespace

QString builderName(LocalBuilder::Kind kind)
{
    switch (kind) {
    case BuilderKind::Docker:
        return QStringLiteral("docker");
    case BuilderKind::Podman:
        return QStringLiteral("podman");
    case BuilderKind::Buildah:
        break;
    }
    return QStringLiteral("buildah");
}

QString LocalCommand::text() const
{
    QStringList words{commandWord(program)};
    for (const QString& argument : arguments)
        words << commandWord(argument);
    return words.join(u' ');
}

bool isBuildName(const QString& name)
{
    static const QRegularExpression form(QStringLiteral("\\A[a-z0-9]+(?:[._-][a-z0-9]+)*\\z"));
    return name.size() <= 63 && form.match(name).hasMatch();
}

QString buildNameFor(const QString& folder)
{
    static const QRegularExpression others(QStringLiteral("[^a-z0-9]+"));
    QString name = QFileInfo(folder).fileName().toLower().left(200);
    name.replace(others, QStringLiteral("-"));
    while (name.startsWith(u'-'))
        name.remove(0, 1);
    name.truncate(63);
    while (name.endsWith(u'-'))
        name.chop(1);
    return name.isEmpty() ? QStringLiteral("image") : name;
}

QString buildPlatform(const QString& nodes, const QString& here)
{
    const ImagePlatform wanted = ImagePlatform::ofNodes(nodes);
    return ImagePlatform::ofNodes(here).fits(wanted) ? QString() : wanted.text();
}

std::vector<LocalCommand> localBuildCommands(const LocalBuilder& builder, const LocalBuild& build)
{
    const QString tag = u"slipway/" + build.name;
    const bool isBuildah = builder.kind == BuilderKind::Buildah;
    QStringList before;
    if (builder.chroot)
        before << QStringLiteral("--storage-driver") << QStringLiteral("vfs");

    LocalCommand make{tr("Build the image"), builder.path, before};
    make.arguments << QStringLiteral("build");
    if (builder.chroot)
        make.arguments << QStringLiteral("--isolation") << QStringLiteral("chroot");
    if (isBuildah) // docker and podman keep layers for the next build without being asked
        make.arguments << QStringLiteral("--layers");
    if (!build.platform.isEmpty())
        make.arguments << QStringLiteral("--platform") << build.platform;
    make.arguments << QStringLiteral("-t") << tag << QStringLiteral("-f") << build.dockerfile
                   << build.folder;

    LocalCommand save{tr("Save it as an archive"), builder.path, before};
    if (isBuildah) {
        save.arguments << QStringLiteral("push") << tag
                       << u"docker-archive:" + build.archive + u':' + tag + u":latest";
    } else {
        save.arguments << QStringLiteral("save");
        if (builder.kind == BuilderKind::Podman)
            save.arguments << QStringLiteral("--format") << QStringLiteral("docker-archive");
        save.arguments << QStringLiteral("-o") << build.archive << tag;
    }
    return {make, save};
}

Error localBuildError(const LocalCommand& command, int exitCode, const QByteArray& lastLines)
{
    Error error{ErrorKind::CommandFailed,
        tr("“%1” failed on this computer: %2 ended with exit code %3.")
            .arg(command.title, QFileInfo(command.program).fileName())
            .arg(exitCode),
        tr("Read its last lines."), lastLines};
    for (const BuildHint& hint : buildHints) {
        if (!lastLines.contains(hint.match))
            continue;
        error.remedy = tr(hint.remedy);
        if (qstrcmp(hint.match, "No space left on device") == 0)
            error.kind = ErrorKind::DiskFull;
        break;
    }
    return error;
}

} // namespace slipway
