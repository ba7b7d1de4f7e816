// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/ownwork.h"
#include "app/cli/terminalprompter.h"
#include "app/cli/waiter.h"
#include "app/plan/pinning.h"
#include "app/runs/continuing.h"
#include "remote/base/tr.h"

#include <QDeadlineTimer>

#include <algorithm>

namespace slipway {

struct Context::Private {
    Connector* connector = nullptr;
    std::unique_ptr<TerminalPrompter> prompter;
    std::unique_ptr<Engine> engine;
    QStringList noted; ///< errors of files that were reported
    std::unique_ptr<Interrupts> interrupts;
};

Context::Context(Connector* connector)
    : d(std::make_unique<Private>())
{
    d->connector = connector;
    d->prompter = std::make_unique<TerminalPrompter>(&out);
    d->interrupts = std::make_unique<Interrupts>();
}

Context::~Context() = default;

Engine& Context::engine()
{
    if (!d->engine) {
        d->engine = std::make_unique<Engine>(d->connector);
        d->engine->imageCheck()->setEnabled(true); // it asks when a command does
        noteFileErrors();
        if (d->engine->catalogue()->sites().empty())
            out.note(tr("No sites were found in “%1”. Set SLIPWAY_RESOURCES to the folder that "
                        "contains sites/ and recipes/.")
                         .arg(EnginePaths::standard().resources));
    }
    return *d->engine;
}

void Context::noteFileErrors()
{
    for (const Error& error : d->engine ? d->engine->errorsSoFar() : std::vector<Error>()) {
        if (d->noted.contains(error.text()))
            continue;
        d->noted << error.text();
        out.note(error.text());
    }
}

Interrupts& Context::interrupts()
{
    return *d->interrupts;
}

Prompter* Context::prompter()
{
    return d->prompter.get();
}

namespace {

template <typename Thing> QStringList idsOf(const std::vector<Thing>& things)
{
    QStringList ids;
    for (const Thing& thing : things)
        ids << thing.id;
    return ids;
}

QString didYouMean(const QString& word, const QStringList& known)
{
    if (known.isEmpty())
        return {};
    const QString near = nearest(word, known);
    return near.isEmpty() ? tr("Available: %1.").arg(known.join(u", "))
                          : tr("Did you mean %1?").arg(near);
}

} // namespace

const Site* Context::site(const QString& id)
{
    if (const Site* known = engine().catalogue()->site(id))
        return known;
    misused(
        tr("There is no site “%1”.").arg(id), didYouMean(id, idsOf(engine().catalogue()->sites())));
    return nullptr;
}

const Recipe* Context::recipe(const QString& id)
{
    if (const Recipe* known = engine().catalogue()->recipe(id))
        return known;
    misused(tr("There is no recipe “%1”.").arg(id),
        didYouMean(id, idsOf(engine().catalogue()->recipes())));
    return nullptr;
}

std::optional<Run> Context::run(const QString& id)
{
    const std::optional<Run> known = engine().runs()->run(id);
    if (!known)
        misused(tr("There is no run “%1”.").arg(id), didYouMean(id, idsOf(engine().runs()->all())));
    return known;
}

namespace {

/// "precision=fp64 sizes=512,1024"
QString settingsText(const QMap<QString, QString>& values)
{
    QStringList settings;
    for (auto it = values.begin(); it != values.end(); ++it)
        settings << it.key() + u'=' + it.value();
    return settings.join(u' ');
}

/// Applies --exercise N of a recipe to the spec, which may name another recipe. False: the error
/// was printed.
bool applyExercise(Context& context, const Recipe& recipe, LaunchSpec* spec)
{
    const std::vector<Exercise> exercises = recipe.teaching.exercises();
    const QString text = context.arguments.value("--exercise");
    bool isNumber = false;
    const qulonglong number = text.toULongLong(&isNumber);
    if (!isNumber || number < 1 || number > exercises.size()) {
        context.misused(exercises.empty() ? tr("“%1” has no exercises.").arg(recipe.id)
                                          : tr("“%1” has exercises 1 to %2, but no “%3”.")
                                                .arg(recipe.id)
                                                .arg(exercises.size())
                                                .arg(text),
            tr("“slipway-cli recipes show %1” lists them.").arg(recipe.id));
        return false;
    }
    const Exercise& exercise = exercises[number - 1];
    const bool otherRecipe = !exercise.recipe.isEmpty() && exercise.recipe != recipe.id;
    if (otherRecipe && context.arguments.has("--relaunch")) {
        context.misused(tr("Exercise %1 launches “%2”, but --relaunch launches “%3”.")
                            .arg(number)
                            .arg(exercise.recipe, recipe.id),
            QStringLiteral("slipway-cli run %1 --site %2 --exercise %3")
                .arg(recipe.id, spec->siteId)
                .arg(number));
        return false;
    }
    if (otherRecipe)
        spec->recipeId = exercise.recipe;
    for (auto it = exercise.values.begin(); it != exercise.values.end(); ++it)
        spec->values.insert(it.key(), it.value());
    const QStringList settings = context.arguments.values("--set");
    const bool given = exercise.values.contains(exercise.field)
        || std::any_of(settings.begin(), settings.end(),
            [&](const QString& one) { return one.startsWith(exercise.field + u'='); });
    if (!exercise.field.isEmpty() && !given) {
        context.misused(
            tr("Exercise %1 requires a value of your choice: %2").arg(number).arg(exercise.text),
            tr("Add --set %1=VALUE.").arg(exercise.field));
        return false;
    }
    context.out.note(tr("Exercise %1: %2").arg(number).arg(terminalText(exercise.text)));
    if (otherRecipe)
        context.out.note(tr("It launches %1.").arg(exercise.recipe));
    if (!exercise.values.isEmpty())
        context.out.note(tr("It sets %1.").arg(terminalText(settingsText(exercise.values))));
    return true;
}

/// The settings of the command line: --gpus and --image are short for --set.
QStringList settingsOf(const Arguments& arguments)
{
    QStringList settings;
    for (const char* name : {"--gpus", "--image"}) {
        if (arguments.has(name))
            settings << QLatin1String(name).mid(2) + u'=' + arguments.value(name);
    }
    if (arguments.has("--secret"))
        settings << u"secrets=" + arguments.values("--secret").join(QStringLiteral(", "));
    return settings + arguments.values("--set");
}

/// Applies the settings to the spec and names them in `set`. False: the error was printed.
bool applySettings(
    Context& context, const Recipe& recipe, const Site& site, LaunchSpec* spec, QStringList* set)
{
    QStringList known{QStringLiteral("gpus"), QStringLiteral("gpu_type"), QStringLiteral("cpus"),
        QStringLiteral("memory"), QStringLiteral("account")};
    for (const Parameter& field : formFields(recipe, site, {}, *spec))
        known << field.key;
    for (const QString& setting : settingsOf(context.arguments)) {
        const QString key = setting.section(u'=', 0, 0);
        if (!setting.contains(u'=')) {
            context.misused(tr("--set takes KEY=VALUE, not “%1”.").arg(setting));
            return false;
        }
        if (!known.contains(key)) {
            known.removeDuplicates();
            context.misused(
                tr("“%1” has no field “%2”.").arg(spec->recipeId, key), didYouMean(key, known));
            return false;
        }
        spec->values.insert(key, setting.section(u'=', 1));
        *set << key;
    }
    return true;
}

/// Batch or interactive. False: the error was printed.
bool applyMode(Context& context, LaunchSpec* spec)
{
    if (context.arguments.has("--interactive"))
        spec->mode = LaunchMode::Interactive;
    const bool interactive = spec->mode == LaunchMode::Interactive;
    const bool keeps = context.arguments.has("--keep");
    if (keeps && !interactive) {
        context.misused(
            tr("--keep requires --interactive: a batch job releases its nodes when it ends."));
        return false;
    }
    spec->releaseAtEnd = interactive && !keeps;
    return true;
}

/// The launch that --relaunch repeats; none: the error was printed.
std::optional<LaunchSpec> relaunchedSpec(Context& context)
{
    const std::optional<Run> before = context.run(context.arguments.value("--relaunch"));
    if (!before)
        return {};
    if (!context.arguments.positional.isEmpty() || context.arguments.has("--site")) {
        context.misused(
            tr("--relaunch takes the recipe and the site from the run; do not give them again."));
        return {};
    }
    LaunchSpec spec = repeatingSpec(*before);
    spec.editedScript.clear(); // what --set changes would not be in it
    if (context.arguments.has("--same-image")) {
        const Plan plan = context.engine().runs()->plan(spec);
        const Result<LaunchSpec> pinned = withPinnedImage(spec, plan, before->registryDigest);
        if (!pinned.ok()) {
            context.misused(pinned.error().summary, pinned.error().remedy);
            return {};
        }
        spec = *pinned;
    }
    return spec;
}

/// The launch that --continue names; none: the error was printed.
std::optional<LaunchSpec> continuedSpec(Context& context)
{
    const Arguments& arguments = context.arguments;
    const std::optional<Run> before = context.run(arguments.value("--continue"));
    if (!before)
        return {};
    for (const char* other : {"--site", "--relaunch", "--interactive", "--sweep"}) {
        if (!arguments.has(other))
            continue;
        context.misused(tr("--continue and %1 exclude each other.").arg(QLatin1String(other)),
            tr("--continue takes everything from the run; --set changes its fields."));
        return {};
    }
    if (!arguments.positional.isEmpty()) {
        context.misused(tr("--continue takes the program and the site from the run; do not give "
                           "them again."));
        return {};
    }
    const Recipe* const recipe = context.engine().catalogue()->recipe(before->spec.recipeId);
    const Result<LaunchSpec> spec =
        continuingSpec(*before, recipe, context.engine().catalogue()->site(before->spec.siteId));
    if (!spec.ok()) {
        context.fail(spec.error());
        return {};
    }
    return *spec;
}

/// The recipe, the site and the mode of a launch; `own`: of a person's own program. None: the error
/// was printed.
std::optional<LaunchSpec> namedSpec(Context& context, bool own)
{
    const Arguments& arguments = context.arguments;
    LaunchSpec spec;
    if (arguments.has("--continue")) {
        const std::optional<LaunchSpec> next = continuedSpec(context);
        if (!next)
            return {};
        spec = *next;
    } else if (arguments.has("--relaunch")) {
        const std::optional<LaunchSpec> before = relaunchedSpec(context);
        if (!before)
            return {};
        spec = *before;
    } else if (arguments.has("--same-image")) {
        context.misused(tr("--same-image requires --relaunch."));
        return {};
    } else {
        spec.recipeId = own ? ownRecipe() : arguments.positional.value(0);
        spec.siteId = arguments.value("--site");
    }
    if (spec.recipeId.isEmpty()) {
        context.misused(tr("A recipe is required."), tr("“slipway-cli recipes” lists them."));
        return {};
    }
    if (!own && !arguments.rest.isEmpty()) {
        context.misused(tr("The words after “--” are for a program of your own, not for a recipe."),
            tr("Set the fields of a recipe with --set KEY=VALUE."));
        return {};
    }
    if (spec.siteId.isEmpty()) {
        context.misused(tr("--site is required."), tr("“slipway-cli sites” lists them."));
        return {};
    }
    return applyMode(context, &spec) ? std::optional(spec) : std::nullopt;
}

} // namespace

std::optional<LaunchSpec> Context::launchSpec()
{
    const bool own =
        !arguments.has("--relaunch") && !arguments.has("--continue") && isOwnWork(*this);
    const std::optional<LaunchSpec> named = namedSpec(*this, own);
    if (!named)
        return {};
    LaunchSpec spec = *named;
    const Recipe* what = recipe(spec.recipeId);
    if (what && arguments.has("--exercise"))
        what = applyExercise(*this, *what, &spec) ? recipe(spec.recipeId) : nullptr;
    const Site* where = what ? site(spec.siteId) : nullptr;
    const std::optional<Proposal> proposal =
        where && own ? readOwnWork(*this) : std::optional<Proposal>();
    if (!where || (own && !proposal))
        return {};
    if (proposal)
        applyProposal(*proposal, *what, *where, &spec);
    spec.largeFiles += arguments.values("--send");
    QStringList set;
    if (!applySettings(*this, *what, *where, &spec, &set))
        return {};
    if (proposal)
        printProposal(*this, *proposal, spec, set);
    return spec;
}

QCoro::Task<Result<void>> Context::connectTo(QString siteId)
{
    const auto known = engine().catalogue()->site(siteId);
    out.progress(tr("Connecting to %1…").arg(known ? known->name : siteId));
    const Result<void> connected =
        co_await engine().sessions()->connectSite(siteId, d->prompter.get());
    // The name may have changed: the demo cluster can emulate a site.
    if (connected.ok())
        out.progress(QStringLiteral("%1: %2").arg(engine().catalogue()->site(siteId)->name,
            engine().sessions()->connection(siteId).sentence));
    co_return connected;
}

QCoro::Task<void> Context::runChange(QString runId, std::chrono::milliseconds atMost)
{
    Waiter waiter;
    QObject receiver;
    QObject::connect(engine().runs(), &Runs::runChanged, &receiver, [&](const QString& id) {
        if (id == runId)
            waiter.wake();
    });
    co_await waiter.wait(atMost);
}

QCoro::Task<void> Context::untilSettled(QString runId)
{
    const QDeadlineTimer deadline(std::chrono::minutes(1));
    while (!engine().runs()->isSettled(runId) && !deadline.hasExpired() && !Interrupts::pending())
        co_await runChange(runId, std::chrono::milliseconds(500));
}

ExitCode exitCodeOf(const Error& error)
{
    switch (error.kind) {
    case ErrorKind::Usage:
    case ErrorKind::NotFound:
        return ExitCode::Usage;
    case ErrorKind::Network:
    case ErrorKind::HostKey:
    case ErrorKind::Authentication:
    case ErrorKind::LinkLost:
    case ErrorKind::Timeout:
        return ExitCode::Connection;
    case ErrorKind::Refused:
        return ExitCode::Refused;
    case ErrorKind::Cancelled:
        return Interrupts::pending() ? ExitCode::Interrupted : ExitCode::Failed;
    default:
        return ExitCode::Failed;
    }
}

ExitCode Context::fail(const Error& error)
{
    out.error(error);
    return exitCodeOf(error);
}

ExitCode Context::misused(const QString& summary, const QString& remedy)
{
    return fail({ErrorKind::Usage, summary, remedy});
}

std::vector<OptionSpec> launchOptions()
{
    return {{QStringLiteral("--site"), QStringLiteral("S"),
                tr("the site to run on; “slipway-cli sites” lists them")},
        {QStringLiteral("--set"), QStringLiteral("K=V"),
            tr("set a field of the recipe; repeatable"), true},
        {QStringLiteral("--gpus"), QStringLiteral("N"), tr("short for --set gpus=N")},
        {QStringLiteral("--image"), QStringLiteral("REF"), tr("short for --set image=REF")},
        {QStringLiteral("--secret"), QStringLiteral("VAR"),
            tr("give the program this secret; short for --set secrets=VAR,…; repeatable"), true},
        {QStringLiteral("--exercise"), QStringLiteral("N"),
            tr("use the values of an exercise; “slipway-cli recipes show RECIPE” lists them")}};
}

} // namespace slipway
