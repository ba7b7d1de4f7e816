// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/follow.h"
#include "app/cli/image.h"
#include "app/cli/imageconvert.h"
#include "app/cli/ownwork.h"
#include "app/images/imagelaunch.h"
#include "app/project/definitionkeeper.h"
#include "app/project/definitionlint.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QFileInfo>

namespace slipway {

namespace {

/// The definition file that is built, and its folder, which is sent. A value.
struct BuildSource {
    QString folder;
    QString definition; ///< a file of the folder
};

/// Anything but a definition file is taken for a Dockerfile, as docker does with -f.
bool isDefinitionFile(const QString& path)
{
    return path.endsWith(u".def") || QFileInfo(path).fileName().startsWith(u"Definition");
}

/// Converts the Dockerfile into a definition file beside it, where COPY finds its sources.
Result<BuildSource> convertedSource(Context& context, const QString& path)
{
    const Result<Conversion> conversion = convertDockerfileAt(path);
    if (!conversion.ok())
        return conversion.error();
    if (context.out.json)
        printConversion(context, *conversion);
    else
        printRemarks(context, *conversion);
    if (conversion->hasLosses() && !context.arguments.has("--yes"))
        return Error{ErrorKind::Refused,
            tr("Not everything in %1 could be converted, so nothing was built.").arg(path),
            tr("If the image is of use without it, go on with --yes. Otherwise convert it with "
               "“image convert”, complete the definition file, and build that.")};
    const QFileInfo file(path);
    const QString typed = context.arguments.has("--name") ? context.arguments.value("--name")
                                                          : file.absoluteDir().dirName();
    const QString name = definitionName(typed);
    if (name.isEmpty())
        return Error{ErrorKind::Usage, tr("“%1” cannot be the name of an image.").arg(typed),
            tr("Give it one of letters, digits and . _ + - with --name.")};
    const QString definition = name + QStringLiteral(".def");
    const QString there = file.absolutePath() + u'/' + definition;
    const Result<void> written =
        writeDefinition(there, conversion->definition.toUtf8(), context.arguments.has("--yes"));
    if (!written.ok())
        return written.error();
    context.out.note(terminalText(tr("The definition file is %1.").arg(there)));
    return BuildSource{file.absolutePath(), definition};
}

Result<BuildSource> buildSource(Context& context, const QString& name)
{
    const QString path = dockerfileOf(name);
    if (path == u"-")
        return Error{
            ErrorKind::Usage, tr("“image build” needs a file, because its folder is sent.")};
    const QFileInfo file(path);
    if (!file.isFile())
        return Error{ErrorKind::Usage, tr("There is no file %1.").arg(path), tr("Check the path.")};
    if (!isDefinitionFile(path))
        return convertedSource(context, path);
    return BuildSource{file.absolutePath(), file.fileName()};
}

/// Says what is wrong with the definition file; an error ends the command before anything is sent.
Result<void> checkDefinition(Context& context, const BuildSource& source)
{
    const QString path = source.folder + u'/' + source.definition;
    const Result<QString> text = readDefinition(path);
    if (!text.ok())
        return text.error();
    const auto exists = [&source](const QString& one) {
        return QFileInfo::exists(source.folder + u'/' + one);
    };
    const std::vector<DefinitionProblem> problems = lintDefinition(*text, exists);
    bool wrong = false;
    for (const DefinitionProblem& problem : problems) {
        wrong = wrong || problem.isError;
        context.out.note(terminalText(problem.line > 0
                ? tr("%1, line %2: %3").arg(source.definition).arg(problem.line).arg(problem.text)
                : tr("%1: %2").arg(source.definition, problem.text)));
    }
    if (wrong)
        return Error{ErrorKind::Invalid, tr("This build would fail; nothing was sent."),
            tr("Correct %1.").arg(path)};
    return {};
}

LaunchSpec buildSpec(Context& context, const BuildSource& source)
{
    LaunchSpec spec =
        buildImageLaunch(context.arguments.value("--site"), source.folder, source.definition);
    if (context.arguments.has("--name"))
        spec.values.insert(QStringLiteral("name"), context.arguments.value("--name"));
    if (context.arguments.has("--test"))
        spec.values.insert(QStringLiteral("test"), context.arguments.value("--test"));
    return spec;
}

} // namespace

QCoro::Task<ExitCode> buildImage(Context& context)
{
    if (context.arguments.positional.size() != 1)
        co_return context.misused(tr("“image build” takes one definition file or Dockerfile."));
    if (context.arguments.has("--local")) {
        const ExitCode built = co_await buildImageHere(context);
        co_return built;
    }
    if (!context.arguments.has("--site"))
        co_return context.misused(tr("--site is required."), tr("“slipway-cli sites” lists them."));
    if (!context.site(context.arguments.value("--site")) || !context.recipe(buildImageRecipe()))
        co_return ExitCode::Usage;
    const Result<BuildSource> source = buildSource(context, context.arguments.positional.value(0));
    if (!source.ok())
        co_return context.fail(source.error());
    const Result<void> checked = checkDefinition(context, *source);
    if (!checked.ok())
        co_return context.fail(checked.error());
    const LaunchSpec spec = buildSpec(context, *source);
    const Result<void> printed = co_await printChanges(context, spec);
    if (!printed.ok())
        co_return context.fail(printed.error());
    const ExitCode code = co_await launchAndFollow(context, spec);
    co_return code;
}

} // namespace slipway
