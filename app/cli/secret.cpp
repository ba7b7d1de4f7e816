// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/secret.h"

#include "app/cli/interrupts.h"
#include "app/secrets/loginpasswords.h"
#include "remote/base/tr.h"

#include <unistd.h>

#include <cerrno>

namespace slipway {

namespace {

constexpr qsizetype mostSecretInput = 1024 * 1024;
constexpr qsizetype longestTyped = 4000; ///< a terminal cuts a line off at 4095 bytes

/// All of stdin; none: interrupted, or too much.
std::optional<QByteArray> readAllInput()
{
    QByteArray all;
    char block[4096];
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, block, sizeof block);
        if (got < 0 && errno == EINTR && !Interrupts::pending())
            continue;
        if (got < 0 || all.size() > mostSecretInput)
            return {};
        if (got == 0)
            return all;
        all.append(block, got);
    }
}

QByteArray withoutLineEnd(QByteArray text)
{
    if (text.endsWith('\n'))
        text.chop(1);
    if (text.endsWith('\r'))
        text.chop(1);
    return text;
}

void printSecretNames(Context& context)
{
    SecretStore* const store = context.engine().secrets();
    const QStringList names = store->names() + LoginPasswords(store).names();
    for (const QString& name : names) {
        if (context.out.json)
            context.out.object({{QStringLiteral("secret"), name}});
        else
            context.out.line(name);
    }
    if (names.isEmpty() && !context.out.json)
        context.out.note(
            tr("There are no secrets. Keep one with: slipway-cli secret set HF_TOKEN"));
}

QCoro::Task<ExitCode> setSecret(Context& context, QString name)
{
    const bool isLogin = LoginPasswords::isName(name);
    if (!isLogin && !isSecretName(name))
        co_return context.misused(tr("“%1” cannot be the name of a secret.").arg(name.left(80)),
            name.contains(u'=')
                ? tr("Give the name only; the value is asked for, so that it is in no command "
                     "line.")
                : tr("Use the environment variable that your program reads, HF_TOKEN for "
                     "example."));
    const auto value = co_await typedSecret(context, tr("Value of %1 (not shown):").arg(name));
    if (!value.ok())
        co_return context.fail(value.error());
    SecretStore* const store = context.engine().secrets();
    auto keeping = isLogin ? LoginPasswords(store).keep(name, QString::fromUtf8(*value))
                           : store->keep(name, *value);
    const auto kept = co_await keeping;
    if (!kept.ok())
        co_return context.fail(kept.error());
    if (context.out.json)
        context.out.object({{QStringLiteral("secret"), name}, {QStringLiteral("kept"), true}});
    else
        context.out.note(isLogin
                ? tr("%1 is kept in the keychain. Logins use it; codes are still asked for.")
                      .arg(name)
                : tr("%1 is kept in the keychain. A launch gets it with --secret %1.").arg(name));
    co_return ExitCode::Done;
}

QCoro::Task<ExitCode> removeSecret(Context& context, QString name)
{
    SecretStore* const store = context.engine().secrets();
    auto forgetting =
        LoginPasswords::isName(name) ? LoginPasswords(store).forget(name) : store->forget(name);
    const auto gone = co_await forgetting;
    if (!gone.ok())
        co_return context.fail(gone.error());
    if (context.out.json)
        context.out.object({{QStringLiteral("secret"), name}, {QStringLiteral("removed"), true}});
    else
        context.out.note(tr("%1 is no longer in the keychain.").arg(name));
    co_return ExitCode::Done;
}

QCoro::Task<ExitCode> manageSecrets(Context& context)
{
    const QString verb = context.arguments.positional.first();
    const QString name = context.arguments.positional.value(1);
    if (verb == u"list" && name.isEmpty()) {
        if (const QString trouble = context.engine().secrets()->trouble(); !trouble.isEmpty())
            co_return context.fail({ErrorKind::Invalid, trouble});
        printSecretNames(context);
        co_return ExitCode::Done;
    }
    if ((verb == u"set" || verb == u"remove") && name.isEmpty())
        co_return context.misused(
            tr("Which secret?"), tr("slipway-cli secret %1 HF_TOKEN, for example.").arg(verb));
    if (verb == u"set") {
        const ExitCode code = co_await setSecret(context, name);
        co_return code;
    }
    if (verb == u"remove") {
        const ExitCode code = co_await removeSecret(context, name);
        co_return code;
    }
    co_return context.misused(
        tr("“secret” does not know “%1”.").arg(context.arguments.positional.join(u' ').left(80)),
        tr("Use set, list or remove."));
}

} // namespace

QCoro::Task<Result<QByteArray>> typedSecret(Context& context, QString prompt)
{
    if (isatty(STDIN_FILENO) == 0) {
        const std::optional<QByteArray> all = readAllInput();
        if (!all)
            co_return Error{ErrorKind::Invalid, tr("The value could not be read from stdin.")};
        co_return withoutLineEnd(*all);
    }
    PromptRound round;
    round.prompts.push_back({prompt, false});
    const auto typed = co_await context.prompter()->answer(round);
    if (!typed)
        co_return Error{ErrorKind::Cancelled, tr("Nothing was changed.")};
    const QByteArray value = typed->value(0).toUtf8();
    if (value.size() > longestTyped)
        co_return Error{ErrorKind::Invalid,
            tr("The value is too long for a line of a terminal, which would cut it off."),
            tr("Give it on stdin: slipway-cli secret set NAME <FILE")};
    co_return value;
}

Command secretCommand()
{
    return {QStringLiteral("secret"), QStringLiteral("(set VAR | list | remove VAR)"),
        tr("keep tokens and passwords in the keychain"),
        tr("Keeps secrets like HF_TOKEN or WANDB_API_KEY in the desktop's keychain (GNOME Keyring, "
           "KWallet). VAR is the\n"
           "environment variable that your program reads. The value is asked for without echo, or "
           "read from stdin:\n"
           "\n"
           "  slipway-cli secret set HF_TOKEN\n"
           "  slipway-cli run ./train.py --site SITE --secret HF_TOKEN\n"
           "\n"
           "VAR may also be login:USER@HOST, the password of a login, or passphrase:FILE, that of "
           "a key: "
           "logins then use it\n"
           "instead of asking. One-time codes are never kept.\n"
           "\n"
           "“list” prints names only. A launch sends the value in a file that only you can read, "
           "and the job removes it. Where\n"
           "there is no keychain, “run” takes the value from its own environment."),
        {}, 1, 2, manageSecrets};
}

} // namespace slipway
