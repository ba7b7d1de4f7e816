// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/image.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

/// The parts that take an option.
const QMap<QString, QStringList>& optionOwners()
{
    static const QMap<QString, QStringList> owners{
        {QStringLiteral("--user"), {QStringLiteral("inspect"), QStringLiteral("login")}},
        {QStringLiteral("--newest"), {QStringLiteral("inspect")}},
        {QStringLiteral("--partition"), {QStringLiteral("pull")}},
        {QStringLiteral("--time"), {QStringLiteral("pull")}},
        {QStringLiteral("--name"), {QStringLiteral("build")}},
        {QStringLiteral("--test"), {QStringLiteral("build")}},
        {QStringLiteral("--local"), {QStringLiteral("build")}},
        {QStringLiteral("--detach"), {QStringLiteral("build")}},
        {QStringLiteral("--clear"), {QStringLiteral("cache")}},
        {QStringLiteral("--check"), {QStringLiteral("login")}},
        {QStringLiteral("--yes"),
            {QStringLiteral("remove"), QStringLiteral("cache"), QStringLiteral("convert"),
                QStringLiteral("build"), QStringLiteral("login")}},
        {QStringLiteral("--output"), {QStringLiteral("convert")}}};
    return owners;
}

/// The options that belong to one part only.
QString misplacedOption(const Arguments& arguments, const QString& part)
{
    const QMap<QString, QStringList>& owners = optionOwners();
    for (auto it = owners.begin(); it != owners.end(); ++it) {
        if (arguments.options.contains(it.key()) && !it.value().contains(part))
            return tr("%1 is an option of “image %2”.").arg(it.key(), it.value().first());
    }
    return {};
}

QCoro::Task<ExitCode> imagePart(Context& context)
{
    using Part = QCoro::Task<ExitCode> (*)(Context&);
    static const QMap<QString, Part> parts{{QStringLiteral("inspect"), inspectImage},
        {QStringLiteral("compare"), compareImages}, {QStringLiteral("pull"), pullImage},
        {QStringLiteral("build"), buildImage}, {QStringLiteral("convert"), convertImage},
        {QStringLiteral("list"), listImages}, {QStringLiteral("remove"), removeImages},
        {QStringLiteral("cache"), showImageCaches}, {QStringLiteral("login"), loginToRegistry},
        {QStringLiteral("logout"), logoutOfRegistry},
        {QStringLiteral("logins"), listRegistryLogins}};
    const QString name = context.arguments.positional.takeFirst();
    const Part part = parts.value(name);
    if (!part) {
        const QString near = nearest(name, parts.keys());
        co_return context.misused(tr("“image” has no part “%1”.").arg(name),
            near.isEmpty() ? tr("Available: %1.").arg(parts.keys().join(u", "))
                           : tr("Did you mean %1?").arg(near));
    }
    const QString misplaced = misplacedOption(context.arguments, name);
    if (!misplaced.isEmpty())
        co_return context.misused(misplaced);
    const ExitCode code = co_await part(context);
    co_return code;
}

QString imageHelp()
{
    return tr(
        "image inspect REF --site S    what the registry says of it, and whether it runs "
        "there\n"
        "image compare REF REF         two images side by side, and what the second one adds\n"
        "image pull REF --site S       pulls it in a job on a compute node, and follows the "
        "job\n"
        "image build FILE --site S     builds a definition file or a Dockerfile on a node\n"
        "image convert DOCKERFILE      a definition file with the same instructions\n"
        "image list --site S           images and packages on the cluster: size, age, runs; "
        "quota\n"
        "image remove PATH… --site S   deletes images and sets of packages\n"
        "image cache --site S          caches of the container runtime; --clear empties them\n"
        "image login REGISTRY          asks for user and password or token, and checks them\n"
        "image logout REGISTRY         removes that login from the keychain\n"
        "image logins                  registries with a login, and its user\n"
        "\n"
        "inspect asks the registry and pulls nothing: from this computer, or from the login "
        "node where only that reaches\n"
        "it. Each partition gets a verdict with its rule: ok, fail or unknown. It exits with "
        "1 if the image runs on none.\n"
        "pull never runs on a login node. Ctrl-C cancels it, and the job leaves nothing "
        "half-written.\n"
        "build sends the folder of FILE, because %files copies from it. The image is in the "
        "site's image folder, below\n"
        "built, and the definition file is kept in $HOME/slipway/definitions. A Dockerfile is "
        "converted first, into NAME.def\n"
        "beside it; with --local it is built here by docker, podman or buildah, and "
        "uploaded.\n"
        "convert exits with 1 if something could not be converted; it says what.\n"
        "login asks the registry whether it accepts the login, and pulls nothing. Only an "
        "accepted one is kept, in the\n"
        "desktop's keychain; inspect and the pulls of jobs use it. --site: a registry that "
        "only this cluster reaches.");
}

std::vector<OptionSpec> imageOptions()
{
    return {{QStringLiteral("--site"), QStringLiteral("S"), tr("the site")},
        {QStringLiteral("--user"), QStringLiteral("NAME"),
            tr("with inspect and login: the user at the registry; asks for the password or token")},
        {QStringLiteral("--newest"), {},
            tr("with inspect: also look for the newest tag of its kind that runs there")},
        {QStringLiteral("--partition"), QStringLiteral("P"),
            tr("with pull: the partition of the job")},
        {QStringLiteral("--time"), QStringLiteral("T"),
            tr("with pull: the time limit of the job, 01:00:00")},
        {QStringLiteral("--name"), QStringLiteral("NAME"),
            tr("with build: name of the image; default: that of the definition file")},
        {QStringLiteral("--test"), QStringLiteral("COMMAND"),
            tr("with build: run this in the image once it is built")},
        {QStringLiteral("--local"), {},
            tr("with build: build on this computer, and upload the image")},
        {QStringLiteral("--detach"), {}, tr("with build: exit as soon as the job is accepted")},
        {QStringLiteral("--clear"), {}, tr("with cache: empty the caches")},
        {QStringLiteral("--check"), {},
            tr("with login: only check it, the kept one without --user; keep nothing")},
        {QStringLiteral("--yes"), {},
            tr("without asking: delete; with convert replace the file; with build go on although "
               "something could not be converted; with login keep it even if it cannot be "
               "checked")},
        {QStringLiteral("--output"), QStringLiteral("FILE"),
            tr("with convert: write the definition file here")}};
}

} // namespace

Command imageCommand()
{
    return {QStringLiteral("image"),
        QStringLiteral(
            "inspect REF | compare REF REF | pull REF | build FILE | convert FILE | "
            "list | remove PATH… | cache | login HOST | logout HOST | logins [--site S]"),
        tr("inspect, pull and build images, and keep those on a cluster in order"), imageHelp(),
        imageOptions(), 1, 100, imagePart};
}

} // namespace slipway
