// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/names.h"
#include "app/cli/command.h"
#include "app/sessions/sitefinder.h"
#include "remote/base/tr.h"

#include <QJsonDocument>

namespace slipway {

namespace {

/// The target that HOST, --user and --port describe; an error has not been printed yet.
QCoro::Task<Result<ConnectTarget>> targetOf(Context& context)
{
    const QString host = context.arguments.positional.at(1);
    auto named = targetFromText(host);
    if (!named.ok())
        co_return named.error();
    ConnectTarget target = *named;
    const Site* known = context.engine().catalogue()->site(host);
    if (known && !known->providedBy.isEmpty()) {
        const auto demo = co_await context.engine().sessions()->loginOf(host);
        if (!demo.ok())
            co_return demo.error();
        target = *demo;
    }
    if (context.arguments.has("--user"))
        target.user = context.arguments.value("--user");
    if (context.arguments.has("--port")) {
        bool number = false;
        target.port = context.arguments.value("--port").toInt(&number);
        if (!number || target.port < 1 || target.port > 65535)
            co_return Error{ErrorKind::Usage, tr("--port takes a number from 1 to 65535.")};
    }
    co_return target;
}

void reportFacts(Context& context, const FoundSite& found)
{
    for (const FoundFact& fact : foundFacts(found)) {
        const QStringList lines = fact.value.split(u'\n');
        for (const QString& line : lines)
            context.out.note(QStringLiteral("  %1: %2").arg(fact.name, terminalText(line)));
    }
    for (const QString& sentence : unknownFacts(found))
        context.out.note(QStringLiteral("  ? ") + terminalText(sentence));
}

ExitCode save(Context& context, const FoundSite& found, const QByteArray& file)
{
    const auto path =
        context.engine().catalogue()->saveSite(found.id, file, context.arguments.has("--force"));
    if (!path.ok()) {
        Error error = path.error();
        if (error.kind == ErrorKind::Invalid && !context.arguments.has("--force"))
            error.remedy = tr("Choose another id, or use --force to replace the file.");
        return context.fail(error);
    }
    context.out.note(
        tr("Saved as %1. “slipway-cli render RECIPE --site %2” prints a job script for it.")
            .arg(*path, found.id));
    return ExitCode::Done;
}

} // namespace

QCoro::Task<ExitCode> discoverSite(Context& context)
{
    const QString id = context.arguments.value("--save");
    if (context.arguments.has("--save") && !isIdentifier(id))
        co_return context.misused(tr("“%1” is not a valid id.").arg(id),
            tr("An id consists of the characters a-z, 0-9 and -."));
    if (context.arguments.has("--force") && !context.arguments.has("--save"))
        co_return context.misused(tr("--force requires --save."));
    const auto target = co_await targetOf(context);
    if (!target.ok())
        co_return context.fail(target.error());
    QObject owner;
    SiteFinder* finder = context.engine().sessions()->makeFinder(&owner);
    QObject::connect(finder, &SiteFinder::stageBegun, &owner, [&context](SiteFinder::Stage stage) {
        context.out.progress(SiteFinder::title(stage) + u'…');
    });
    const auto answer = co_await finder->find(*target, context.prompter());
    context.out.clearProgress();
    if (!answer.ok())
        co_return context.fail(answer.error());
    FoundSite found = *answer;
    if (!id.isEmpty())
        found.id = id;
    const QByteArray file = siteFile(found);
    reportFacts(context, found);
    if (context.out.json)
        context.out.object(QJsonDocument::fromJson(file).object());
    else
        context.out.raw(file);
    co_return id.isEmpty() ? ExitCode::Done : save(context, found, file);
}

} // namespace slipway
