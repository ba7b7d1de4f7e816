// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/image.h"
#include "app/cli/jsonobjects.h"
#include "app/runs/runlogin.h"
#include "app/secrets/registrylogins.h"
#include "remote/base/tr.h"

#include <QJsonObject>

namespace slipway {

namespace {

/// The registry that a command names.
struct NamedRegistry {
    QString registry; ///< as it was written
    QString name; ///< under which its login is kept
    QString siteId; ///< empty: none was given
};

/// None: the error was printed.
std::optional<NamedRegistry> namedRegistry(Context& context, const QString& example)
{
    if (context.arguments.positional.size() != 1) {
        context.misused(tr("This takes one registry."), example);
        return {};
    }
    NamedRegistry named;
    named.registry = context.arguments.positional.first().trimmed();
    const Site* site = nullptr;
    if (context.arguments.has("--site")) {
        site = context.site(context.arguments.value("--site"));
        if (!site)
            return {};
        named.siteId = site->id;
    }
    const Result<QString> name = registryLoginName(site, named.registry);
    if (!name.ok()) {
        context.misused(name.error().summary, name.error().remedy);
        return {};
    }
    named.name = *name;
    if (!site && isRegistryOfCluster(Site(), named.name)) {
        context.misused(
            tr("%1 has no domain, so it is known only inside a cluster.").arg(named.registry),
            tr("Name its site: %1 --site SITE").arg(example));
        return {};
    }
    return named;
}

/// Asks for what is missing; the secret is not shown.
QCoro::Task<Result<RegistryLogin>> enteredLogin(Context& context, QString registry)
{
    PromptRound round;
    round.kind = PromptRound::Kind::Password;
    round.host = registry;
    round.user = context.arguments.value("--user");
    RegistryLogin login;
    login.user = round.user;
    const bool asksUser = login.user.isEmpty();
    if (asksUser) {
        Prompt prompt;
        prompt.text = tr("User at %1:").arg(registry);
        prompt.echo = true;
        round.prompts.push_back(prompt);
    }
    Prompt prompt;
    prompt.text = tr("Password or token:");
    round.prompts.push_back(prompt);
    const auto answers = co_await context.prompter()->answer(round);
    if (!answers || answers->size() != qsizetype(round.prompts.size()) || answers->last().isEmpty())
        co_return Error{ErrorKind::Cancelled, tr("No password or token was entered.")};
    if (asksUser)
        login.user = answers->first().trimmed();
    if (login.user.isEmpty())
        co_return Error{ErrorKind::Cancelled, tr("No user was entered.")};
    login.secret = answers->last();
    co_return login;
}

/// From this computer, or from the site's login node where only that reaches the registry.
QCoro::Task<Result<LoginInspection>> checkedLogin(
    Context& context, NamedRegistry named, RegistryLogin login)
{
    ImageInspector* const inspector = context.engine().imageInspector();
    ImageReference image;
    image.scheme = QStringLiteral("docker");
    image.registry = named.registry;
    const bool needsCluster =
        !named.siteId.isEmpty() && inspector->needsCluster(named.siteId, image);
    if (needsCluster) {
        const auto connected = co_await context.connectTo(named.siteId);
        if (!connected.ok())
            co_return connected.error();
    }
    context.out.progress(tr("Asking %1…").arg(named.registry));
    const auto found = co_await inspector->checkLogin(named.siteId, named.registry, login);
    if (needsCluster || named.siteId.isEmpty() || !found.check.why
        || !isUnreachable(*found.check.why))
        co_return found;
    const auto connected = co_await context.connectTo(named.siteId);
    if (!connected.ok()) {
        context.out.note(connected.error().summary);
        co_return found;
    }
    const auto again = co_await inspector->checkLogin(named.siteId, named.registry, login);
    co_return again;
}

/// Whether a login that could not be tested is kept nevertheless.
QCoro::Task<bool> isKeptUntested(Context& context, Error why)
{
    context.out.note(why.summary);
    if (context.arguments.has("--yes"))
        co_return true;
    PromptRound round;
    Prompt prompt;
    prompt.text = tr("Whether the registry accepts the login is unknown. Keep it? Type yes:");
    prompt.echo = true;
    round.prompts.push_back(prompt);
    const auto answers = co_await context.prompter()->answer(round);
    co_return answers && !answers->isEmpty() && answers->first().trimmed() == u"yes";
}

QString stateWord(LoginCheck::State state)
{
    switch (state) {
    case LoginCheck::State::Accepted:
        return QStringLiteral("accepted");
    case LoginCheck::State::Refused:
        return QStringLiteral("refused");
    case LoginCheck::State::Unknown:
        break;
    }
    return QStringLiteral("unknown");
}

void printLogin(Context& context, const NamedRegistry& named, const LoginInspection& found,
    const QString& user, bool kept)
{
    if (context.out.json)
        return context.out.object({{QStringLiteral("registry"), named.registry},
            {QStringLiteral("user"), user}, {QStringLiteral("login"), stateWord(found.check.state)},
            {QStringLiteral("asked_from"), found.askedFrom}, {QStringLiteral("kept"), kept}});
    if (found.check.state == LoginCheck::State::Accepted)
        context.out.line(terminalText(tr("%1 accepts the login of %2 (asked from %3).")
                                          .arg(named.registry, user, found.askedFrom)));
    context.out.note(kept
            ? tr("It is kept in the keychain, and used for the images of %1.").arg(named.registry)
            : tr("It was not kept."));
}

/// For --check without --user: the login that is kept, if there is one.
QCoro::Task<Result<RegistryLogin>> loginToTest(Context& context, NamedRegistry named)
{
    RegistryLogins logins(context.engine().secrets());
    if (context.arguments.has("--check") && !context.arguments.has("--user")
        && logins.registries().contains(named.name)) {
        const QString name = named.name;
        const auto kept = co_await logins.find(name);
        if (!kept.ok())
            co_return kept.error();
        if (*kept)
            co_return **kept;
    }
    const QString registry = named.registry;
    const auto entered = co_await enteredLogin(context, registry);
    co_return entered;
}

} // namespace

QCoro::Task<ExitCode> loginToRegistry(Context& context)
{
    const auto named = namedRegistry(context, QStringLiteral("slipway-cli image login nvcr.io"));
    if (!named)
        co_return ExitCode::Usage;
    const NamedRegistry place = *named;
    const auto entered = co_await loginToTest(context, place);
    if (!entered.ok())
        co_return context.fail(entered.error());
    const RegistryLogin login = *entered;
    const auto found = co_await checkedLogin(context, place, login);
    if (!found.ok())
        co_return context.fail(found.error());
    const LoginCheck check = found->check;
    if (check.state == LoginCheck::State::Refused)
        co_return context.fail(*check.why);
    const bool isKnown = check.state == LoginCheck::State::Accepted;
    if (context.arguments.has("--check")) {
        if (!isKnown)
            co_return context.fail(*check.why);
        printLogin(context, place, *found, login.user, false);
        co_return ExitCode::Done;
    }
    if (!isKnown) {
        const Error why = *check.why;
        const bool isWanted = co_await isKeptUntested(context, why);
        if (!isWanted) {
            context.out.note(tr("It was not kept."));
            co_return ExitCode::Refused;
        }
    }
    RegistryLogins logins(context.engine().secrets());
    const QString name = place.name;
    const auto kept = co_await logins.keep(name, login);
    if (!kept.ok())
        co_return context.fail(kept.error());
    printLogin(context, place, *found, login.user, true);
    co_return ExitCode::Done;
}

QCoro::Task<ExitCode> logoutOfRegistry(Context& context)
{
    const auto named = namedRegistry(context, QStringLiteral("slipway-cli image logout nvcr.io"));
    if (!named)
        co_return ExitCode::Usage;
    RegistryLogins logins(context.engine().secrets());
    const QString name = named->name;
    if (!logins.registries().contains(name))
        co_return context.fail(
            {ErrorKind::NotFound, tr("No login is kept for %1.").arg(named->registry),
                tr("“slipway-cli image logins” lists those that are.")});
    const auto forgotten = co_await logins.forget(name);
    if (!forgotten.ok())
        co_return context.fail(forgotten.error());
    context.out.note(tr("The login for %1 was removed from the keychain.").arg(named->registry));
    co_return ExitCode::Done;
}

QCoro::Task<ExitCode> listRegistryLogins(Context& context)
{
    if (!context.arguments.positional.isEmpty())
        co_return context.misused(
            tr("Unexpected argument “%1”.").arg(context.arguments.positional.first()));
    RegistryLogins logins(context.engine().secrets());
    const QStringList names = logins.registries();
    std::vector<QStringList> rows;
    for (const QString& name : names) {
        const auto login = co_await logins.find(name);
        const RegistryLoginPlace place = registryLoginPlace(name);
        const QString user = login.ok() && *login ? (*login)->user : QString();
        if (!login.ok())
            context.out.note(login.error().summary);
        if (context.out.json)
            context.out.object({{QStringLiteral("registry"), place.registry},
                {QStringLiteral("site"), textOrNull(place.siteId)},
                {QStringLiteral("user"), textOrNull(user)}});
        rows.push_back({place.registry, user.isEmpty() ? tr("unknown") : user,
            place.siteId.isEmpty() ? tr("all") : place.siteId});
    }
    if (context.out.json)
        co_return ExitCode::Done;
    if (rows.empty())
        context.out.note(
            tr("No login is kept. “slipway-cli image login nvcr.io” asks for one and keeps it."));
    else
        context.out.table({tr("REGISTRY"), tr("USER"), tr("SITE")}, rows);
    co_return ExitCode::Done;
}

} // namespace slipway
