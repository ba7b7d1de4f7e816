// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/image.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

/// The options that belong to one part only.
QString misplacedOption(const Arguments& arguments, const QString& part)
{
    static const QMap<QString, QStringList> owners{
        {QStringLiteral("--user"), {QStringLiteral("inspect")}},
        {QStringLiteral("--clear"), {QStringLiteral("cache")}},
        {QStringLiteral("--yes"),
            {QStringLiteral("remove"), QStringLiteral("cache"), QStringLiteral("convert")}},
        {QStringLiteral("--output"), {QStringLiteral("convert")}}};
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
        {QStringLiteral("list"), listImages}, {QStringLiteral("remove"), removeImages},
        {QStringLiteral("cache"), showImageCaches}, {QStringLiteral("convert"), convertImage}};
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

} // namespace

Command imageCommand()
{
    return {QStringLiteral("image"),
        QStringLiteral("inspect REF | list | remove PATH… | cache | convert FILE [--site S]"),
        tr("inspect images before a pull, and keep those on a cluster in order"),
        tr("image inspect REF --site S   what the registry says of it, and whether it runs there\n"
           "image list --site S          images on the cluster: size, age, runs that used them\n"
           "image remove PATH… --site S  deletes images\n"
           "image cache --site S         caches of the container runtime; --clear empties them\n"
           "image convert DOCKERFILE     a definition file with the same instructions\n"
           "\n"
           "inspect asks the registry and pulls nothing: from this computer, or from the login "
           "node "
           "where only that reaches\n"
           "it. Each partition gets a verdict with its rule: ok, fail or unknown. It exits with 1 "
           "if the image runs on none.\n"
           "convert exits with 1 if something could not be converted; it says what."),
        {{QStringLiteral("--site"), QStringLiteral("S"), tr("the site")},
            {QStringLiteral("--user"), QStringLiteral("NAME"),
                tr("with inspect: log in at the registry; asks for the password or token")},
            {QStringLiteral("--clear"), {}, tr("with cache: empty the caches")},
            {QStringLiteral("--yes"), {},
                tr("delete, or with convert replace the file, without asking")},
            {QStringLiteral("--output"), QStringLiteral("FILE"),
                tr("with convert: write the definition file here")}},
        1, 100, imagePart};
}

} // namespace slipway
